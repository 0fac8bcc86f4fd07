import { note } from '../../../db/audit.ts';
import { transaction } from '../../../db/index.ts';
import { deviceOf, type DeviceView } from '../../shared/access/devices.ts';
import { notFound } from '../../shared/errors.ts';
import { deleteChallengesOf } from './factor-rows.ts';
import { deleteOwnSession, deleteSessionsBut, listSessionRows } from './session-rows.ts';
import { liveTimes, type Signed } from './session.ts';
import { isEnded } from './sign-out.ts';

/** Returns the caller's valid sessions, the one last used first. */
export async function listDevices({ actor, session }: Signed): Promise<DeviceView[]> {
  const rows = await listSessionRows(actor.id, liveTimes());
  const live = rows.filter(({ id }) => !isEnded(id));
  return live.map(({ id, address, agent, created_at, last_seen_at }) => {
    const { browser, system } = deviceOf(agent);
    return { id, address, browser, system, created_at, last_seen_at, current: id === session };
  });
}

/** Audits that sessions of a user were ended. */
export function noteSignOut(user: { id: number; login: string }, ended: number): void {
  note({ action: 'sign_out', object: 'users', id: user.id, name: user.login, after: { sessions: ended } });
}

/** Ends one of the caller's sessions. Throws AppError `not_found`. */
export async function endDevice({ actor }: Signed, id: number): Promise<void> {
  await transaction(async () => {
    if ((await deleteOwnSession(actor.id, id)) === 0) throw notFound();
    noteSignOut(actor, 1);
  });
}

/** Ends the sessions of a user but one, null: all; returns how many. Inside a transaction. */
export async function endSessions(user: { id: number; login: string }, but: number | null): Promise<number> {
  await deleteChallengesOf(user.id);
  const ended = await deleteSessionsBut(user.id, but);
  if (ended > 0) noteSignOut(user, ended);
  return ended;
}

/** Ends the caller's other sessions; returns how many. */
export const endOtherDevices = ({ actor, session }: Signed): Promise<number> =>
  transaction(() => endSessions(actor, session));
