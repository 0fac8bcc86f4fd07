// A reader of `GET /api/events`.
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import type { TestServer } from './server.ts';

export interface Told {
  event: string;
  id?: string;
  data: any; // oxlint-disable-line typescript/no-explicit-any -- an event of any kind
}

export interface Reader {
  response: IncomingMessage;
  /** All events received so far. */
  told: Told[];
  /** Returns the first event that fits, of those received and those to come. Throws if the stream ends without it. */
  find: (fits: (told: Told) => boolean) => Promise<Told>;
  /** Resolves when the server has ended or cut off the stream. */
  ended: Promise<void>;
  close: () => void;
}

function parse(text: string): Told | undefined {
  const fields = Object.fromEntries(
    text.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
  ) as Record<string, string>;
  const { event, data, id } = fields;
  if (event === undefined || data === undefined) return undefined;
  return { event, data: JSON.parse(data), ...(id !== undefined && { id }) };
}

/** Opens the stream and reads it. Resolves when the response head has arrived. */
export async function readEvents(
  server: Pick<TestServer, 'url'>,
  token: string,
  headers: Record<string, string> = {},
): Promise<Reader> {
  const outgoing = httpRequest(`${server.url}/api/events`, { headers: { authorization: token, ...headers } });
  outgoing.end();
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
  outgoing.on('error', () => undefined);
  const told: Told[] = [];
  let rest = '';
  let isOver = false;
  let wake: () => void = () => undefined;
  response.setEncoding('utf8').on('data', (text: string) => {
    const blocks = (rest + text).split('\n\n');
    rest = blocks.pop() ?? '';
    told.push(...blocks.flatMap((block) => parse(block) ?? []));
    wake();
  });
  response.on('error', () => undefined);
  const ended = new Promise<void>((resolve) => {
    response.once('close', () => {
      isOver = true;
      wake();
      resolve();
    });
  });
  return {
    response,
    told,
    find: async (fits) => {
      for (;;) {
        const found = told.find(fits);
        if (found) return found;
        if (isOver) throw new Error(`the stream ended after ${JSON.stringify(told)}`);
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
    ended,
    close: () => outgoing.destroy(),
  };
}
