import { execute, select } from '../../../db/index.ts';
import { RUNNING } from '../../operations/rows.ts';
import type { OperationItemRow } from '../../shared/operations/tables.ts';
import type { AttachmentRow, ZoneLevelRow } from '../../shared/dns/tables.ts';
import type { AffectedDomain } from '../../shared/dns/protection.ts';
import type { RegistrarRow } from '../../shared/accounts/tables.ts';
import type { DomainRow } from '../../shared/portfolio/tables.ts';
import { ATTACHED_CLAIM, claimedSince, IS_MAIN } from '../access/rows.ts';
import { bindings, VISIBLE, type Actor } from '../access/scope.ts';
import { ATTACH } from '../operations/moving.ts';

/** Returns the CDN account in which the row of a name, or else of its zone, says that it is; undefined: none that the actor may see. */
export async function findAccountOf(
  actor: Actor,
  name: string,
  zone: string,
): Promise<{ id: number; name: string } | undefined> {
  const [account] = await select<{ id: number; name: string }>(
    `SELECT a.id, a.name FROM domains d LEFT JOIN projects p ON p.id = d.project_id JOIN cloudflare_accounts a ON a.id = d.cloudflare_account_id
     WHERE d.domain_name IN ($name, $zone) AND ${VISIBLE.domains(actor)} ORDER BY CASE d.domain_name WHEN $name THEN 0 ELSE 1 END LIMIT 1`,
    { name, zone, ...bindings(actor) },
  );
  return account;
}

/** Returns the domains with a CDN account that the actor may see, by name; `names` narrows them. */
export const listAffectedDomains = (actor: Actor, names: readonly string[] | null): Promise<AffectedDomain[]> =>
  select(
    `SELECT d.domain_name, p.name AS project_name, u.login AS user_login, d.cloudflare_account_id
     FROM domains d LEFT JOIN projects p ON p.id = d.project_id LEFT JOIN users u ON u.id = COALESCE(p.user_id, d.user_id)
     WHERE ${VISIBLE.domains(actor)} AND d.cloudflare_account_id IS NOT NULL
       AND ($names IS NULL OR d.domain_name IN (SELECT value FROM json_each($names)))
     ORDER BY d.domain_name`,
    { names: names && JSON.stringify(names), ...bindings(actor) },
  );

/** Returns those of the names that are domains of the portfolio, and whether the actor may see each. */
export const listNamed = (
  actor: Actor,
  names: readonly string[],
): Promise<(Pick<DomainRow, 'domain_name'> & { is_own: number })[]> =>
  select(
    `SELECT d.domain_name, CASE WHEN ${VISIBLE.domains(actor)} THEN 1 ELSE 0 END AS is_own
     FROM domains d LEFT JOIN projects p ON p.id = d.project_id
     WHERE d.deleted_at IS NULL AND d.domain_name IN (SELECT value FROM json_each($names))`,
    { names: JSON.stringify(names), ...bindings(actor) },
  );

/** Whether the portfolio has a domain of anybody's below a name, beside `www`. */
export const hasDomainBelow = async (name: string): Promise<boolean> =>
  (
    await select(
      `SELECT 1 FROM domains WHERE deleted_at IS NULL AND domain_name LIKE $below AND domain_name <> $www LIMIT 1`,
      { below: `%.${name}`, www: `www.${name}` },
    )
  ).length > 0;

/** Returns the registrar of an actor's domain; undefined: there is no such domain, or it has none. */
export async function findRegistrarOf(actor: Actor, domain_name: string): Promise<RegistrarRow | undefined> {
  const [row] = await select<RegistrarRow>(
    `SELECT r.* FROM domains d LEFT JOIN projects p ON p.id = d.project_id JOIN registrars r ON r.id = d.registrars_id
     WHERE d.domain_name = $domain_name AND ${VISIBLE.domains(actor)}`,
    { domain_name, ...bindings(actor) },
  );
  return row;
}

/** Returns the newest item that was about the name servers of a zone at its registrar, with its acts as JSON; undefined: none is kept. */
export async function findDelegating(
  zone: string,
  act: string,
): Promise<Pick<OperationItemRow, 'operation_id' | 'acts'> | undefined> {
  const [row] = await select<Pick<OperationItemRow, 'operation_id' | 'acts'>>(
    `SELECT operation_id, acts FROM operation_items WHERE lock_name = $zone AND lock_kind = 'dns' AND acts LIKE '%"' || $act || '"%' ORDER BY id DESC LIMIT 1`,
    { zone, act },
  );
  return row;
}

