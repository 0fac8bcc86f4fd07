// Names without a record of their own, which a wildcard of the zone answers for, as DNS has it.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { executeUnaudited, transaction } from '../../../db/index.ts';
import { MAIN } from '../../support/moves-portfolio.ts';
import { moves, useWhy, why } from './world.ts';

useWhy();

const DEEP_ID = 900;
const DEEP = `deep.blog.${MAIN}`;

beforeEach(() =>
  transaction(() =>
    executeUnaudited(
      'check',
      `INSERT INTO domains (id, user_id, domain_name, unicode_name, file_path, type, transfer_type, transfer_dns, status,
         cloudflare_account_id, server_id, created_at, updated_at)
       SELECT ${DEEP_ID}, user_id, '${DEEP}', '${DEEP}', '/srv/deep', 'main', 'auto', 'off', 'available',
         cloudflare_account_id, server_id, '', '' FROM domains WHERE domain_name = '${MAIN}'`,
    ),
  ),
);
afterEach(() => transaction(() => executeUnaudited('check', `DELETE FROM domains WHERE id = ${DEEP_ID}`)));

/** Adds a record to the zone; without an address that of the main name. */
function addRecord(name: string, content?: string): void {
  const { records } = moves.zone(MAIN);
  const pattern = records.find((record) => record.name === MAIN && record.type === 'A')!;
  records.push({ ...pattern, ...(content !== undefined && { content }), name, id: `added-${records.length}` });
}

const records = async (): Promise<string | undefined> => (await why(DEEP_ID)).states['records'];

test('a name is answered for by the wildcard above its parent, too', async () => {
  expect(await records()).toBe('broken');
  addRecord(`*.${MAIN}`);
  expect(await records()).toBe('ok');
});

test('the wildcard next above decides, wherever the others lead', async () => {
  addRecord(`*.${MAIN}`);
  addRecord(`*.blog.${MAIN}`, '198.51.100.99');
  const { states, sentences } = await why(DEEP_ID);
  expect([states['records'], sentences['records']]).toEqual(['broken', expect.stringContaining('198.51.100.99')]);
});
