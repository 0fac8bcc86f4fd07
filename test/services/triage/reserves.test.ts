// Which reserves of a blocked main domain are ready, by what was seen of them.
import { expect, test } from 'vitest';
import { execute, transaction } from '../../../db/index.ts';
import { readProjectPage } from '../../../src/services/timeline/project-pages.ts';
import { listDecisions } from '../../../src/services/transfers/decisions.ts';
import { readTriage } from '../../../src/services/triage/triage.ts';
import { renderTriage } from '../../../src/shared/triage/triage.ts';
import { english } from '../../support/english.ts';
import { ANN, at, brief, NOW, set, useTriage } from './world.ts';

useTriage();

test('a reserve that visitors get no https from, or with a warning, is not ready; one that was not looked at is', async () => {
  await set(`status = 'blocked'`, 'id = 1');
  await set('expired_at = $later', 'id = 5', { later: at(24 * 100) });
  const looked = (values: Record<string, unknown>): Promise<unknown> =>
    transaction(async () => {
      await execute('DELETE FROM certificates');
      for (const [id, sound] of [
        [5, values],
        [6, { not_after: at(24 * 60), names_ok: 1 }],
      ] as const) {
        const row = {
          fault: null,
          error: null,
          not_after: null,
          names_ok: null,
          domain_name: `d${id}.example`,
          ...sound,
        };
        await execute(
          `INSERT INTO certificates (domain_id, side, domain_name, names_ok, fault, not_after, looked_at, error)
           VALUES ($id, 'edge', $domain_name, $names_ok, $fault, $not_after, $looked_at, $error)`,
          { id, ...row, looked_at: at(-1) },
        );
      }
    });
  const targets = async () => (await brief(ANN)).map(([, , , text]) => text);
  expect(await targets()).toEqual(['→ d5.example is ready, Automatically']);
  for (const bad of [
    { error: 'tls' },
    { not_after: at(24 * 60), names_ok: 0, fault: 'wrong_name' },
    { not_after: at(24 * 60), names_ok: 1, fault: 'untrusted' },
    { not_after: at(-1), names_ok: 1 },
  ]) {
    await looked(bad);
    expect(await targets()).toEqual(['→ d6.example is ready, Automatically']);
  }
  for (const good of [
    { not_after: at(24 * 60), names_ok: 1, error: 'timeout' },
    { error: 'tls', domain_name: 'former.example' },
  ]) {
    await looked(good);
    expect(await targets()).toEqual(['→ d5.example is ready, Automatically']);
  }
  await looked({ error: 'tls' });
  await set('http_status_code = 503', 'id = 6');
  expect((await targets())[0]).toBe('2 reserves, none is ready');
});

test('a reserve whose CDN account refuses its key is not ready; one whose account does not answer is', async () => {
  await set(`status = 'blocked'`, 'id = 1');
  await set('expired_at = $later', 'id = 5', { later: at(24 * 100) });
  await transaction(() =>
    execute(
      `INSERT INTO cloudflare_accounts (id, name, email, api_key, zones, created_at) VALUES (9, 'Own', 'a@b.example', '', 0, $at)`,
      { at: at(-1) },
    ),
  );
  await set('cloudflare_account_id = 9', 'id = 5');
  const targetWith = async (key: string | null) => {
    const check_error = key && JSON.stringify({ key });
    await transaction(() =>
      execute('UPDATE cloudflare_accounts SET check_error = $check_error WHERE id = 9', { check_error }),
    );
    return (await brief(ANN))[0]?.[3];
  };
  expect(await targetWith(null)).toBe('→ d5.example is ready, Automatically');
  expect(await targetWith('provider.credentials')).toBe('→ d6.example is ready, Automatically');
  expect(await targetWith('provider.unavailable')).toBe('→ d5.example is ready, Automatically');
});

const blockedTexts = async () => (await brief(ANN)).map(([kind, , names, text, act]) => [kind, names, text, act]);

/** Runs a move that has taken a name, or has ended. */
const addMove = (state: 'running' | 'failed', name: string): Promise<unknown> =>
  transaction(async () => {
    await execute(
      `INSERT INTO operations (id, kind, subject, user_id, input, state, total, done, failed, steps, message, fence, created_at, finished_at, changed_at,
         cancel_requested, asked_by, tries, stopped)
       VALUES (77, 'transfer', 'auto 1', 2, '{}', $state, 1, 0, 0, '[]', '{}', 1, $now, $end, $now, 0, 'automation', 0, 0)`,
      { state, now: at(-1), end: state === 'running' ? null : at(-1) },
    );
    await execute(`INSERT INTO operation_locks (operation_id, kind, name, part) VALUES (77, 'domain', $name, '')`, {
      name,
    });
  });

