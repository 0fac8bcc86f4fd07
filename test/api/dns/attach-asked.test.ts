// The questions of the door to an attaching: another try, the restore of a deleted rule and each act right before its call ask them again.
import { expect, test, vi } from 'vitest';
import { select } from '../../../db/index.ts';
import { hold } from '../../../src/demo/cloudflare/faults.ts';
import { pointingAt } from '../../support/cdn.ts';
import {
  add,
  addZone,
  as,
  attach,
  cdn,
  deleteRule,
  handOver,
  other,
  owner,
  points,
  restore,
  take,
  useAttached,
} from './attached.ts';

useAttached();

const attachments = () => select('SELECT domain_name, forward_to FROM attachments ORDER BY 1, 2');
/** The hosts that the rules of a zone lead to. */
const leads = (zone: string): string[] =>
  cdn
    .zone(zone)
    .page_rules.flatMap(({ actions }) => actions.map(({ value }) => new URL((value as { url: string }).url).host));

/** Waits for an operation, and tells how it and its items have ended. */
async function end(id: number) {
  const { state } = await cdn.ended(id);
  const items = await select<{ error_key: string | null }>(
    'SELECT error_key FROM operation_items WHERE operation_id = $id ORDER BY id',
    { id },
  );
  return [state, ...items.map(({ error_key }) => error_key)];
}
async function giveBack(operation: number) {
  const { status, body } = await as(owner, `POST /api/operations/${operation}/restore`, {});
  expect(status).toBe(200);
  return end(body.operation.id);
}

/** Makes an attaching of old.com fail as its records are written, or its rule. */
async function failed(at: RegExp): Promise<number> {
  addZone('old.com');
  const match = ({ method, path }: { method: string; path: string }) => method !== 'GET' && at.test(path);
  cdn.fake.faults.push({ kind: 'status', status: 400, times: 9, match });
  const { body } = await as(owner, 'POST /api/manage_dns', pointingAt(cdn, 'main.com', { pageRules: ['old.com'] }));
  expect(await cdn.ended(body.operation.id)).toMatchObject({ state: 'failed' });
  cdn.fake.faults.length = 0;
  return body.operation.id;
}
const RECORDS = /dns_records/;
const RULES = /pagerules|rulesets/;

/** Makes a rule at the CDN by hand. */
const ruleByHand = (zone: string, to: string): unknown =>
  cdn.zone(zone).page_rules.push({
    id: 'by-hand',
    status: 'active',
    priority: 1,
    created_on: new Date().toISOString(),
    modified_on: new Date().toISOString(),
    targets: [{ target: 'url', constraint: { operator: 'matches', value: `${zone}/*` } }],
    actions: [{ id: 'forwarding_url', value: { url: `https://${to}/$1`, status_code: 302 } }],
  });

async function again(operation: number) {
  expect((await as(owner, `POST /api/operations/${operation}/retry`, {})).status).toBe(200);
  return end(operation);
}

test('a deleted rule is not given back where it would close a circle by now', async () => {
  for (const name of ['main.com', 'old.com']) addZone(name);
  await add(owner, 'main.com');
  const old = await add(owner, 'old.com');
  await attach(owner);
  const deletion = await deleteRule(owner, old);
  await attach(owner, 'old.com', ['main.com']);
  expect(await giveBack(deletion)).toEqual(['failed', 'rules.forwards_back']);
  expect([leads('old.com'), leads('main.com')]).toEqual([[], ['old.com']]);
  expect(await attachments()).toEqual([{ domain_name: 'main.com', forward_to: 'old.com' }]);
});

test('neither is a rule that somebody has made by hand', async () => {
  for (const name of ['main.com', 'old.com']) addZone(name);
  await add(owner, 'main.com');
  const old = await add(owner, 'old.com');
  ruleByHand('old.com', 'main.com');
  const deletion = await deleteRule(owner, old);
  await attach(owner, 'old.com', ['main.com']);
  expect(await giveBack(deletion)).toEqual(['failed', 'rules.forwards_back']);
  expect(leads('old.com')).toEqual([]);
});

test('a deleted rule is not given back beside one that leads the name elsewhere by now', async () => {
  for (const name of ['main.com', 'two.com', 'old.com']) addZone(name);
  await add(owner, 'main.com');
  await add(owner, 'two.com');
  const old = await add(owner, 'old.com');
  await attach(owner);
  const deletion = await deleteRule(owner, old);
  await attach(owner, 'two.com');
  expect(await giveBack(deletion)).toEqual(['failed', 'rules.forwards_elsewhere']);
  expect(leads('old.com')).toEqual(['two.com']);
  expect(await attachments()).toEqual([{ domain_name: 'old.com', forward_to: 'two.com' }]);
});

