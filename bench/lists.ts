import { loadServer, median, startServing, type Serving } from './serving.ts';
import type { LoadResult } from './http-load.ts';

const SIZES = [1_000, 10_000, 50_000];
const ROUNDS = 3;
const CONNECTIONS = 8;

interface Kind {
  title: string;
  path: (count: number) => string;
  goal: string;
  seconds: number;
  /** Sends the ETag of the first answer again. */
  again?: boolean;
}

// Nearly every page and search differs from earlier ones, so that few are answered from the cache.
const KINDS: Kind[] = [
  { title: 'page of 50', path: (count) => `/api/domains?limit=50&offset={0-${count - 50}}`, goal: '1.2', seconds: 3 },
  { title: 'search', path: () => '/api/domains?limit=50&search={abc}', goal: '1.0', seconds: 3 },
  { title: 'whole list, kept', path: () => '/api/domains', goal: '', seconds: 8 },
  { title: 'whole list, unchanged by its ETag', path: () => '/api/domains', goal: '40', seconds: 8, again: true },
];

async function compare(
  { port, barePort, headers }: Serving,
  path: string,
  { seconds, again }: Kind,
): Promise<{ ours: LoadResult; ratio: number }> {
  const rounds: { ours: LoadResult; bare: LoadResult }[] = [];
  const load = { connections: CONNECTIONS, seconds, path };
  const first = await fetch(`http://127.0.0.1:${port}${path}`, { headers });
  const etag: Record<string, string> = again ? { 'if-none-match': first.headers.get('etag') ?? '' } : {};
  await first.arrayBuffer();
  for (let round = 0; round < ROUNDS; round += 1) {
    const ours = await loadServer({ ...load, port, headers: { ...headers, ...etag } });
    rounds.push({ ours, bare: await loadServer({ ...load, port: barePort, headers: {} }) });
  }
  const rates = rounds.map(({ ours, bare }) => ours.perSecond / bare.perSecond);
  const middle = rounds.toSorted((a, b) => a.ours.perSecond - b.ours.perSecond)[Math.floor(ROUNDS / 2)];
  return { ours: middle!.ours, ratio: median(rates) };
}

/**
 * Prints the answers per second of pages, searches and whole lists, interleaved with a bare server on the same file.
 */
export async function benchLists(sizes = SIZES): Promise<void> {
  for (const count of sizes) {
    const serving = await startServing(count);
    for (const kind of KINDS) {
      const { title, path, goal } = kind;
      const { ours, ratio } = await compare(serving, path(count), kind);
      console.log(
        `lists: ${count} domains, ${title}: ${ours.perSecond.toFixed(0)}/s, p50 ${ours.p50?.toFixed(1)} ms, ` +
          `p99 ${ours.p99?.toFixed(1)} ms; ${ratio.toFixed(2)} x bare${goal && ` (goal ${goal})`}`,
      );
    }
    await serving.close();
  }
}
