// A server that answers as a test says, and a login of XMLRiver to ask it with.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import type { Call } from '../../../src/providers/provider.ts';

export const login = { login: '7312845', key: '0123456789abcdef0123456789abcdef01234567' };
export const query = { engine: 'yandex', keyword: 'купить слона', region: '213', device: 'desktop' } as const;

type Answer = (response: ServerResponse, request: IncomingMessage) => void;

let server: Server;
let answers: Answer[] = [];
let asked: URL[] = [];
let port = 0;

/** Starts the server before the tests of a file. */
export function useAnswers(): void {
  beforeAll(async () => {
    server = createServer((request, response) => {
      asked.push(new URL(request.url ?? '/', 'http://localhost'));
      const answer = answers.length > 1 ? answers.shift() : answers[0];
      if (answer) answer(response, request);
      else response.writeHead(404).end();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    ({ port } = server.address() as AddressInfo);
  });
  beforeEach(() => {
    answers = [];
    asked = [];
  });
  afterAll(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
}

let calls = 0;
/** Options of a call to the server; a refusal by the number of calls stops a queue, so each has its own. */
export const call = (): Call => ({
  url: `http://127.0.0.1:${port}/${(calls += 1)}`,
  pace: { calls: 1_000, seconds: 1, atOnce: 10 },
});

/** The next answers are these, the last one for all that follow. */
export const answerBy = (...given: Answer[]): void => void (answers = given);

/** The next answer has this body. */
export const answerWith = (
  body: string | Buffer,
  headers: Record<string, string> = { 'content-type': 'text/xml' },
  status = 200,
): void => answerBy((response) => void response.writeHead(status, headers).end(body));

/** Returns the addresses that were asked for. */
export const askedFor = (): URL[] => asked;

export const errorOf = (code: number | string, text = 'message'): string =>
  `<?xml version="1.0" encoding="utf-8"?><yandexsearch version="1.0"><response date="20260105T101500"><error code="${code}">${text}</error></response></yandexsearch>`;

/** A page of results with these addresses. */
export const pageOf = (urls: readonly string[], found: number | null = urls.length, type = 'organic'): string =>
  `<yandexsearch version="1.0"><response>${found === null ? '' : `<found priority="all">${found}</found>`}<results><grouping>${urls
    .map((url) => `<group><doc><url>${url}</url><contenttype>${type}</contenttype></doc></group>`)
    .join('')}</grouping></results></response></yandexsearch>`;