test('a deleted rule is not given back to a main domain of another user, or of nobody by now', async () => {
  const main = await add(owner, 'main.com');
  const old = await add(owner, 'old.com');
  await attach(owner);
  const deletion = await deleteRule(owner, old);
  await take(owner, old);
  await take(owner, main);
  expect(await giveBack(deletion)).toEqual(['failed', 'domain.gone']);
  await restore(owner, main);
  await handOver(main);
  expect(await giveBack(deletion)).toEqual(['failed', 'domain.not_yours']);
  expect([leads('old.com'), await attachments(), await points(owner)]).toEqual([[], [], 200]);
  await handOver(main, owner);
  expect(await giveBack(deletion)).toEqual(['succeeded', null]);
  expect(leads('old.com')).toEqual(['main.com']);
});

test('a rule is given back while nobody attaches its main domain, which stays as long', async () => {
  for (const name of ['main.com', 'old.com']) addZone(name);
  const main = await add(owner, 'main.com');
  const old = await add(owner, 'old.com');
  await attach(owner);
  const deletion = await deleteRule(owner, old);
  const { fault, release } = hold();
  cdn.fake.faults.push({ ...fault, call: 'POST /zones/*/pagerules' });
  const back = await as(owner, `POST /api/operations/${deletion}/restore`, {});
  await vi.waitFor(() => expect(cdn.fake.faults).toEqual([]), { timeout: 20_000 });
  const circle = await as(owner, 'POST /api/manage_dns', pointingAt(cdn, 'old.com', { pageRules: ['main.com'] }));
  const gone = await as(owner, `DELETE /api/domains/${main}`);
  expect([circle.status, gone.status]).toEqual([409, 409]);
  release();
  expect(await end(back.body.operation.id)).toEqual(['succeeded', null]);
});

test('another try attaches nothing to a main domain that is another user’s by now', async () => {
  const main = await add(owner, 'main.com');
  const id = await failed(RECORDS);
  await handOver(main);
  expect(await again(id)).toEqual(['failed', 'domain.not_yours']);
  expect(cdn.zone('old.com').records.map(({ content }) => content)).toEqual(['198.51.100.1']);
  expect([leads('old.com'), await attachments(), await points(owner)]).toEqual([[], [], 200]);
});

test('another try gives no name away whose rule somebody has made meanwhile', async () => {
  const main = await add(owner, 'main.com');
  const id = await failed(RULES);
  ruleByHand('old.com', 'main.com');
  await handOver(main);
  expect(await again(id)).toEqual(['failed', 'domain.not_yours']);
  expect([await attachments(), await points(owner)]).toEqual([[], 200]);
});

test('another try attaches nothing to a main domain that is in nobody’s portfolio by now', async () => {
  const main = await add(owner, 'main.com');
  const id = await failed(RECORDS);
  await take(owner, main);
  expect(await again(id)).toEqual(['failed', 'domain.gone']);
  expect([leads('old.com'), await attachments()]).toEqual([[], []]);
  await restore(owner, main);
  expect(await again(id)).toEqual(['succeeded', null]);
});

test('names that are not attached yet when their main domain is handed over stay as they are', async () => {
  const names = Array.from({ length: 6 }, (_, index) => `n${index}.com`);
  for (const name of names) addZone(name);
  const main = await add(owner, 'main.com');
  const { fault, release } = hold();
  cdn.fake.faults.push({ ...fault, call: 'POST /zones/*/pagerules' });
  const { body } = await as(owner, 'POST /api/manage_dns', pointingAt(cdn, 'main.com', { pageRules: names }));
  await vi.waitFor(() => expect(cdn.fake.faults).toEqual([]), { timeout: 20_000 });
  await handOver(main);
  release();
  const [state, ...errors] = await end(body.operation.id);
  expect([state, errors]).toEqual(['partial', [null, ...Array.from({ length: 5 }, () => 'domain.not_yours')]]);
  expect(names.map((name) => leads(name).length)).toEqual([1, 0, 0, 0, 0, 0]);
  expect([await points(owner, 'n5.com'), await points(other, 'n0.com')]).toEqual([200, 200]);
});
