import type { Message } from '../../shared/i18n/index.ts';
import {
  cursorOf,
  placeOf,
  type Place,
  type Timeline,
  type TimelineEntry,
  type TimelineKind,
  type TimelineQuery,
} from '../../shared/timeline/timeline.ts';
import type { Actor } from '../access/scope.ts';
import { findDomain } from '../portfolio/domain-lists.ts';
import { SOURCES, type Told } from './sources.ts';
import type { Before } from './timeline-rows.ts';

// Later than every time and row that is stored.
const END: Place = { at: '9999-12-31T23:59:59.999Z', source: 99, row: Number.MAX_SAFE_INTEGER };

interface Placed {
  entry: TimelineEntry<Message>;
  place: Place;
}

const byPlace = ({ place: one }: Placed, { place: other }: Placed): number =>
  one.at === other.at ? other.source - one.source || other.row - one.row : one.at < other.at ? 1 : -1;

/** A source of entries of one kind about one thing, by one statement. */
export interface Teller {
  kind: TimelineKind;
  list: (place: Before) => Promise<Told[]>;
}

/** Returns the entries of a source before a place. */
async function listSource(
  { kind, list }: Teller,
  source: number,
  { before, limit }: { before: Place; limit: number },
): Promise<Placed[]> {
  // At the very time of the place: all rows of a source that comes after it, none of one that came before.
  const row = source < before.source ? END.row : source > before.source ? 0 : before.row;
  const told = await list({ at: before.at, row, limit });
  return told.map(({ row, at, ...said }) => {
    const place = { at, source, row };
    return { entry: Object.assign(said, { id: cursorOf(place), kind, at }), place };
  });
}

/** Returns a part of what sources tell, the newest first: one statement for each, whatever the number of entries. */
export async function mergeSources(
  sources: readonly Teller[],
  { kinds, before, limit }: TimelineQuery,
): Promise<Timeline<Message>> {
  const chosen = kinds === undefined ? null : new Set(kinds.split(','));
  const from = (before === undefined ? null : placeOf(before)) ?? END;
  const asked = sources.flatMap((source, number) =>
    chosen === null || chosen.has(source.kind) ? [listSource(source, number, { before: from, limit: limit + 1 })] : [],
  );
  const found = (await Promise.all(asked)).flat().toSorted(byPlace);
  const data = found.slice(0, limit).map(({ entry }) => entry);
  return { data, next: found.length > limit ? (data.at(-1)?.id ?? null) : null };
}

/** Returns a part of what has happened to the caller's domain, the newest first. Throws AppError `not_found`. */
export async function readTimeline(actor: Actor, id: number, query: TimelineQuery): Promise<Timeline<Message>> {
  const domain = await findDomain(actor, id);
  return mergeSources(
    SOURCES.map(({ kind, list }) => ({ kind, list: (place) => list({ actor, domain }, place) })),
    query,
  );
}
