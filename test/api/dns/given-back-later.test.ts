// An operation is given back after other work on what stands outside under the same name, or under another one.
import { expect, test } from 'vitest';
import { select } from '../../../db/index.ts';
import { forwardsOf } from '../../support/moves-portfolio.ts';
import { pointingAt, SERVER_IP, startCdn, type Cdn } from '../../support/cdn.ts';
import { add, addProject, addZone, as, attach, cdn, done, owner, useAttached } from './attached.ts';

const LEFT = /^(Changed since|Изменено после этого)/;

/** Gives an operation back, and returns how that ended, with the errors of its items. */
async function givenBack(world: Cdn, id: number) {
  const { status, body } = await world.call(`POST /api/operations/${id}/restore`, {});
  expect(status).toBe(200);
  const { state } = await world.ended(body.operation.id);
  const items = (await world.call(`GET /api/operations/${body.operation.id}/items`)).body.data as { error: string }[];
  return { state, errors: items.map(({ error }) => error).join(' ') };
}

/** Points a domain by an account, and returns the operation. */
async function pointed(world: Cdn, name: string, account = 0): Promise<number> {
  const { body } = await world.call('POST /api/manage_dns', {
    ...pointingAt(world, name),
    accountId: world.accounts[account],
  });
  expect((await world.ended(body.operation.id)).state).toBe('succeeded');
  return body.operation.id;
}

/** Runs a test with a CDN of so many accounts. */
async function within(accounts: number, work: (world: Cdn) => Promise<void>): Promise<void> {
  const world = await startCdn({}, accounts);
  try {
    await work(world);
  } finally {
    await world.close();
  }
}

test('one name in two accounts is two zones: the first is given back whatever was done in the second', async () => {
  await within(2, async (world) => {
    const zones = [1, 2].map((account) => world.addZone('old.com', [`A @ 198.51.100.${account}`], account));
    const contents = () => zones.map(({ records }) => records.map(({ content }) => content));
    await world.addDomain('old.com');
    const [first, second] = [await pointed(world, 'old.com', 0), await pointed(world, 'old.com', 1)];
    const pointedBoth = contents();
    expect(await givenBack(world, first)).toEqual({ state: 'succeeded', errors: '' });
    expect(contents()).toEqual([['198.51.100.1'], pointedBoth[1]]);
    expect((await givenBack(world, second)).state).toBe('succeeded');
    expect(contents()).toEqual([['198.51.100.1'], ['198.51.100.2']]);
  });
});

test('what later work has made again in the same zone of an account is left alone, a change in another one in between or not', async () => {
  await within(2, async (world) => {
    const zone = world.addZone('old.com', ['A @ 198.51.100.1'], 1);
    world.addZone('old.com', ['A @ 198.51.100.2'], 2);
    await world.addDomain('old.com');
    const first = await pointed(world, 'old.com');
    for (const record of zone.records) if (record.name === 'old.com') record.content = '198.51.100.7';
    await pointed(world, 'old.com', 1);
    const third = await pointed(world, 'old.com');
    const { state, errors } = await givenBack(world, first);
    expect([state, errors]).toEqual(['failed', expect.stringMatching(LEFT)]);
    expect(errors).toContain(` ${third},`);
    expect(zone.records.filter(({ name }) => name === 'old.com').map(({ content }) => content)).toEqual([SERVER_IP]);
  });
});

