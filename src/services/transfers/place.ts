import type { AppError } from '../../shared/errors.ts';
import type { Actor } from '../access/scope.ts';
import { refuseServer, serverRefusal } from '../portfolio/domain-places.ts';
import type { Move } from './queue.ts';
import { listMovedRows } from './rows.ts';

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
