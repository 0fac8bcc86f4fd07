// A reserve that is attached to its main domain: the move deletes the rule that forwards it, and the name is attached no more.
import { beforeEach, expect, test } from 'vitest';
import { select } from '../../../db/index.ts';
import { SYSTEM } from '../../../src/services/access/scope.ts';
import { startDnsChange } from '../../../src/services/dns/change.ts';
import { attachedNames } from '../../../src/services/dns/domain-rules.ts';
import { ManageDnsInput } from '../../../src/shared/dns/dns-changes.ts';
import { MAIN, RESERVE } from '../../support/moves-portfolio.ts';
import { forwards, move, moves, useMoves } from './transfers.ts';

useMoves();

const attachments = () => select('SELECT domain_name, forward_to, main_id, name_claim FROM attachments');

/** Attaches the reserve to the main domain. */
async function attach(): Promise<void> {
  const input = {
    accountId: 2,
    domainName: MAIN,
    ipAddress: '203.0.113.10',
    tls: 'off',
    updateNs: 'off',
    pageRules: [RESERVE],
  };
  expect((await moves.run((await startDnsChange(SYSTEM, ManageDnsInput.parse(input))).id)).state).toBe('succeeded');
  expect([forwards(RESERVE), await attachedNames(SYSTEM, 1)]).toEqual([[`https://${MAIN}/$2`], [RESERVE]]);
}
beforeEach(attach);

test('a reserve that was attached to its main domain is attached no more once it is the main domain', async () => {
  expect((await move(MAIN, RESERVE)).state).toBe('succeeded');
  expect([await attachments(), await attachedNames(SYSTEM, 1), forwards(RESERVE)]).toEqual([[], [], []]);
});

test('it is attached no more where the answer to the deletion of its rule was lost', async () => {
  moves.fake.faults.push({ kind: 'act-then-drop', call: 'DELETE /zones/*/pagerules/*' });
  expect((await move(MAIN, RESERVE)).state).toBe('succeeded');
  expect(moves.fake.faults).toEqual([]);
  expect(await attachments()).toEqual([]);
});

test('a move that is taken back leaves the reserve attached as it was, with its rule', async () => {
  const before = await attachments();
  moves.troubles[RESERVE] = { status: 502, error: null };
  const ended = await move(MAIN, RESERVE);
  expect([ended.state, (await moves.item(ended.id)).acts['unforward']]).toEqual(['failed', 'undone']);
  expect([await attachments(), forwards(RESERVE)]).toEqual([before, [`https://${MAIN}/$2`]]);
});
