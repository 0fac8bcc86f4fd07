// The reserves that keep a project from buying another one are those that automatic transfer may take.
import { expect, test } from 'vitest';
import { execute, transaction } from '../../../db/index.ts';
import { findRow } from '../../../db/rows.ts';
import { createDomain } from '../../../src/services/portfolio/domains.ts';
import { DomainInput } from '../../../src/shared/portfolio/domains.ts';
import { countReserves } from '../../../src/services/purchases/reserve-rows.ts';
import { domains } from '../../../src/shared/portfolio/tables.ts';
import { pickReserve } from '../../../src/shared/transfers/transfer-pick.ts';
import { main } from '../../shared/transfers/transfer-facts.ts';
import { ann, project, usePurchases } from './world.ts';

usePurchases();

const DAY_MS = 86_400_000;
const inDays = (days: number): string => `'${new Date(Date.now() + days * DAY_MS).toISOString()}'`;
test.each([
  ['as it was bought', `file_path = file_path`, 1],
  ['by hand alone', `transfer_type = 'manual'`, 0],
  ['blocked', `status = 'blocked'`, 0],
  ['a main domain', `type = 'main'`, 0],
  ['in its last month', `expired_at = ${inDays(29)}`, 0],
  ['over', `expired_at = ${inDays(-3)}`, 0],
  ['with more than a month', `expired_at = ${inDays(31)}`, 1],
  ['without an answer', `http_error = 'timeout'`, 1],
])('a reserve that is %s', async (_title, change, ready) => {
  const input = DomainInput.parse({ domain_name: 'reserve.com', project_id: project, type: 'transfer' });
  const { id } = await createDomain(ann, input);
  await transaction(() => execute(`UPDATE domains SET ${change} WHERE id = $id`, { id }));
  expect(await countReserves(project)).toMatchObject({ ready });
  const row = await findRow(domains, id);
  const facts = { zone: 'reserve.com', listed: 'free', busy: false, failed: false, blocked_lately: false } as const;
  const found = pickReserve(main(), row ? [{ ...row, ...facts }] : [], Date.now());
  expect(found.pick ? found.ready : 0).toBe(ready);
});
