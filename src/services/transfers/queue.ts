import type { NewItem, Use } from '../../operations/flow.ts';
import { ALL_PARTS, itemName, itemOn, type Lock } from '../../operations/locks.ts';
import { askedBefore, enqueue, findSameWork } from '../../operations/queue.ts';
import { AppError, unknownReference } from '../../shared/errors.ts';
import type { Message } from '../../shared/i18n/index.ts';
import type { TransferAction } from '../../shared/transfers/transfers.ts';
import { foreignZone } from '../access/ownership.ts';
import type { Actor } from '../access/scope.ts';
import { moveOfSetting, SWITCHES } from '../dns/switch-lock.ts';
import { listMovedRows, type MovedRow } from './rows.ts';
import { zoneNameOf } from '../../lib/zone-name.ts';

/** One of the two domains of a move. */
interface Side {
  id: number;
  name: string;
  zone: string;
}

/** The move of a site from a main domain to a reserve, as it was decided when it was queued. */
export interface Move {
  source: Side;
  target: Side;
  project_id: number | null;
  action: TransferAction;
  /** A person insists, knowing the warnings. */
  force: boolean;
  /** The print of the page that a person has seen at the reserve and confirmed. */
  confirm_site?: string | undefined;
  /** CDN accounts of the zones. A reserve without an account gets its zone in the source's. */
  source_account: number | null;
  target_account: number | null;
  copy_dns: boolean;
  /** The server where the site will be, the reserve's own or that of the source; and its folder there. */
  server_id: number | null;
  file_path: string;
  /** The domain whose page and template the site is built from; null: neither has a site, or there is no server. */
  site: 'target' | 'source' | null;
}

/** An item that moves nothing and fails with its reason. */
export interface Declined {
  source_id: number;
  declined: Message;
}

/** The data of a transfer's item. */
export type TransferItem = Move | Declined;

export const isDeclined = (data: TransferItem): data is Declined => 'declined' in data;

/** The two domains that are to change their roles. */
export interface Pair {
  source_id: number;
  target_id: number;
}

/** Origin and messages of a transfer. `here`: this process runs it. `asked_by`: a person, unless it says otherwise. */
export interface How {
  action: TransferAction;
  asked_by?: 'automation';
  subject: string;
  message: Message;
  here?: boolean;
  idem_key?: string;
  force?: boolean;
  confirm_site?: string | undefined;
}

const rowsOf = async (ids: number[]): Promise<Map<number, MovedRow>> =>
  new Map((await listMovedRows(ids)).map((row) => [row.id, row]));

const sideOf = ({ id, domain_name }: MovedRow): Side => ({ id, name: domain_name, zone: zoneNameOf(domain_name) });

type Asked = Pick<How, 'action' | 'force' | 'confirm_site'>;

function moveOf(source: MovedRow, target: MovedRow, { action, force = false, confirm_site }: Asked): Move {
  const server_id = target.server_id ?? source.server_id;
  const site = target.has_site ? 'target' : source.has_site ? 'source' : null;
  return {
    source: sideOf(source),
    target: sideOf(target),
    project_id: source.project_id,
    action,
    force,
    confirm_site,
    source_account: source.cloudflare_account_id,
    target_account: target.cloudflare_account_id ?? source.cloudflare_account_id,
    copy_dns: source.transfer_dns === 'on',
    server_id,
    file_path: target.file_path,
    site: server_id === null ? null : site,
  };
}

const usesOf = ({ source_account, target_account, server_id }: Move): Use[] =>
  [
    { kind: 'cloudflare_accounts', id: source_account },
    { kind: 'cloudflare_accounts', id: target_account },
    { kind: 'servers', id: server_id },
  ].flatMap(({ kind, id }) => (id === null ? [] : [{ kind, id }]));

/** Returns the lock of the move of a main domain. */
export const moveLock = (source: string): Lock => ({ kind: 'transfer', name: source });

/** Returns the item of a move. It has a lane of its own: an account that fails stops no other move. */
export const itemOfMove = (move: Move): NewItem => ({
  ...itemOn(moveLock(move.source.name)),
  lane: `transfer:${move.source.id}`,
  uses: usesOf(move),
  data: move,
});

