import { select } from '../../db/index.ts';
import { enqueue } from '../operations/queue.ts';
import type { Said } from '../shared/i18n/index.ts';
import type { Actor } from './scope.ts';

export async function queueTransfers(
  actor: Actor,
  pairs: { source_id: number; target_id: number }[],
  declined: { source_id: number; reason: Said }[],
  how: { action: 'explicit' | 'auto'; subject: string; message: Said; here?: boolean; idem_key?: string },
): Promise<{ id: number; started: boolean }> {
  const names = await select<{ id: number; domain_name: string }>('SELECT id, domain_name FROM domains');
  const nameOf = (id: number): string => names.find((row) => row.id === id)?.domain_name ?? '';
  const items = [
    ...pairs.map((pair) => ({ item: `transfer ${nameOf(pair.source_id)}`, lane: 'transfer', data: pair })),
    ...declined.map((one) => ({ item: `transfer ${nameOf(one.source_id)}`, lane: 'declined', data: one })),
  ];
  const locks = pairs.map(({ target_id }) => `domain ${nameOf(target_id)}`);
  const { subject, message, here = false, idem_key } = how;
  return enqueue(
    { kind: 'transfer', subject, user_id: actor.id, input: { how }, message, items, locks, idem_key },
    here,
  );
}
