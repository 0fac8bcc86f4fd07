// A minimal outside service: values by name over HTTP, with a journal of the writes and injected faults.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Act, Flow, ItemWork } from '../../src/operations/flow.ts';
import { itemFlow } from '../../src/operations/items.ts';
import { ProviderError } from '../../src/providers/provider-error.ts';

/**
 * The answer to the next write of a name: a refusal, a failure before or after the write, a rate limit of 50 ms (`too-many`) or of longer than
 * a test (`limited`), or a rejected key; with `hold` it comes at `release`.
 */
export type Fault = 'refuse' | 'fail' | 'act-then-drop' | 'too-many' | 'limited' | 'wrong-key' | 'hold';

export interface Outside {
  url: string;
  values: Map<string, string>;
  writes: { name: string; value: string }[];
  reads: string[];
  faults: Map<string, Fault[]>;
  /** Gives the answers that were held back. */
  release: () => void;
  close: () => Promise<void>;
}

const STATUS = { refuse: 422, fail: 503, 'too-many': 429, limited: 429, 'wrong-key': 403 };
const RETRY_AFTER: Partial<Record<Fault, string>> = { 'too-many': '0.05', limited: '120' };

export async function startOutside(): Promise<Outside> {
  const values = new Map<string, string>();
  const faults = new Map<string, Fault[]>();
  const writes: Outside['writes'] = [];
  const reads: string[] = [];
  const held: (() => void)[] = [];
  const server = createServer((request, response) => {
    const name = decodeURIComponent((request.url ?? '').slice(1));
    if (request.method === 'GET') {
      reads.push(name);
      response.end(values.get(name) ?? '');
      return;
    }
    let value = '';
    request.on('data', (chunk: Buffer) => (value += chunk.toString()));
    request.on('end', () => {
      const fault = faults.get(name)?.shift();
      if (fault && fault !== 'act-then-drop' && fault !== 'hold') {
        const retryAfter = RETRY_AFTER[fault];
        response.writeHead(STATUS[fault], retryAfter ? { 'Retry-After': retryAfter } : {}).end(fault);
        return;
      }
      values.set(name, value);
      writes.push({ name, value });
      if (fault === 'hold') held.push(() => void response.end());
      else if (fault) request.socket.destroy();
      else response.end();
    });
  });
  // A call of a process that stood still for seconds must arrive: a closed connection would turn it back by chance.
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    values,
    writes,
    reads,
    faults,
    release: () => {
      for (const answer of held.splice(0)) answer();
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function call(url: string, method: 'GET' | 'PUT', value?: string): Promise<string> {
  const response = await fetch(url, { method, ...(value !== undefined && { body: value }) }).catch((error: unknown) => {
    throw new ProviderError('unavailable', 'dropped', { cause: error });
  });
  const text = await response.text();
  if (response.ok) return text;
  if (response.status === 429) {
    throw new ProviderError('rate_limited', 'slowly', { retryAfter: Number(response.headers.get('retry-after')) });
  }
  if (response.status === 403) throw new ProviderError('credentials', 'wrong key');
  throw new ProviderError(response.status >= 500 ? 'unavailable' : 'refused', text);
}

const PATIENCE = { attempts: 4, firstPauseMs: 5, longestPauseMs: 20 };

/** The act that puts a value; with `only`, it acts only where that is the current value. */
const putAct =
  (url: string) =>
  (name: string, act: string, wanted: string, only?: string): Act => ({
    name: act,
    class: 'set',
    look: async () => {
      const before = await call(`${url}/${encodeURIComponent(name)}`, 'GET');
      if (before === wanted || (only !== undefined && before !== only)) return null;
      const perform = async (): Promise<void> => {
        await call(`${url}/${encodeURIComponent(name)}`, 'PUT', wanted);
      };
      return { before, after: wanted, perform };
    },
    ...(only !== undefined && {
      differs: async () => {
        const is = await call(`${url}/${encodeURIComponent(name)}`, 'GET');
        return is === wanted ? [] : [{ name: act, was: wanted, is }];
      },
    }),
  });

/** Two acts on a name: its own value, and a second one beside it (`name+`). */
export const work = (url: string): ItemWork => {
  const put = putAct(url);
  return {
    patience: PATIENCE,
    open: async () => undefined,
    acts: ({ item }) => [put(item, 'first', 'wanted'), put(`${item}+`, 'second', 'wanted')],
    undo: ({ item, acts }) =>
      acts.map(({ name, before, after }) =>
        put(name === 'first' ? item : `${item}+`, name, String(before), String(after)),
      ),
  };
};

/** The flow of kind `test` with that work. */
export const testFlow = (url: string): Flow =>
  itemFlow('test', work(url), ({ done, noop, failed }) => ({
    key: 'operation.items_finished',
    params: { done, noop, failed },
  }));

export const BACK_ACTS = ['one', 'two', 'point', 'after'] as const;

/** The flow of kind `back`: four acts on a name (`name.one` …), which are rolled back until the third is done. */
export const backFlow = (url: string): Flow => {
  const put = putAct(url);
  return itemFlow('back', {
    patience: PATIENCE,
    open: async () => undefined,
    acts: ({ item }) => BACK_ACTS.map((act) => put(`${item}.${act}`, act, 'wanted')),
    rollback: {
      until: 'point',
      undo: ({ item }, _lane, { name, before, after }) => put(`${item}.${name}`, name, String(before), String(after)),
    },
  });
};
