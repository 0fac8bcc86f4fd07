import { TickIcon } from '../kit/icons.tsx';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef, type MouseEvent, type RefObject } from 'react';
import type { DomainView } from '../../src/shared/portfolio/domains.ts';
import { TransferReserve } from './TransferReserve.tsx';
import { usePages, type RowsSource } from '../kit/table/useRows.ts';

const ROW_PX = 64;

interface TransferOptionsProps {
  id: string;
  label: string;
  source: RowsSource<DomainView>;
  total: number;
  active: number;
  chosen: number | undefined;
  onChoose: (domain: DomainView, index: number) => void;
  /** Receives the domain at the active index, once it is loaded. */
  activeRow: RefObject<DomainView | undefined>;
}

interface OptionProps extends Pick<TransferOptionsProps, 'id' | 'total' | 'chosen' | 'onChoose'> {
  index: number;
  /** Undefined while it is loading. */
  domain: DomainView | undefined;
  isActive: boolean;
  measure: (element: HTMLDivElement | null) => void;
}

function Option({ id, index, total, domain, isActive, chosen, onChoose, measure }: OptionProps) {
  const isChosen = domain !== undefined && domain.id === chosen;
  const option = {
    role: 'option',
    'aria-selected': isChosen,
    'aria-setsize': total,
    'aria-posinset': index + 1,
    onClick: () => domain && onChoose(domain, index),
    // The focus stays in the field.
    onMouseDown: (event: MouseEvent) => event.preventDefault(),
  };
  return (
    <div
      {...option}
      ref={measure}
      data-index={index}
      id={`${id}-${index}`}
      className={`transfer-option ${isActive ? 'active' : ''}`}
    >
      <span className="transfer-tick">{isChosen && <TickIcon />}</span>
      {domain ? <TransferReserve domain={domain} /> : <span className="bp6-skeleton transfer-loading">…</span>}
    </div>
  );
}

/** The visible options. The focus stays in the field above; the active option is scrolled into view. */
export function TransferOptions({
  id,
  label,
  source,
  total,
  active,
  chosen,
  onChoose,
  activeRow,
}: TransferOptionsProps) {
  const list = useRef<HTMLDivElement>(null);
  // oxlint-disable-next-line react/incompatible-library -- the React Compiler, which this is about, is not used
  const virtualizer = useVirtualizer<HTMLDivElement, HTMLDivElement>({
    count: total,
    getScrollElement: () => list.current,
    estimateSize: () => ROW_PX,
    initialRect: { width: 0, height: 320 },
    overscan: 6,
  });
  const items = virtualizer.getVirtualItems();
  const rowAt = usePages(source, {
    start: items[0]?.index ?? 0,
    end: items.at(-1)?.index ?? 0,
    total,
    isDown: true,
  });
  const row = rowAt(active);
  useEffect(() => {
    activeRow.current = row;
  }, [activeRow, row]);
  useEffect(() => {
    if (active >= 0) virtualizer.scrollToIndex(active);
  }, [active, virtualizer]);
  const after = virtualizer.getTotalSize() - (items.at(-1)?.end ?? 0);
  return (
    <div {...{ role: 'listbox', 'aria-label': label }} ref={list} id={id} className="transfer-options">
      <div style={{ paddingTop: items[0]?.start ?? 0, paddingBottom: after }}>
        {items.map(({ index }) => (
          <Option
            key={index}
            id={id}
            index={index}
            total={total}
            domain={rowAt(index)}
            isActive={index === active}
            chosen={chosen}
            onChoose={onChoose}
            measure={virtualizer.measureElement}
          />
        ))}
      </div>
    </div>
  );
}
