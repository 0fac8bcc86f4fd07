import { createHash } from 'node:crypto';
import { findRow } from '../../../../db/rows.ts';
import { transaction } from '../../../../db/index.ts';
import type { NewItem } from '../../../operations/flow.ts';
import { askedBefore, enqueue, findSameWork, heldNow } from '../../../operations/queue.ts';
import { MAX_ATTACHED, type ManageDnsInput } from '../../../shared/dns/dns-changes.ts';
import { AppError, unknownReference } from '../../../shared/errors.ts';
import type { Message } from '../../../shared/i18n/index.ts';
import { servers } from '../../../shared/accounts/tables.ts';
import type { Selection } from '../../../shared/portfolio/domain-selection.ts';
import type { BulkPlan } from '../../../shared/system/bulk.ts';
import type { BulkWork, BulkWorkInput, BulkWorkPlanInput } from '../../../shared/system/bulk-work.ts';
import { isAdmin, type Actor } from '../../access/scope.ts';
import { CHECK_STEPS } from '../../checks/check-targets.ts';
import { startCheck } from '../../checks/checks.ts';
import { startDnsChange } from '../../dns/change.ts';
import { choose, type Chosen } from '../../portfolio/bulk.ts';
import { listChosenNamed, type ChosenRow } from '../../portfolio/bulk-rows.ts';
import { planOf, type Unfit } from '../bulk.ts';
import { findMoves, startMoves } from './moves.ts';
import { reachOf, type Reach, type Reached } from './reach.ts';

/** The begun work: the ids of its operations, and the domains that are left as they are. */
interface Begun {
  ids: number[];
  left: Unfit[];
  message: Message;
}

/** The plan of work. `hash` covers the details beyond `names` and `left`, such as targets; `begin` queues the operations. */
interface Prepared {
  names: string[];
  left: Unfit[];
  hash: string;
  begin: (idem_key: string | undefined) => Promise<Begun>;
}

const hashOf = (parts: readonly string[]): string =>
  createHash('sha256').update(parts.join('\n')).digest('base64url').slice(0, 22);

const namesOf = (rows: readonly ChosenRow[]): string[] => rows.map(({ domain_name }) => domain_name);

const BUSY: Message = { key: 'bulk.busy' };

const CHANGED: Message = { key: 'bulk.left_changed' };

const leftOf = (reached: readonly Reached[], reason: Message): Unfit[] =>
  reached.flatMap(({ names }) => names.map((name) => ({ name, reason })));

const planStale = (): AppError => new AppError('conflict', 'operation.plan_stale', {}, { code: 'plan_stale' });

const placeOf = ({ id, server_id, cloudflare_account_id, file_path }: ChosenRow): string =>
  JSON.stringify([id, server_id, cloudflare_account_id, file_path]);

/** Returns which of the domains that work was made for still are what they were then. Only inside the transaction that queues it. */
async function asSeenNow(actor: Actor, rows: readonly ChosenRow[]): Promise<(name: string) => boolean> {
  const now = new Map((await listChosenNamed(actor, namesOf(rows))).map((row) => [row.domain_name, placeOf(row)]));
  const changed = new Set(namesOf(rows.filter((row) => now.get(row.domain_name) !== placeOf(row))));
  return (name) => !changed.has(name);
}

/** Queues what is reached as one operation; what running work holds is left, and so is what can't be made. */
async function begin(
  actor: Actor,
  reach: Reach,
  rows: readonly ChosenRow[],
  idem_key: string | undefined,
): Promise<Begun> {
  const { kind, input, reached, message } = reach;
  const scope = isAdmin(actor) ? 'all' : `user ${actor.id}`;
  const names = reached.flatMap((one) => one.names);
  const subject = `${scope} some ${names.length} ${hashOf([JSON.stringify(input), ...names])}`;
  const made: (Reached & { made: NewItem })[] = [];
  const left: Unfit[] = [];
  for (const one of reached) {
    try {
      made.push({ ...one, made: await one.item() });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      left.push(...one.names.map((name) => ({ name, reason: { key: error.key, params: error.params } })));
    }
  }
  return transaction(async () => {
    // The same request again, as by a double press: what has begun holds its items.
    const asked = idem_key === undefined ? null : await askedBefore({ kind, user_id: actor.id, idem_key });
    if (asked && asked.subject !== subject) throw new AppError('conflict', 'operation.key_reused');
    const same = asked ?? (await findSameWork(kind, subject));
    if (same) return { ids: [same.id], left: [], message: message(made.length) };
    const isHeld = await heldNow();
    const isAsSeen = await asSeenNow(actor, rows);
    const changed = made.filter((one) => !one.names.every(isAsSeen));
    const busy = made.filter(({ lock }) => isHeld([lock]));
    const out = [...left, ...leftOf(changed, CHANGED), ...leftOf(busy, BUSY)];
    const taken = new Set([...busy, ...changed]);
    const free = made.filter((one) => !taken.has(one));
    if (free.length === 0 && changed.length > 0) throw planStale();
    if (free.length === 0) throw new AppError('busy', 'bulk.busy');
    const items = free.map((one) => one.made);
    const words = message(items.length);
    const { id } = await enqueue({ kind, subject, user_id: actor.id, input, message: words, items, idem_key });
    return { ids: [id], left: out, message: words };
  });
}

