// An automatic move, from the third look at the list to the end of its transfer, against fakes of all outside services.
import { expect, test } from 'vitest';
import { select, transaction, execute } from '../../../db/index.ts';
import { runOperation } from '../../../src/operations/engine.ts';
import { runAutoTransfers, startAutoTransfer } from '../../../src/services/transfers/automatic.ts';
import { SYSTEM } from '../../../src/services/access/scope.ts';
import { STOCK } from '../../support/page-corpus.ts';
import { startChild } from '../../support/child.ts';
import { hashPassword } from '../../../src/lib/password.ts';
import { forwardsOf, MAIN, OLDER, pairOf, RESERVE, SPARE } from '../../support/moves-portfolio.ts';
import { PASSWORD, request, signIn } from '../../support/server.ts';
import { look, run, useAutomaticMoves } from './automatic-moves.ts';
import { moves } from './transfers.ts';

useAutomaticMoves();

test('a main domain that three looks found blocked is replaced by its reserve; the next run changes nothing', async () => {
  await look(2, MAIN);
  expect(await run()).toEqual([`${MAIN} waiting `]);
  await look(1, MAIN);
  expect(await run()).toEqual([`${MAIN} started ${RESERVE}`]);
  expect(await moves.visit(MAIN)).toMatchObject({ status: 200, hosts: [MAIN, RESERVE] });
  expect(await moves.visit(OLDER)).toMatchObject({ status: 200, hosts: [OLDER, RESERVE] });
  expect(await moves.history()).toMatchObject([
    { main_domain_name: MAIN, transfer_domain_name: RESERVE, action: 'auto' },
  ]);
  await look(3, MAIN);
  expect(await run()).toEqual([]);
  expect(await moves.history()).toHaveLength(1);
});

test('a reserve that does not answer fails and leaves the source unchanged; the next reserve is tried', async () => {
  await look(3, MAIN);
  moves.troubles[RESERVE] = { status: 503, error: null };
  expect(await run()).toEqual([`${MAIN} started ${RESERVE}`]);
  expect(await moves.history()).toEqual([]);
  expect(await moves.visit(MAIN)).toMatchObject({ status: 200, hosts: [MAIN] });
  expect(await run()).toEqual([`${MAIN} started ${OLDER}`]);
  const [row] = await moves.history();
  expect(row).toMatchObject({ main_domain_name: MAIN, transfer_domain_name: OLDER });
  // Before the move, this domain forwarded to the site that it now serves.
  expect(await moves.visit(MAIN)).toMatchObject({ status: 200, hosts: [MAIN, OLDER] });
});

test('a reserve that is not ready outside is skipped for the next one', async () => {
  await look(3, MAIN);
  moves.sites.certificates.set(RESERVE, 'foreign');
  expect(await run()).toEqual([`${MAIN} started ${OLDER}`]);
  expect(await moves.visit(MAIN)).toMatchObject({ status: 200, hosts: [MAIN, OLDER] });
});

test('a reserve with another site or a pending zone, or a main domain past the CDN, is declined with its reason', async () => {
  await look(3, MAIN);
  await transaction(() =>
    execute(`UPDATE domains SET project_id = NULL WHERE domain_name IN ('${OLDER}', '${SPARE}')`),
  );
  await transaction(() => execute(`UPDATE projects SET last_reserve = 'on'`));
  const declined = async () => {
    const { decisions } = await runAutoTransfers(SYSTEM, { here: true });
    return decisions.map(({ decision, reason }) => `${decision} ${reason.key}`);
  };
  moves.troubles[RESERVE] = { status: 200, error: null, html: STOCK['nginx']! };
  expect(await declined()).toEqual(['declined auto_transfer.all_site']);
  moves.zone(RESERVE).status = 'pending';
  expect(await declined()).toEqual(['declined auto_transfer.all_zone']);
  for (const record of moves.zone(MAIN).records) record.proxied = false;
  expect(await declined()).toEqual(['declined auto_transfer.main_not_proxied']);
  expect(await moves.history()).toEqual([]);
});

test('a requested move needs one look only; a domain that cannot move is a failed item', async () => {
  await transaction(() => execute(`UPDATE domains SET type = 'main' WHERE domain_name = '${SPARE}'`));
  await look(1, MAIN, SPARE);
  const { id } = await startAutoTransfer(SYSTEM, { project: 1, use_last_reserve: true }, { here: true });
  const { state } = await runOperation(id);
  const items = await select<{ item: string; state: string }>(
    'SELECT item, state FROM operation_items WHERE operation_id = $id ORDER BY id',
    { id },
  );
  // The spare domain is in no account, so it could not be redirected.
  expect({ state, items }).toEqual({
    state: 'partial',
    items: [
      { item: `transfer ${MAIN}`, state: 'done' },
      { item: `transfer ${SPARE}`, state: 'failed' },
    ],
  });
});

test('two servers on one database that are asked at once start one move', async () => {
  await look(3, MAIN);
  const password = await hashPassword(PASSWORD);
  await transaction(() => execute(`UPDATE users SET password = $password WHERE id = 1`, { password }));
  const { dataDir, ...settings } = moves.config;
  const servers = [0, 1].map(() => startChild('test/children/serve.ts', [dataDir, JSON.stringify(settings)]));
  try {
    const asking = await Promise.all(
      servers.map(async (child) => {
        const url = await child.line();
        const token = await signIn({ url }, 'owner');
        return (call: string, body: object) => request({ url }, call, { token, body });
      }),
    );
    const answers = await Promise.all(
      asking.flatMap((ask) => [
        ask('POST /api/trigger_auto_transfer', { project: 1 }),
        ask('POST /api/transfer_explicit', pairOf(MAIN, OLDER)),
      ]),
    );
    const begun = answers.filter(({ status }) => status === 200).map(({ body }) => body.operation.id as number);
    expect(new Set(begun).size).toBe(1);
    for (const { status } of answers) expect([200, 409]).toContain(status);
    const operations = () => select<{ state: string }>(`SELECT state FROM operations WHERE kind = 'transfer'`);
    await expect.poll(async () => (await operations()).map(({ state }) => state)).toEqual(['succeeded']);
  } finally {
    await Promise.all(servers.map((child) => child.kill()));
  }
  const [row, ...others] = await moves.history();
  expect([row?.main_domain_name, others]).toEqual([MAIN, []]);
  expect(forwardsOf(moves.zone(MAIN))).toEqual([`https://${row?.transfer_domain_name}/$2`]);
});
