// A server with the fake of reg.ru, and two people, for the screens of registrars.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import type { ShopServer } from '../../../src/demo/registrars/server.ts';
import { LOGIN, shopState, startRegistrar } from '../../support/registrars/shops.ts';
import { createPerson, request, startServer, type Person, type TestServer } from '../../support/server.ts';
import { usePages } from '../support/page.ts';

export let server: TestServer;
export let shop: ShopServer;
export let owner: Person;
export let other: Person;
export let open: ReturnType<typeof usePages>;

/** Called at the head of a test file. */
export function startRegistrars(): void {
  open = usePages();
  beforeAll(async () => {
    shop = await startRegistrar('reg.ru');
    server = await startServer({ registrarUrls: { 'reg.ru': shop.url } });
  });
  afterAll(async () => {
    await server.close();
    await shop.close();
  });
  beforeEach(async () => {
    Object.assign(shop.state, shopState('reg.ru'));
    [owner, other] = [await createPerson(server), await createPerson(server)];
  });
}

/** Opens a path as a person. */
export const visit = (path: string, { token }: Person = owner, expected?: RegExp): Promise<Page> =>
  open(server.url + path, { token, ...(expected && { expected }) });

/** Makes an object by a call, and returns its id. */
export async function make(path: string, body: object, { token }: Person = owner): Promise<number> {
  const answer = await request(server, `POST /api/${path}`, { token, body });
  expect(answer.status).toBe(200);
  return answer.body.data?.id ?? answer.body.id;
}

/** Adds the login of the fake under a name. */
export const registrar = (name: string): Promise<number> =>
  make('registrars', { name, type: 'reg.ru', login: LOGIN.login, password: LOGIN.password });

export const inDays = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString();

/** The registrar's account has these names and no others. */
export function sells(names: readonly [string, string][]): void {
  const [account] = shop.state.accounts;
  if (!account) throw new Error('the fake has no account');
  account.domains = names.map(([name, expires_at], index) => ({
    id: String(index + 1),
    name,
    created_at: '2025-02-13T21:00:00.000Z',
    expires_at,
    name_servers: [],
  }));
}
