import { useMemo } from 'react';
import type { TableColumn } from '../../src/shared/system/table-editor.ts';
import { InfoDialog } from '../kit/dialog/InfoDialog.tsx';
import { useAnew } from '../kit/dialog/useAnew.ts';
import { Loading } from '../kit/Loading.tsx';
import { Failed } from '../kit/table/DataTable.tsx';
import type { Block } from '../kit/table/grid.ts';
import type { RowsSource } from '../kit/table/useRows.ts';
import { T } from '../kit/T.tsx';
import { partOf } from './parts.ts';
import { planPaste, type Choices } from './paste.ts';
import { PastePreview } from './PastePreview.tsx';
import { readTsv } from './tsv.ts';
import type { NamedRow } from './useColumns.tsx';
import type { Edits } from './useEdits.ts';

// Each row is a call of its own.
const MOST_ROWS = 500;
// Tables that others refer to are short.
const MOST_CHOICES = 10_000;

export interface Pasted {
  text: string;
  block: Block;
}

interface PasteCellsProps {
  pasted: Pasted;
  source: RowsSource<NamedRow>;
  /** The columns as they are shown. */
  columns: readonly TableColumn[];
  edits: Edits;
  onClose: () => void;
}

/** Returns the cells that are pasted: a single one fills the block that is chosen. */
function cellsOf({ text, block: { top, bottom, left, right } }: Pasted): string[][] {
  const cells = readTsv(text);
  if (cells.length > 1 || (cells[0]?.length ?? 0) > 1) return cells;
  const value = cells[0]?.[0] ?? '';
  return Array.from({ length: bottom - top + 1 }, () => Array.from({ length: right - left + 1 }, () => value));
}

/** Reads the rows of other tables by names that are theirs alone. */
async function choicesOf(columns: readonly TableColumn[], signal: AbortSignal): Promise<Choices> {
  const tables = [...new Set(columns.flatMap(({ references, edits }) => (edits && references) || []))];
  const read = tables.map(async (table) => {
    const { data } = await partOf(table, { limit: MOST_CHOICES }, signal);
    const names = data.map((row) => row['name'] ?? row['domain_name'] ?? row['login']);
    const single = data.flatMap((row, index): [string, number][] => {
      const name = names[index];
      return typeof name === 'string' && names.indexOf(name) === names.lastIndexOf(name) ? [[name, row.id]] : [];
    });
    return [table, new Map(single)] as const;
  });
  return Object.fromEntries(await Promise.all(read));
}

/** Shows what pasted cells would change, and writes that row by row. */
export function PasteCells(props: PasteCellsProps) {
  const { pasted, source, columns, onClose } = props;
  const cells = useMemo(() => cellsOf(pasted), [pasted]);
  const { top, left } = pasted.block;
  const width = Math.max(...cells.map((texts) => texts.length));
  const touched = columns.slice(left, left + width);
  const { data, error, refetch } = useAnew({
    queryKey: ['paste', source.key, pasted],
    queryFn: async ({ signal }) => {
      const limit = Math.min(cells.length, MOST_ROWS);
      const [rows, choices] = await Promise.all([
        source.load({ limit, offset: top }, signal),
        choicesOf(touched, signal),
      ]);
      return planPaste(
        cells.slice(0, MOST_ROWS),
        rows.data.map(({ row }) => row),
        touched,
        choices,
      );
    },
  });
  if (error && !data) {
    return (
      <InfoDialog title={<T k="tables.paste" />} onClose={onClose}>
        <Failed sentence="tables.rows_failed" reason={error.message} retry={() => void refetch()} />
      </InfoDialog>
    );
  }
  if (!data) return <Loading />;
  const beyond = Math.max(0, cells.length - MOST_ROWS);
  return <PastePreview {...props} plan={data} beyond={beyond} />;
}
