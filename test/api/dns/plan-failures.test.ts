// A plan of many zones of which some can't be looked at, and the change that is carried out by it.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { translate } from '../../../src/shared/i18n/index.ts';
import { pointingAt, startCdn, type Cdn } from '../../support/cdn.ts';
import { unlimited } from '../../support/cloudflare-state.ts';

let cdn: Cdn;
const names = Array.from({ length: 20 }, (_, index) => `n${index}.com`);

beforeEach(async () => {
  cdn = await startCdn();
  unlimited(cdn.fake.url);
  for (const name of names) cdn.addZone(name, ['A @ 198.51.100.1']);
});
afterEach(() => cdn.close());

const asked = (pageRules: string[], more: object = {}) => pointingAt(cdn, 'main.com', { pageRules, ...more });
const planned = async (pageRules: string[]) => cdn.call('POST /api/manage_dns/plan', asked(pageRules));
const breakZones = (match: (path: string) => boolean): void =>
  void cdn.fake.faults.push({
    kind: 'status',
    status: 502,
    body: '<html>502</html>',
    match: ({ path }) => path.includes('/dns_records') && match(path),
    times: 1_000,
  });

test('one zone that can’t be looked at fails alone, and a run by that plan leaves it as it is', async () => {
  const { id, records } = cdn.zone('n0.com');
  breakZones((path) => path.includes(id));
  const plan = (await planned(names)).body.data;
  expect(plan.failed.map(({ item }: { item: string }) => item)).toEqual(['dns n0.com']);
  expect(plan.acts).toHaveLength(38);
  cdn.fake.faults.length = 0;
  const { body } = await cdn.call('POST /api/manage_dns', asked(names, { plan: plan.hash }));
  expect(await cdn.ended(body.operation.id)).toMatchObject({ state: 'partial', failed: 1, counts: { done: 19 } });
  const failed = await cdn.call(`GET /api/operations/${body.operation.id}/items?state=failed`);
  expect(failed.body.items ?? failed.body.data).toMatchObject([
    { item: 'dns n0.com', error: expect.stringContaining('План этого не показал') },
  ]);
  expect(records.map(({ content }) => content)).toEqual(['198.51.100.1']);
  // Another try could only fail again: it takes a new plan.
  expect((await cdn.call(`GET /api/operations/${body.operation.id}`)).body.retryable).toBe(false);
  const again = await cdn.call(`POST /api/operations/${body.operation.id}/retry`, {});
  expect([again.status, again.body.error]).toEqual([409, translate('ru', 'operation.nothing_left')]);
});

test('another try does what has failed, and leaves what the plan did not show', async () => {
  const [{ id }, { id: other }] = [cdn.zone('n0.com'), cdn.zone('n1.com')];
  const two = ['n0.com', 'n1.com', 'n2.com'];
  breakZones((path) => path.includes(id));
  const plan = (await planned(two)).body.data;
  cdn.fake.faults.length = 0;
  const refused = { kind: 'status', status: 400, times: 9 } as const;
  cdn.fake.faults.push({ ...refused, match: ({ method, path }) => method !== 'GET' && path.includes(other) });
  const { operation } = (await cdn.call('POST /api/manage_dns', asked(two, { plan: plan.hash }))).body;
  expect(await cdn.ended(operation.id)).toMatchObject({ state: 'partial', counts: { done: 1, failed: 2 } });
  cdn.fake.faults.length = 0;
  expect((await cdn.call(`GET /api/operations/${operation.id}`)).body.retryable).toBe(true);
  expect((await cdn.call(`POST /api/operations/${operation.id}/retry`, {})).status).toBe(200);
  const ended = await cdn.ended(operation.id);
  expect(ended).toMatchObject({ state: 'partial', retryable: false, counts: { done: 2, failed: 1 } });
});

test.each([
  [0, 5],
  [6, 7],
])('neighbouring zones from %i on that can’t be looked at, %i of them, fail alone', async (from, count) => {
  const bad = names.slice(from, from + count);
  const ids = bad.map((name) => cdn.zone(name).id);
  breakZones((path) => ids.some((id) => path.includes(id)));
  const plan = (await planned(names)).body.data;
  expect(plan.failed.map(({ item }: { item: string }) => item)).toEqual(bad.map((name) => `dns ${name}`));
  expect(plan.acts).toHaveLength(2 * (names.length - count));
});

test('a service that goes away midway ends the plan soon', async () => {
  let seen = 0;
  breakZones(() => (seen += 1) > 10);
  const plan = (await planned(names)).body.data;
  expect(plan.acts).toHaveLength(20);
  expect(plan.failed).toHaveLength(10);
  const looked = cdn.fake.requests.filter(({ path, status }) => path.includes('/dns_records') && status === 502);
  // Four tries of each of eight zones at most, and of one that had worked.
  expect(looked.length).toBeLessThanOrEqual(36);
});

test('a plan that showed nothing at all is not carried out', async () => {
  cdn.fake.faults.push({
    kind: 'status',
    status: 403,
    body: { success: false, errors: [{ code: 9109, message: 'Unauthorized' }], result: null },
    call: 'GET /zones/*/dns_records',
    times: 9,
  });
  const plan = (await planned(['n3.com'])).body.data;
  expect([plan.acts, plan.failed.length]).toEqual([[], 1]);
  cdn.fake.faults.length = 0;
  const refused = await cdn.call('POST /api/manage_dns', asked(['n3.com'], { plan: plan.hash }));
  expect([refused.status, refused.body.code]).toEqual([409, 'plan_stale']);
  // The zone as it was seen whole is another plan.
  expect((await planned(['n3.com'])).body.data.hash).not.toBe(plan.hash);
});

test('a service that is away for all zones ends the plan after a few of them', async () => {
  breakZones(() => true);
  cdn.fake.requests.length = 0;
  const { status } = await planned(names);
  expect(status).toBe(502);
  const looked = new Set(cdn.fake.requests.map(({ path }) => path).filter((path) => path.includes('/dns_records')));
  expect(looked.size).toBeLessThanOrEqual(8);
});
