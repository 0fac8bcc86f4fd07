// Shared parts of the tests of the ladder: a registry, Cloudflare, an edge and a server, each of which may break.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { execute, transaction } from '../../../db/index.ts';
import { startRegistry, type RegistryName, type RegistryServer } from '../../../src/demo/registry.ts';
import { startAuthority } from '../../../src/demo/sites/certificate.ts';
import { useConfig, type Config } from '../../../src/lib/config.ts';
import { SYSTEM } from '../../../src/services/access/scope.ts';
import { updateBlocklist } from '../../../src/services/checks/blocklist.ts';
import { diagnose } from '../../../src/services/why/why.ts';
import { SERVER_IP } from '../../support/cdn.ts';
import { english } from '../../support/english.ts';
import { startMoves, type Moves } from '../../support/moves.ts';
import { MAIN } from '../../support/moves-portfolio.ts';
import { AT_ONCE } from '../../support/registrars/shops.ts';
import { page, startHost, type Host } from './host.ts';

export const MAIN_ID = 1;
export let moves: Moves;
export let registry: RegistryServer;
/** The edge that answers by name, and the server behind it. */
export let edge: Host;
export let origin: Host;
/** The names at the registry, which a test may change; others are free. */
export const registered = new Map<string, RegistryName>();
/** Names about which the registry never answers. */
export const silent = new Set<string>();

const NAMES = ['main.com', 'reserve.com', 'older.com', 'spare.com'];
let version = 0;

/** Loads a blocklist with these names. */
export async function block(...names: string[]): Promise<void> {
  version += 1;
  const file = join(moves.config.dataDir, 'list.txt');
  writeFileSync(file, `${[...names, `version-${version}.example`].join('\n')}\n`);
  await updateBlocklist(moves.config.blocklistDir, { file, accept: true });
}

const detours = (): string =>
  [
    `${SERVER_IP}:443:127.0.0.1:${origin.tlsPort}`,
    `${SERVER_IP}:80:127.0.0.1:${origin.port}`,
    `:443:127.0.0.1:${edge.tlsPort}`,
    `:80:127.0.0.1:${edge.port}`,
  ].join();

/** Configures this process; by default the outside is reached through detours, and private addresses are allowed. */
export function reach(changes: Partial<Config> = {}): void {
  const pace = { rdap: AT_ONCE, whois: AT_ONCE };
  useConfig({
    ...moves.config,
    registry: { rdapUrl: registry.rdap, whoisServer: registry.whois, pace },
    connectTo: detours(),
    ca: edge.ca,
    ...changes,
  });
}

/** Starts the outside before the tests of a file; before each, all is well with `main.com`. */
export function useWhy(): void {
  beforeAll(async () => {
    moves = await startMoves();
    registry = await startRegistry({ find: (name) => registered.get(name), isSilent: (name) => silent.has(name) });
    const authority = startAuthority();
    edge = await startHost(page('The site'), authority);
    origin = await startHost(page('The site'), authority);
    await block();
  });
  afterAll(async () => {
    await Promise.all([registry.close(), edge.close(), origin.close()]);
    await moves.close();
  });
  beforeEach(async () => {
    await moves.reset();
    silent.clear();
    registered.clear();
    for (const name of NAMES) {
      const zone = Object.values(moves.fake.state.zones).find((one) => one.name === name);
      registered.set(name, {
        expires_at: '2040-01-01T00:00:00.000Z',
        registrar: 'Registrar',
        statuses: ['client transfer prohibited'],
        name_servers: zone?.name_servers ?? ['ns1.example.net'],
      });
    }
    for (const host of [edge, origin]) {
      Object.assign(host, { answer: page('The site'), certificate: (name: string) => host.issue(name) });
      host.asked.length = 0;
    }
    await transaction(() => execute('DELETE FROM diagnoses'));
    reach();
  });
}

/** A ladder in short: the broken layer, its sentence in English, the act, and the states by layer. */
export interface Asked {
  broken: string | null;
  sentence: string;
  act: string | null;
  states: Record<string, string>;
  sentences: Record<string, string>;
}

/** Asks why a domain is red. */
export async function why(id = MAIN_ID): Promise<Asked> {
  const { broken, message, act, steps } = await diagnose(SYSTEM, id);
  return {
    broken,
    sentence: english(message),
    act,
    states: Object.fromEntries(steps.map(({ layer, state }) => [layer, state])),
    sentences: Object.fromEntries(steps.map(({ layer, message }) => [layer, message ? english(message) : ''])),
  };
}

/** Returns the registry's entry of the main domain. */
export const entry = (): RegistryName => registered.get(MAIN)!;
