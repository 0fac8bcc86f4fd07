import { existsSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Config } from '../lib/config.ts';
import { announceDemo } from '../lib/running-demo.ts';
import { refuseInUse } from '../services/system/backups/former.ts';
import { updateBlocklist } from '../services/checks/blocklist.ts';
import { FROZEN_NOW, setClock } from './clock.ts';
import { startCloudflare } from './cloudflare.ts';
import { eventsOf, startEvents, type Events } from './events.ts';
import { seedDemo } from './seed.ts';
import { startRegistrars } from './registrars.ts';
import { registryOf } from './registrations.ts';
import { startRegistry } from './registry.ts';
import { startArsenkin } from './search/arsenkin.ts';
import { startXmlriver } from './search/xmlriver.ts';
import { startSites } from './sites.ts';
import { startSsh } from './ssh.ts';
import { SERVER_LOGINS } from './team.ts';
import { startTelegram } from './telegram.ts';
import { demoTelegram, TELEGRAM_PEOPLE } from './telegram-people.ts';
import { keepWorld, readWorld, writeWorld, type World } from './world.ts';

const USUAL_SIZE = 240;
// Nobody is to wait for minutes in front of a demo.
const QUICK = { calls: 20, seconds: 1, atOnce: 4 };
const SEARCH_MS = 300;
const REGISTRY_PACE = { rdap: QUICK, whois: QUICK };

/** Options of a demo. Without a size an existing demo continues; a frozen one is always created anew. */
export interface DemoOptions {
  size: number | undefined;
  frozen: boolean;
}

/** The running outside world of a demo. Serve with its configuration, and close it after the server. */
export interface Demo {
  config: Config;
  /** Its events, which start when `live` is called. */
  events: Events;
  live: () => void;
  close: () => Promise<void>;
}

const folderOf = ({ dataDir }: Config): string => join(dataDir, 'demo');
/** The folder that is `/` on all servers of the demo: one machine is behind all addresses. */
const treeOf = (config: Config): string => join(folderOf(config), 'server');
const worldFile = (config: Config): string => join(folderOf(config), 'world.json');

/** Makes the demo's configuration: its own database, key and blocklist beside the real ones; public URL, proxies, resolver and backup passphrase are reset, and nobody gets mail or messages. */
function demoConfig({ mail: _mail, telegram: _bot, ...config }: Config): Config {
  const folder = folderOf(config);
  return {
    ...config,
    demo: true,
    dataDir: folder,
    databaseFile: join(config.dataDir, 'demo.sqlite'),
    databaseUrl: undefined,
    keyFile: join(folder, 'key'),
    blocklistDir: join(folder, 'blocklist'),
    blocklistUrl: pathToFileURL(join(folder, 'blocklist.lst')).href,
    publicUrl: null,
    trustedProxies: [],
    dns: null,
    backupPassphrase: undefined,
    backupCopies: {},
  };
}

/** Returns the path of the demo's database beside this data. */
export const demoDatabase = (config: Config): string => demoConfig(config).databaseFile;

/** Deletes the demo's data, so that the next one starts anew. Throws `busy` while one is running. */
export async function resetDemo(config: Config): Promise<void> {
  const { databaseFile } = demoConfig(config);
  if (existsSync(databaseFile)) await refuseInUse(databaseFile);
  for (const suffix of ['', '-wal', '-shm']) await rm(`${databaseFile}${suffix}`, { force: true });
  await rm(folderOf(config), { recursive: true, force: true });
}

/** Returns the world of the last run; creates a new one if there is none, for a frozen demo, or for another size. */
async function prepareWorld(config: Config, { size, frozen }: DemoOptions): Promise<World> {
  const { databaseFile } = demoConfig(config);
  const known = existsSync(databaseFile) ? readWorld(worldFile(config)) : null;
  // Two running demos would share a portfolio, but not a world.
  if (known) await refuseInUse(databaseFile);
  const fits = !frozen && !known?.frozen && (size === undefined || size === known?.size);
  if (known && fits) return known;
  await resetDemo(config);
  await mkdir(folderOf(config), { recursive: true, mode: 0o700 });
  const wanted = { size: size ?? USUAL_SIZE, now: new Date(), root: treeOf(config) };
  const world = { ...(await seedDemo(demoConfig(config), wanted)), frozen };
  // Written last: if it is missing, the seed was interrupted and is repeated.
  await writeWorld(worldFile(config), world);
  return world;
}

/**
 * Prepares the demo beside the real data and starts its outside world on loopback: Cloudflare, registrars, a registry, search engines, a server, the sites, Telegram. The real
 * data and outside services are not touched. A frozen demo moves the clock of this process.
 */
export async function startDemo(config: Config, options: DemoOptions): Promise<Demo> {
  if (options.frozen) setClock(FROZEN_NOW);
  const demo = demoConfig(config);
  const world = await prepareWorld(config, options);
  await updateBlocklist(demo.blocklistDir, { url: demo.blocklistUrl });
  const keeper = keepWorld(worldFile(config), world);
  const root = treeOf(config);
  world.telegram ??= demoTelegram(new Date());
  const [cloudflare, registrars, registry, sites, ssh, xmlriver, arsenkin, telegram] = await Promise.all([
    startCloudflare({ state: world.cloudflare, onChange: keeper.changed }),
    startRegistrars(world.registrars, { onChange: keeper.save }),
    startRegistry({ find: registryOf(world) }),
    startSites(world.sites, { cloudflare: world.cloudflare, root }),
    startSsh({ root, logins: SERVER_LOGINS, hostKeyFile: join(folderOf(config), 'server-key') }),
    startXmlriver(world.search.xmlriver, { latencyMs: SEARCH_MS, onChange: keeper.changed }),
    startArsenkin(world.search.arsenkin, { onChange: keeper.changed }),
    startTelegram(world.telegram, { onChange: keeper.changed, people: TELEGRAM_PEOPLE }),
  ]);
  const events = eventsOf(demo, world, keeper.changed);
  let running: { stop: () => void } | undefined;
  const served: Config = {
    ...demo,
    cloudflareUrl: cloudflare.url,
    registrarUrls: registrars.urls,
    searchUrls: { xmlriver: xmlriver.url, arsenkin: arsenkin.url },
    searchPace: { calls: 1_000, seconds: 1, atOnce: 10 },
    registry: { rdapUrl: registry.rdap, whoisServer: registry.whois, pace: REGISTRY_PACE },
    telegram: { token: world.telegram.token, url: telegram.url },
    allowPrivate: true,
    ca: sites.ca,
    connectTo: `:22:127.0.0.1:${ssh.port},::127.0.0.1:${sites.port}`,
  };
  const withdraw = await announceDemo(served);
  return {
    config: served,
    events,
    live: () => {
      running ??= startEvents(events);
    },
    close: async () => {
      running?.stop();
      await withdraw();
      const all = [cloudflare, registrars, registry, sites, ssh, xmlriver, arsenkin, telegram];
      await Promise.all(all.map((server) => server.close()));
      await keeper.close();
    },
  };
}
