import { setMaxListeners } from 'node:events';
import { transaction } from '../../../db/index.ts';
import { AppError } from '../../shared/errors.ts';
import type { Message } from '../../shared/i18n/index.ts';
import type { DomainDetail } from '../../shared/portfolio/domains.ts';
import { diagnosisOf, type Diagnosis, type Step } from '../../shared/why/diagnosis.ts';
import { actorOf } from '../access/ownership.ts';
import type { Actor } from '../access/scope.ts';
import { findDomain } from '../portfolio/domain-lists.ts';
import { climb } from './ladder.ts';
import { findDiagnosisRow, findHolder, listFamily, upsertDiagnosis } from './rows.ts';
import { openScene } from './scene.ts';

// A person waits: whatever is not told by then is unknown.
const LIMIT_MS = 28_000;
// Each ladder takes calls of accounts and registries that others wait for, too.
const MOST_AT_ONCE = 8;

/** Returns the last diagnosis of the caller's domain; null: it was not asked about yet. Throws AppError `not_found`. */
export async function findDiagnosis(actor: Actor, id: number): Promise<Diagnosis<Message> | null> {
  await findDomain(actor, id);
  const row = await findDiagnosisRow(id);
  return row ? diagnosisOf(row.domain_name, row.asked_at, JSON.parse(row.steps) as Step<Message>[]) : null;
}

const running = new Map<string, Promise<Diagnosis<Message>>>();

async function ask(actor: Actor, domain: DomainDetail, limitMs: number): Promise<Diagnosis<Message>> {
  const { id, domain_name } = domain;
  const asked_at = new Date().toISOString();
  const owner = await actorOf((await findHolder(id))?.user_id ?? 0);
  const limit = new AbortController();
  // Ends what is still under way when the answer is known.
  setMaxListeners(0, limit.signal);
  const timer = setTimeout(() => limit.abort(new DOMException('out of time', 'TimeoutError')), limitMs);
  try {
    const scene = openScene({ actor, owner }, domain, limit.signal);
    const family = async (): Promise<Set<string>> =>
      new Set((await listFamily(id)).map((relative) => relative.domain_name));
    const steps = await climb(scene, family, limit.signal);
    const diagnosis = diagnosisOf(domain_name, asked_at, steps);
    const { broken } = diagnosis;
    await transaction(() =>
      upsertDiagnosis({ domain_id: id, domain_name, asked_at, broken, steps: JSON.stringify(steps) }),
    );
    return diagnosis;
  } finally {
    clearTimeout(timer);
    limit.abort(new DOMException('the ladder is over', 'AbortError'));
  }
}

/**
 * Asks why the caller's domain is red, for 28 s at most (`limitMs`), and stores the answer in place of the former one. Two who ask at once get the
 * same answer. Throws AppError `not_found`, and `too_many` where others are being asked about.
 */
export async function diagnose(actor: Actor, id: number, limitMs = LIMIT_MS): Promise<Diagnosis<Message>> {
  const domain = await findDomain(actor, id);
  const key = `${id} ${domain.domain_name}`;
  const known = running.get(key);
  if (known) return known;
  if (running.size >= MOST_AT_ONCE) throw new AppError('too_many', 'why.busy', {}, { retryAfter: 10 });
  const asked = ask(actor, domain, limitMs).finally(() => running.delete(key));
  running.set(key, asked);
  return asked;
}
