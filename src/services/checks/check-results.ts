import { promisify } from 'node:util';
import { gunzipSync, gzip } from 'node:zlib';
import { transaction } from '../../../db/index.ts';
import { insertResults, listResults } from './rows.ts';

const pack = async (found: readonly object[]): Promise<string> =>
  (await promisify(gzip)(JSON.stringify(found))).toString('base64');

/** Unpacks a stored batch; older versions stored plain JSON. */
const unpack = (results: string): { domain: string }[] =>
  JSON.parse(results.startsWith('[') ? results : gunzipSync(Buffer.from(results, 'base64')).toString()) as {
    domain: string;
  }[];

/**
 * Stores results of an operation, a batch at a time, for the answer of the whole operation. They are packed: those of a
 * day of a large portfolio would take more than its history.
 */
export async function keepFound(operationId: number, found: readonly object[]): Promise<void> {
  if (found.length === 0) return;
  const results = await pack(found);
  await transaction(() => insertResults(operationId, results));
}

/** Returns all results of an operation so far, of every process that ran it: one merged object for each domain name. */
export async function foundBy(operationId: number): Promise<Map<string, object>> {
  const found = new Map<string, object>();
  for (const results of await listResults(operationId)) {
    for (const item of unpack(results)) {
      found.set(item.domain, { ...found.get(item.domain), ...item });
    }
  }
  return found;
}
