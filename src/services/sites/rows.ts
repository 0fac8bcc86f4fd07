import { execute, executeUnaudited, select } from '../../../db/index.ts';
import { byName } from '../../shared/lists.ts';
import type { SiteRow, TemplateArchiveRow, TemplateRow } from '../../shared/sites/tables.ts';
import type { SiteView } from '../../shared/sites/sites.ts';

/** A template with the number of domains that use it, and whether it has a ZIP. */
type ListedTemplateRow = TemplateRow & { domains: number; has_archive: 0 | 1 };

/** Returns the templates, or the one with an id, by name. */
export async function listTemplateRows(id?: number): Promise<ListedTemplateRow[]> {
  // A domain and its site usually name the same template: the UNION counts that once.
  const rows = await select<ListedTemplateRow>(
    `WITH uses AS (
       SELECT d.id AS domain_id, d.template_id FROM domains d WHERE d.template_id IS NOT NULL AND d.deleted_at IS NULL
       UNION SELECT s.domain_id, s.template_id FROM sites s JOIN domains d ON d.id = s.domain_id WHERE d.deleted_at IS NULL
     )
     SELECT t.*, COALESCE(u.domains, 0) AS domains,
       CASE WHEN EXISTS (SELECT 1 FROM template_archives a WHERE a.template_id = t.id) THEN 1 ELSE 0 END AS has_archive
     FROM templates t LEFT JOIN (SELECT template_id, COUNT(*) AS domains FROM uses GROUP BY template_id) u ON u.template_id = t.id
     WHERE ${id === undefined ? '1 = 1' : 't.id = $id'}`,
    id === undefined ? {} : { id },
  );
  return rows.toSorted(byName);
}

/** Stores the ZIP of a template in place of a former one. */
export async function upsertArchive(template_id: number, archive: Uint8Array): Promise<void> {
  await execute(
    `INSERT INTO template_archives (template_id, archive) VALUES ($template_id, $archive)
     ON CONFLICT (template_id) DO UPDATE SET archive = excluded.archive`,
    { template_id, archive },
  );
}

type Archive = Pick<TemplateRow, 'file_name'> & Pick<TemplateArchiveRow, 'archive'>;

/** Returns the ZIP of a template and the name that it was uploaded with; undefined: it has none. */
export async function findArchive(id: number): Promise<Archive | undefined> {
  const [row] = await select<Archive>(
    `SELECT t.file_name, a.archive FROM templates t JOIN template_archives a ON a.template_id = t.id WHERE t.id = $id`,
    { id },
  );
  return row;
}

/** Returns the site of a domain; undefined: it has none. */
export async function findSiteRow(domain_id: number): Promise<SiteRow | undefined> {
  const [row] = await select<SiteRow>('SELECT * FROM sites WHERE domain_id = $domain_id', { domain_id });
  return row;
}

/** Returns those of the ids whose domains have a site. */
export const listWithSite = (ids: readonly number[]): Promise<{ domain_id: number }[]> =>
  select('SELECT domain_id FROM sites WHERE domain_id IN (SELECT CAST(value AS INTEGER) FROM json_each($ids))', {
    ids: JSON.stringify(ids),
  });

/** Returns the site of a domain with the size of its page in bytes, and the operation that deploys it. */
export async function findSiteView(domain_id: number): Promise<SiteView | undefined> {
  const [row] = await select<SiteView>(
    `SELECT s.template_id, t.name AS template_name, s.html_name, octet_length(s.html) AS html_bytes, s.release,
       s.deployed_at, s.updated_at,
       (SELECT o.id FROM operations o JOIN operation_items i ON i.operation_id = o.id
        WHERE i.lock_kind = 'site' AND i.lock_name = d.domain_name AND o.state IN ('queued', 'running') ORDER BY o.id DESC LIMIT 1) AS deploying
     FROM sites s JOIN templates t ON t.id = s.template_id JOIN domains d ON d.id = s.domain_id WHERE s.domain_id = $domain_id`,
    { domain_id },
  );
  return row;
}

/** Stores the content of a domain's site; the release of a former one stays. */
export async function upsertSite(
  domain_id: number,
  { template_id, html_name, html }: Pick<SiteRow, 'template_id' | 'html_name' | 'html'>,
): Promise<void> {
  await execute(
    `INSERT INTO sites (domain_id, template_id, html_name, html, updated_at)
     VALUES ($domain_id, $template_id, $html_name, $html, $now)
     ON CONFLICT (domain_id) DO UPDATE SET template_id = excluded.template_id, html_name = excluded.html_name,
       html = excluded.html, updated_at = excluded.updated_at`,
    { domain_id, template_id, html_name, html, now: new Date().toISOString() },
  );
}

/** Sets the template of a domain. Its `updated_at` stays. */
export async function updateDomainTemplate(id: number, template_id: number): Promise<void> {
  await execute(
    'UPDATE domains SET template_id = $template_id WHERE id = $id AND template_id IS DISTINCT FROM $template_id',
    { id, template_id },
  );
}

/** Gives a domain without a site the content of another domain's site. */
export async function copySite(from: number, to: number): Promise<void> {
  await execute(
    `INSERT INTO sites (domain_id, template_id, html_name, html, updated_at)
     SELECT $to, template_id, html_name, html, $now FROM sites WHERE domain_id = $from
     ON CONFLICT (domain_id) DO NOTHING`,
    { from, to, now: new Date().toISOString() },
  );
}

/** Sets the release of a domain's site that is live from now on; null: none. */
export async function updateRelease(domain_id: number, release: string | null): Promise<void> {
  const deployed_at = release === null ? null : new Date().toISOString();
  await executeUnaudited(
    'release',
    `UPDATE sites SET release = $release, deployed_at = $deployed_at,
       folder_claim = (SELECT COALESCE(d.folder_claim, d.id) FROM domains d WHERE d.id = $domain_id)
     WHERE domain_id = $domain_id`,
    { domain_id, release, deployed_at },
  );
}
