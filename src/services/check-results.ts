import { execute, select, transaction } from '../../db/index.ts';

/** Keeps what an operation found, a batch at a time, for whoever answers for the whole of it. */
export async function keepFound(operationId: number, found: readonly object[]): Promise<void> {
  if (found.length === 0) return;
  await transaction(() =>
    execute('INSERT INTO operation_results (operation_id, results, created_at) VALUES ($operationId, $results, $now)', {
      operationId,
      results: JSON.stringify(found),
      now: new Date().toISOString(),
    }),
  );
}

/** All that an operation has found so far, whoever did which part: an object a domain, by name. */
export async function foundBy(operationId: number): Promise<Map<string, object>> {
  const rows = await select<{ results: string }>(
    'SELECT results FROM operation_results WHERE operation_id = $operationId ORDER BY id',
    { operationId },
  );
  const found = new Map<string, object>();
  for (const { results } of rows) {
    for (const item of JSON.parse(results) as { domain: string }[]) {
      found.set(item.domain, { ...found.get(item.domain), ...item });
    }
  }
  return found;
}
