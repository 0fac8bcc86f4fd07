import { execute, select, sequelizeOpen } from '../../../db/index.ts';

const DAYS = 90;
const PER_USER = 50;

// Cached for each open database. Only the server signs users in, so no other process adds networks.
const loaded = new WeakMap<object, Promise<Set<string>>>();

const keyOf = (login: string, network: string): string => `${login.toLowerCase()}\n${network}`;

async function load(): Promise<Set<string>> {
  const rows = await select<{ login: string; network: string }>(
    'SELECT u.login, n.network FROM sign_in_networks n JOIN users u ON u.id = n.user_id',
  );
  return new Set(rows.map(({ login, network }) => keyOf(login, network)));
}

function known(): Promise<Set<string>> {
  const database = sequelizeOpen();
  const found = loaded.get(database) ?? load();
  loaded.set(database, found);
  found.catch(() => loaded.delete(database));
  return found;
}

/** Whether a sign-in of a login from a network is stored. Reads the database once in a process's life. */
export const hasSignedInFrom = async (login: string, network: string): Promise<boolean> =>
  (await known()).has(keyOf(login, network));

/**
 * Stores a sign-in, inside the transaction of its session. Deletes the user's networks of more than 90 days ago, and
 * all but the newest 50.
 */
export async function noteSignIn(user: { id: number; login: string }, network: string): Promise<void> {
  const bind = { user: user.id, network, now: new Date().toISOString() };
  await execute(
    `INSERT INTO sign_in_networks (user_id, network, last_at) VALUES ($user, $network, $now)
     ON CONFLICT (user_id, network) DO UPDATE SET last_at = $now`,
    bind,
  );
  await execute(
    `DELETE FROM sign_in_networks WHERE user_id = $user AND (last_at < $oldest OR id NOT IN
       (SELECT id FROM sign_in_networks WHERE user_id = $user ORDER BY last_at DESC LIMIT ${PER_USER}))`,
    { user: user.id, oldest: new Date(Date.now() - DAYS * 86_400_000).toISOString() },
  );
  (await known()).add(keyOf(user.login, network));
}