/** Sets whether a domain's records are copied at a transfer. Returns 0 where that is so already, else 1. */
export const updateCopyOnTransfer = (id: number, value: DomainRow['transfer_dns']): Promise<number> =>
  execute('UPDATE domains SET transfer_dns = $value, updated_at = $now WHERE id = $id AND transfer_dns <> $value', {
    id,
    value,
    now: new Date().toISOString(),
  });

/** Returns the security level that a zone had before Under Attack mode; undefined: it is not known. */
export async function findLevel(zone_id: string): Promise<string | undefined> {
  const [row] = await select<Pick<ZoneLevelRow, 'security_level'>>(
    'SELECT security_level FROM zone_levels WHERE zone_id = $zone_id',
    { zone_id },
  );
  return row?.security_level;
}

/** Stores the security levels of zones. */
export async function upsertLevels(levels: readonly Pick<ZoneLevelRow, 'zone_id' | 'security_level'>[]): Promise<void> {
  await execute(
    `INSERT INTO zone_levels (zone_id, security_level, changed_at)
     SELECT value ->> 'zone_id', value ->> 'security_level', $now FROM json_each($rows) WHERE true
     ON CONFLICT (zone_id) DO UPDATE SET security_level = excluded.security_level, changed_at = excluded.changed_at`,
    { rows: JSON.stringify(levels), now: new Date().toISOString() },
  );
}

/** Deletes the stored security levels of zones. */
export async function deleteLevels(zoneIds: readonly string[]): Promise<void> {
  await execute('DELETE FROM zone_levels WHERE zone_id IN (SELECT value FROM json_each($zoneIds))', {
    zoneIds: JSON.stringify(zoneIds),
  });
}

/** A name that forwards to a main domain. */
export type Forward = Pick<AttachmentRow, 'domain_name' | 'forward_to'>;

const PAIRS = `(SELECT value ->> 'domain_name', value ->> 'forward_to' FROM json_each($rows))`;

/**
 * Stores names that were attached, with the accounts of their zones; an account that is deleted becomes null. A stored name keeps its
 * claim while its main domain holds it, or while that one is in nobody's portfolio: its former user may restore the domain.
 */
export async function upsertAttachments(rows: readonly (Forward & { account_id: number })[]): Promise<void> {
  await execute(
    `DELETE FROM attachments AS a WHERE (a.domain_name, a.forward_to) IN ${PAIRS}
       AND NOT EXISTS (SELECT 1 FROM domains m WHERE ${IS_MAIN})
       AND EXISTS (SELECT 1 FROM domains m WHERE m.domain_name = a.forward_to AND m.deleted_at IS NULL)`,
    { rows: JSON.stringify(rows) },
  );
  await execute(
    `INSERT INTO attachments (domain_name, forward_to, cloudflare_account_id, created_at)
     SELECT r.value ->> 'domain_name', r.value ->> 'forward_to', a.id, $now
     FROM json_each($rows) r LEFT JOIN cloudflare_accounts a ON a.id = CAST(r.value ->> 'account_id' AS INTEGER) WHERE true
     ON CONFLICT (domain_name, forward_to) DO UPDATE SET cloudflare_account_id = excluded.cloudflare_account_id`,
    { rows: JSON.stringify(rows), now: new Date().toISOString() },
  );
}

/** Deletes attached names. */
export async function deleteAttachments(rows: readonly Forward[]): Promise<void> {
  await execute(`DELETE FROM attachments WHERE (domain_name, forward_to) IN ${PAIRS}`, { rows: JSON.stringify(rows) });
}

/** A name whose rules have forwarded to `from` and now forward to another main domain. */
export type Repointed = Forward & { from: string };

