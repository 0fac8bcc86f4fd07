// Indexation of as many domains as one call may name.
import { expect, test } from 'vitest';
import { execute, transaction } from '../../../db/index.ts';
import { settled } from '../calls.ts';
import { ask, KEY, make, owner, refusalOf, useSearch } from './world.ts';

useSearch();

/** Adds main domains whose ids lie apart, as those of a large portfolio do, and returns their ids. */
async function addDomains(count: number): Promise<number[]> {
  let seed = 1;
  const ids = Array.from({ length: count }, () => 1_000_000 + ((seed = (seed * 48_271) % 2_147_483_647) % 900_000_000));
  await transaction(() =>
    execute(
      `INSERT INTO domains (id, user_id, domain_name, unicode_name, file_path, type, transfer_type, transfer_dns, status,
         created_at, updated_at)
       SELECT CAST(value AS INTEGER), $owner, 'many-' || value || '.example', 'many-' || value || '.example', '/srv/many-' || value,
         'main', 'manual', 'off', 'available', '', '' FROM json_each($ids)`,
      { owner: owner.id, ids: JSON.stringify(ids) },
    ),
  );
  return ids;
}

test('a check of a thousand domains is one operation, and the same one in whatever order they are named', async () => {
  await make('xmlriver', { name: 'river', login: '12345', key: KEY });
  const domain_ids = await addDomains(1_000);
  const check = (ids: number[]) => ask('POST /api/check_index', { domain_ids: ids, engine: 'google' });
  const [one, same] = [await check(domain_ids), await check(domain_ids.toReversed())];
  expect([one.status, one.body]).toEqual([200, { message: expect.any(String), operation: { id: expect.any(Number) } }]);
  expect(same.body.operation).toEqual(one.body.operation);
  expect(refusalOf(await check([...domain_ids.slice(1), 999_999]))).toEqual([422, 'refused', ['domain_ids']]);
  await ask(`POST /api/operations/${one.body.operation.id}/cancel`, {});
  await settled();
});
