import { afterEach, beforeEach, expect, test } from 'vitest';
import type { DomainRow } from '../../../src/shared/portfolio/tables.ts';
import { commitCount, select } from '../../../db/index.ts';
import { AddedAlike, addDomains } from '../../../src/services/portfolio/domain-adding.ts';
import { createDomain, deleteDomain, restoreDomain } from '../../../src/services/portfolio/domains.ts';
import { reachIn } from '../../../src/services/access/ownership.ts';
import { createProject } from '../../../src/services/portfolio/projects.ts';
import { SYSTEM, type Actor } from '../../../src/services/access/scope.ts';
import { DomainInput } from '../../../src/shared/portfolio/domains.ts';
import { AppError } from '../../../src/shared/errors.ts';
import { addUser, startDatabase } from '../../support/database.ts';
import { refuseRows } from '../../support/schema.ts';

let database: Awaited<ReturnType<typeof startDatabase>>;
let admin: Actor & { id: number };
let anna: Actor & { id: number };
let boris: Actor & { id: number };

beforeEach(async () => {
  database = await startDatabase();
  admin = await addUser('admin', 'admin');
  anna = await addUser('anna');
  boris = await addUser('boris');
});
afterEach(() => database.close());

const add = (actor: Actor, names: string[], alike: object = {}) => addDomains(actor, names, AddedAlike.parse(alike));
const codesOf = (outcomes: Awaited<ReturnType<typeof add>>): (string | null)[] =>
  outcomes.map((outcome) => (outcome instanceof AppError ? (outcome.code ?? null) : outcome.domain_name));
const rowsOf = (): Promise<DomainRow[]> => select<DomainRow>('SELECT * FROM domains ORDER BY id');
const numbered = (count: number): string[] => Array.from({ length: count }, (_, index) => `shop-${index}.example`);

test('2,000 names are added in a few transactions, and taken names do not stop the others', async () => {
  await add(boris, ['shop-3.example', 'shop-1999.example']);
  const names = [...numbered(2_000), 'shop-7.example', 'xn--e1afmkfd.xn--p1ai'];
  const before = commitCount();
  const outcomes = await add(anna, names);
  expect(commitCount() - before).toBeLessThanOrEqual(8);
  const taken = new Set([3, 1_999, 2_000]);
  expect(codesOf(outcomes)).toEqual(names.map((name, index) => (taken.has(index) ? 'domain_taken' : name)));
  const own = (await rowsOf()).filter(({ user_id }) => user_id === anna.id);
  expect(own.map(({ domain_name }) => domain_name)).toEqual(names.filter((_, index) => !taken.has(index)));
});

test('a name that cannot exist is refused, and does not stop the others', async () => {
  expect(codesOf(await add(anna, ['-bad.ru', 'good.ru', 'bad-.ru']))).toEqual(['bad_name', 'good.ru', 'bad_name']);
});

test('a name that is added with others becomes the same row and answer as one that is added alone', async () => {
  const { id: project_id } = await createProject(anna, { name: 'North' });
  const alike = { project_id, type: 'transfer', expired_at: '2027-01-01' };
  const input = DomainInput.parse({ ...alike, domain_name: 'xn--e1afmkfd.example' });
  const alone = await createDomain(anna, input);
  await add(anna, ['first.example', 'xn--80ak6aa92e.example'], alike);
  const [one, , many] = await rowsOf();
  const own = { id: 0, domain_name: '', unicode_name: '', file_path: '', created_at: '', updated_at: '' };
  expect({ ...many, ...own }).toEqual({ ...one, ...own });
  expect(many).toMatchObject({
    unicode_name: 'аррӏе.example',
    file_path: '/var/www/www-root/data/www/xn--80ak6aa92e.example',
  });
  const [view] = await add(anna, ['third.example'], alike);
  expect(view).not.toBeInstanceOf(AppError);
  expect(Object.keys(view!)).toEqual(Object.keys(alone));
  expect(view).toMatchObject({ domain_name: 'third.example', project_name: 'North', user_login: 'anna' });
});

test('domains of a project belong to its owner, and every name is refused for a project that the caller cannot see', async () => {
  const { id: project_id } = await createProject(anna, { name: 'North' });
  await add(admin, ['given.example'], { project_id });
  expect(await rowsOf()).toMatchObject([{ domain_name: 'given.example', user_id: anna.id, project_id }]);
  const outcomes = await add(boris, ['one.example', 'two.example'], { project_id });
  expect(outcomes).toMatchObject([{ fields: { project_id: 'Unknown project_id' } }, { kind: 'refused' }]);
  expect(await rowsOf()).toHaveLength(1);
  await add(SYSTEM, ['host.example']);
  expect(await rowsOf()).toContainEqual(expect.objectContaining({ domain_name: 'host.example', user_id: admin.id }));
});

test('a name below or above one of another user is added, but gives no rights in that zone', async () => {
  await add(anna, ['north.example', 'www.south.example']);
  const names = ['x.north.example', 'south.example', 'west.example'];
  expect(codesOf(await add(boris, names))).toEqual(names);
  const isWhole = async (actor: Actor, name: string) => (await reachIn(actor, name)).isWhole;
  expect(await isWhole(anna, 'north.example')).toBe(true);
  expect(await isWhole(boris, 'x.north.example')).toBe(false);
  expect(await isWhole(boris, 'south.example')).toBe(false);
  expect(await isWhole(boris, 'west.example')).toBe(true);
});

test('claims keep the order in which names were added, also beside a restored domain', async () => {
  const [north] = await add(anna, ['north.example']);
  const { id } = north as { id: number };
  await deleteDomain(anna, id);
  await add(boris, ['a.north.example', 'b.north.example']);
  await restoreDomain(anna, id);
  await add(boris, ['c.north.example']);
  const order = await select<{ domain_name: string }>(
    'SELECT domain_name FROM domains ORDER BY COALESCE(name_claim, id)',
  );
  expect(order.map(({ domain_name }) => domain_name)).toEqual([
    'a.north.example',
    'b.north.example',
    'north.example',
    'c.north.example',
  ]);
});

test('a deleted name may be added again', async () => {
  const [first] = await add(anna, ['again.example']);
  await deleteDomain(anna, (first as { id: number }).id);
  expect(codesOf(await add(boris, ['again.example', 'again.example']))).toEqual(['again.example', 'domain_taken']);
});

test('a failure that no name causes rolls back its batch and is thrown', async () => {
  await refuseRows('domains', 'broken', `NEW.domain_name = 'shop-1200.example'`);
  await expect(add(anna, numbered(2_000))).rejects.toThrow('broken');
  const rows = await rowsOf();
  expect(rows.map(({ domain_name }) => domain_name)).toEqual(numbered(rows.length));
  expect(rows.length).toBe(1_000);
});
