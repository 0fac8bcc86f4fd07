import { setTimeout as sleep } from 'node:timers/promises';
import pLimit from 'p-limit';
import { startSwitch } from '../src/services/dns/protection.ts';
import { SYSTEM } from '../src/services/access/scope.ts';
import { leastCalls, startBulk, type Bulk } from '../test/support/bulk.ts';
import { KEY } from '../test/support/cloudflare-state.ts';

const LATENCY_MS = 20;
const WIDTH = 4;
/** Cloudflare's limit of 1,200 calls in 300 s, scaled down. */
const CALLS = 120;

interface Size {
  accounts: number;
  zonesEach: number;
  /**
   * The window of the limit. If it is too short, the bench measures this machine, which also runs the fake Cloudflare.
   */
  seconds: number;
}

const FULL: Size = { accounts: 10, zonesEach: 1_000, seconds: 30 };
// Peers take minutes for the full size: they are compared with ours at this one.
const PART: Size = { accounts: 10, zonesEach: 150, seconds: 10 };

interface Outcome {
  wallMs: number;
  calls: number;
  refused: number;
  changed: number;
  rssMb: number;
}

/** The lower bound of any client: the windows before the last one, and the last one's calls at full concurrency. */
function boundMs(size: Size): number {
  const each = leastCalls(size) / size.accounts;
  const windows = Math.ceil(each / CALLS) - 1;
  const last = each - windows * CALLS;
  return windows * size.seconds * 1_000 + Math.ceil(last / WIDTH) * LATENCY_MS;
}

/** Enables Under Attack mode in every zone by one method, and returns time and calls. */
async function measure(size: Size, work: (bulk: Bulk) => Promise<unknown>): Promise<Outcome> {
  const bulk = await startBulk({ ...size, rateLimit: { calls: CALLS, seconds: size.seconds }, latencyMs: LATENCY_MS });
  const start = performance.now();
  await work(bulk);
  const wallMs = performance.now() - start;
  const { requests } = bulk.fake;
  const outcome = {
    wallMs,
    calls: requests.length,
    refused: requests.filter(({ status }) => status === 429).length,
    changed: bulk.zones().filter(({ settings }) => settings['security_level']?.value === 'under_attack').length,
    rssMb: process.memoryUsage.rss() / 2 ** 20,
  };
  await bulk.close();
  return outcome;
}

async function ours(bulk: Bulk): Promise<void> {
  const { id } = await startSwitch(SYSTEM, { kind: 'under_attack', action: 'enable' }, {}, true);
  await bulk.run(id);
}

/** A hand-written call; with `again` it waits as a 429 says and retries. */
async function call(bulk: Bulk, account: number, path: string, body?: object, again = false): Promise<boolean> {
  for (;;) {
    const response = await fetch(bulk.fake.url + path, {
      method: body ? 'PATCH' : 'GET',
      headers: { 'x-auth-email': `ops${account}@example.net`, 'x-auth-key': KEY, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    await response.text();
    if (response.status !== 429 || !again) return response.ok;
    await sleep(Number(response.headers.get('retry-after')) * 1_000);
  }
}

/** The calls of a simple script for one zone: find it by name, read its level, set it. */
async function zoneByHand(bulk: Bulk, account: number, zone: { id: string; name: string }, again = false) {
  const setting = `/zones/${zone.id}/settings/security_level`;
  const isThere = await call(bulk, account, `/zones?name=${zone.name}`, undefined, again);
  if (!isThere || !(await call(bulk, account, setting, undefined, again))) return;
  await call(bulk, account, setting, { value: 'under_attack' }, again);
}

/** Returns the zones of each account, with the account's number. */
const shares = (bulk: Bulk) =>
  bulk.accounts.map((account) => ({
    account,
    zones: bulk.zones().filter(({ name }) => name.endsWith(`-a${account}.com`)),
  }));

const PEERS: Record<string, (bulk: Bulk) => Promise<unknown>> = {
  'Promise.all': (bulk) =>
    Promise.all(shares(bulk).flatMap(({ account, zones }) => zones.map((zone) => zoneByHand(bulk, account, zone)))),
  'a loop an account': (bulk) =>
    Promise.all(
      shares(bulk).map(async ({ account, zones }) => {
        for (const zone of zones) await zoneByHand(bulk, account, zone);
      }),
    ),
  'p-limit, Retry-After': (bulk) =>
    Promise.all(
      shares(bulk).flatMap(({ account, zones }) => {
        const limit = pLimit(WIDTH);
        return zones.map((zone) => limit(() => zoneByHand(bulk, account, zone, true)));
      }),
    ),
};

function print(name: string, size: Size, { wallMs, calls, refused, changed, rssMb }: Outcome): void {
  const least = leastCalls(size);
  const part = (value: number): string => value.toFixed(3);
  console.log(
    `  ${name.padEnd(22)} wall ${part(wallMs / boundMs(size))} x bound, calls ${part(calls / least)} x least, ` +
      `429: ${refused}, changed ${changed} of ${size.accounts * size.zonesEach}, RSS ${Math.round(rssMb)} MB`,
  );
}

/**
 * Prints how long Under Attack mode takes for 10,000 zones in 10 accounts, compared with the lower bound of the rate
 * limit, and how three usual methods perform on a part of them.
 */
export async function benchCdn(): Promise<void> {
  console.log(`cdn: ${CALLS} calls a window and account, ${LATENCY_MS} ms a call`);
  for (const size of [FULL, PART]) {
    console.log(
      `  ${size.accounts * size.zonesEach} zones, ${size.accounts} accounts, a window of ${size.seconds} s: at least ${leastCalls(size)} calls, ${boundMs(size)} ms`,
    );
    print('this', size, await measure(size, ours));
  }
  for (const [name, work] of Object.entries(PEERS)) print(name, PART, await measure(PART, work));
}
