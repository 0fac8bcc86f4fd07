// A random model of two users who add, delete, restore, rename and attach names of two zones, below the API.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { dialect, execute, executeUnaudited, select, transaction } from '../../../db/index.ts';
import { reachIn } from '../../../src/services/access/ownership.ts';
import { listHoldings } from '../../../src/services/access/rows.ts';
import { deleteAttachments, upsertAttachments } from '../../../src/services/dns/rows.ts';
import { addUser, startDatabase, type TestDatabase } from '../../support/database.ts';
import { random } from '../../support/random.ts';

let database: TestDatabase;
beforeEach(async () => {
  database = await startDatabase();
});
afterEach(() => database.close());

type User = Awaited<ReturnType<typeof addUser>>;
interface Row {
  id: number;
  name: string;
  user: number;
  deleted: 0 | 1;
}

const STEPS = 80;
const ZONES = ['old.com', 'main.com'];
const NAMES = ['main.com', 'old.com', 'x.old.com', 'y.x.old.com'];
const zoneOf = (name: string): string => name.split('.').slice(-2).join('.');

const rows = (): Promise<Row[]> =>
  select(
    `SELECT id, domain_name AS name, user_id AS "user", CASE WHEN deleted_at IS NULL THEN 0 ELSE 1 END AS deleted FROM domains ORDER BY id`,
  );
const write = (sql: string, bind: Record<string, string | number> = {}): Promise<unknown> =>
  transaction(() => executeUnaudited('migration', sql, bind));

/** Rights of a user: the zones that are wholly theirs, the names of their domains that are, and the zones in which they have anything. */
interface Rights {
  whole: string[];
  names: string[];
  has: string[];
}

async function rightsOf(user: User): Promise<Rights> {
  const live = (await rows()).filter((row) => row.deleted === 0 && row.user === user.id);
  const whole: string[] = [];
  const names: string[] = [];
  for (const zone of ZONES) {
    const reach = await reachIn(user, zone);
    if (reach.isWhole) whole.push(zone);
    names.push(
      ...live.filter(({ id, name }) => zoneOf(name) === zone && reach.holds(name, id)).map(({ name }) => name),
    );
  }
  const has = (await listHoldings()).filter(({ holder }) => holder === user.id).map(({ name }) => zoneOf(name));
  return { whole, names, has };
}

/**
 * Returns the losses of a user by a step of another one: a name, or the zone of a name of theirs in which that one had nothing.
 */
const lossOf = (before: Rights, after: Rights, others: Rights): string[] => [
  ...before.names.filter((name) => !after.names.includes(name)),
  ...before.whole.filter(
    (zone) => before.names.includes(zone) && !others.has.includes(zone) && !after.whole.includes(zone),
  ),
];

/** Makes one random step in the name of a user, as the API would let them; returns what it was. */
async function step(user: User, pick: <T>(list: readonly T[]) => T): Promise<string> {
  const all = await rows();
  const live = all.filter(({ deleted }) => deleted === 0);
  const mine = live.filter((row) => row.user === user.id);
  const isFree = (name: string): boolean => !live.some((row) => row.name === name);
  const free = NAMES.filter(isFree);
  const gone = all.filter((row) => row.deleted === 1 && row.user === user.id && isFree(row.name));
  const kind = pick(['add', 'delete', 'restore', 'rename', 'attach', 'attach', 'detach']);
  if (kind === 'add' && free.length > 0) {
    const name = pick(free);
    await transaction(() =>
      execute(
        `INSERT INTO domains (user_id, domain_name, unicode_name, file_path, type, transfer_type, transfer_dns, status, created_at, updated_at)
       VALUES ($user, $name, $name, '/', 'main', 'auto', 'off', 'available', '', '')`,
        { user: user.id, name },
      ),
    );
    return `adds ${name}`;
  }
  if (kind === 'delete' && mine.length > 0) {
    const { id, name } = pick(mine);
    await write(`UPDATE domains SET deleted_at = 'now' WHERE id = $id`, { id });
    return `deletes ${name}`;
  }
  if (kind === 'restore' && gone.length > 0) {
    const { id, name } = pick(gone);
    await write('UPDATE domains SET deleted_at = NULL WHERE id = $id', { id });
    return `restores ${name}`;
  }
  if (kind === 'rename' && mine.length > 0 && free.length > 0) {
    const [{ id, name }, to] = [pick(mine), pick(free)];
    await write('UPDATE domains SET domain_name = $to WHERE id = $id', { id, to });
    return `renames ${name} to ${to}`;
  }
  const domain_name = pick(NAMES);
  if (mine.length === 0 || !(await reachIn(user, domain_name)).isWhole) return '';
  const pair = { domain_name, forward_to: pick(mine).name };
  if (pair.domain_name === pair.forward_to) return '';
  if (kind === 'attach') await transaction(() => upsertAttachments([{ ...pair, account_id: 0 }]));
  else if (kind === 'detach') await transaction(() => deleteAttachments([pair]));
  else return '';
  return `${kind}es ${domain_name} to ${pair.forward_to}`;
}

/** Makes the triggers of domains anew in the opposite order: SQLite promises none. */
async function turnTriggers(): Promise<void> {
  const made = await select<{ name: string; sql: string }>(
    "SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND tbl_name = 'domains' ORDER BY rowid DESC",
  );
  for (const { name, sql } of made) {
    await write(`DROP TRIGGER ${name}`);
    await write(sql);
  }
}

// SQLite has two orders of its triggers, PostgreSQL one.
const orders = () => (dialect() === 'sqlite' ? [false, true] : [false]);

// Each was a loss before migration 0053, in the first order on SQLite.
test.each([124, 139, 164, 166, 167])(
  'nobody takes a name from the user who holds it, by the random seed %i',
  async (seed) => {
    const users = [await addUser('ann'), await addUser('ben')];
    for (const isTurned of orders()) {
      await write('DELETE FROM attachments');
      await write('DELETE FROM domains');
      if (isTurned) await turnTriggers();
      const next = random(seed);
      const log: string[] = [];
      let before = await Promise.all(users.map(rightsOf));
      for (let n = 0; n < STEPS; n++) {
        const one = next() < 0.5 ? 0 : 1;
        log.push(`${users[one]!.login} ${await step(users[one]!, (list) => list[Math.floor(next() * list.length)]!)}`);
        const after = await Promise.all(users.map(rightsOf));
        expect({ lost: lossOf(before[1 - one]!, after[1 - one]!, before[one]!), log }).toEqual({ lost: [], log });
        before = after;
      }
    }
  },
);
