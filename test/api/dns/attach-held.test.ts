// The holds of an attaching while it runs: its main domain, and the way back from that.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { select } from '../../../db/index.ts';
import { hold } from '../../../src/demo/cloudflare/faults.ts';
import { pointingAt, startCdn, type Cdn } from '../../support/cdn.ts';

let cdn: Cdn;
beforeEach(async () => {
  cdn = await startCdn({}, 2);
});
afterEach(() => cdn.close());

/** Asks for the attaching of names to a main domain, in one of the two accounts. */
const ask = (names: string[], main: string, account = 0) =>
  cdn.call('POST /api/manage_dns', pointingAt(cdn, main, { pageRules: names, accountId: cdn.accounts[account] }));

async function attached(names: string[], main: string, account = 0) {
  const { status, body } = await ask(names, main, account);
  expect(status).toBe(200);
  return { id: body.operation.id as number, ...(await cdn.ended(body.operation.id)) };
}

/** Begins to attach names, and keeps the answer to the first rule back. */
async function begun(names: string[], main: string, account = 0) {
  const { fault, release } = hold();
  cdn.fake.faults.push({ ...fault, call: 'POST /zones/*/pagerules' });
  const { body } = await ask(names, main, account);
  await vi.waitFor(() => expect(cdn.fake.faults).toEqual([]), { timeout: 20_000 });
  const ended = async () => {
    release();
    return cdn.ended(body.operation.id);
  };
  return { id: body.operation.id as number, ended };
}

const errorsOf = async (id: number): Promise<(string | null)[]> =>
  (
    await select<{ error_key: string | null }>('SELECT error_key FROM operation_items WHERE operation_id = $id', { id })
  ).map(({ error_key }) => error_key);

test('a main domain is neither deleted nor renamed while names are being attached to it', async () => {
  const id = await cdn.addDomain('main.com');
  const work = await begun(['a.com', 'b.com'], 'main.com');
  const [deletion, renaming, edit] = [
    await cdn.call(`DELETE /api/domains/${id}`),
    await cdn.call(`POST /api/domains/${id}`, { domain_name: 'new.com' }),
    await cdn.call(`POST /api/domains/${id}`, { type: 'transfer' }),
  ];
  expect([deletion.status, renaming.status, edit.status]).toEqual([409, 409, 200]);
  expect([deletion.body.code, renaming.body.code]).toEqual(['busy', 'busy']);
  const many = { selection: { names: ['main.com'] }, act: { kind: 'delete' } };
  expect((await cdn.call('POST /api/domains_bulk/plan', many)).body.data).toMatchObject({ changes: 0 });
  expect(await work.ended()).toMatchObject({ state: 'succeeded' });
  expect(await select('SELECT main_id FROM attachments')).toEqual([{ main_id: id }, { main_id: id }]);
  expect((await cdn.call(`POST /api/domains/${id}`, { domain_name: 'new.com' })).status).toBe(200);
  expect((await cdn.call(`DELETE /api/domains/${id}`)).status).toBe(200);
});

test('a name that is being attached is neither renamed nor a main domain meanwhile', async () => {
  const id = await cdn.addDomain('a.com');
  const work = await begun(['a.com'], 'main.com');
  expect((await cdn.call(`POST /api/domains/${id}`, { domain_name: 'new.com' })).status).toBe(409);
  const back = await ask(['main.com'], 'a.com', 1);
  expect([back.status, back.body.code]).toEqual([409, 'busy']);
  expect(await work.ended()).toMatchObject({ state: 'succeeded' });
  const late = await attached(['main.com'], 'a.com', 1);
  expect([late.state, await errorsOf(late.id)]).toEqual(['failed', ['rules.forwards_back']]);
});

test('names are attached to one main domain by two operations at once', async () => {
  const work = await begun(['a.com', 'b.com'], 'main.com');
  expect(await attached(['c.com', 'd.com'], 'main.com', 1)).toMatchObject({ state: 'succeeded' });
  expect(await work.ended()).toMatchObject({ state: 'succeeded' });
  expect(await select('SELECT domain_name FROM attachments ORDER BY domain_name')).toHaveLength(4);
});

test('a circle is not closed either by two redirects of it that are made at once', async () => {
  for (const [from, to] of [
    ['b.com', 'c.com'],
    ['d.com', 'a.com'],
  ] as const)
    expect(await attached([from], to)).toMatchObject({ state: 'succeeded' });
  const work = await begun(['a.com'], 'b.com');
  const late = await attached(['c.com'], 'd.com', 1);
  expect([late.state, await errorsOf(late.id)]).toEqual(['failed', ['rules.forwards_back']]);
  expect(await work.ended()).toMatchObject({ state: 'succeeded' });
});

test('a circle is found through a second way where the first one was removed', async () => {
  for (const [from, to] of [
    ['b.com', 'a.com'],
    ['c.com', 'a.com'],
  ] as const)
    expect(await attached([from], to)).toMatchObject({ state: 'succeeded' });
  cdn.zone('b.com').page_rules = [];
  expect(await attached(['b.com'], 'c.com')).toMatchObject({ state: 'succeeded' });
  const late = await attached(['a.com'], 'b.com');
  expect([late.state, await errorsOf(late.id)]).toEqual(['failed', ['rules.forwards_back']]);
});
