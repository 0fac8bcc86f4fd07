import type { TableNames, TableRow } from '../../src/shared/system/table-editor.ts';
import { call, type Input } from '../kit/api.ts';

interface Part {
  data: TableRow[];
  total: number;
  names: TableNames;
}

/** Reads a part of a table's rows. */
export async function partOf(table: string, query: NonNullable<Input['query']>, signal: AbortSignal): Promise<Part> {
  const answer = await call('GET /api/tables/:table', { params: { table }, query, signal });
  // Without `limit` the call answers with the rows alone.
  return Array.isArray(answer) ? { data: answer, total: answer.length, names: {} } : answer;
}

/** Returns the name of a row: its `name`, else the first text that it has. */
export function nameOf(row: TableRow): string {
  const text = row['name'] ?? Object.values(row).find((value) => typeof value === 'string' && value !== '');
  return `${typeof text === 'string' ? text : ''} #${row.id}`.trim();
}
