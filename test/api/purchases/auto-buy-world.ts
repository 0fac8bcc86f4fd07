// Shared parts of the tests of bought reserves: a project that is short of one, a registrar, two Cloudflare accounts.
import { afterEach, beforeEach } from 'vitest';
import type { ShopServer } from '../../../src/demo/registrars/server.ts';
import { setBudget } from '../../../src/services/purchases/budget.ts';
import { reserveBuyer } from '../../../src/services/purchases/reserves.ts';
import { REGISTRAR_TYPES } from '../../../src/shared/accounts/registrar-types.ts';
import { startCdn, type Cdn } from '../../support/cdn.ts';
import { LOGIN, shopState, startRegistrar } from '../../support/registrars/shops.ts';
import { newName } from '../calls.ts';

export let cdn: Cdn;
export let shop: ShopServer;
/** The project's id, and its settings as they are saved. */
export let project: number;
export let settings: object;
/** The schedule's turn. */
export let buyMissing: () => Promise<void>;

/** Starts everything before each test of a file, and ends it afterwards. */
export function useAutoBuy(): void {
  beforeEach(async () => {
    shop = await startRegistrar('reg.ru');
    Object.assign(shop.state, shopState('reg.ru'));
    cdn = await startCdn({}, 2, { registrarUrls: Object.fromEntries(REGISTRAR_TYPES.map((type) => [type, shop.url])) });
    const { login, password } = LOGIN;
    const input = { name: newName(), type: 'reg.ru', login, password, profile_type: 'RU.PP', profile_name: 'main' };
    const registrars_id = (await cdn.call('POST /api/registrars', input)).body.data.id;
    project = (await cdn.call('POST /api/projects', { name: newName() })).body.data.id;
    const group = await cdn.call('POST /api/cloudflare_groups', { name: newName(), accounts: cdn.accounts });
    const [server] = (await cdn.call('GET /api/servers')).body.data;
    await cdn.addDomain('main-site.com', { project_id: project, server_id: server.id, file_path: '/var/www/main' });
    settings = {
      project_id: project,
      template: 'mir-{play|win|go}{1|2|3}.ru',
      registrars_id,
      cloudflare_groups_id: group.body.id,
    };
    await cdn.call('POST /api/auto_buy', settings);
    shop.requests.length = 0;
    buyMissing = reserveBuyer(() => undefined);
  });
  afterEach(async () => {
    await cdn.close();
    await shop.close();
  });
}

/** Sets caps that leave room for a few names. */
export const allow = (): Promise<unknown> =>
  setBudget({
    caps: [
      { scope: 'all', scope_id: 0, currency: 'RUB', amount: '1000.00' },
      { scope: 'name', scope_id: 0, currency: 'RUB', amount: '500.00' },
    ],
  });
/** Whether an operation is a run. */
export const isRun = ({ kind }: { kind: string }) => kind === 'buy_reserve';
/** Plans a run. */
export const planned = async () => (await cdn.call(`POST /api/auto_buy/${project}/plan`, {})).body.data;
/** Starts what was planned. */
export const run = async (plan: { domain_name: string; price: string; currency: string }) => {
  const { domain_name, price, currency } = plan;
  return cdn.call(`POST /api/auto_buy/${project}/run`, { domain_name, price, currency });
};
/** Charges of the registrar. */
export const charges = () => shop.state.accounts[0]!.charges;
/** A domain as it is listed. */
export const domainNamed = async (name: string) =>
  (await cdn.call('GET /api/domains')).body.data.find((one: { domain_name: string }) => one.domain_name === name);
