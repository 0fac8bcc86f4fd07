// `domain renew` on the demo: its plan, what it pays, and that one name which can't be renewed stops all.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expiryDay } from '../../../src/shared/portfolio/expiry-day.ts';
import { makeHome, type Home, type Run, type Started } from '../cli.ts';

let home: Home;
let demo: Started;
beforeAll(async () => {
  home = makeHome();
  demo = home.start(['serve', '--demo', '--port', '0', '--no-scheduler']);
  await demo.says(/^listening on /m);
});
afterAll(async () => {
  demo.process.kill('SIGTERM');
  await demo.ended;
  home.remove();
});

const run = (...args: string[]): Promise<Run> => home.run(['--demo', ...args, '--lang', 'en']);

/** Returns domains of a type of registrar that end in more than a month. */
async function domainsAt(type: string): Promise<{ domain_name: string; expired_at: string }[]> {
  const { json } = await run('domain', 'list', '--json');
  const later = new Date(Date.now() + 40 * 86_400_000).toISOString();
  return json.items.filter(
    (item: { registrar_type: string; domain_name: string; expired_at: string | null }) =>
      item.registrar_type === type && item.domain_name.endsWith('.ru') && (item.expired_at ?? '') > later,
  );
}
// The demo has purchases of its past.
const begun = new Date().toISOString();
const bought = async (): Promise<{ domain_name: string; created_at: string }[]> =>
  (await run('purchases', 'list', '--json')).json.items.filter(
    ({ created_at }: { created_at: string }) => created_at > begun,
  );
const yearAfter = (day: string): string => `${Number(day.slice(0, 4)) + 1}${day.slice(4)}`;

test('the plan tells price, sum and both days, and pays nothing', async () => {
  const name = (await domainsAt('reg.ru'))[0]?.domain_name ?? '';
  const { exit, json } = await run('domain', 'renew', name, '--dry-run', '--json');
  const [quote] = json.items;
  expect([exit, json.dry_run, json.sum, json.items.length]).toEqual([0, true, '249.00 RUB', 1]);
  expect(quote).toMatchObject({ domain_name: name, registrar_type: 'reg.ru', currency: 'RUB', refusal: null });
  expect(quote.renewed_day).toBe(yearAfter(quote.expires_day));
  const table = await run('domain', 'renew', name, '--dry-run');
  expect(table.stdout).toMatch(/^domain_name +registrar +expires +renewed +price +currency +balance +refusal$/m);
  expect(table.stdout).toContain(`${quote.expires_day}  ${quote.renewed_day}`);
  expect(table.stderr).toContain('Total: 249.00 RUB. Still allowed today: 10,000.00 RUB');
  expect(await bought()).toEqual([]);
});

test('a renewed name is in the ledger with its days, and in the portfolio', async () => {
  const before = (await domainsAt('reg.ru')).slice(0, 2);
  const names = before.map(({ domain_name }) => domain_name);
  expect((await run('domain', 'renew', ...names, '--yes')).exit).toBe(0);
  const items = await bought();
  expect(items.map((row) => row.domain_name).toSorted()).toEqual(names.toSorted());
  expect(items).toMatchObject([
    { kind: 'renew', state: 'committed', charged: '249.00' },
    { kind: 'renew', state: 'committed', charged: '249.00' },
  ]);
  const after = new Map((await domainsAt('reg.ru')).map((row) => [row.domain_name, expiryDay(row)]));
  expect(names.map((name) => after.get(name))).toEqual(before.map((row) => yearAfter(expiryDay(row))));
});

test('a wrong name refuses all, before anything is quoted or paid', async () => {
  const name = (await domainsAt('reg.ru'))[0]?.domain_name ?? '';
  const before = await bought();
  for (const flag of ['--yes', '--dry-run']) {
    const { exit, json } = await run('domain', 'renew', name, 'bad..name', flag, '--json');
    expect([exit, json.error.code, json.items]).toEqual([2, 'usage', undefined]);
    expect(json.error.message).toContain('bad..name');
  }
  expect(await bought()).toEqual(before);
});

test('a name that can’t be renewed stops all the others, and the error names it', async () => {
  const [good, bad] = [await domainsAt('reg.ru'), await domainsAt('expired.ru')].map(
    (rows) => rows[0]?.domain_name ?? '',
  );
  const before = await bought();
  const { exit, json } = await run('domain', 'renew', good ?? '', bad ?? '', '--yes', '--json');
  // Not 5, which says that the rest is done.
  expect([exit, json.dry_run, json.error.code]).toEqual([1, false, 'not_renewable']);
  expect(json.errors).toMatchObject([{ domain: bad, code: 'not_renewable' }]);
  expect((await run('domain', 'renew', good ?? '', bad ?? '', '--dry-run')).exit).toBe(5);
  const none = await run('domain', 'renew', bad ?? '', '--dry-run', '--lang', 'en');
  expect(none.exit).toBe(1);
  expect(none.stdout + none.stderr).toMatch(/^Nothing can be renewed: the reasons are above/m);
  expect(json.errors[0].message).toContain('Authentication failed');
  expect(await bought()).toEqual(before);
});
