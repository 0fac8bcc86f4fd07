import { execute, select, openConnection } from '../../../db/index.ts';

const DAYS = 90;
const PER_USER = 50;
const DAY_MS = 86_400_000;

// Cached for each open database. Only the server signs users in, so no other process adds networks.
const loaded = new WeakMap<object, Promise<Map<string, number>>>();

const keyOf = (login: string, network: string): string => `${login.toLowerCase()}\n${network}`;

/** The times of the last sign-ins, in milliseconds, by login and network. */
async function load(): Promise<Map<string, number>> {
  const rows = await select<{ login: string; network: string; last_at: string }>(
    'SELECT u.login, n.network, n.last_at FROM sign_in_networks n JOIN users u ON u.id = n.user_id',
  );
  return new Map(rows.map(({ login, network, last_at }) => [keyOf(login, network), Date.parse(last_at)]));
}

function known(): Promise<Map<string, number>> {
  const database = openConnection();
  const found = loaded.get(database) ?? load();
  loaded.set(database, found);
  found.catch(() => loaded.delete(database));
  return found;
}

/** Whether a login has signed in from a network in the last 90 days. Reads the database once in a process's life. */
export const hasSignedInFrom = async (login: string, network: string): Promise<boolean> => {
  const lastAt = (await known()).get(keyOf(login, network));
  return lastAt !== undefined && Date.now() - lastAt <= DAYS * DAY_MS;
};

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
    { user: user.id, oldest: new Date(Date.now() - DAYS * DAY_MS).toISOString() },
  );
  (await known()).set(keyOf(user.login, network), Date.now());
}
