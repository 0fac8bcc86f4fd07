// A registrar in small that answers what each test says.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { onLoopback } from '../../../src/demo/loopback.ts';
import type { Call, DomainOrder, Registrar } from '../../../src/providers/provider.ts';
import { registrarOf } from '../../../src/providers/registrars.ts';
import type { RegistrarType } from '../../../src/shared/accounts/registrar-types.ts';
import { AT_ONCE } from './shops.ts';

/** An answer of the server; by default of status 200. */
export interface Answer {
  status?: number;
  headers?: Record<string, string>;
  body: string;
}

let answerTo: (path: string, body: string) => Answer;
let server: { url: string; close: () => Promise<void> };
/** The bodies of the requests of a test. */
export const sent: string[] = [];

async function reply(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
  const asked = (await buffer(incoming)).toString();
  sent.push(asked);
  const { status = 200, headers = {}, body } = answerTo(incoming.url ?? '', asked);
  response.writeHead(status, headers).end(body);
}

/** Starts the server before the tests of a file. */
export function useAnswers(): void {
  beforeAll(async () => {
    server = await onLoopback(createServer((incoming, response) => void reply(incoming, response)));
  });
  afterAll(() => server.close());
  beforeEach(() => void sent.splice(0));
}

/** Says how the server answers from now on. */
export function answer(to: (path: string, body: string) => Answer): void {
  answerTo = to;
}

/** A registrar with all its capabilities. */
export const at = (type: RegistrarType) => registrarOf(type) as Required<Registrar>;

/** A call to the server, at another path of it if one is given. */
export const call = (path = ''): Call => ({ url: server.url + path, pace: AT_ONCE });

/** A login of any registrar. */
export const login = (name = 'ops') => ({
  login: name,
  password: 'a key',
  profile_type: '',
  profile_name: '',
  client_ip: '',
  base_url: 'https://example.com',
  contact: 'OURS-R01',
  sandbox: 'off',
  price: '199',
});

/** An order for a year. */
export const orderOf = (domain_name: string): DomainOrder => ({
  domain_name,
  years: 1,
  reference: '0'.repeat(32),
  price: { amount: '199.00', currency: 'RUB' },
});
