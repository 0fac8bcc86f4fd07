import { Link } from 'react-router-dom';
import type { TableColumn, TableNames, TableRow } from '../../src/shared/system/table-editor.ts';
import { useT } from '../kit/language.ts';
import { NoData } from '../kit/Status.tsx';
import { DateTime } from '../kit/table/DateTime.tsx';

interface ReferenceProps {
  table: string;
  id: number;
  names: TableNames;
}

/** Another table's row by its name, as a link to it. */
function Reference({ table, id, names }: ReferenceProps) {
  const t = useT();
  return (
    <Link to={{ search: `table=${table}&id=${id}` }} title={t('tables.open_reference', { table, id })}>
      {names[table]?.[id] ?? `#${id}`}
    </Link>
  );
}

/** Returns a value, or a member of a list, as it is read: an object by its name. */
const memberOf = (one: unknown): string =>
  typeof one === 'object' && one !== null
    ? 'name' in one && typeof one.name === 'string'
      ? one.name
      : JSON.stringify(one)
    : String(one);

interface CellProps {
  row: TableRow;
  column: TableColumn;
  names: TableNames;
}

/** The value of a column as its kind is read. */
export function Cell({ row, column: { name, kind, references }, names }: CellProps) {
  const value = row[name] ?? null;
  if (value === null || value === '') return <NoData />;
  if (Array.isArray(value)) {
    if (value.length === 0) return <NoData />;
    return value.map((one, index) => (
      // oxlint-disable-next-line react/no-array-index-key -- members may be equal, and are never moved
      <span key={index}>
        {index > 0 && ', '}
        {references !== null && typeof one === 'number' ? (
          <Reference table={references} id={one} names={names} />
        ) : (
          memberOf(one)
        )}
      </span>
    ));
  }
  if (references !== null && typeof value === 'number')
    return <Reference table={references} id={value} names={names} />;
  if (kind === 'time') return <DateTime iso={memberOf(value)} />;
  return <span className={kind === 'text' ? 'table-text' : undefined}>{memberOf(value)}</span>;
}
