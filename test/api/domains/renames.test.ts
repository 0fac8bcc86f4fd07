// A domain that gets another name: findings about the former name go, a person's settings stay.
import { expect, test } from 'vitest';
import { execute, transaction } from '../../../db/index.ts';
import { newName } from '../calls.ts';
import { ask, create, observe, useDomains } from './world.ts';

useDomains();

const DATE = '2030-05-06T00:00:00.000Z';
const LATER = '2031-05-06T00:00:00.000Z';

/** Stores the date that a look-up of the registration has found. */
const find = (id: number, expires_at: string): Promise<unknown> =>
  transaction(() =>
    execute(
      `INSERT INTO domain_registrations (domain_id, looked_up_at, source, expires_at, found_at)
       VALUES ($id, $now, 'rdap', $expires_at, $now)`,
      { id, expires_at, now: new Date().toISOString() },
    ),
  );
const renamed = async (id: number) => (await ask(`POST /api/domains/${id}`, { domain_name: newName() })).body.data;

test('the date of expiry that a look-up has found goes', async () => {
  const { id } = await create();
  await observe(id, { expired_at: DATE });
  await find(id, DATE);
  expect((await renamed(id)).expired_at).toBe(null);
  // Nothing is left by which a date of the new name would be taken for a found one.
  const { data } = (await ask(`POST /api/domains/${id}`, { expired_at: DATE })).body;
  expect([data.expired_at, (await renamed(id)).expired_at]).toEqual([DATE, DATE]);
});

test('the date of expiry that a person has set stays, whatever a look-up has found', async () => {
  const { id } = await create({ expired_at: DATE });
  expect((await renamed(id)).expired_at).toBe(DATE);
  await find(id, LATER);
  expect((await renamed(id)).expired_at).toBe(DATE);
});

/** Stores that checks have found a domain down and blocked, at a time. */
async function findRed(id: number, at: string): Promise<void> {
  await transaction(async () => {
    const insert = `INSERT INTO checks (domain_id, kind, verdict, http_status_code, checked_at)
      VALUES ($id, $kind, $verdict, $code, $at)`;
    await execute(insert, { id, kind: 'http', verdict: '500', code: 500, at });
    await execute(insert, { id, kind: 'blocklist', verdict: 'blocked', code: null, at });
  });
  await observe(id, { status: 'blocked', http_status_code: 500, last_http_check_at: new Date().toISOString() });
}

test('the page tells since when the new name is blocked and down, not since when the former one was', async () => {
  const { id, domain_name } = await create();
  const pageOf = async (name: string) => (await ask(`GET /api/domain_pages/${name}`)).body.data;
  const [long, now] = [new Date(Date.now() - 5 * 86_400_000).toISOString(), new Date(Date.now() + 1_000).toISOString()];
  await findRed(id, long);
  expect(await pageOf(domain_name)).toMatchObject({ blocked_since: long, broken_since: long });
  const { domain_name: name } = await renamed(id);
  await findRed(id, now);
  expect(await pageOf(name)).toMatchObject({ blocked_since: now, broken_since: now });
});
