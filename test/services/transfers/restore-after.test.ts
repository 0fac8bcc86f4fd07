// An operation on a zone is given back after a move that works with the zone.
import { expect, test } from 'vitest';
import { listItemRows } from '../../../src/operations/item-rows.ts';
import { startRestore } from '../../../src/operations/restore.ts';
import { startDnsChange } from '../../../src/services/dns/change.ts';
import { SYSTEM } from '../../../src/services/access/scope.ts';
import { ManageDnsInput } from '../../../src/shared/dns/dns-changes.ts';
import { SERVER_IP } from '../../support/cdn.ts';
import { MAIN, RESERVE } from '../../support/moves-portfolio.ts';
import { move, moves, records, useMoves } from './transfers.ts';

useMoves();

const pointed = async (): Promise<number> => {
  const input = { accountId: 2, domainName: RESERVE, ipAddress: SERVER_IP, tls: 'off', updateNs: 'off' };
  const { id } = await startDnsChange(SYSTEM, ManageDnsInput.parse(input));
  expect((await moves.run(id)).state).toBe('succeeded');
  return id;
};

test('nothing of the zone or the place of the new main domain is given back, what the move has found as it needs it included', async () => {
  const first = await pointed();
  for (const record of moves.zone(RESERVE).records) {
    if (record.type === 'A' && record.name === RESERVE) record.content = '198.51.100.7';
  }
  const { id } = await move(MAIN, RESERVE);
  const [before, row] = [records(RESERVE), await moves.domain(RESERVE)];
  const back = await startRestore(null, first);
  expect((await moves.run(back.id)).state).toBe('failed');
  const [item] = await listItemRows(back.id);
  expect(JSON.parse(item!.error ?? '')).toMatchObject({ key: 'transfer.changed_since', params: { id } });
  expect(records(RESERVE)).toEqual(before);
  expect(await moves.domain(RESERVE)).toMatchObject({ server_id: row.server_id, cloudflare_account_id: 2 });
  expect(await moves.visit(MAIN)).toMatchObject({ status: 200, hosts: [MAIN, RESERVE] });
});
