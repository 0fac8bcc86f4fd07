// A change by its plan goes on with the zones that it has made itself.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { pointingAt, recordOf, SERVER_IP, startCdn, type Cdn } from '../../support/cdn.ts';

let cdn: Cdn;
const NAMES = ['one.com', 'two.com'];

beforeEach(async () => {
  cdn = await startCdn();
});
afterEach(() => cdn.close());

const asked = (pageRules: string[], more: object = {}) => pointingAt(cdn, 'main.com', { pageRules, ...more });

/** Attaches names by a plan; returns the operation once it has ended. */
async function attachByPlan(pageRules: string[]) {
  const plan = (await cdn.call('POST /api/manage_dns/plan', asked(pageRules))).body.data;
  const { body } = await cdn.call('POST /api/manage_dns', asked(pageRules, { plan: plan.hash }));
  return cdn.ended(body.operation.id);
}

/** Attaches names whose zones are made, and whose rules fail; then gives all back. */
async function failedAndGivenBack(): Promise<number> {
  cdn.fake.faults.push({
    kind: 'status',
    status: 400,
    times: 99,
    match: ({ method, path }) => method !== 'GET' && /pagerules|rulesets/.test(path),
  });
  const { id, state } = await attachByPlan(NAMES);
  expect([state, NAMES.map((name) => cdn.zone(name).page_rules.length)]).toEqual(['failed', [0, 0]]);
  cdn.fake.faults.length = 0;
  const back = await cdn.call(`POST /api/operations/${id}/restore`, {});
  await cdn.ended(back.body.operation.id);
  return id;
}

async function triedAgain(id: number) {
  await cdn.call(`POST /api/operations/${id}/retry`, {});
  return cdn.ended(id);
}

const pointed = (name: string): unknown[] => {
  const { records, page_rules } = cdn.zone(name);
  return [records.some(({ type, content }) => type === 'A' && content === SERVER_IP), page_rules.length];
};

test('an attaching that has failed after its zones were made, and was given back, is made whole by another try', async () => {
  const id = await failedAndGivenBack();
  expect(await triedAgain(id)).toMatchObject({ state: 'succeeded', counts: { done: 2 } });
  expect(NAMES.map(pointed)).toEqual([
    [true, 1],
    [true, 1],
  ]);
});

test('a zone that was made so, and into which somebody has put an address since, is left as it is', async () => {
  const id = await failedAndGivenBack();
  cdn.zone('two.com').records = [recordOf('two.com', 'A @ 198.51.100.9', 0)];
  expect(await triedAgain(id)).toMatchObject({ state: 'partial', counts: { done: 1, failed: 1 } });
  const { body } = await cdn.call(`GET /api/operations/${id}/items?state=failed`);
  expect(body.data).toMatchObject([{ item: 'dns two.com', error: expect.stringContaining('План') }]);
  expect(cdn.zone('two.com').records.map(({ content }) => content)).toEqual(['198.51.100.9']);
});

test('two names of one zone that is missing are attached by one plan', async () => {
  const ended = await attachByPlan(['one.com', 'shop.one.com']);
  expect(ended).toMatchObject({ state: 'succeeded', counts: { done: 2 } });
  const names = cdn.zone('one.com').records.flatMap(({ name, content }) => (content === SERVER_IP ? name : []));
  expect(names.toSorted()).toEqual(['one.com', 'shop.one.com', 'www.one.com']);
});

test('an attaching that was given back in part is made whole by another try', async () => {
  const { id } = await attachByPlan(NAMES);
  const refused = { kind: 'status', status: 400, times: 99, call: 'POST /zones/*/dns_records/batch' } as const;
  cdn.fake.faults.push(refused);
  const back = await cdn.call(`POST /api/operations/${id}/restore`, {});
  expect((await cdn.ended(back.body.operation.id)).state).toBe('failed');
  expect(NAMES.map(pointed)).toEqual([
    [true, 0],
    [true, 0],
  ]);
  cdn.fake.faults.length = 0;
  expect(await triedAgain(id)).toMatchObject({ state: 'succeeded', counts: { done: 2 } });
  expect(NAMES.map(pointed)).toEqual([
    [true, 1],
    [true, 1],
  ]);
});
