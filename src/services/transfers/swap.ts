import { note } from '../../../db/audit.ts';
import { recordEvents, type NewEvent } from '../../../db/events.ts';
import type { Act, Item } from '../../operations/flow.ts';
import { notedActs } from '../../operations/items.ts';
import type { AppError } from '../../shared/errors.ts';
import { releasedIn } from '../dns/unforward.ts';
import { deleteAttachments, type Forward } from '../dns/rows.ts';
import { SYSTEM, type Actor } from '../access/scope.ts';
import { refuseServer, serverRefusal } from '../portfolio/domain-places.ts';
import type { MoveLane } from './lane.ts';
import type { Move } from './queue.ts';
import { usedReserves } from './reserve-looks.ts';
import { demoteMain, insertHistory, listMovedRows, promoteReserve } from './rows.ts';
import { copySite, updateRelease } from '../sites/rows.ts';

type Placed = Pick<Move, 'target' | 'server_id'>;

/** Returns the name of a reserve that has no server: the move gives it that of the source. */
async function lacking({ target }: Placed): Promise<string[]> {
  const rows = await listMovedRows([target.id]);
  return rows.flatMap(({ server_id, domain_name }) => (server_id === null ? [domain_name] : []));
}

/** Throws AppError `refused` where the reserve of a move must not get the server that it lacks: its folder there is another's. */
export const refusePlace = async (actor: Actor, move: Placed): Promise<void> =>
  refuseServer(actor, await lacking(move), move.server_id, 'targetDomainId');

/** Returns that error; undefined: there is none. */
export const placeRefusal = async (actor: Actor, move: Placed): Promise<AppError | undefined> =>
  serverRefusal(actor, await lacking(move), move.server_id);

/** The stored row of a swap: the move, the release that is live on the reserve, and the attached names that its deleted rules forwarded. */
interface Swap {
  move: Move;
  release: string | null;
  freed: Forward[];
}

/**
 * Exchanges the roles, and fills in the server, account, template and site that the new main domain lacks; no server where
 * the folder there has gone to another domain since the redirect. Runs in the transaction that notes the act as done.
 */
async function saveSwap({ move, release, freed }: Swap): Promise<void> {
  const { source, target, server_id, target_account, action } = move;
  const pair = { source: source.id, target: target.id };
  const isTaken = (await placeRefusal(SYSTEM, move)) !== undefined;
  await promoteReserve(pair, { server_id: isTaken ? null : server_id, cloudflare_account_id: target_account });
  await demoteMain(source.id);
  await deleteAttachments(freed);
  if (release !== null) {
    await copySite(source.id, target.id);
    await updateRelease(target.id, release);
  }
  note({
    action: 'transfer',
    object: 'domains',
    ids: [source.id, target.id],
    name: target.name,
    before: { main: source.name },
    after: { main: target.name },
    covers: ['sites'],
  });
  await insertHistory(pair, { main_domain_name: source.name, transfer_domain_name: target.name, action });
}

const eventsOf = ({ move: { source, target } }: Swap): NewEvent[] => [
  { kind: 'transfer_done', name: target.name, domain_id: target.id, params: { from: source.name } },
  { kind: 'transfer_over', name: source.name, domain_id: source.id },
];

async function saveSwaps(rows: Swap[]): Promise<void> {
  for (const row of rows) await saveSwap(row);
  const projects = [...new Set(rows.flatMap(({ move: { project_id } }) => project_id ?? []))];
  await recordEvents([...rows.flatMap(eventsOf), ...(await usedReserves(projects))]);
}

/** Returns the attached names that the rules which the move has deleted forwarded. Until here they stay attached: a move that is taken back gives the rules back. */
async function freedBy(item: Item): Promise<Forward[]> {
  const done = (await notedActs(item)).find(({ name, state }) => name === 'unforward' && state === 'done');
  return done ? releasedIn(done) : [];
}

/** Returns the act that makes the reserve the main domain, and the main domain a reserve in mode `manual`. */
export function swapAct(item: Item<Move>, lane: MoveLane): Act {
  const { source, target, site } = item.data;
  let release: string | null = null;
  let freed: Forward[] = [];
  return {
    name: 'swap',
    class: 'set',
    look: async () => {
      // The rows are committed together with the act's end: an act that is not noted as done has written nothing.
      if (site !== null && !lane.warnings) release = await lane.releaseId();
      freed = await freedBy(item);
      return { before: { main: source.name }, after: { main: target.name }, perform: async () => undefined };
    },
    record: () => ({ save: saveSwaps, row: { move: item.data, release, freed } satisfies Swap }),
  };
}
