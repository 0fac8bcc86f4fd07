// Which call leaves what in the audit: every route that may change something is called well once.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { execute, select, transaction } from '../../db/index.ts';
import { routes } from '../../src/api/index.ts';
import type { AuditRow } from '../../src/shared/audit/tables.ts';
import { PASSWORD, request, startServer, type Ask, type TestServer } from '../support/server.ts';
import { CALLS, pathWith, settled } from './calls.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const lastId = async (): Promise<number> =>
  (await select<{ id: number | null }>('SELECT max(id) AS id FROM audit'))[0]?.id ?? 0;
const auditedSince = (id: number): Promise<AuditRow[]> =>
  select('SELECT * FROM audit WHERE id > $id ORDER BY id', { id });

// Calls that are refused in this world, of which the tests of their areas see the rows, or that change nothing of ours.
const SILENT: Record<string, string> = {
  'POST /api/second_factor/totp': 'a secret that is not in use yet',
  'POST /api/passkey_login/options': 'only a challenge, which is not stored',
  'POST /api/passkeys/options': 'only a challenge',
  'POST /api/second_factor/recovery_codes': 'there is no second factor',
  'PUT /api/second_factor/policy': 'it is so already',
  'POST /api/imports/preview': 'only looks',
  'POST /api/domains_bulk/plan': 'only looks',
  'POST /api/domains_bulk/work/plan': 'only looks',
  'POST /api/domains_bulk/work': 'no domain has the name: nothing begins',
  'POST /api/domains_bulk/names': 'only reads',
  'POST /api/domains_bulk/export': 'only reads',
  'POST /api/domains_bulk': 'no domain has the name: nothing changes',
  'POST /api/telegram': 'makes a code; the link that it leads to is audited',
  'POST /api/check_domains': 'only looks',
  'POST /api/cloudflare_accounts/test': 'only tries a login',
  'POST /api/cloudflare_accounts/:id/test': 'keeps what the test has found',
  'POST /api/servers/:id/test': 'keeps what the test has found',
  'POST /api/auto_buy/:projectId/plan': 'only looks',
  'POST /api/auto_buy/marks': 'only looks',
  'POST /api/registrars/test': 'only tries a login',
  'POST /api/audit/verify': 'only reads',
  'POST /api/schedules/:name/preview': 'only looks',
  'POST /api/schedules/:name/run': 'what the job does is audited, through this door',
  'POST /api/transfer_pages/:id/look': 'only looks',
  'POST /api/domains/:id/why': 'keeps what the question has found',
  'PUT /api/list_settings/:list': 'how the caller sees a list',
  'POST /api/list_views': 'what the caller looks at',
  'POST /api/list_views/:id': 'what the caller looks at',
  'DELETE /api/list_views/:id': 'what the caller looks at',
  'POST /api/notices/test': 'only tries a channel',
  'POST /api/registrars/:id/test': 'keeps what the test has found',
  'POST /api/xmlriver/test': 'only tries a login',
  'POST /api/xmlriver/:id/test': 'keeps what the test has found',
  'POST /api/arsenkin/test': 'only tries a login',
  'POST /api/arsenkin/:id/test': 'keeps what the test has found',
};

// The look-ups of registrations are an operation of their own.
const SEVERAL: Record<string, number> = {
  'POST /api/trigger_background_task': 2,
  // There is no domain to switch: it has ended as soon as it began.
  'POST /api/manage-under-attack-mode-all': 2,
  'POST /api/update-all-domains-tls': 2,
};

/** Makes a call well; returns its status and the rows that it left. */
async function called(name: string): Promise<{ status: number; rows: AuditRow[] }> {
  const { object, body } = CALLS[name] ?? {};
  const id = object ? await object(server, server.admin) : 0;
  await settled();
  const before = await lastId();
  const { token } = server.admin;
  const ask: Ask = { token, ...(body && { body: body() }) };
  const { status } = await request(server, pathWith(name, id), ask);
  const rows = (await auditedSince(before)).filter(({ door }) => door !== 'operation');
  return { status, rows };
}

const writes = routes.filter(({ method, name }) => method !== 'GET' && name !== 'POST /api/logout');

describe('a call that changes something', () => {
  test.each(writes.map(({ name }) => name))('%s leaves one row', async (name) => {
    const { status, rows } = await called(name);
    const wanted = name in SILENT || status >= 400 ? 0 : (SEVERAL[name] ?? 1);
    expect({ name, rows: rows.map(({ action, object }) => `${action} ${object}`) }).toEqual({
      name,
      rows: expect.objectContaining({ length: wanted }),
    });
    for (const row of rows) {
      expect(row).toMatchObject({ user_id: server.admin.id, login: 'admin', door: 'api', call: name, outcome: 'done' });
      expect(row.address).toBe('127.0.0.1');
    }
  });

  test('is told to come from the interface where a browser’s page makes it', async () => {
    const before = await lastId();
    const headers = { origin: server.url, 'sec-fetch-site': 'same-origin' };
    await request(server, 'POST /api/projects', { token: server.admin.token, body: { name: 'P' }, headers });
    expect((await auditedSince(before)).map(({ door }) => door)).toEqual(['ui']);
  });
});

test('signing in and out is audited in the name of the user, a wrong password is not', async () => {
  const before = await lastId();
  const body = { login: 'admin', password: PASSWORD };
  const { body: answer } = await request(server, 'POST /api/login', { body });
  await request(server, 'POST /api/login', { body: { ...body, password: 'wrong password' } });
  await request(server, 'POST /api/logout', { token: answer.token, body: {} });
  const rows = await auditedSince(before);
  expect(rows.map(({ login, action, object_id }) => [login, action, object_id])).toEqual([
    ['admin', 'sign_in', server.admin.id],
    ['admin', 'sign_out', server.admin.id],
  ]);
  expect(JSON.stringify(rows)).not.toContain(answer.token);
});

test('an operation leaves a row when it is asked for and one when it ends', async () => {
  // The registries that answer nobody here were given up by an earlier call: the look-ups would wait two minutes for them.
  await transaction(() => execute('DELETE FROM registry_pauses'));
  const before = await lastId();
  const { token } = server.admin;
  const { body } = await request(server, 'POST /api/trigger_background_task', { token, body: {} });
  await settled();
  // The look-ups of registrations are an operation of their own.
  const rows = (await auditedSince(before)).filter(
    ({ object, object_id }) => object === 'operations' && object_id === body.operation.id,
  );
  expect(
    rows.map(({ action, door, login, object_id, operation_id }) => ({ action, door, login, object_id, operation_id })),
  ).toEqual([
    { action: 'start', door: 'api', login: 'admin', object_id: body.operation.id, operation_id: null },
    {
      action: 'finish',
      door: 'operation',
      login: 'admin',
      object_id: body.operation.id,
      operation_id: body.operation.id,
    },
  ]);
});
