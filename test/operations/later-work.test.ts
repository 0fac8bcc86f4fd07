// Changes that later operations have made to many items that are given back.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { execute, transaction } from '../../db/index.ts';
import type { Act, Item, ItemWork } from '../../src/operations/flow.ts';
import { listLaterOwners } from '../../src/operations/lock-rows.ts';
import { changesSince } from '../../src/operations/restore/later-work.ts';
import type { StoredAct } from '../../src/shared/operations.ts';
import { startDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
beforeEach(async () => {
  database = await startDatabase();
});
afterEach(() => database.close());

const MANY = 1200;
const WORK = { acts: () => [] } as unknown as ItemWork;
const zone = (n: number): string => `zone-${n}.example`;
const at = (minute: number): string => new Date(Date.UTC(2026, 10, 20, 12, minute)).toISOString();
const acts = (name: string, minute: number, more: Partial<StoredAct> = {}): StoredAct[] => [
  { name, state: 'done', before: 'off', after: 'on', at: at(minute), ...more },
];

/** Stores an ended operation of kind `tls` with an item for each of these zones. */
const store = (id: number, items: { n: number; acts: StoredAct[] }[], minute: number, fence = 0): Promise<unknown> =>
  transaction(async () => {
    await execute(
      `INSERT INTO operations (id, kind, subject, input, state, steps, message, created_at, finished_at, fence)
       VALUES ($id, 'tls', 'some', '{}', 'succeeded', '[]', '{}', $at, $at, $fence)`,
      { id, at: at(minute), fence },
    );
    await execute(
      `INSERT INTO operation_items (operation_id, item, lane, data, state, acts, changed_at, lock_kind, lock_name, touched)
       SELECT $id, value ->> 'item', 'cloudflare:1', '{}', 'done', value ->> 'acts', $at, 'tls', value ->> 'name', 1
       FROM json_each($rows) WHERE true`,
      {
        id,
        at: at(minute),
        rows: JSON.stringify(
          items.map(({ n, acts: list }) => ({ item: `tls ${zone(n)}`, name: zone(n), acts: JSON.stringify(list) })),
        ),
      },
    );
  });

const itemOf = (n: number): Item => ({
  operation_id: 1,
  item: `tls ${zone(n)}`,
  lane: 'cloudflare:1',
  lane_id: 1,
  data: {},
  acts: acts('tls_1_3', 1),
  user_id: null,
});

test('each of many items tells the first later operation that has changed the same, however many there are', async () => {
  const all = Array.from({ length: MANY }, (_, n) => n);
  await store(
    1,
    all.map((n) => ({ n, acts: acts('tls_1_3', 1) })),
    1,
  );
  await store(
    2,
    all.filter((n) => n % 3 === 0).map((n) => ({ n, acts: acts('tls_1_3', 2) })),
    2,
  );
  await store(
    3,
    all.filter((n) => n % 2 === 0).map((n) => ({ n, acts: acts('tls_1_3', 3) })),
    3,
  );
  await store(
    4,
    all.map((n) => ({ n, acts: acts('security_level', 4) })),
    4,
  );
  const left = await changesSince(1, all.map(itemOf), WORK);
  const undo = (): Act => ({ name: 'tls_1_3', class: 'set', look: async () => null });
  const by = all.map((n) => left(`tls ${zone(n)}`, undo()).by);
  expect(by).toEqual(all.map((n) => (n % 3 === 0 ? 2 : n % 2 === 0 ? 3 : undefined)));
});

test('what changed an outside object under many names tells the earliest of the later operations', async () => {
  const all = Array.from({ length: MANY }, (_, n) => n);
  const on = { on: 'zone of the account' };
  await store(
    1,
    all.map((n) => ({ n, acts: acts('tls_1_3', 1, on) })),
    1,
  );
  // The earlier of the two has changed it under the name that is read last.
  await store(2, [{ n: MANY - 1, acts: acts('tls_1_3', 2, on) }], 2);
  await store(3, [{ n: 0, acts: acts('tls_1_3', 3, on) }], 3);
  const items = all.map((n) => ({ ...itemOf(n), acts: acts('tls_1_3', 1, on) }));
  const left = await changesSince(1, items, WORK);
  const undo: Act = { name: 'tls_1_3', class: 'set', look: async () => null };
  expect(new Set(all.slice(1, -1).map((n) => left(`tls ${zone(n)}`, undo).by))).toEqual(new Set([2]));
});

test('the later acts of a name are gathered once, not for each act that is given back', async () => {
  const all = Array.from({ length: 20 }, (_, n) => n);
  await store(
    1,
    all.map((n) => ({ n, acts: acts('records', 1) })),
    1,
  );
  await store(
    2,
    all.map((n) => ({ n, acts: acts('records', 2) })),
    2,
  );
  const items = all.map((n) => ({ ...itemOf(n), acts: acts('records', 1) }));
  const left = await changesSince(1, items, WORK);
  let gathered = 0;
  const without = (): Act => ({ name: 'records', class: 'set', look: async () => null });
  const undo: Act = {
    ...without(),
    parts: {
      get also() {
        gathered += 1;
        return 'rules';
      },
      of: () => ['a part'],
      without,
    },
  };
  expect(all.map((n) => left(`tls ${zone(n)}`, undo).by)).toEqual(all.map(() => 2));
  expect(gathered).toBe(1);
});

/** An act of operation `id` under a fence; undefined: an earlier version has done it. */
interface Done {
  id: number;
  minute: number;
  fence?: number;
}

test.each<[string, boolean, Done, Done]>([
  ['of a higher fence', true, { id: 1, minute: 5, fence: 10 }, { id: 2, minute: 4, fence: 11 }],
  ['of a lower fence', false, { id: 1, minute: 4, fence: 11 }, { id: 2, minute: 5, fence: 10 }],
  ['of a process of an earlier version', true, { id: 1, minute: 1, fence: 10 }, { id: 2, minute: 5 }],
  [
    'from before the upgrade, of one that was tried again',
    false,
    { id: 1, minute: 9, fence: 10 },
    { id: 2, minute: 5 },
  ],
  ['from before the upgrade, when the clock was ahead', false, { id: 3, minute: 1, fence: 10 }, { id: 2, minute: 5 }],
  ['after one from before the upgrade', true, { id: 1, minute: 5 }, { id: 2, minute: 9, fence: 10 }],
  ['after one from before a clock was set back', true, { id: 1, minute: 9 }, { id: 2, minute: 5, fence: 10 }],
  ['before one of a process of an earlier version', false, { id: 3, minute: 9 }, { id: 2, minute: 5, fence: 10 }],
  ['of an earlier version after another one', true, { id: 3, minute: 5 }, { id: 2, minute: 9 }],
])('an act %s is later work: %s', async (_title, isLater, own, other) => {
  const actsOf = ({ minute, fence }: Done) => acts('tls_1_3', minute, fence === undefined ? {} : { fence });
  for (const one of [own, other]) await store(one.id, [{ n: 1, acts: actsOf(one) }], one.minute, one.fence ?? 1);
  const item = { ...itemOf(1), operation_id: own.id, acts: actsOf(own) };
  const left = await changesSince(own.id, [item], WORK);
  const undo: Act = { name: 'tls_1_3', class: 'set', look: async () => null };
  expect(left(item.item, undo).by).toBe(isLater ? other.id : undefined);
});

test('operations that own a thing are read by their fence, and later ones whatever it is', async () => {
  for (const [id, fence] of [
    [1, 1],
    [2, 10],
    [3, 1],
    [4, 11],
  ] as const) {
    await store(id, [{ n: id, acts: acts('moved', id) }], id, fence);
    await transaction(() =>
      execute(`INSERT INTO operation_locks (operation_id, kind, name, part) VALUES ($id, 'dns', 'z.example', '')`, {
        id,
      }),
    );
  }
  const found = await listLaterOwners([{ kind: 'dns', name: 'z.example', part: '', since: 10 }], 2);
  expect(found.map((one) => one.operation_id)).toEqual([3, 4]);
});