async function prepareItems(actor: Actor, reach: Reach, rows: readonly ChosenRow[]): Promise<Prepared> {
  const isHeld = await transaction(() => heldNow());
  const names = reach.reached.filter(({ lock }) => !isHeld([lock])).flatMap((one) => one.names);
  const busy = leftOf(
    reach.reached.filter(({ lock }) => isHeld([lock])),
    BUSY,
  );
  return {
    names,
    left: [...reach.left, ...busy],
    hash: '',
    begin: async (idem_key) => {
      const begun = await begin(actor, reach, rows, idem_key);
      return { ...begun, left: [...reach.left, ...begun.left] };
    },
  };
}

function prepareCheck(actor: Actor, { rows }: Chosen, selection: Selection): Prepared {
  const { filter, except } = selection;
  const isAll = filter !== undefined && !except?.length && Object.values(filter).every((value) => value === undefined);
  const part = isAll ? {} : { domain_ids: rows.map(({ id }) => id) };
  return {
    names: namesOf(rows),
    left: [],
    hash: '',
    begin: async (idem_key) => {
      const { id } = await startCheck(actor, { steps: [...CHECK_STEPS], ...part }, false, { idem_key });
      return { ids: [id], left: [], message: { key: 'check.started' } };
    },
  };
}

async function prepareMoves(actor: Actor, { rows }: Chosen, lastToo: boolean): Promise<Prepared> {
  const found = await findMoves(actor, rows, lastToo);
  return {
    names: found.projects.flatMap(({ moves }) => moves),
    left: found.left,
    hash: hashOf(found.projects.map(({ plan }) => plan)),
    begin: async (idem_key) => {
      const begun = await startMoves(actor, found, lastToo, idem_key);
      return { ...begun, left: [...found.left, ...begun.left] };
    },
  };
}

/** Each of the domains redirects to another one, through that one's CDN account and server. */
async function prepareAttach(actor: Actor, { rows }: Chosen, to: string): Promise<Prepared> {
  const [target] = await listChosenNamed(actor, [to]);
  if (!target) throw unknownReference('to');
  const { cloudflare_account_id: accountId, server_id } = target;
  const server = server_id === null ? undefined : await findRow(servers, server_id);
  if (accountId === null || !server) {
    const key = accountId === null ? 'bulk.left_no_account' : 'bulk.left_no_server';
    throw new AppError('refused', key, {}, { fields: { to: key } });
  }
  const names = namesOf(rows).filter((name) => name !== to);
  if (names.length > MAX_ATTACHED) throw new AppError('refused', 'bulk.many_attached', { n: MAX_ATTACHED });
  const input: ManageDnsInput = {
    accountId,
    domainName: to,
    ipAddress: server.ssh_host,
    tls: 'off',
    updateNs: 'off',
    pageRules: names,
  };
  return {
    names,
    left: [],
    hash: hashOf([String(accountId), server.ssh_host]),
    begin: async (idem_key) => {
      const { id } = await startDnsChange(actor, input, { idem_key });
      return { ids: [id], left: [], message: { key: 'dns.attaching', params: { domain: to, n: names.length } } };
    },
  };
}

async function prepare(actor: Actor, chosen: Chosen, selection: Selection, work: BulkWork): Promise<Prepared> {
  if (work.kind === 'check') return prepareCheck(actor, chosen, selection);
  if (work.kind === 'transfer') return prepareMoves(actor, chosen, work.use_last_reserve ?? false);
  if (work.kind === 'attach') return prepareAttach(actor, chosen, work.to);
  return prepareItems(actor, await reachOf(actor, chosen.rows, work), chosen.rows);
}

const withHash = (plan: BulkPlan<Message>, hash: string): BulkPlan<Message> =>
  hash === '' ? plan : { ...plan, expected: `${plan.expected} ${hash}` };

/**
 * Returns which of the selected domains work would reach, and why others are left; for `transfer` it looks outside. Writes nothing. Throws
 * AppError `refused` for more than can be worked on at once.
 */
export async function planWork(actor: Actor, { selection, work }: BulkWorkPlanInput): Promise<BulkPlan<Message>> {
  const chosen = await choose(actor, selection);
  const { names, left, hash } = await prepare(actor, chosen, selection, work);
  return withHash(planOf(chosen, { names, same: 0, left }), hash);
}

/**
 * Begins what `planWork` has said, as operations. The same request again, while they run, returns those. Throws as it, and AppError `conflict` where other domains
 * are selected (`selection_changed`) or something else would be done (`plan_stale`) than was `expected`; `refused` where nothing is reached.
 */
export async function startWork(
  actor: Actor,
  { selection, work, expected }: BulkWorkInput,
  idem_key?: string,
): Promise<BulkPlan<Message> & { message: Message; operations: { id: number }[] }> {
  const [rows, shown = ''] = expected.split(' ');
  const chosen = await choose(actor, selection, rows);
  const { names, left, hash, begin: go } = await prepare(actor, chosen, selection, work);
  if (shown !== hash) throw planStale();
  // Busy domains may be held by this very request, pressed twice: then `begin` returns its operation.
  if (names.length === 0 && !left.some(({ reason }) => reason.key === BUSY.key))
    throw new AppError('refused', 'bulk.nothing_reached');
  const begun = await go(idem_key);
  const gone = new Set(begun.left.map(({ name }) => name));
  const done = names.filter((name) => !gone.has(name));
  const plan = withHash(planOf(chosen, { names: done, same: 0, left: begun.left }), hash);
  return { ...plan, message: begun.message, operations: begun.ids.map((id) => ({ id })) };
}
