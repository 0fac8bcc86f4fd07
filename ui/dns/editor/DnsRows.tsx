import { HTMLTable } from '@blueprintjs/core';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useLayoutEffect, useRef, useState, type RefObject } from 'react';
import { useT } from '../../kit/language.ts';
import { cellsOf, type RecordProps } from './DnsCells.tsx';
import { changeOf, faultsOf, type DraftRow, type Edit } from './dnsDraft.ts';
import { T } from '../../kit/T.tsx';
import { useNarrow } from '../../kit/useNarrow.ts';

// Rendering more rows at once is slow (ux.md, finding 2).
const WINDOWED_FROM = 200;

interface DnsRowsProps {
  rows: readonly DraftRow[];
  zone: string;
  /** Whether the faults of a record may be shown. */
  touched: (key: string) => boolean;
  /** The record that has just been added. */
  fresh: string | undefined;
  locked: boolean;
  /** The scroll container. */
  region: RefObject<HTMLElement | null>;
  onEdit: (edit: Edit) => void;
  onLeave: (key: string) => void;
}

interface Part {
  /** The indices of the rendered rows. */
  indices: number[];
  before: number;
  after: number;
  measure: ((element: Element | null) => void) | undefined;
}

/** Returns the rows to render: all of them, or the visible ones if there are many. */
function usePart({ rows, fresh, region }: DnsRowsProps, list: RefObject<HTMLElement | null>, narrow: boolean): Part {
  const [margin, setMargin] = useState(0);
  const enabled = rows.length > WINDOWED_FROM;
  useLayoutEffect(() => setMargin(list.current?.offsetTop ?? 0), [list, rows.length]);
  // oxlint-disable-next-line react/incompatible-library -- the React Compiler, which this is about, is not used
  const virtualizer = useVirtualizer<HTMLElement, Element>({
    enabled,
    count: rows.length,
    getScrollElement: () => region.current,
    getItemKey: (index) => rows[index]?.key ?? index,
    estimateSize: () => (narrow ? 290 : 42),
    scrollMargin: margin,
    initialRect: { width: 0, height: 600 },
    overscan: 6,
  });
  const freshAt = rows.findIndex(({ key }) => key === fresh);
  useLayoutEffect(() => {
    // A row that is not rendered can't take the focus.
    if (enabled && freshAt >= 0) virtualizer.scrollToIndex(freshAt);
  }, [enabled, freshAt, virtualizer]);
  if (!enabled) return { indices: [...rows.keys()], before: 0, after: 0, measure: undefined };
  const items = virtualizer.getVirtualItems();
  return {
    indices: items.map(({ index }) => index),
    before: (items[0]?.start ?? margin) - margin,
    after: virtualizer.getTotalSize() - ((items.at(-1)?.end ?? margin) - margin),
    measure: virtualizer.measureElement,
  };
}

const propsOf = (props: DnsRowsProps, index: number): RecordProps | undefined => {
  const row = props.rows[index];
  if (!row) return undefined;
  return {
    row,
    number: index + 1,
    zone: props.zone,
    change: changeOf(row, props.zone),
    faults: props.touched(row.key) ? faultsOf(row) : {},
    isFresh: row.key === props.fresh,
    isLocked: props.locked,
    onEdit: props.onEdit,
    onLeave: props.onLeave,
  };
};

interface OneProps {
  record: RecordProps;
  index: number;
  measure: Part['measure'];
}

function TableRow({ record, index, measure }: OneProps) {
  const { change, type, name, content, proxy, actions } = cellsOf(record);
  return (
    <tr
      ref={measure}
      data-index={index}
      data-key={record.row.key}
      aria-rowindex={index + 2}
      className={`record record-${record.change}`}
    >
      <td>{change}</td>
      <td>{type}</td>
      <td>{name}</td>
      <td>{content}</td>
      <td>{proxy}</td>
      <td>{actions}</td>
    </tr>
  );
}

function Card({ record, index, measure }: OneProps) {
  const t = useT();
  const { change, type, name, content, proxy, actions } = cellsOf(record);
  return (
    <li ref={measure} data-index={index} className="card-place">
      <article
        className={`card record record-${record.change}`}
        data-key={record.row.key}
        aria-label={t('dns_editor.record', { n: record.number })}
      >
        <div className="record-line">
          <div className="record-type">{type}</div>
          {change}
          {actions}
        </div>
        <div className="record-field">
          <span aria-hidden="true">{t('dns_editor.name')}</span>
          {name}
        </div>
        <div className="record-field">
          <span aria-hidden="true">{t('dns_editor.content')}</span>
          {content}
        </div>
        <div className="record-line">
          <span aria-hidden="true">{t('dns_editor.proxy')}</span>
          {proxy}
        </div>
      </article>
    </li>
  );
}

/** The records as a table of fields, or as cards where the window is narrow. */
export function DnsRows(props: DnsRowsProps) {
  const narrow = useNarrow();
  const list = useRef<HTMLDivElement>(null);
  const part = usePart(props, list, narrow);
  const one = (index: number): OneProps | undefined => {
    const record = propsOf(props, index);
    return record && { record, index, measure: part.measure };
  };
  const shown = part.indices.flatMap((index) => one(index) ?? []);
  return (
    <div ref={list} className="record-list">
      {narrow ? (
        <ul style={{ paddingTop: part.before, paddingBottom: part.after }}>
          {shown.map((line) => (
            <Card key={line.record.row.key} {...line} />
          ))}
        </ul>
      ) : (
        <RecordTable rows={props.rows.length} part={part} shown={shown} />
      )}
    </div>
  );
}

function RecordTable({ rows, part, shown }: { rows: number; part: Part; shown: readonly OneProps[] }) {
  const t = useT();
  const headers = ['change', 'type', 'name', 'content', 'proxy'] as const;
  return (
    <HTMLTable
      compact
      className="record-table"
      aria-label={t('dns_editor.records', { n: rows })}
      aria-rowcount={rows + 1}
    >
      <thead>
        <tr aria-rowindex={1}>
          {headers.map((header) => (
            <th key={header} scope="col" className={`record-${header}`}>
              <T k={`dns_editor.${header}`} />
            </th>
          ))}
          <th scope="col">
            <span className="visually-hidden">{t('sites.actions')}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        <Space height={part.before} />
        {shown.map((line) => (
          <TableRow key={line.record.row.key} {...line} />
        ))}
        <Space height={part.after} />
      </tbody>
    </HTMLTable>
  );
}

const Space = ({ height }: { height: number }) =>
  height > 0 && (
    <tr aria-hidden="true">
      {/* oxlint-disable-next-line jsx-a11y/control-has-associated-label -- a cell that only takes room */}
      <td colSpan={6} style={{ height, padding: 0 }} />
    </tr>
  );
