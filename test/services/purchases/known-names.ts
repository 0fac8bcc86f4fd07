// Names that are known already when candidates are drawn.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execute, transaction } from '../../../db/index.ts';
import { config } from '../../../src/lib/config.ts';
import type { Actor } from '../../../src/services/access/scope.ts';
import { updateBlocklist } from '../../../src/services/checks/blocklist.ts';

/** Adds domains of a user, as a statement of its own; with `deleted_at`, ones that were deleted then. */
export const addDomains = (
  owner: Actor,
  names: readonly string[],
  deleted_at: string | null = null,
): Promise<unknown> =>
  transaction(() =>
    execute(
      `INSERT INTO domains (user_id, domain_name, unicode_name, file_path, type, transfer_type, transfer_dns, status, created_at,
         updated_at, deleted_at)
       SELECT $owner, value, value, '/', 'main', 'auto', 'off', 'available', '', '', $deleted_at FROM json_each($names)`,
      { owner: owner.id, names: JSON.stringify(names), deleted_at },
    ),
  );

/** Accepts a blocklist of these names and masks; there must be a temporary configuration. */
export async function blockNames(...names: string[]): Promise<void> {
  const file = join(config().dataDir, 'list.txt');
  writeFileSync(file, `${names.join('\n')}\n`);
  await updateBlocklist(config().blocklistDir, { file, accept: true });
}
