// Names inside groups and accounts have the order of people, as lists have it, on every database.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { execute, select, transaction } from '../../../db/index.ts';
import { SYSTEM } from '../../../src/services/access/scope.ts';
import { createCloudflareGroup, listCloudflareGroups } from '../../../src/services/accounts/cloudflare-groups.ts';
import { listAccountRows, listGroupNames } from '../../../src/services/accounts/rows.ts';
import { kindOf } from '../../../src/shared/accounts/kinds.ts';
import { startDatabase, type TestDatabase } from '../../support/database.ts';

const NAMES = ['ящик', 'Жук', 'ель', 'Ёж', 'a10', 'a2', 'Z', 'b', 'ёлка', 'Яма'];
const ORDERED = ['Ёж', 'ёлка', 'ель', 'Жук', 'Яма', 'ящик', 'a2', 'a10', 'b', 'Z'];

let database: TestDatabase;
let ids: number[];
beforeAll(async () => {
  database = await startDatabase();
  await transaction(async () => {
    for (const name of NAMES) {
      await execute(
        `INSERT INTO cloudflare_accounts (name, email, api_key, created_at, cf_accounts) VALUES ($name, '', '', '', '[]')`,
        { name },
      );
    }
  });
  ids = (await select<{ id: number }>('SELECT id FROM cloudflare_accounts ORDER BY id')).map(({ id }) => id);
});
afterAll(() => database.close());

test('the accounts of a group are in the order of their names', async () => {
  await createCloudflareGroup(SYSTEM, { name: 'all', accounts: ids });
  const [group] = await listCloudflareGroups(SYSTEM);
  expect(group?.accounts.map(({ name }) => name)).toEqual(ORDERED);
});

test('the groups of an account are in the order of their names', async () => {
  const [account = 0] = ids;
  for (const name of NAMES) await createCloudflareGroup(SYSTEM, { name, accounts: [account] });
  const [row] = await listAccountRows(kindOf('cloudflare'), account);
  const groups = JSON.parse(String(row?.['groups'])) as { name: string }[];
  expect(groups.map(({ name }) => name).filter((name) => name !== 'all')).toEqual(ORDERED);
  expect((await listGroupNames(account)).filter((name) => name !== 'all')).toEqual(ORDERED);
});
