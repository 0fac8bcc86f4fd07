import { select } from '../../../db/index.ts';

/** A domain with the folder of its site: its user, whether the site was deployed to that folder, and its place in the order in which folders were taken. */
export interface FolderRow {
  id: number;
  domain: string;
  holder: number;
  claim: number;
  deployed: 0 | 1;
  server_id: number;
  path: string;
}

/** Returns the folders of all domains on some servers. */
export const listFolders = (servers: readonly number[]): Promise<FolderRow[]> =>
  select(
    `SELECT d.id, d.domain_name AS domain, COALESCE(p.user_id, d.user_id) AS holder, COALESCE(d.folder_claim, d.id) AS claim,
       CASE WHEN EXISTS (SELECT 1 FROM sites s WHERE s.domain_id = d.id AND s.release IS NOT NULL
         AND (s.folder_claim IS NULL OR s.folder_claim = COALESCE(d.folder_claim, d.id))) THEN 1 ELSE 0 END AS deployed,
       d.server_id, d.file_path AS path
     FROM domains d LEFT JOIN projects p ON p.id = d.project_id
     WHERE d.deleted_at IS NULL AND d.server_id IN (SELECT CAST(value AS INTEGER) FROM json_each($servers))`,
    { servers: JSON.stringify(servers) },
  );

/**
 * Returns the folders of domains on some servers that have one of the names `ends` in them, or end with one of the names `parts`: all folders of
 * a portfolio are many, and those are few.
 */
export const listFoldersNamed = (
  servers: readonly number[],
  ends: readonly string[],
  parts: readonly string[],
): Promise<Pick<FolderRow, 'server_id' | 'path'>[]> =>
  select(
    `SELECT DISTINCT d.server_id, d.file_path AS path FROM domains d
     WHERE d.deleted_at IS NULL AND d.server_id IN (SELECT CAST(value AS INTEGER) FROM json_each($servers))
       AND (EXISTS (SELECT 1 FROM json_each($ends) e WHERE instr(d.file_path || '/', '/' || e.value || '/') > 0)
         OR EXISTS (SELECT 1 FROM json_each($parts) s
           WHERE substr(rtrim(d.file_path, '/'), length(rtrim(d.file_path, '/')) - length(s.value)) = '/' || s.value))`,
    { servers: JSON.stringify(servers), ends: JSON.stringify(ends), parts: JSON.stringify(parts) },
  );

/** Whether a domain on the servers, but for the one with the id `except`, has a folder at a path, above it or below it. */
export const hasFolderAt = async (servers: readonly number[], path: string, except: number): Promise<boolean> =>
  (
    await select(
      `SELECT 1 FROM domains d WHERE d.deleted_at IS NULL AND d.server_id IN (SELECT CAST(value AS INTEGER) FROM json_each($servers)) AND d.id <> $except
         AND (rtrim(d.file_path, '/') || '/' = substr($path, 1, length(rtrim(d.file_path, '/')) + 1)
           OR substr(d.file_path, 1, length($path)) = $path) LIMIT 1`,
      { servers: JSON.stringify(servers), except, path: `${path}/` },
    )
  ).length > 0;
