// The act that gives a domain its server, and what becomes of its folder between the look and the writing.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { execute, select, transaction } from '../../../db/index.ts';
import { placeAct } from '../../../src/services/portfolio/domain-places.ts';
import { addUser, startDatabase, type TestDatabase } from '../../support/database.ts';

let database: TestDatabase;
let ann: number;
let ben: number;

beforeEach(async () => {
  database = await startDatabase();
  [ann, ben] = [(await addUser('ann')).id, (await addUser('ben')).id];
  const server = `INSERT INTO servers (name, ssh_host, ssh_user, ssh_password, created_at) VALUES ('s', '192.0.2.1', 'root', '', '')`;
  await transaction(() => execute(server));
});
afterEach(() => database.close());

const add = (user: number, name: string, server: number | null, path: string) =>
  transaction(() =>
    execute(
      `INSERT INTO domains (user_id, domain_name, unicode_name, file_path, type, transfer_type, transfer_dns, status, server_id,
         created_at, updated_at)
       VALUES ($user, $name, $name, $path, 'main', 'auto', 'off', 'available', $server, '', '')`,
      { user, name, server, path },
    ),
  );

test.each([
  ['another user has taken', () => add(ben, 'his.com', 1, '/srv/hers')],
  [
    'it has been given instead, another user’s,',
    () => transaction(() => execute(`UPDATE domains SET file_path = '/srv/his' WHERE domain_name = 'hers.com'`)),
  ],
])('a domain does not get a server on which the folder that %s since the look', async (_, between) => {
  await add(ben, 'first.com', 1, '/srv/his');
  await add(ann, 'hers.com', null, '/srv/hers');
  await add(ann, 'same.com', null, '/srv/same');
  for (const name of ['hers.com', 'same.com']) {
    const act = placeAct(ann, name, { account_id: null, server_id: 1 });
    const change = await act.look();
    if (name === 'hers.com') await between();
    const own = act.record?.(change!.before, change!.after);
    await transaction(() => own!.save([own!.row] as never));
  }
  const rows = await select("SELECT domain_name, server_id FROM domains WHERE domain_name <> 'his.com' ORDER BY id");
  expect(rows).toEqual([
    { domain_name: 'first.com', server_id: 1 },
    { domain_name: 'hers.com', server_id: null },
    { domain_name: 'same.com', server_id: 1 },
  ]);
});
