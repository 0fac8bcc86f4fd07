import { promisify } from 'node:util';
import { gunzipSync, gzip } from 'node:zlib';
import { execute, select, transaction } from '../../../db/index.ts';

const pack = async (found: readonly object[]): Promise<string> =>
  (await promisify(gzip)(JSON.stringify(found))).toString('base64');

/** A batch as it was kept; those of an older version are plain JSON. */
const unpack = (results: string): { domain: string }[] =>
  JSON.parse(results.startsWith('[') ? results : gunzipSync(Buffer.from(results, 'base64')).toString()) as {
    domain: string;
  }[];

/** Keeps what an operation found, a batch at a time, for whoever answers for the whole of it. It is packed: a day of a large portfolio would be more than its history. */
export async function keepFound(operationId: number, found: readonly object[]): Promise<void> {
  if (found.length === 0) return;
  const results = await pack(found);
  await transaction(() =>
    execute('INSERT INTO operation_results (operation_id, results, created_at) VALUES ($operationId, $results, $now)', {
      operationId,
      results,
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
    for (const item of unpack(results)) {
      found.set(item.domain, { ...found.get(item.domain), ...item });
    }
  }
  return found;
}
