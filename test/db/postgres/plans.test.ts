// A statement that names a few rows finds them by an index, however many others there are.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { select, transaction } from '../../../db/index.ts';
import { insertItems, listItemRows, updateItems } from '../../../src/operations/item-rows.ts';
import { insertOperation } from '../../../src/operations/rows.ts';
import { startDatabase, type TestDatabase } from '../../support/database.ts';

const ITEMS = 5_000;

let database: TestDatabase;
let operation: number;
beforeAll(async () => {
  database = await startDatabase();
  operation = await transaction(async () => {
    const id = await insertOperation({
      kind: 'dns_edit',
      subject: 'all',
      user_id: null,
      input: '{}',
      total: ITEMS,
      message: '{}',
      lease_owner: null,
      idem_key: null,
      request_hash: null,
      asked_by: 'automation',
      restored_kind: null,
      request_id: null,
      trace: null,
    });
    const items = Array.from({ length: ITEMS }, (_, index) => ({
      item: `dns z${index}.com`,
      lane: 'account 1',
      data: {},
    }));
    await insertItems(id, items);
    return id;
  });
});
afterAll(() => database.close());

/** The rows of items that were read one after another in this transaction, by scans of the whole table. */
async function scanned(): Promise<number> {
  const [row] = await select<{ n: number }>(
    `SELECT seq_tup_read AS n FROM pg_stat_xact_user_tables WHERE relname = 'operation_items'`,
  );
  return row?.n ?? Number.NaN;
}

test('the journal of an operation writes four of its items without reading the others', async () => {
  const rows = (await listItemRows(operation)).slice(0, 4);
  const read = await transaction(async () => {
    await updateItems(rows.map((row) => ({ ...row, state: 'intent' })));
    return scanned();
  });
  expect(read).toBe(0);
  expect((await listItemRows(operation)).filter(({ state }) => state === 'intent').map(({ id }) => id)).toEqual(
    rows.map(({ id }) => id),
  );
});