test.each([
  ['blocked', `status = 'blocked'`],
  ['about to end', `expired_at = '${at(24 * 5)}'`],
  ['never looked at', 'http_status_code = NULL, last_http_check_at = NULL'],
  ['down', 'http_status_code = 503'],
  ['down since long', `http_status_code = 503, last_http_check_at = '${at(-48)}'`],
  ['without an answer', `http_status_code = NULL, http_error = 'timeout'`],
  ['without a CDN account', 'cloudflare_account_id = NULL'],
  ['taken by a running move', null],
  ['as it should be', 'id = id'],
])('a reserve that is %s is as ready as the page of its project says', async (title, change) => {
  await set(`status = 'blocked'`, 'id = 1');
  await transaction(() => execute('UPDATE domains SET deleted_at = $at WHERE id = 6', { at: at(-1) }));
  if (change === null) await addMove('running', 'd5.example');
  else await set(change, 'id = 5');
  const { ready_count } = await readProjectPage(ANN, 'P1');
  expect(ready_count).toBe(title === 'as it should be' ? 1 : 0);
  const [text] = (await brief(ANN)).flatMap(([, , names, told]) => (names === 'd1.example' ? [told] : []));
  expect(text).toBe(ready_count === 1 ? '→ d5.example is ready, Automatically' : '1 reserve, none is ready');
});

test('a reserve is offered to one main domain, and who comes after the last one has none', async () => {
  await set(`status = 'blocked'`, 'id IN (1, 2, 3)');
  await set('expired_at = $later', 'id = 6', { later: at(24 * 100) });
  expect(await blockedTexts()).toEqual([
    ['no_reserve', 'd3.example', '2 reserves are ready for 3 blocked names: none is left for this one', 'transfer'],
    ['blocked', 'd1.example', '→ d6.example is ready, Automatically', 'transfer'],
    ['blocked', 'd2.example', '→ d5.example is ready, Automatically', 'transfer'],
  ]);
  // Main domains that wait for a person take what is left.
  await set(`transfer_type = 'manual'`, 'id = 1');
  expect((await blockedTexts()).map(([, name, text]) => [name, text])).toEqual([
    ['d1.example', '2 reserves are ready for 3 blocked names: none is left for this one'],
    ['d2.example', '→ d6.example is ready, Automatically'],
    ['d3.example', '→ d5.example is ready, Automatically'],
  ]);
});

const decline = (key: string): Promise<unknown> =>
  transaction(() =>
    execute(
      `INSERT INTO transfer_decisions (domain_id, decision, reason, created_at) VALUES (1, 'declined', $reason, $at)`,
      { reason: JSON.stringify({ key }), at: at(-1) },
    ),
  );

test.each<[string, () => Promise<unknown>, string]>([
  ['is for persons alone', () => set(`transfer_type = 'manual'`, 'id IN (5, 6)'), 'Manually'],
  [
    'rests after a failed move',
    async () => {
      await addMove('failed', 'd9.example');
      await set('deleted_at = $at', 'id = 6', { at: at(-1) });
      await transaction(() =>
        execute(
          `INSERT INTO transfer_decisions (domain_id, target_id, decision, reason, operation_id, created_at) VALUES (2, 5, 'started', '{}', 77, $at)`,
          { at: at(-1) },
        ),
      );
    },
    'Manually',
  ],
  [
    'is the last one, which is kept',
    async () => {
      await set('deleted_at = $at', 'id = 6', { at: at(-1) });
      await transaction(() => execute(`UPDATE projects SET last_reserve = 'off'`));
    },
    'Manually',
  ],
  [
    'waits while automatic transfer stands still',
    () =>
      transaction(() =>
        execute(`INSERT INTO transfer_stops (cause, blocked, total, created_at) VALUES ('wave', 3, 4, $at)`, {
          at: at(-1),
        }),
      ),
    'Manually',
  ],
  ['was declined by automatic transfer', () => decline('auto_transfer.limit_project'), 'Manually'],
  [
    'has to show a site that is not made here',
    () => transaction(() => execute('DELETE FROM sites')),
    'Automatically if it shows the same site',
  ],
])('a reserve that %s is not told as one that is taken automatically', async (_title, change, how) => {
  await set(`status = 'blocked'`, 'id = 1');
  expect(await blockedTexts()).toEqual([['blocked', 'd1.example', '→ d5.example is ready, Automatically', 'transfer']]);
  await change();
  expect(await blockedTexts()).toEqual([['blocked', 'd1.example', `→ d5.example is ready, ${how}`, 'transfer']]);
});

test('where automatic transfer has looked and found no reserve fit, a person is asked to check, and why is a sentence', async () => {
  await set(`status = 'blocked'`, 'id = 1');
  await decline('auto_transfer.all_site');
  const { items } = renderTriage((message) => english(message), await readTriage(ANN, NOW));
  expect(items.map(({ text, declined }) => [text, declined])).toEqual([
    ['→ d5.example – once you have checked it', 'No reserve is ready: none can be seen to show the same site'],
  ]);
});

test('that there is no reserve is no longer told once the project has got one', async () => {
  await set(`status = 'blocked'`, 'id = 1');
  await decline('auto_transfer.no_reserve');
  const told = async () => ({
    declined: (await readTriage(ANN, NOW)).items.map(({ declined }) => declined?.key),
    decisions: (await listDecisions(ANN, { current: true })).data.map(({ reason }) => reason.key),
  });
  const key = 'auto_transfer.no_reserve';
  expect(await told()).toEqual({ declined: [key], decisions: [key] });
  await set('updated_at = $now', 'id = 5', { now: at(0) });
  expect(await told()).toEqual({ declined: [undefined], decisions: [] });
});
