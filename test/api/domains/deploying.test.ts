// A domain whose site is being deployed keeps its folder and its server, whoever edits it and through which door.
import { expect, test } from 'vitest';
import { transaction } from '../../../db/index.ts';
import { insertRow } from '../../../db/rows.ts';
import { itemOn } from '../../../src/operations/locks.ts';
import { cancelOperation, enqueue } from '../../../src/operations/queue.ts';
import { servers } from '../../../src/shared/accounts/tables.ts';
import { ask, create, owner, server, useDomains } from './world.ts';

useDomains();

const elsewhere = (): Promise<number> =>
  transaction(() =>
    insertRow(servers, {
      name: 'Elsewhere',
      ssh_host: '192.0.2.9',
      ssh_user: 'root',
      ssh_password: 'x',
      created_at: '',
    }),
  );

/** Adds a domain whose site an operation works on. */
async function deploying(): Promise<{ id: number; domain_name: string; operation: number }> {
  const { id, domain_name } = await create({ file_path: '/srv/one' });
  const { id: operation } = await enqueue({
    kind: 'tests',
    subject: domain_name,
    user_id: owner.id,
    input: {},
    message: { key: 'check.started' },
    items: [{ ...itemOn({ kind: 'site', name: domain_name }), lane: 'x', data: {} }],
  });
  return { id, domain_name, operation };
}

test('its folder and its server are not edited, and the refusal names the operation', async () => {
  const { id, operation } = await deploying();
  const server_id = await elsewhere();
  for (const change of [{ file_path: '/srv/two' }, { file_path: '' }, { server_id }]) {
    const { status, body } = await ask(`POST /api/domains/${id}`, change);
    expect([change, status, body.code]).toEqual([change, 409, 'busy']);
    expect(body.error).toContain(String(operation));
  }
  // An unchanged field, and a field that no deployment reads, are accepted.
  const kept = { file_path: '/srv/one', transfer_type: 'manual' };
  expect((await ask(`POST /api/domains/${id}`, kept)).status).toBe(200);
  await cancelOperation(operation);
  expect((await ask(`POST /api/domains/${id}`, { file_path: '/srv/two', server_id })).status).toBe(200);
});

test('the table editor refuses as the form does', async () => {
  const { id, operation } = await deploying();
  const edit = () => ask('POST /api/tables/domains', { id, file_path: '/srv/two' }, server.admin);
  expect(await edit()).toMatchObject({ status: 409, body: { code: 'busy' } });
  await cancelOperation(operation);
  expect((await edit()).status).toBe(200);
});

test('an edit of many domains leaves it, and says why', async () => {
  const [{ id, domain_name, operation }, free] = [await deploying(), await create()];
  const selection = { names: [domain_name, free.domain_name] };
  const act = { kind: 'edit', fields: { server_id: await elsewhere() } };
  const { data } = (await ask('POST /api/domains_bulk', { selection, act })).body;
  expect(data).toMatchObject({ changes: 1, left: [{ code: 'bulk.busy', count: 1, names: [domain_name] }] });
  expect((await ask(`GET /api/domains/${id}`)).body.data.server_id).toBeNull();
  const manual = { kind: 'edit', fields: { transfer_type: 'manual' } };
  expect((await ask('POST /api/domains_bulk', { selection, act: manual })).body.data).toMatchObject({ changes: 2 });
  await cancelOperation(operation);
});
