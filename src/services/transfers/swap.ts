import { execute } from '../../../db/index.ts';
import type { Act } from '../../operations/flow.ts';
import type { MoveLane } from './lane.ts';
import type { Move } from './queue.ts';

/** The stored row of a swap: the move, and the release that is live on the reserve. */
interface Swap {
  move: Move;
  release: string | null;
}

/**
 * Exchanges the roles, and fills in the server, account, template and site that the new main domain lacks. Runs in the
 * transaction that notes the act as done.
 */
async function saveSwap({ move, release }: Swap): Promise<void> {
  const { source, target, server_id, target_account, action } = move;
  const now = new Date().toISOString();
  const pair = { source: source.id, target: target.id, now };
  await execute(
    `UPDATE domains AS t SET type = 'main', project_id = s.project_id, server_id = COALESCE(t.server_id, $server_id),
       cloudflare_account_id = COALESCE(t.cloudflare_account_id, $target_account),
       template_id = COALESCE(t.template_id, s.template_id), updated_at = $now
     FROM domains s WHERE t.id = $target AND s.id = $source`,
    { ...pair, server_id, target_account },
  );
  await execute(`UPDATE domains SET type = 'transfer', transfer_type = 'manual', updated_at = $now WHERE id = $id`, {
    id: source.id,
    now,
  });
  if (release !== null) {
    await execute(
      `INSERT INTO sites (domain_id, template_id, html_name, html, updated_at)
       SELECT $target, template_id, html_name, html, $now FROM sites WHERE domain_id = $source
       ON CONFLICT (domain_id) DO NOTHING`,
      pair,
    );
    await execute('UPDATE sites SET release = $release, deployed_at = $now WHERE domain_id = $target', {
      release,
      target: target.id,
      now,
    });
  }
  // An item belongs to one running operation, so this finds the right one.
  await execute(
    `INSERT INTO transfer_history (project_id, main_domain_id, transfer_domain_id, main_domain_name, transfer_domain_name,
       action, operation_id, created_at)
     SELECT t.project_id, $source, $target, $source_name, $target_name, $action,
       (SELECT o.id FROM operations o JOIN operation_items i ON i.operation_id = o.id
        WHERE i.item = $item AND o.kind = 'transfer' AND o.state = 'running' ORDER BY o.id DESC LIMIT 1), $now
     FROM domains t WHERE t.id = $target`,
    {
      ...pair,
      source_name: source.name,
      target_name: target.name,
      action,
      item: `transfer ${source.name}`,
    },
  );
}

async function saveSwaps(rows: Swap[]): Promise<void> {
  for (const row of rows) await saveSwap(row);
}

/** Returns the act that makes the reserve the main domain, and the main domain a reserve in mode `manual`. */
export function swapAct(move: Move, lane: MoveLane): Act {
  const { source, target, site } = move;
  let release: string | null = null;
  return {
    name: 'swap',
    class: 'set',
    look: async () => {
      // The rows are committed together with the act's end: an act that is not noted as done has written nothing.
      if (site !== null && !lane.warnings) release = await lane.releaseId();
      return { before: { main: source.name }, after: { main: target.name }, perform: async () => undefined };
    },
    record: () => ({ save: saveSwaps, row: { move, release } satisfies Swap }),
  };
}