test.each([true, false])(
  'in a zone below the registered name a save is left alone where a change of DNS has made it again (%s)',
  async (isAgain) => {
    await within(1, async (world) => {
      world.addZone('old.com', ['A @ 198.51.100.1']);
      const zone = world.addZone('shop.old.com', ['A @ 198.51.100.9']);
      const contents = () => zone.records.filter(({ name }) => name === 'shop.old.com').map(({ content }) => content);
      const id = await world.addDomain('shop.old.com');
      const [record] = zone.records;
      record!.proxied = true;
      const row = { id: record!.id, type: 'A', name: 'shop.old.com', content: SERVER_IP, proxied: true };
      const input = { dns: [row], copyOnTransfer: 'off', override: true };
      const saved = (await world.call(`POST /api/domain_dns/${id}`, input)).body.operation.id as number;
      if (isAgain) zone.records.find(({ name }) => name === 'shop.old.com')!.content = '198.51.100.7';
      const change = await pointed(world, 'shop.old.com');
      const { state, errors } = await givenBack(world, saved);
      const isTold = LEFT.test(errors) && errors.includes(` ${change},`);
      expect([state, isTold, contents()]).toEqual(
        isAgain ? ['failed', true, [SERVER_IP]] : ['succeeded', false, ['198.51.100.9']],
      );
    });
  },
);

test('a change of DNS in a zone below the registered name is left alone where a save has made it again', async () => {
  await within(1, async (world) => {
    const zone = world.addZone('shop.old.com', ['A @ 198.51.100.9']);
    const id = await world.addDomain('shop.old.com');
    const change = await pointed(world, 'shop.old.com');
    const record = zone.records.find(({ name, type }) => name === 'shop.old.com' && type === 'A')!;
    record.content = '198.51.100.7';
    const dns = zone.records.map(({ id, type, name, proxied }) => ({ id, type, name, content: SERVER_IP, proxied }));
    const { body } = await world.call(`POST /api/domain_dns/${id}`, { dns, copyOnTransfer: 'off', override: true });
    const { state, errors } = await givenBack(world, change);
    expect([state, errors]).toEqual(['failed', expect.stringMatching(LEFT)]);
    expect(errors).toContain(` ${body.operation.id},`);
    expect(zone.records.map(({ content }) => content)).toContain(SERVER_IP);
  });
});

useAttached();

test('an attaching whose main domain has moved since tells that its rule leads on, by which transfer, and what to do', async () => {
  for (const name of ['main.com', 'old.com', 'res.com']) addZone(name);
  const project_id = await addProject(owner);
  const main = await add(owner, 'main.com', { type: 'main', project_id });
  const attached = await attach(owner);
  const reserve = await add(owner, 'res.com', { type: 'transfer', project_id });
  const pair = { sourceDomainId: main, targetDomainId: reserve, force: true };
  const moved = await done(owner, 'POST /api/transfer_explicit', pair);
  const { state, errors } = await givenBack(cdn, attached);
  expect([state, errors]).toEqual(['failed', expect.stringContaining('rule: – → old.com → res.com')]);
  expect(errors).toContain(` ${moved},`);
  expect(errors).toMatch(/move the site back|перенесите сайт обратно/);
  expect(forwardsOf(cdn.zone('old.com'))).toEqual(['https://res.com/$2']);
  expect(await select('SELECT domain_name, forward_to FROM attachments')).toEqual([
    { domain_name: 'old.com', forward_to: 'res.com' },
  ]);
  expect((await as(owner, `GET /api/operations/${attached}`)).body.restorable).toBe(true);
});

test('an attaching is given back where nothing has led its rule on, and a rule that somebody has made since is told', async () => {
  for (const name of ['main.com', 'old.com']) addZone(name);
  await add(owner, 'main.com');
  const attached = await attach(owner);
  const [rule] = cdn.zone('old.com').page_rules;
  expect((await givenBack(cdn, attached)).state).toBe('succeeded');
  expect(forwardsOf(cdn.zone('old.com'))).toEqual([]);
  const again = await attach(owner);
  const text = JSON.stringify(cdn.zone('old.com').page_rules[0]).replaceAll('main.com', 'third.com');
  cdn.zone('old.com').page_rules[0] = JSON.parse(text) as NonNullable<typeof rule>;
  const { state, errors } = await givenBack(cdn, again);
  expect([state, errors]).toEqual(['failed', expect.stringContaining('rule: – → old.com → third.com')]);
  expect(errors).not.toMatch(LEFT);
});
