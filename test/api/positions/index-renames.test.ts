// Indexation of a domain that gets another name: what engines have said of the former one says nothing of the new one.
import { beforeAll, expect, test } from 'vitest';
import { newName, settled } from '../calls.ts';
import { ask, KEY, make, river, useSearch, web } from './world.ts';

useSearch(500);

beforeAll(() => make('xmlriver', { name: 'river', login: '12345', key: KEY }));

/** Adds a main domain that both engines have in their index. */
async function addIndexed(): Promise<number> {
  const domain_name = newName();
  web.hosts[domain_name] = { topic: 'shop', from: null, until: null };
  return (await make('domains', { domain_name })).id;
}

const check = (id: number) => ask('POST /api/check_index', { domain_ids: [id] });
const rename = async (id: number): Promise<void> => {
  expect((await ask(`POST /api/domains/${id}`, { domain_name: newName() })).status).toBe(200);
};
/** Returns what the row of a domain says, and the stretches of time that are known of it. */
async function known(id: number) {
  const { yandex_indexation, google_indexation } = (await ask(`GET /api/domains/${id}`)).body.data;
  return [yandex_indexation, google_indexation, (await ask(`GET /api/domain_indexation/${id}`)).body.data];
}

test('a new name that no engine has is told so at once, and not to be in the index since its former name was', async () => {
  const id = await addIndexed();
  await check(id);
  await settled();
  expect(await known(id)).toMatchObject([true, true, { yandex: [{ indexed: true }], google: [{ indexed: true }] }]);
  await rename(id);
  expect(await known(id)).toEqual([null, null, { yandex: [], google: [] }]);
  await check(id);
  await settled();
  expect(await known(id)).toMatchObject([false, false, { yandex: [{ indexed: false }], google: [{ indexed: false }] }]);
});

test('an answer about the former name is not kept of the new one', async () => {
  const id = await addIndexed();
  river.charged.length = 0;
  await check(id);
  await expect.poll(() => river.charged.length, { interval: 5 }).toBeGreaterThan(0);
  await rename(id);
  await settled();
  expect(await known(id)).toEqual([null, null, { yandex: [], google: [] }]);
});
