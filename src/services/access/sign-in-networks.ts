import { recordEvents } from '../../../db/events.ts';
import { openConnection } from '../../../db/index.ts';
import { deleteOldSignInNetworks, listSignInNetworks, upsertSignInNetwork } from './rows.ts';
import { foldLogin } from '../../shared/access/logins.ts';
import { DAY_MS } from '../../shared/time.ts';

const DAYS = 90;
const PER_USER = 50;
// Cached for each open database; what other servers add is learned from time to time.
const loaded = new WeakMap<object, Promise<Map<string, number>>>();
const LEARNED_MS = 5_000;
// The clocks of several machines differ by less.
const CLOCKS_MS = 5 * 60_000;
let learnedAt = performance.now();

const keyOf = (login: string, network: string): string => `${foldLogin(login)}\n${network}`;

/** The times of the last sign-ins, in milliseconds, by login and network. */
async function load(since = ''): Promise<Map<string, number>> {
  const rows = await listSignInNetworks(since);
  return new Map(rows.map(({ login, network, last_at }) => [keyOf(login, network), Date.parse(last_at)]));
}

function known(): Promise<Map<string, number>> {
  const database = openConnection();
  const found = loaded.get(database) ?? load();
  loaded.set(database, found);
  found.catch(() => loaded.delete(database));
  return found;
}

/** Whether a login has signed in from a network in the last 90 days. Reads the database once in a process's life; what others add is known after `learnNetworks`. */
export const hasSignedInFrom = async (login: string, network: string): Promise<boolean> => {
  const lastAt = (await known()).get(keyOf(login, network));
  return lastAt !== undefined && Date.now() - lastAt <= DAYS * DAY_MS;
};

/**
 * Learns the networks from which other servers have signed users in since; returns false where it did so within five seconds, so that a
 * flood of refusals costs one query in that time.
 */
export async function learnNetworks(): Promise<boolean> {
  const passed = performance.now() - learnedAt;
  if (passed < LEARNED_MS) return false;
  learnedAt = performance.now();
  const since = new Date(Date.now() - passed - CLOCKS_MS).toISOString();
  const [all, newer] = await Promise.all([known(), load(since)]);
  for (const [key, at] of newer) all.set(key, Math.max(at, all.get(key) ?? 0));
  return true;
}

/**
 * Stores a sign-in, inside the transaction of its session. Deletes the user's networks of more than 90 days ago, and
 * all but the newest 50.
 */
export async function noteSignIn(user: { id: number; login: string }, network: string): Promise<void> {
  const isFirst = ![...(await known()).keys()].some((key) => key.startsWith(keyOf(user.login, '')));
  const isNew = !isFirst && !(await hasSignedInFrom(user.login, network));
  await Promise.all([
    recordEvents(isNew ? [{ kind: 'new_network', name: network, user_id: user.id }] : []),
    upsertSignInNetwork({ user_id: user.id, network, last_at: new Date().toISOString() }),
    deleteOldSignInNetworks(user.id, new Date(Date.now() - DAYS * DAY_MS).toISOString(), PER_USER),
  ]);
  (await known()).set(keyOf(user.login, network), Date.now());
}
