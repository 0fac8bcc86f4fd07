// `doctor` reports the sizes of the database, with every driver.
import { rmSync } from 'node:fs';
import { expect, test } from 'vitest';
import { closeDatabase, execute, openDatabase, transaction } from '../../db/index.ts';
import { migrate } from '../../db/migrate.ts';
import { examine } from '../../src/services/system/doctor.ts';
import { translate } from '../../src/shared/i18n/index.ts';
import { temporaryConfig } from '../support/server.ts';

test('doctor reports the size of the file, of its log and of the history', async () => {
  const config = temporaryConfig();
  await openDatabase(config.databaseFile);
  await migrate();
  await transaction(async () => {
    await execute(`INSERT INTO users (id, login, password, role, created_at) VALUES (1, 'ann', '', 'admin', '')`);
    await execute(
      `INSERT INTO domains (id, user_id, domain_name, unicode_name, file_path, type, transfer_type, transfer_dns, status, created_at, updated_at)
       VALUES (1, 1, 'a.example', '', '', 'main', 'auto', 'off', 'available', '', '')`,
    );
    await execute(
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
       INSERT INTO checks (domain_id, kind, verdict, detail, checked_at) SELECT 1, 'http', '200', $detail, '2026-01-01' FROM n`,
      { detail: 'x'.repeat(100) },
    );
  });
  await closeDatabase();
  const sizes = (await examine()).find(({ check }) => check === 'sizes');
  expect(sizes).toMatchObject({ status: 'ok', bytes: { free: 0, wal: expect.any(Number) } });
  const { file = 0, history = 0, operations = 0 } = sizes?.bytes ?? {};
  expect(history).toBeGreaterThan(2_000_000);
  expect(history).toBeLessThan(file);
  expect(operations).toBeLessThan(100_000);
  const text = translate('en', 'doctor.sizes', sizes?.said.params);
  expect(text).toContain(`checks take ${(history / 1024 / 1024).toFixed(1)}`);
  rmSync(config.dataDir, { recursive: true });
});
