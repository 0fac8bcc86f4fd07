// A server that is called with notices, and remembers.
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A call that came in. */
export interface HookCall {
  path: string;
  headers: IncomingHttpHeaders;
  text: string;
  body: { id: string; title: string; lines: string[]; link: string | null };
  at: number;
}

/** A running server; it answers with `answer`. */
export interface Hook {
  url: string;
  calls: HookCall[];
  answer: number;
  close: () => Promise<void>;
}

/** Starts a server on loopback. A redirect would lead to `/elsewhere`. */
export async function startHook(): Promise<Hook> {
  const calls: HookCall[] = [];
  const server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8');
    request.on('data', (part: string) => (text += part));
    request.on('end', () => {
      const body = JSON.parse(text === '' ? '{}' : text) as HookCall['body'];
      calls.push({ path: request.url ?? '', headers: request.headers, text, body, at: Date.now() });
      response.writeHead(hook.answer, { location: '/elsewhere' }).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const hook: Hook = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    answer: 204,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return hook;
}
