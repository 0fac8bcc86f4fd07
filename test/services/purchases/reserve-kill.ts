// A run that buys a reserve and makes it ready is killed at a point, and finished by the server that is left.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { strToU8, zipSync } from 'fflate';
import { expect } from 'vitest';
import { select } from '../../../db/index.ts';
import { hold } from '../../../src/demo/cloudflare/faults.ts';
import type { ShopServer } from '../../../src/demo/registrars/server.ts';
import { startSsh, type Ssh } from '../../../src/demo/ssh.ts';
import { interceptCrashPoints } from '../../../src/lib/crash-point.ts';
import { setBudget } from '../../../src/services/purchases/budget.ts';
import { REGISTRAR_TYPES } from '../../../src/shared/accounts/registrar-types.ts';
import { newName } from '../../api/calls.ts';
import { SERVER_IP, startCdn, type Cdn } from '../../support/cdn.ts';
import { startChild } from '../../support/child.ts';
import { endLeases } from '../../support/leases.ts';
import { LOGIN, shopState, startRegistrar } from '../../support/registrars/shops.ts';
import { form } from '../../support/server.ts';

/** A server, a registrar that counts charges, Cloudflare and a host; every case has a project of its own. */
export interface Runs {
  /** Buys a reserve undisturbed and returns the points that it passes where it may be killed. */
  points: () => Promise<string[]>;
  /** Kills a run at a point, does `meanwhile`, and has the server finish the run; what must hold afterwards is checked. */
  play: (point: string, meanwhile?: (cdn: Cdn) => Promise<void>) => Promise<void>;
  /** Cancels a run once its name is paid and its zone looked for, and tries it again to its end; returns the operation as it was cancelled. */
  cancel: () => Promise<unknown>;
  /** Returns how often the registrar has charged for names of the last case. */
  charged: () => Promise<number>;
  close: () => Promise<void>;
}

/** The acts of a run that follow its purchase, and the moments of each. */
export const ACTS = [
  'dns_change:zone',
  'dns_change:dns',
  'dns_change:place',
  'dns_change:name_servers',
  'deploy:upload',
  'deploy:activate',
  'deploy:served',
];
export const WHEN = ['before-intent', 'after-intent', 'after-call', 'after-done'];

const TEMPLATE = zipSync({ 'index.html': strToU8('<title>TITLE</title><h1>SITE_URL</h1>BODY') });
const PAGE = '<html><head><title>Main</title></head><body><p>Text</p></body></html>';

interface World {
  cdn: Cdn;
  shop: ShopServer;
  ssh: Ssh;
  registrar: number;
  template: number;
}

/** Makes a project that is short of a reserve, with a main domain whose site was made of a template. */
async function makeProject({ cdn, registrar, template }: World): Promise<{ id: number; prefix: string }> {
  const prefix = newName().replaceAll(/[^a-z0-9]/g, '');
  const { id } = (await cdn.call('POST /api/projects', { name: newName() })).body.data;
  const group = await cdn.call('POST /api/cloudflare_groups', { name: newName(), accounts: cdn.accounts });
  const [server] = (await cdn.call('GET /api/servers')).body.data;
  const main = await cdn.call(
    'POST /api/domains',
    form({
      domain_name: `main-${prefix}.com`,
      project_id: String(id),
      server_id: String(server.id),
      file_path: `/home/sites/main-${prefix}.com/public`,
      template_id: String(template),
      html_file: new File([PAGE], 'page.html', { type: 'text/html' }),
    }),
  );
  if (!main.body.operation) throw new Error(main.text);
  await cdn.ended(main.body.operation.id);
  await cdn.call('POST /api/auto_buy', {
    project_id: id,
    template: `${prefix}-{play|win|go}{1|2|3}.ru`,
    registrars_id: registrar,
    cloudflare_groups_id: group.body.id,
  });
  return { id, prefix };
}

/** Waits until nothing is under way. */
async function settled(): Promise<void> {
  await expect.poll(() => select(`SELECT kind FROM operations WHERE state IN ('queued', 'running')`)).toEqual([]);
}

/** Waits until nothing is under way, and checks that the last run succeeded with all that it has started. */
async function succeeded(): Promise<void> {
  await settled();
  const [run] = await select<{ id: number }>(`SELECT MAX(id) AS id FROM operations WHERE kind = 'buy_reserve'`);
  const ended = await select('SELECT kind, state, message FROM operations WHERE id >= $id ORDER BY id', {
    id: run?.id ?? 0,
  });
  const message = expect.any(String);
  expect(ended).toEqual(['buy_reserve', 'dns_change', 'deploy'].map((kind) => ({ kind, state: 'succeeded', message })));
}

const chargesOf = ({ shop }: World, prefix: string) =>
  shop.state.accounts[0]!.charges.filter(({ name }) => name.startsWith(prefix));

