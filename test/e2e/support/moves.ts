import { inDays, insert } from './portfolio.ts';

/** Inserts a transfer of a user with one move from the first domain to the second; a running one is another process's. */
export async function addTransfer(
  user: number,
  { id, state }: { id: number; state: 'running' | 'failed' },
  item: object,
): Promise<void> {
  const names = [1, 2].map((one) => ({ id: one, name: `${one === 1 ? 'old' : 'new'}.example`, zone: '' }));
  await insert('operations', [
    {
      id,
      kind: 'transfer',
      subject: `1 2 ${id}`,
      user_id: user,
      input: '{}',
      steps: '[]',
      state,
      total: 1,
      done: 0,
      failed: state === 'failed' ? 1 : 0,
      message: JSON.stringify({ key: 'transfer.moving', params: { source: 'old.example', target: 'new.example' } }),
      created_at: inDays(0),
      ...(state === 'running'
        ? { lease_owner: 'another process', lease_until: inDays(1) }
        : { finished_at: inDays(0) }),
    },
  ]);
  await insert('operation_items', [
    {
      operation_id: id,
      item: 'transfer old.example',
      lane: 'x',
      data: JSON.stringify({ source: names[0], target: names[1] }),
      attempt: 0,
      changed_at: inDays(0),
      lock_kind: 'transfer',
      lock_name: 'old.example',
      lock_part: '',
      ...item,
    },
  ]);
}
