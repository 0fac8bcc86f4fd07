import { execute, select } from '../../../db/index.ts';

/** A name that was attached to a main domain, and the account of its zone; null: that account was deleted. */
export interface Attachment {
  domain_name: string;
  forward_to: string;
  account_id: number | null;
}

/** Stores the names that an operation has attached. Only inside a transaction. */
export async function keepAttachments(operationId: number): Promise<void> {
  await execute(
    `INSERT INTO attachments (domain_name, forward_to, cloudflare_account_id, created_at)
     SELECT i.data ->> 'domain', i.data ->> 'forward_to',
       (SELECT a.id FROM cloudflare_accounts a WHERE a.id = i.data ->> 'account_id'), $now
     FROM operation_items i
     WHERE i.operation_id = $operationId AND i.state IN ('done', 'noop') AND i.data ->> 'forward_to' IS NOT NULL
     ON CONFLICT (domain_name, forward_to) DO UPDATE SET cloudflare_account_id = excluded.cloudflare_account_id`,
    { operationId, now: new Date().toISOString() },
  );
}

/** Deletes the names whose rules were removed again. Runs in the transaction that notes the act. */
export async function forgetAttachments(rows: Pick<Attachment, 'domain_name' | 'forward_to'>[]): Promise<void> {
  await execute(
    `DELETE FROM attachments WHERE EXISTS (SELECT 1 FROM json_each($rows) r
       WHERE r.value ->> 'domain_name' = attachments.domain_name AND r.value ->> 'forward_to' = attachments.forward_to)`,
    { rows: JSON.stringify(rows) },
  );
}

/**
 * Returns the names that were attached to one of `names`, with the accounts of their zones. Main domains, and domains
 * of another project, are left out.
 */
export const attachedTo = (
  names: readonly string[],
  project_id: number | null,
): Promise<{ domain_name: string; account_id: number }[]> =>
  select(
    `SELECT DISTINCT a.domain_name, COALESCE(a.cloudflare_account_id, d.cloudflare_account_id) AS account_id
     FROM attachments a LEFT JOIN domains d ON d.domain_name = a.domain_name AND d.deleted_at IS NULL
     WHERE a.forward_to IN (SELECT value FROM json_each($names)) AND account_id IS NOT NULL
       AND (d.id IS NULL OR (d.type = 'transfer' AND (d.project_id IS NULL OR d.project_id = $project_id)))
     ORDER BY 1`,
    { names: JSON.stringify(names), project_id },
  );