/** Checks that one name was bought, with zone, record, name servers, row and site. */
async function expectReserve(world: World, prefix: string): Promise<void> {
  const { cdn, shop, ssh } = world;
  const bought = chargesOf(world, prefix);
  expect(bought).toHaveLength(1);
  const { name } = bought[0]!;
  const zones = Object.values(cdn.fake.state.zones).filter((zone) => zone.name === name);
  expect(zones).toHaveLength(1);
  const zone = zones[0]!;
  const roots = zone.records.filter((record) => record.name === name && record.type === 'A');
  expect(roots.map(({ content }) => content)).toEqual([SERVER_IP]);
  const there = shop.state.accounts[0]!.domains.find((one) => one.name === name);
  expect(there?.name_servers.toSorted()).toEqual(zone.name_servers.toSorted());
  const rows = await select('SELECT type FROM domains WHERE domain_name = $name', { name });
  expect(rows).toEqual([{ type: 'transfer' }]);
  expect(readFileSync(join(ssh.root, `home/sites/${name}/public/index.html`), 'utf8')).toContain(`<h1>${name}</h1>`);
  const ledger = await select('SELECT state FROM purchases WHERE domain_name = $name', { name });
  expect(ledger).toEqual([{ state: 'committed' }]);
}

async function startWorld(root: string): Promise<World> {
  const ssh = await startSsh({ root, logins: [{ user: 'root', password: 'secret word' }] });
  const shop = await startRegistrar('reg.ru');
  Object.assign(shop.state, shopState('reg.ru'));
  shop.state.accounts[0]!.balance = 100_000_000;
  const cdn = await startCdn({}, 2, {
    registrarUrls: Object.fromEntries(REGISTRAR_TYPES.map((type) => [type, shop.url])),
    connectTo: `${SERVER_IP}:22:127.0.0.1:${ssh.port}`,
    allowPrivate: true,
  });
  const { login, password } = LOGIN;
  const input = { name: newName(), type: 'reg.ru', login, password, profile_type: 'RU.PP', profile_name: 'main' };
  const registrar = (await cdn.call('POST /api/registrars', input)).body.data.id;
  const archive = form({ name: newName(), template_file: new File([TEMPLATE], 'site.zip') });
  const template = (await cdn.call('POST /api/templates', archive)).body.data.id;
  const cap = (scope: 'all' | 'name') => ({ scope, scope_id: 0, currency: 'RUB' as const, amount: '100000.00' });
  await setBudget({ caps: [cap('all'), cap('name')], names_day: 10_000, pause_minutes: 0 });
  return { cdn, shop, ssh, registrar, template };
}

/** Starts everything. */
export async function startRuns(): Promise<Runs> {
  const root = mkdtempSync(join(tmpdir(), 'reserves-'));
  const world = await startWorld(root);
  const { cdn, shop, ssh } = world;
  let last = '';
  const childIn = (id: number) =>
    startChild('test/children/reserve.ts', [JSON.stringify(cdn.server.config), String(id)]);
  return {
    points: async () => {
      const { id, prefix } = await makeProject(world);
      const points = new Map<string, number>();
      interceptCrashPoints((point) => points.set(point, (points.get(point) ?? 0) + 1));
      const plan = (await cdn.call(`POST /api/auto_buy/${id}/plan`, {})).body.data;
      const { domain_name, price, currency } = plan;
      const { body, text } = await cdn.call(`POST /api/auto_buy/${id}/run`, { domain_name, price, currency });
      if (!body.operation) throw new Error(text);
      expect(await cdn.ended(body.operation.id)).toMatchObject({ state: 'succeeded' });
      interceptCrashPoints();
      await expectReserve(world, prefix);
      return [...points.keys()];
    },
    cancel: async () => {
      const { id, prefix } = await makeProject(world);
      last = prefix;
      // The account is asked where the zone is to be made, and answers once the run is cancelled: no zone may be begun then.
      const answer = hold();
      cdn.fake.faults.push(answer.fault);
      const { domain_name, price, currency } = (await cdn.call(`POST /api/auto_buy/${id}/plan`, {})).body.data;
      const { operation } = (await cdn.call(`POST /api/auto_buy/${id}/run`, { domain_name, price, currency })).body;
      await expect.poll(() => cdn.fake.faults, { interval: 10 }).toEqual([]);
      expect(chargesOf(world, prefix)).toHaveLength(1);
      await cdn.call(`POST /api/operations/${operation.id}/cancel`, {});
      answer.release();
      const ended = await cdn.ended(operation.id);
      await settled();
      expect(Object.values(cdn.fake.state.zones).filter(({ name }) => name === domain_name)).toEqual([]);
      const rows = await select('SELECT type FROM domains WHERE domain_name = $domain_name', { domain_name });
      expect(rows).toEqual([{ type: 'transfer' }]);
      await cdn.call(`POST /api/operations/${operation.id}/retry`, {});
      expect(await cdn.ended(operation.id)).toMatchObject({ state: 'succeeded' });
      await settled();
      await expectReserve(world, prefix);
      return ended;
    },
    charged: async () => chargesOf(world, last).length,
    play: async (point, meanwhile) => {
      const { id, prefix } = await makeProject(world);
      last = prefix;
      process.env['SEO_ADMIN_CRASH_AT'] = point;
      const child = childIn(id);
      delete process.env['SEO_ADMIN_CRASH_AT'];
      await expect(child.output()).rejects.toThrow('ended');
      await meanwhile?.(cdn);
      await endLeases();
      await succeeded();
      await expectReserve(world, prefix);
    },
    close: async () => {
      await cdn.close();
      await shop.close();
      await ssh.close();
      rmSync(root, { recursive: true, force: true });
    },
  };
}