/** Stores where attached names forward to now, whose user holds them as long as before. */
export async function repointAttachments(rows: readonly Repointed[]): Promise<void> {
  const bind = { rows: JSON.stringify(rows) };
  const led = `json_each($rows) r JOIN attachments a ON a.domain_name = r.value ->> 'domain_name' AND a.forward_to = r.value ->> 'from'
    JOIN domains m ON ${IS_MAIN} JOIN domains t ON t.domain_name = r.value ->> 'forward_to' AND t.deleted_at IS NULL`;
  await execute(
    `DELETE FROM attachments WHERE (domain_name, forward_to) IN (SELECT a.domain_name, t.domain_name FROM ${led})`,
    bind,
  );
  await execute(
    `UPDATE attachments SET forward_to = n.forward_to, main_id = n.main_id, main_claim = n.main_claim, name_claim = n.name_claim
     FROM (SELECT a.id, t.domain_name AS forward_to, t.id AS main_id, ${claimedSince('t')} AS main_claim,
       ${ATTACHED_CLAIM} AS name_claim FROM ${led}) n
     WHERE attachments.id = n.id`,
    bind,
  );
}

/** Returns the attached names at a name and below it. */
export const listAttachmentsAt = (name: string): Promise<Forward[]> =>
  select(
    `SELECT domain_name, forward_to FROM attachments
     WHERE domain_name = $name OR substr(domain_name, length(domain_name) - length($below) + 1) = $below`,
    { name, below: `.${name}` },
  );

/** Returns the names that are attached to a domain, in the portfolio or not. */
export async function listAttachedTo(id: number): Promise<string[]> {
  const rows = await select<Pick<AttachmentRow, 'domain_name'>>(
    `SELECT a.domain_name FROM attachments a JOIN domains m ON ${IS_MAIN} WHERE m.id = $id ORDER BY 1`,
    { id },
  );
  return rows.map(({ domain_name }) => domain_name);
}

/** A redirect, with the account of its zone; null: not known any more. `is_held`: running work makes it. */
export interface MadeForward {
  from: string;
  to: string;
  account_id: number | null;
  is_held: number;
}

/** Returns the redirects from these names that attachments and transfers have made, and those that running work but `operation` is to make. */
export const listForwards = (names: readonly string[], operation: number): Promise<MadeForward[]> =>
  select(
    `WITH made AS (
       SELECT domain_name, forward_to, cloudflare_account_id, 0 AS is_held FROM attachments
         WHERE domain_name IN (SELECT value FROM json_each($names))
       UNION SELECT main_domain_name, transfer_domain_name, NULL, 0 FROM transfer_history
         WHERE main_domain_name IN (SELECT value FROM json_each($names))
       UNION SELECT l.part, l.name, NULL, 1
         FROM operation_locks x CROSS JOIN operations o ON o.id = x.operation_id CROSS JOIN operation_locks l ON l.operation_id = o.id
         WHERE x.kind = '${ATTACH}' AND x.part = '*' AND x.name IN (SELECT value FROM json_each($names))
           AND o.${RUNNING} AND o.id <> $operation AND l.kind = '${ATTACH}' AND l.part = x.name)
     SELECT m.domain_name AS "from", m.forward_to AS "to", COALESCE(m.cloudflare_account_id, d.cloudflare_account_id) AS account_id,
       m.is_held
     FROM made m LEFT JOIN domains d ON d.domain_name = m.domain_name AND d.deleted_at IS NULL ORDER BY 1, 2, 4 DESC`,
    { names: JSON.stringify(names), operation },
  );

/**
 * Returns the names that were attached to one of `names`, with the accounts of their zones. Main domains, and domains
 * of another project, are left out.
 */
export const listAttached = (
  names: readonly string[],
  project_id: number | null,
): Promise<{ domain_name: string; account_id: number }[]> =>
  select(
    `SELECT DISTINCT a.domain_name, COALESCE(a.cloudflare_account_id, d.cloudflare_account_id) AS account_id
     FROM attachments a LEFT JOIN domains d ON d.domain_name = a.domain_name AND d.deleted_at IS NULL
     WHERE a.forward_to IN (SELECT value FROM json_each($names))
       AND COALESCE(a.cloudflare_account_id, d.cloudflare_account_id) IS NOT NULL
       AND (d.id IS NULL OR (d.type = 'transfer' AND (d.project_id IS NULL OR d.project_id = $project_id)))
     ORDER BY 1`,
    { names: JSON.stringify(names), project_id },
  );
