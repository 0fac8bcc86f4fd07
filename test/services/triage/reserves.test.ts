// Which reserves of a blocked main domain are ready, by what was seen of them.
import { expect, test } from 'vitest';
import { execute, transaction } from '../../../db/index.ts';
import { ANN, at, brief, set, useTriage } from './world.ts';

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