/** Returns the move of a pair as it would be queued. Throws AppError `refused` for a domain that does not exist. */
export async function readMove({ source_id, target_id }: Pair, how: Asked): Promise<Move> {
  const rows = await rowsOf([source_id, target_id]);
  const [source, target] = [rows.get(source_id), rows.get(target_id)];
  if (!source) throw unknownReference('sourceDomainId');
  if (!target) throw unknownReference('targetDomainId');
  return moveOf(source, target, how);
}

const alone = ({ source, target }: Move): Lock[] => [
  ...[source, target].flatMap(({ name, zone }) => [
    { kind: 'domain', name },
    { kind: 'dns', name: zone },
    { kind: 'dns', name: zone, part: ALL_PARTS },
    { kind: 'rule', name: zone, part: ALL_PARTS },
  ]),
  { kind: 'site', name: target.name },
];

/**
 * Returns what no other operation may work on meanwhile. Work on the protection of a whole portfolio does not wait, nor does a move wait for
 * it: of the source's zone only a rule is written, and what is about the settings of the target's zone is a part, which no switch meets.
 */
export const locksOf = (move: Move): Lock[] => [
  ...alone(move),
  ...SWITCHES.map((kind) => moveOfSetting(kind, move.target.zone)),
];

/** Returns what a move works with as it finds it: nothing earlier on it is given back. */
export const foundBy = (move: Move): Lock[] => [
  ...alone(move),
  ...SWITCHES.map((kind) => ({ kind, name: move.target.zone })),
];

/**
 * Queues the moving of sites, each pair an item; each of `declined` becomes an item that fails at once with its reason.
 * Whether a pair can be moved is checked when its turn comes. A pair whose zone is not the actor's is declined, or
 * refused if it is the only one (AppError `refused`). Throws `busy` where another operation works on one of the
 * domains.
 */
export async function queueTransfers(
  actor: Actor,
  pairs: Pair[],
  declined: { source_id: number; reason: Message }[],
  how: How,
): Promise<{ id: number; started: boolean }> {
  const moves: Move[] = [];
  const left = [...declined];
  for (const pair of pairs) {
    const move = await readMove(pair, how);
    const zone = await foreignZone(actor, [move.source.zone, move.target.zone]);
    const reason: Message = { key: 'zone.not_yours', params: { zone: zone ?? '' } };
    if (zone === null) moves.push(move);
    else if (pairs.length > 1) left.push({ source_id: pair.source_id, reason });
    else throw new AppError('refused', reason.key, reason.params, { code: 'zone_not_yours' });
  }
  const names = await rowsOf(left.map(({ source_id }) => source_id));
  const leftItems = left.map(({ source_id, reason }): NewItem => {
    const item = itemOn(moveLock(names.get(source_id)?.domain_name ?? String(source_id)));
    return Object.assign(item, {
      lane: `transfer:${source_id}`,
      data: { source_id, declined: reason } satisfies Declined,
    });
  });
  const { action, asked_by, subject, message, here = false, idem_key } = how;
  return enqueue(
    {
      kind: 'transfer',
      ...(asked_by && { asked_by }),
      subject,
      user_id: actor.id,
      input: { action, pairs },
      message,
      items: [...moves.map(itemOfMove), ...leftItems],
      locks: [...new Map(moves.flatMap(locksOf).map((lock) => [itemName(lock), lock])).values()],
      idem_key,
    },
    here,
  );
}

/**
 * Returns the transfer that a client has started by this key before, or else the running one with this subject, whoever
 * asked for it; null: none. Throws AppError `conflict` where the key was used for another subject, `busy` where the running one is stopping.
 */
export async function findStarted(actor: Actor, subject: string, idem_key?: string): Promise<number | null> {
  const asked = idem_key === undefined ? null : await askedBefore({ kind: 'transfer', user_id: actor.id, idem_key });
  if (asked && asked.subject !== subject) throw new AppError('conflict', 'operation.key_reused');
  return asked?.id ?? (await findSameWork('transfer', subject))?.id ?? null;
}
