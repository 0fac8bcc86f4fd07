import { inflateRawSync } from 'node:zlib';
import type { Engine } from '../../shared/engines.ts';
import { notFound } from '../../shared/errors.ts';
import type { Message } from '../../shared/i18n/index.ts';
import { dateOf, dayOf } from '../../shared/positions/places.ts';
import type { OpenKeyword, SearchReading } from '../../shared/positions/positions.ts';
import type { Actor } from '../access/scope.ts';
import { findOperation } from '../operations/operations.ts';
import { findProject } from '../portfolio/projects.ts';
import type { FetchInput } from './fetch.ts';
import { findReading, listPlacesOf } from './grid-rows.ts';
import { kindOf } from './grids.ts';
import { findKeyword } from './keywords.ts';
import { listFailures } from './query-rows.ts';

/** The most bytes of a list of results: what is larger was not written by us. */
const MOST_BYTES = 4 * 2 ** 20;

/** Returns the results of a keyword on a day as they were read. Throws AppError `not_found`, also where it was not read. */
export async function readingOf(
  actor: Actor,
  projectId: number,
  engine: Engine,
  keywordId: number,
  date: string,
): Promise<SearchReading> {
  const project = await findProject(actor, projectId);
  const keyword = await findKeyword(actor, keywordId);
  if (keyword.project_id !== project.id) throw notFound();
  const row = await findReading(keyword.id, dayOf(date), await kindOf(project.id, engine));
  if (!row) throw notFound();
  const { query_id, day, depth, source, checked_at, results } = row;
  const text =
    results === null
      ? null
      : inflateRawSync(Buffer.from(results, 'base64'), { maxOutputLength: MOST_BYTES }).toString();
  const urls = text === null ? null : (JSON.parse(text) as string[]);
  return { date: dateOf(day), depth, source, checked_at, urls, own: await listPlacesOf(query_id, day) };
}

/** Returns the keywords that an operation of the caller's could not read, and why. Throws AppError `not_found`. */
export async function listOpen(actor: Actor, operationId: number): Promise<OpenKeyword<Message>[]> {
  const { id, input } = await findOperation(actor, operationId);
  const { source = 'xmlriver' } = JSON.parse(input) as Partial<FetchInput>;
  return (await listFailures(id)).map(({ keyword, engine, error }) => ({
    keyword,
    engine,
    source,
    error: JSON.parse(error) as Message,
  }));
}

const REASONS: Readonly<Record<string, 'away' | 'account'>> = {
  'provider.unavailable': 'away',
  'provider.malformed': 'away',
  'provider.rate_limited': 'away',
  'positions.no_account': 'account',
  'positions.account_refused': 'account',
};

/**
 * Returns the reason that all open keywords of an operation share: the service was away or limited, so that a later try may succeed,
 * or no account works. Null: there are others, or none is open.
 */
export async function whyOpen(operationId: number): Promise<'away' | 'account' | null> {
  const reasons = (await listFailures(operationId)).map(({ error }) => REASONS[(JSON.parse(error) as Message).key]);
  const [first] = reasons;
  return first !== undefined && reasons.every((reason) => reason === first) ? first : null;
}
