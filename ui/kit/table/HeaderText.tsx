import { T } from '../T.tsx';
import type { Column } from './DataTable.tsx';

/** The header of a column: a text of the catalogue, or the name as it is. */
export function HeaderText<Row>({ column: { header } }: { column: Column<Row> }) {
  return typeof header === 'string' ? <T k={header} /> : <span translate="no">{header.name}</span>;
}
