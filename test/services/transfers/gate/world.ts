// Shared parts of the tests of the gate: a reserve that answers as a test says, and the gate before it.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createSecureContext } from 'node:tls';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { startAuthority } from '../../../../src/demo/sites/certificate.ts';
import { useConfig, type Config } from '../../../../src/lib/config.ts';
import { Waiting } from '../../../../src/operations/waiting.ts';
import { gateRules, passGate, setGate, type Gate } from '../../../../src/services/transfers/gate.ts';
import { printOf } from '../../../../src/services/sites/site-print.ts';
import { QUICK_GATE } from '../../../support/quick-gate.ts';
import { temporaryConfig } from '../../../support/server.ts';

/** An answer of the reserve; 200 and an empty body by default. */
export interface Answer {
  status?: number;
  location?: string;
  body?: string;
  refresh?: string;
}

/** The reserve. */
export const DOMAIN = 'reserve.com';
/** The address of its server. */
export const ADDRESS = '203.0.113.10';
/** The marker of a release. */
export const MARKER = { path: 'abc.txt', content: Buffer.from('the id\n') };

const authority = startAuthority();
/** Behaviour of the reserve; a test sets it. */
export const reserve: {
  answer: (host: string, path: string, count: number) => Answer;
  /** The certificate in the handshake: that of the name, of another name, or none. */
  certificate: 'good' | 'foreign' | 'none';
} = { answer: () => ({}), certificate: 'good' };
/** The port of plain HTTP. */
export let port: number;
/** The port of TLS. */
export let tlsPort: number;
const servers: { close: (done: () => void) => void }[] = [];
/** The addresses that were asked for, in order. */
export let asked: string[] = [];

/** The rules of the gate as it runs. */
export const usual = gateRules();
/** Starts the reserve before the tests of a file; before each test it is quick, after each as it was. */
export function useReserve(): void {
  beforeEach(() => setGate({ ...QUICK_GATE, limitMs: 600 }));
  beforeAll(async () => {
    const listener = (scheme: string) => (request: IncomingMessage, response: ServerResponse) => {
      const host = request.headers.host ?? '';
      asked.push(`${scheme}://${host}${request.url}`);
      const { status = 200, location, refresh, body = '' } = reserve.answer(host, request.url ?? '', asked.length);
      response.writeHead(status, { ...(location && { location }), ...(refresh && { refresh }) }).end(body);
    };
    const plain = createServer(listener('http'));
    const secure = createTlsServer(
      {
        SNICallback: (name, give) => {
          const subject = reserve.certificate === 'foreign' ? 'another.com' : name;
          give(null, createSecureContext(reserve.certificate === 'none' ? {} : authority.issue(subject)));
        },
      },
      listener('https'),
    );
    for (const server of [plain, secure]) {
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      servers.push(server);
    }
    [port, tlsPort] = [plain, secure].map((server) => (server.address() as AddressInfo).port) as [number, number];
  });
  afterAll(() => Promise.all(servers.map((server) => new Promise<void>((resolve) => server.close(resolve)))));
  afterEach(() => {
    asked = [];
    reserve.certificate = 'good';
  });
}

/** A configuration in which all addresses of the reserve are this machine. */
export const world = (settings: Partial<Config> = {}): Config =>
  temporaryConfig({
    allowPrivate: true,
    connectTo: `${ADDRESS}::127.0.0.1:${port},:443:127.0.0.1:${tlsPort},::127.0.0.1:${port}`,
    ca: authority.ca,
    ...settings,
  });
/** The reserve without a marker and a model. */
export const BARE: Gate = { domain: DOMAIN, address: ADDRESS, marker: null, model: null };
/** Passes the gate; returns `passed`, or what is missing. */
export const pass = async (gate: Partial<Gate> = {}, config = world(), isOver?: boolean): Promise<string> => {
  const signal = new AbortController().signal;
  useConfig(config);
  try {
    await passGate({ ...BARE, ...gate }, signal, isOver);
    return 'passed';
  } catch (error) {
    if (error instanceof Waiting) return JSON.stringify(error.say('2026-01-01T10:20:30.000Z'));
    const { key, params } = error as { key: string; params: { what?: string } };
    return params.what ?? key;
  }
};
/** The print of a page of the reserve as a plan contains it. */
export const printed = (html: string): string => printOf(html, [DOMAIN, 'main.com']);
/** Answers with 200 and that body. */
export const good =
  (body = '') =>
  () => ({ body });
