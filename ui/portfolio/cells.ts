import { cellsText, isNumber, parseCells, type Cell, type CellField } from '../../src/shared/portfolio/domain-cells.ts';
import type { DomainView } from '../../src/shared/portfolio/domains.ts';
import { isKey, type Key, type Params } from '../../src/shared/i18n/index.ts';
import type { CellMenu } from '../kit/table/DataTable.tsx';

type Translate = (key: Key, params?: Params) => string;

/** The fields that columns narrow by, with the words of their heads. */
const FIELDS: Record<string, { field: CellField; name: Key }> = {
  project: { field: 'project_id', name: 'list.project' },
  mode: { field: 'transfer_type', name: 'list.mode' },
  type: { field: 'type', name: 'list.type' },
  rkn: { field: 'status', name: 'list.rkn' },
  status: { field: 'http_status_code', name: 'list.status' },
  registrar: { field: 'registrar_type', name: 'list.registrar' },
  user: { field: 'user_login', name: 'sites.user' },
};

/** The fields that can be copied only, by column. */
const COPIED: Record<string, keyof DomainView> = { domain: 'domain_name', expiry: 'expired_at', added: 'created_at' };

const WORDS: Record<string, Key> = {
  'type:main': 'list.type_main',
  'type:transfer': 'list.type_transfer',
  'transfer_type:auto': 'list.mode_auto',
  'transfer_type:manual': 'list.mode_manual',
};

/** The name of a cell's field. */
export const cellName = ({ field }: Cell): Key =>
  Object.values(FIELDS).find((known) => known.field === field)?.name ?? 'list.domain';

/** The value of a cell in words; `project` is the name of its project. */
function cellValue({ field, value }: Omit<Cell, 'not'>, t: Translate, project: string): string {
  if (value === '') return t('ui.no_data');
  if (field === 'project_id') return project;
  const key = WORDS[`${field}:${value}`] ?? value;
  return isKey(key) ? t(key) : value;
}

/** A cell in words, without the name of its field: `Основной`, `кроме: Основной`. */
export function cellWords(cell: Cell, t: Translate, project: string): string {
  const value = cellValue(cell, t, project);
  return cell.not ? t('views.but', { value }) : value;
}

/** Adds a cell to those of an address. A value alone takes the place of all others of its field. */
function withCell(text: string, cell: Cell): string {
  const isOther = (known: Cell): boolean =>
    known.field !== cell.field || (cell.not && known.not && known.value !== cell.value);
  return cellsText([...parseCells(text).filter(isOther), cell]);
}

/** Returns the menus of the cells of a list of domains, which narrow it by `onCells`. */
export const domainCells =
  (t: Translate, text: string, onCells: (cells: string) => void): CellMenu<DomainView> =>
  (row, column) => {
    const copied = COPIED[column];
    if (copied) return { text: String(row[copied] ?? '') };
    const field = FIELDS[column]?.field;
    if (field === undefined) return undefined;
    const value = String(row[field] ?? '');
    return {
      text: cellValue({ field, value }, t, row.project_name ?? ''),
      // A project that is gone has no number of its own that others could find.
      narrow: (not) => onCells(withCell(text, { field, not, value: isNumber(field) && value === '0' ? '' : value })),
    };
  };
