// Folders of a server whose row gets another host.
import { expect, test } from 'vitest';
import { execute, select, transaction } from '../../../db/index.ts';
import { newName } from '../calls.ts';
import { add, addServer, ask, attacker, useFolders, victim } from './world.ts';

useFolders();

const claimsOf = async (server: number): Promise<{ id: number; claim: number }[]> =>
  select('SELECT id, COALESCE(folder_claim, id) AS claim FROM domains WHERE server_id = $server ORDER BY 2', {
    server,
  });

const edit = (person: typeof victim, id: number, ssh_host: string) =>
  ask(person, `PUT /api/servers/${id}`, { ssh_host, ssh_password: 'ssh secret' });

test('an older claim does not come along to a host where the folder is another user’s: the edit is refused', async () => {
  const far = await addServer(attacker, { ssh_host: '203.0.113.10' });
  const mine = await addServer(victim, { ssh_host: '203.0.113.11' });
  const path = `/srv/${newName()}`;
  const name = newName();
  const early = (await add(attacker, far, path)).body.data.id;
  expect((await add(victim, mine, path, name)).status).toBe(200);
  const refused = await edit(attacker, far, '203.0.113.11');
  expect([refused.status, refused.body.code]).toEqual([422, 'path_shared']);
  expect(refused.body.fields).toHaveProperty('ssh_host');
  expect(refused.text).not.toContain(name);
  expect((await ask(attacker, `POST /api/domains/${early}`, { file_path: `${path}-else` })).status).toBe(200);
  expect((await edit(attacker, far, '203.0.113.11')).status).toBe(200);
});

test.each(['[2001:DB8::7]', '2001:db8:0:0::7', '2001:db8::7'])(
  'a row of an earlier version with the host %s is the host of its address',
  async (typed) => {
    const mine = await addServer(victim, { ssh_host: '203.0.113.30' });
    await transaction(() => execute('UPDATE servers SET ssh_host = $typed WHERE id = $mine', { typed, mine }));
    const theirs = await addServer(attacker, { ssh_host: '2001:db8::7' });
    const path = `/srv/${newName()}`;
    expect((await add(victim, mine, path)).status).toBe(200);
    const taken = await add(attacker, theirs, path);
    expect([taken.status, taken.body.code]).toEqual([422, 'path_shared']);
  },
);

test('with another host the domains of a server take their folders anew, in their order', async () => {
  const far = await addServer(attacker, { ssh_host: '203.0.113.20' });
  const mine = await addServer(victim, { ssh_host: '203.0.113.21' });
  const early: number[] = [];
  for (const part of ['a', 'b', 'c']) early.push((await add(attacker, far, `/srv/${newName()}/${part}`)).body.data.id);
  await ask(attacker, `POST /api/domains/${early[0]}`, { file_path: `/srv/${newName()}` });
  const order = (await claimsOf(far)).map(({ id }) => id);
  expect(order.at(-1)).toBe(early[0]);
  const late = (await add(victim, mine, `/srv/${newName()}`)).body.data.id;
  expect((await edit(attacker, far, '203.0.113.21')).status).toBe(200);
  const now = await claimsOf(far);
  expect(now.map(({ id }) => id)).toEqual(order);
  const [{ claim } = { claim: 0 }] = await claimsOf(mine);
  expect(now.every((one) => one.claim > claim)).toBe(true);
  // The next row comes after all of them, and another name of the row changes nothing.
  const next = (await add(victim, mine, `/srv/${newName()}`)).body.data.id;
  expect(next).toBeGreaterThan(Math.max(...now.map((one) => one.claim)));
  await ask(attacker, `PUT /api/servers/${far}`, { name: newName() });
  expect(await claimsOf(far)).toEqual(now);
  expect(late).toBeGreaterThan(0);
});
