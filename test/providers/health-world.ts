// Shared parts of the tests of HTTP checks: sites of every kind, and checks of them.
import { afterAll, beforeAll } from 'vitest';
import { checkHealth, type HealthOptions } from '../../src/providers/health.ts';
import type { ConnectTo } from '../../src/lib/outgoing/connect-to.ts';
import type { HealthResult } from '../../src/shared/checks/health.ts';
import { jammedPort } from '../support/jam.ts';
import { closedPort, startSilence, startWorld, type Site, type World } from '../support/world.ts';

/** The sites by their names. */
export const SITES: Record<string, Site> = {
  'fine.test': { delayMs: 20 },
  'gone.test': { status: 404, body: 2_000 },
  'broken.test': { status: 503 },
  'odd.test': { status: 999 },
  'huge.test': { body: Infinity },
  'reset.test': { fault: 'reset' },
  'close.test': { fault: 'close' },
  'hang.test': { fault: 'hang' },
  'mute.test': { fault: 'hang' },
  'drip.test': { fault: 'drip' },
  'garbage.test': { raw: '220 mail.test ESMTP\r\n' },
  'upgrade.test': { raw: 'HTTP/1.1 101 Switching\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n' },
  'hints.test': { raw: 'HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 410 Gone\r\n\r\n' },
  'lengths.test': { raw: 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\nx' },
  'blank.test': { raw: 'HTTP/1.1 403 No\r\nBad Name: x\r\n\r\n' },
  'bare.test': { raw: 'HTTP/1.0 500 Oh\nX: y\n\n' },
  'sloppy.test': { raw: 'HTTP/1.1 302 Found\r\nBad Name: x\r\nlocation: //fine.test/\r\n\r\n' },
  'xn--e1afmkfd.xn--80akhbyknj4f': {},
  'http://split.test/': { status: 201 },
  'https://split.test/': { status: 202 },
};

/** The sites. */
export let world: World;
/** A port that says nothing. */
export let silence: Awaited<ReturnType<typeof startSilence>>;
/** A port that takes no connection. */
export let jam: Awaited<ReturnType<typeof jammedPort>>;
/** A port that refuses connections. */
export let closed: number;

/** Starts the sites before the tests of a file. */
export function useWorld(): void {
  beforeAll(async () => {
    [world, silence, jam, closed] = await Promise.all([startWorld(SITES), startSilence(), jammedPort(), closedPort()]);
  });
  afterAll(async () => {
    silence.close();
    jam.close();
    await world.close();
  });
}

/** A detour to this machine. */
export const to = (host1: string, port1: number | null, port2: number): ConnectTo => ({
  host1,
  port1,
  host2: '127.0.0.1',
  port2,
});

/** Checks hosts in the world; `detours` come before the detour to it. */
export async function check(
  hosts: string[],
  options: HealthOptions = {},
  detours: ConnectTo[] = [],
): Promise<HealthResult[]> {
  const results: HealthResult[] = [];
  const connectTo = [...detours, to('', 443, world.tlsPort), to('', null, world.port)];
  await checkHealth(hosts, { timeoutMs: 2_000, connectTo, ...options }, (result) => results.push(result));
  return results.sort((a, b) => hosts.indexOf(a.domain) - hosts.indexOf(b.domain));
}

/** Checks one host in the world. */
export const one = async (
  host: string,
  options: HealthOptions = {},
  detours: ConnectTo[] = [],
): Promise<HealthResult> => {
  const [result] = await check([host], options, detours);
  if (result === undefined) throw new Error('no result');
  return result;
};
