import { select } from '../../../db/index.ts';
import { holds, patternOf } from '../../../db/sql.ts';
import type { Order } from '../../shared/lists.ts';
import type { Table } from '../../shared/table.ts';

type Stored = string | number | null;

/** The columns of a table that are read, and those of them that are searched. */
export interface TableSelection {
  table: Table;
  columns: readonly string[];
  searched: readonly string[];
}

/** The part of the rows that is read; absent: all of them, by id. */
export interface RowsPart {
  id?: number | undefined;
  /** Only rows with a higher id. */
  after?: number | undefined;
  search?: string | undefined;
  order?: Order<string> | undefined;
  limit?: number | undefined;
  offset?: number | undefined;
}

interface MadeColumn {
  /** The table whose ids it holds. */
  references: string;
  sql: string;
}

/** Lists of ids that stand in another table, as columns of the editor. */
const MADE: Readonly<Record<string, Readonly<Record<string, MadeColumn>>>> = {
  cloudflare_groups: {
    accounts: {
      references: 'cloudflare_accounts',
      sql: `(SELECT COALESCE(json_group_array(m.cloudflare_account_id), '[]') FROM (SELECT cloudflare_account_id
        FROM cloudflare_group_accounts WHERE cloudflare_group_id = t.id ORDER BY cloudflare_account_id) AS m)`,
    },
  },
};

/** Returns the columns of a table's rows that stand in another table. */
export const madeColumns = ({ name }: Table): { column: string; references: string }[] =>
  Object.entries(MADE[name] ?? {}).map(([column, { references }]) => ({ column, references }));

const PARTS_OF_PROJECTS = 't.project_id IN (SELECT id FROM projects WHERE deleted_at IS NULL)';

/** The rows that are there for people: deleted ones, which may be restored, are not. */
function conditionsOf({ name, columns }: Table): string[] {
  if (columns['deleted_at']) return ['t.deleted_at IS NULL'];
  return name === 'keywords' ? [PARTS_OF_PROJECTS] : [];
}

function narrowed(
  { table, searched }: TableSelection,
  { id, after, search }: RowsPart,
): { where: string; bind: Record<string, unknown> } {
  const conditions = conditionsOf(table);
  if (id !== undefined) conditions.push('t.id = $id');
  if (after !== undefined) conditions.push('t.id > $after');
  if (search) {
    const hits = searched.map((name) => holds(`CAST(t.${name} AS TEXT)`, '$search'));
    conditions.push(`(${hits.join(' OR ')})`);
  }
  return {
    where: conditions.length > 0 ? `WHERE ${conditions.join(' AND ')}` : '',
    bind: {
      ...(id !== undefined && { id }),
      ...(after !== undefined && { after }),
      ...(search && { search: patternOf(search) }),
    },
  };
}

/** Returns rows of a table with the selected columns; JSON is text. */
export function listTableRows(
  selection: TableSelection,
  part: RowsPart,
): Promise<({ id: number } & Record<string, Stored>)[]> {
  const { table, columns } = selection;
  const { where, bind } = narrowed(selection, part);
  const made = MADE[table.name] ?? {};
  const list = columns.map((name) => (made[name] === undefined ? `t.${name}` : `${made[name].sql} AS ${name}`));
  const { order, limit, offset = 0 } = part;
  const by = order ? `t.${order.field} ${order.descending ? 'DESC NULLS LAST' : 'ASC NULLS FIRST'}, t.id` : 't.id';
  return select(
    `SELECT ${list.join(', ')} FROM ${table.name} t ${where} ORDER BY ${by}${limit === undefined ? '' : ' LIMIT $limit OFFSET $offset'}`,
    { ...bind, ...(limit !== undefined && { limit, offset }) },
  );
}

/** Returns how many rows a table has. */
export async function countTableRows(selection: TableSelection, part: RowsPart): Promise<number> {
  const { where, bind } = narrowed(selection, part);
  const [row] = await select<{ n: number }>(`SELECT COUNT(*) AS n FROM ${selection.table.name} t ${where}`, bind);
  return row?.n ?? 0;
}

/** Returns the names of rows, by the column by which people know them. */
export async function listRowNames(
  { name: table, writes }: Table,
  ids: readonly number[],
): Promise<{ id: number; name: string }[]> {
  if (ids.length === 0 || 'machine' in writes || writes.name === null) return [];
  return select(
    `SELECT id, ${writes.name} AS name FROM ${table} WHERE id IN (SELECT CAST(value AS INTEGER) FROM json_each($ids))`,
    { ids: JSON.stringify(ids) },
  );
}
