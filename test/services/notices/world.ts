// People, projects and domains by SQL, for the tests of notices.
import { execute, transaction } from '../../../db/index.ts';

/**
 * Adds the administrator `boss` (1), the users `ann` (2) and `bob` (3), two servers, and domains in ann's project 1; those named by
 * `ofBob` are in bob's project 2. They stand on server 1, or by `onSecond` on server 2.
 */
export async function addPortfolio(options: {
  domains: number;
  reserves?: number[];
  ofBob?: number[];
  onSecond?: number[];
}): Promise<void> {
  const { domains, reserves = [], ofBob = [], onSecond = [] } = options;
  await transaction(async () => {
    for (const [id, login, role] of [
      [1, 'boss', 'admin'],
      [2, 'ann', 'user'],
      [3, 'bob', 'user'],
    ] as const) {
      await execute(
        `INSERT INTO users (id, login, password, role, active, created_at) VALUES ($id, $login, '', $role, 1, '')`,
        { id, login, role },
      );
    }
    for (const id of [1, 2]) {
      await execute(
        `INSERT INTO projects (id, user_id, name, created_at, last_reserve) VALUES ($id, $id + 1, 'P' || $name, '', 'off')`,
        { id, name: String(id) },
      );
      await execute(
        `INSERT INTO servers (id, name, ssh_host, ssh_user, ssh_password, created_at) VALUES ($id, 'srv' || $name, 'h', 'root', '', '')`,
        { id, name: String(id) },
      );
    }
    await execute(
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < $count)
       INSERT INTO domains (id, user_id, project_id, server_id, domain_name, unicode_name, file_path, type, transfer_type, transfer_dns,
         status, created_at, updated_at)
       SELECT i, 1, CASE WHEN i IN (SELECT CAST(value AS INTEGER) FROM json_each($bob)) THEN 2 ELSE 1 END,
         CASE WHEN i IN (SELECT CAST(value AS INTEGER) FROM json_each($second)) THEN 2 ELSE 1 END,
         'd' || i || '.example', 'd' || i || '.example', '/' || i,
         CASE WHEN i IN (SELECT CAST(value AS INTEGER) FROM json_each($reserves)) THEN 'transfer' ELSE 'main' END,
         'auto', 'off', 'available', '', '' FROM n`,
      {
        count: domains,
        bob: JSON.stringify(ofBob),
        second: JSON.stringify(onSecond),
        reserves: JSON.stringify(reserves),
      },
    );
  });
}
