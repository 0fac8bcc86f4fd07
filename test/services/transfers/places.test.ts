// Moves to a reserve whose folder, on the main domain's server, is another user's.
import { expect, test } from 'vitest';
import { execute, select, transaction } from '../../../db/index.ts';
import { runAutoTransfers } from '../../../src/services/transfers/automatic.ts';
import { pickFor } from '../../../src/services/transfers/choice.ts';
import { planTransfer, startTransfer } from '../../../src/services/transfers/transfers.ts';
import { findDomain } from '../../../src/services/portfolio/domain-lists.ts';
import { SYSTEM } from '../../../src/services/access/scope.ts';
import { webRoot } from '../../../src/shared/portfolio/domains.ts';
import { MAIN, OLDER, pairOf, RESERVE, SPARE } from '../../support/moves-portfolio.ts';
import { look, run, useAutomaticMoves } from './automatic-moves.ts';
import { forwards, moves, said } from './transfers.ts';

useAutomaticMoves();

const owner = { id: 1, login: 'owner', role: 'user' } as const;

/** Gives another user's domain the folder that a reserve is to have, on the main domain's server. */
async function takeFolder(name: string): Promise<void> {
  await transaction(async () => {
    await execute(
      `INSERT INTO users (login, password, role, active, created_at) SELECT 'stranger', '', 'user', 1, ''
       WHERE NOT EXISTS (SELECT 1 FROM users WHERE login = 'stranger')`,
    );
    await execute(
      `INSERT INTO domains (user_id, domain_name, unicode_name, file_path, type, transfer_type, transfer_dns, status, server_id,
         created_at, updated_at)
       SELECT id, $theirs, $theirs, $path, 'main', 'manual', 'off', 'available', 1, '', '' FROM users WHERE login = 'stranger'`,
      { theirs: `of-${name}`, path: webRoot(name) },
    );
  });
}

const places = () =>
  select(
    `SELECT domain_name, type, server_id FROM domains WHERE domain_name IN ('${MAIN}', '${RESERVE}') ORDER BY domain_name`,
  );
const BEFORE = [
  { domain_name: MAIN, type: 'main', server_id: 1 },
  { domain_name: RESERVE, type: 'transfer', server_id: null },
];

test('neither planned nor begun: the reserve would get the folder of another user’s domain', async () => {
  await takeFolder(RESERVE);
  const input = { ...pairOf(MAIN, RESERVE), force: true };
  const refused = {
    kind: 'refused',
    key: 'site.path_shared',
    params: { domain: RESERVE, path: webRoot(RESERVE) },
    code: 'path_shared',
    fields: { targetDomainId: 'site.path_shared_field' },
  };
  await expect(planTransfer(owner, input)).rejects.toMatchObject(refused);
  await expect(startTransfer(owner, input)).rejects.toMatchObject(refused);
  // With a server of its own it gets none.
  await transaction(() =>
    execute(`UPDATE domains SET server_id = 1, file_path = '/var/www/own' WHERE domain_name = '${RESERVE}'`),
  );
  await expect(planTransfer(owner, input)).resolves.toMatchObject({ failed: [] });
});

test('a domain of the same user may have the folder', async () => {
  await transaction(() =>
    execute(`UPDATE domains SET file_path = '${webRoot(MAIN)}' WHERE domain_name = '${RESERVE}'`),
  );
  await moves.run(await moves.start(MAIN, RESERVE));
  expect(await moves.domain(RESERVE)).toMatchObject({ type: 'main', server_id: 1, file_path: webRoot(MAIN) });
});

test('a folder that another user takes before the move begins ends it, and changes nothing', async () => {
  const id = await moves.start(MAIN, RESERVE);
  await takeFolder(RESERVE);
  expect(await moves.run(id)).toMatchObject({ state: 'failed' });
  expect(await moves.item(id)).toMatchObject({ error: 'site.path_of' });
  expect([await places(), moves.writes(MAIN), moves.writes(RESERVE)]).toEqual([BEFORE, [], []]);
});

test('a folder that another user takes after the redirect is not given to the new main domain', async () => {
  const id = await moves.start(MAIN, RESERVE);
  let taken: Promise<void> | undefined;
  // The redirect is on its way, and with it the visitors.
  const isRedirect = ({ method, path }: { method: string; path: string }) =>
    method === 'POST' && path.endsWith('/pagerules');
  moves.fake.faults.push({
    kind: 'status',
    status: 400,
    times: 1,
    match: (call) => {
      if (isRedirect(call)) taken ??= takeFolder(RESERVE);
      return false;
    },
  });
  expect(said(await moves.run(id))).toBe('transfer.done');
  expect(taken).toBeDefined();
  expect(forwards(MAIN)).toEqual([`https://${RESERVE}/$2`]);
  expect(await places()).toEqual([
    { domain_name: MAIN, type: 'transfer', server_id: 1 },
    { domain_name: RESERVE, type: 'main', server_id: null },
  ]);
});

test('an automatic move takes the next reserve, and is declined with its reason where there is none', async () => {
  await look(3, MAIN);
  await takeFolder(RESERVE);
  expect(await pickFor(await findDomain(SYSTEM, 1))).toMatchObject({ domain_name: OLDER });
  const { decisions } = await runAutoTransfers(SYSTEM, { dryRun: true });
  expect(decisions).toMatchObject([{ target: { domain_name: OLDER } }]);
  await takeFolder(OLDER);
  await takeFolder(SPARE);
  expect((await runAutoTransfers(SYSTEM, { dryRun: true })).decisions).toMatchObject([
    { decision: 'declined', reason: { key: 'auto_transfer.all_folder' } },
  ]);
  await transaction(() => execute(`DELETE FROM domains WHERE domain_name = 'of-${OLDER}'`));
  await transaction(() => execute(`UPDATE projects SET last_reserve = 'on'`));
  expect(await run()).toEqual([`${MAIN} started ${OLDER}`]);
  expect(await moves.domain(OLDER)).toMatchObject({ type: 'main', server_id: 1 });
});
