// Screens whose calls answer with the fields of the contract (spec/product.md, section 3) and no other.
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { settled } from '../support/page.ts';
import { startFailures } from './world.ts';

const visit = startFailures();

const RECORD =
  'id domain_name project_name transfer_type type status http_status_code last_http_check_at created_at expired_at registrar_type';
const DOMAIN =
  'id domain_name file_path type transfer_type server_id server_name server_ip cloudflare_account_id cloudflare_account_name registrars_id project_id project_name user_login template_id status http_status_code last_http_check_at google_indexation yandex_indexation last_check_indexation transfer_dns created_at expired_at registrar_type';
const ACCOUNT = 'id name email api_key ns_1 ns_2 created_at';
const OPERATION = 'id kind state total done failed steps message created_at finished_at';

/** The fields of the rows of a call, by the last part of its path or the one before. */
const FIELDS: Readonly<Record<string, string>> = {
  user_domains: RECORD,
  'domains-for-under-attack': 'domain_name project_name user_login',
  domains: DOMAIN,
  project_domains: DOMAIN,
  project_unassigned_domains: DOMAIN,
  cloudflare_accounts: ACCOUNT,
  cloudflare_groups: 'id name accounts',
  servers: 'id name ssh_host ssh_user ssh_password',
  registrars: 'id type name login password domains',
  xmlriver: 'id name login key balance',
  arsenkin: 'id name token',
  templates: 'id name file_path',
  user_projects: 'id name',
  keywords: 'id value',
  tables: 'name',
  columns: 'name',
  domain_transfer_history: 'id main_domain_name transfer_domain_name action created_at',
  domain_dns: 'dns copyOnTransfer',
  operations: OPERATION,
  auto_buy: 'template registrars_id cloudflare_groups_id state project_id',
};

function narrowed(value: unknown, fields: ReadonlySet<string>): unknown {
  if (Array.isArray(value)) return value.map((one) => narrowed(one, fields));
  if (typeof value !== 'object' || value === null) return value;
  if ('data' in value) return { ...value, data: narrowed(value.data, fields) };
  return Object.fromEntries(Object.entries(value).filter(([name]) => fields.has(name)));
}

/** Leaves in the answers of a page what the contract promises. */
const onlyPromised = (page: Page): Promise<unknown> =>
  page.route('**/api/**', async (route) => {
    const [first = '', second, third] = new URL(route.request().url()).pathname.slice('/api/'.length).split('/');
    // Rows of the table editor have the columns of their table; calls with longer paths are beyond the contract.
    const isRows = third === undefined && !(first === 'tables' && second !== undefined);
    const fields = isRows ? FIELDS[first] : undefined;
    if (fields === undefined || route.request().method() !== 'GET') return route.fallback();
    const response = await route.fetch();
    const json: unknown = await response.json();
    return route.fulfill({ response, json: response.ok() ? narrowed(json, new Set(fields.split(' '))) : json });
  });

it.each([
  '/',
  '/?list=all',
  '/projects?project=1',
  '/projects/1',
  '/sites',
  '/sites/vulkan-club.ru',
  '/sites?domain=1',
  '/dns',
  '/position?project=1',
  '/position?project=1&keyword=1',
  '/cloudflare',
  '/cloudflare-groups',
  '/servers',
  '/registrars',
  '/xmlriver',
  '/arsenkin',
  '/templates',
  '/tables?table=domains',
  '/operations',
])('%s is shown of what the contract promises alone', async (path) => {
  const page = await visit(path, onlyPromised);
  await settled(page);
  await expect.poll(() => page.getByRole('heading', { level: 1 }).count()).toBe(1);
});
