import { unknownReference } from '../../shared/errors.ts';
import type { Message } from '../../shared/i18n/index.ts';
import { DAY_MS } from '../../shared/time.ts';
import { type CheckAgainInput, type Triage, type TriageCount } from '../../shared/triage/triage.ts';
import { TRIAGE_KINDS, type TriageKind } from '../../shared/triage/kinds.ts';
import { isAdmin, type Actor } from '../access/scope.ts';
import { refusedCdnAccounts } from '../accounts/refusals.ts';
import { CHECK_STEPS } from '../checks/check-targets.ts';
import { startCheck } from '../checks/checks.ts';
import { listUndecided } from '../purchases/purchases.ts';
import { readPast } from './past.ts';
import { blockedItem, endingItem, operationItem, purchaseItem, type Item } from './items.ts';
import { listWaiting } from './past-rows.ts';
import {
  countTroubled,
  listBlocked,
  listDownAlone,
  listDownBuckets,
  listDownIds,
  listEnding,
  listNames,
  type DownKind,
} from './rows.ts';
import { causeItem, divideSilent, downItem } from './silent.ts';

const MOST_ITEMS = 20;
// So many of a kind are shown in any case; the room that is left goes to the weightiest.
const SHARES: Record<TriageKind, number> = {
  no_reserve: 4,
  blocked: 4,
  cause: 3,
  down: 3,
  ends: 2,
  purchase: 2,
  operation: 2,
};
// Work that ended longer ago is history, but for moves that ended half done.
const WAITING_DAYS = 7;
// More names behind one cause are checked with all that do not answer.
const MOST_CHECKED = 1_000;

/** The items of a kind, and how many there are of it. */
interface Part extends TriageCount {
  list: Item[];
}

const ofKind = (items: Item[], kind: TriageKind, more: Partial<TriageCount> = {}): Part => {
  const list = items.filter((item) => item.kind === kind);
  return { list, items: list.length, names: list.reduce((n, { count }) => n + count, 0), ...more };
};

async function blockedParts(actor: Actor, now: number): Promise<[Part, Part]> {
  const rows = await listBlocked(actor, now, MOST_ITEMS, await refusedCdnAccounts());
  const items = rows.map(blockedItem);
  const { total, bare } = rows[0] ?? { total: 0, bare: 0 };
  return [
    ofKind(items, 'no_reserve', { items: bare, names: bare }),
    ofKind(items, 'blocked', { items: total - bare, names: total - bare }),
  ];
}

/** Returns what does not answer, and how many names the actor has. */
async function silentParts(actor: Actor): Promise<{ parts: [Part, Part]; all: number }> {
  const buckets = await listDownBuckets(actor);
  const { groups, but, alone } = divideSilent(buckets);
  const shown = groups.slice(0, MOST_ITEMS);
  const [names, rows] = await Promise.all([
    listNames(
      actor,
      shown.flatMap(({ first_id, last_id }) => [first_id, last_id]),
    ),
    listDownAlone(actor, but, MOST_ITEMS),
  ]);
  const causes = shown.map((group) =>
    causeItem(
      group,
      names.filter(({ id }) => id === group.first_id || id === group.last_id),
    ),
  );
  const parts: [Part, Part] = [
    ofKind(causes, 'cause', { items: groups.length, names: groups.reduce((n, { count }) => n + count, 0) }),
    ofKind(rows.map(downItem), 'down', { items: alone, names: alone }),
  ];
  return { parts, all: buckets.reduce((n, { all }) => n + all, 0) };
}

async function endingPart(actor: Actor, now: number): Promise<Part> {
  const rows = await listEnding(actor);
  const registrars = new Set(rows.map(({ registrars_id }) => registrars_id));
  const items = [...registrars].map((id) =>
    endingItem(
      rows.filter(({ registrars_id }) => registrars_id === id),
      now,
    ),
  );
  return ofKind(items, 'ends');
}

/** Returns the purchases that this administrator may decide on; others decide on none. */
async function purchasePart(actor: Actor): Promise<Part> {
  if (!isAdmin(actor)) return ofKind([], 'purchase');
  const waiting = (await listUndecided(actor))
    // Nobody approves what is asked for by himself.
    .filter((one) => one.state !== 'awaiting_approval' || one.asker_login !== actor.login);
  return ofKind(waiting.map(purchaseItem), 'purchase');
}

async function operationPart(actor: Actor, now: number): Promise<Part> {
  const since = new Date(now - WAITING_DAYS * DAY_MS).toISOString();
  const rows = await listWaiting(actor, since, MOST_ITEMS);
  return ofKind(rows.map(operationItem), 'operation', { items: rows[0]?.all ?? 0 });
}

/** Returns twenty items at most: of each kind its share, and of the weightiest kinds what room is left. */
function choose(parts: Record<TriageKind, Part>): Item[] {
  const taken = TRIAGE_KINDS.map((kind) => Math.min(parts[kind].list.length, SHARES[kind]));
  let room = MOST_ITEMS - taken.reduce((n, one) => n + one, 0);
  return TRIAGE_KINDS.flatMap((kind, at) => {
    const more = Math.min(room, parts[kind].list.length - (taken[at] ?? 0));
    room -= more;
    return parts[kind].list.slice(0, (taken[at] ?? 0) + more);
  });
}

/**
 * Returns what of the actor's portfolio needs somebody, by cause and weight, what was repaired within a day, and how the last thirty days went. A fixed number of
 * statements, however large the portfolio is.
 */
export async function readTriage(actor: Actor, now = Date.now()): Promise<Triage<Message>> {
  const [[no_reserve, blocked], silent, names, ends, purchase, operation, past] = await Promise.all([
    blockedParts(actor, now),
    silentParts(actor),
    countTroubled(actor),
    endingPart(actor, now),
    purchasePart(actor),
    operationPart(actor, now),
    readPast(actor, now),
  ]);
  const [cause, down] = silent.parts;
  const parts: Record<TriageKind, Part> = { no_reserve, blocked, cause, down, ends, purchase, operation };
  const counts = Object.fromEntries(
    Object.entries(parts).map(([kind, { items, names }]) => [kind, { items, names }]),
  ) as Record<TriageKind, TriageCount>;
  return {
    items: choose(parts),
    total: Object.values(counts).reduce((n, { items }) => n + items, 0),
    names,
    all: silent.all,
    counts,
    ...past,
  };
}

/**
 * Starts a check of what an item is about: one name, or all of the actor's behind a cause that do not answer. The same again, while it runs, returns the check that
 * runs. Throws AppError `invalid` where nothing of it is down any more.
 */
export async function checkAgain(
  actor: Actor,
  { key }: CheckAgainInput,
  idem_key?: string,
): Promise<{ id: number; started: boolean }> {
  const [kind = '', of = ''] = key.split(':');
  const ids = await listDownIds(actor, kind as DownKind, kind === 'layer' ? of : Number(of), MOST_CHECKED + 1);
  if (ids.length === 0) throw unknownReference('key');
  const part = ids.length > MOST_CHECKED ? { status: 'broken' as const } : { domain_ids: ids.map(({ id }) => id) };
  return startCheck(actor, { steps: [...CHECK_STEPS], ...part }, false, { idem_key });
}
