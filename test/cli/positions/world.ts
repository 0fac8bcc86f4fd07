// Shared parts of the tests of keywords and positions on the command line: an installation, and the search services in small.
import { afterAll, beforeAll } from 'vitest';
import { startArsenkin, type ArsenkinFake } from '../../../src/demo/search/arsenkin.ts';
import { resultsAt, type Web } from '../../../src/demo/search/web.ts';
import { startXmlriver, type XmlriverFake } from '../../../src/demo/search/xmlriver.ts';
import { dayOf } from '../../../src/shared/positions/places.ts';
import { makeAdminHome, type Home, type Run, type Started } from '../cli.ts';

export const KEY = '0123456789abcdef0123456789abcdef01234567';
export const TOKEN = 'arsenkin-token-0123456789';

export let home: Home;
export let river: XmlriverFake;
export let arsenkin: ArsenkinFake;
export let env: Record<string, string>;
export const web: Web = { topics: {}, hosts: {} };

/** Starts the services and makes an installation before the tests of a file. Each answer of XMLRiver takes so long. */
export function useSearchCli(latencyMs = 0): void {
  beforeAll(async () => {
    river = await startXmlriver({ accounts: [{ login: '12345', key: KEY, balance: 1_000_000 }], web }, { latencyMs });
    arsenkin = await startArsenkin({ tokens: { [TOKEN]: 500 }, web });
    home = await makeAdminHome();
    env = { XMLRIVER_API_URL: river.url, ARSENKIN_API_URL: arsenkin.url };
  });
  afterAll(async () => {
    await Promise.all([river.close(), arsenkin.close()]);
    home.remove();
  });
}

/** Runs a command in English; words are apart by blanks, and arguments with blanks come behind. */
export const run = (line: string, more: string[] = [], input?: string): Promise<Run> =>
  home.run([...line.split(' '), ...more, '--lang', 'en'], { env, ...(input === undefined ? {} : { input }) });

/** Starts a command in English. */
export const start = (line: string): Started => home.start([...line.split(' '), '--lang', 'en'], { env });

/** Runs a command that must succeed, and returns its document. */
// oxlint-disable-next-line typescript/no-explicit-any -- a document of any command
export async function done(line: string, more: string[] = [], input?: string): Promise<any> {
  const ended = await run(`${line} --json`, more, input);
  if (ended.exit !== 0) throw new Error(ended.stdout + ended.stderr);
  return ended.json;
}

/** Returns a name that is among the first ten results of an engine for a keyword today. */
export function wellPlaced(engine: 'yandex' | 'google', keyword: string): string {
  const query = { engine, keyword, region: engine === 'yandex' ? '213' : '2643', device: 'desktop' } as const;
  const names = Array.from({ length: 200 }, (_, index) => `site-${index}.example`);
  const isFirst = (name: string): boolean => {
    const small = { topics: { [keyword]: 'shop' }, hosts: { [name]: { topic: 'shop', from: null, until: null } } };
    return resultsAt(small, query, dayOf(Date.now()))
      .slice(0, 10)
      .some((url) => new URL(url).hostname === name);
  };
  return names.find(isFirst) ?? '';
}
