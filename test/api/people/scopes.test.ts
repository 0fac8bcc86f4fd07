// Every route × role × scope of an API token, from the route table.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { routes } from '../../../src/api/index.ts';
import { scopeOf } from '../../../src/api/http/route.ts';
import { createToken } from '../../../src/services/access/tokens.ts';
import { includesScope, TOKEN_SCOPES, type TokenScope } from '../../../src/shared/access/tokens.ts';
import { acting } from '../../../db/acting.ts';
import { dump } from '../../support/database.ts';
import { createPerson, request, startServer, type Person, type TestServer } from '../../support/server.ts';
import { CALLS, pathWith, settled } from '../calls.ts';

let server: TestServer;
const tokens = new Map<string, string>();
let user: Person;

beforeAll(async () => {
  server = await startServer();
  user = await createPerson(server);
  for (const person of [server.admin, user]) {
    for (const scope of TOKEN_SCOPES) {
      // Made as by an administrator who was demoted later.
      const actor = { ...person, role: 'admin' as const };
      const { token } = await acting(actor, { name: 'test', call: 'test' }, () =>
        createToken(actor, { name: scope, scope, days: 1 }),
      );
      tokens.set(`${person.role} ${scope}`, token);
    }
  }
});
afterAll(() => server.close());

// When a token was used last is stored once a minute, after the answer, by refused calls as well: it is no change by them.
const stored = (): Promise<string> => dump(['call_budgets'], ['last_used_at']);

const forSomebody = routes.filter(({ route }) => route.access !== 'anyone');
const CALLERS = (['admin', 'user'] as const).flatMap((role) => TOKEN_SCOPES.map((scope) => ({ role, scope })));

const mayCall = (role: string, scope: TokenScope, { method, route }: (typeof routes)[number]): boolean => {
  const needed = scopeOf(method, route);
  return needed !== null && includesScope(scope, needed) && (route.access !== 'admin' || role === 'admin');
};

const tokenOf = ({ role, scope }: (typeof CALLERS)[number]): string => tokens.get(`${role} ${scope}`) ?? '';

async function pathOf(name: string, method: string, path: string): Promise<string> {
  const id = (await CALLS[name]?.object?.(server, server.admin)) ?? '';
  return `${method} ${pathWith(path, id)}`;
}

test.each(forSomebody)('$name refuses a token without its scope and changes nothing', async (called) => {
  const { name, method, path } = called;
  const body = CALLS[name]?.body;
  const target = await pathOf(name, method, path);
  await settled();
  const before = await stored();
  for (const caller of CALLERS.filter(({ role, scope }) => !mayCall(role, scope, called))) {
    const { status, body: answer } = await request(server, target, { token: tokenOf(caller), body: body?.() });
    expect({ caller, status }).toEqual({ caller, status: 403 });
    expect(['forbidden', 'token_scope']).toContain(answer.code);
  }
  expect((await stored()) === before).toBe(true);
});

test.each(forSomebody.filter((called) => CALLERS.some(({ role, scope }) => mayCall(role, scope, called))))(
  '$name takes the least token that has its scope',
  async (called) => {
    const { name, method, path } = called;
    const target = await pathOf(name, method, path);
    const caller = CALLERS.find(({ role, scope }) => mayCall(role, scope, called));
    const token = caller ? `Bearer ${tokenOf(caller)}` : '';
    const { body } = await request(server, target, { token, body: CALLS[name]?.body?.() });
    expect(String(body?.code)).not.toMatch(/^(forbidden|token_scope|no_token|bad_token)$/);
  },
);

test('no token may reach the routes of tokens, passwords, sessions and users that change them, nor of what outlives a token', () => {
  const closed = routes.filter(({ route }) => route.sessionOnly).map(({ name }) => name);
  const outliving = ['POST /api/expiry_feed', 'DELETE /api/expiry_feed', 'POST /api/telegram/confirm'];
  outliving.push(...['', '/confirm', '/remove'].map((path) => `POST /api/notice-preferences/email${path}`));
  expect(closed).toEqual(expect.arrayContaining(outliving));
  expect(closed).toEqual(
    expect.arrayContaining(['POST /api/tokens', 'DELETE /api/tokens/:id', 'PUT /api/password', 'POST /api/users']),
  );
});
