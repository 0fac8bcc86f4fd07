import { Button, InputGroup } from '@blueprintjs/core';
import { AddIcon, SearchIcon, TickIcon } from '@blueprintjs/icons';
import { useVirtualizer } from '@tanstack/react-virtual';
import {
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
  type KeyboardEvent,
  type MouseEvent,
  type RefObject,
} from 'react';
import type { DomainView } from '../../src/shared/domains.ts';
import { call } from '../api.ts';
import { useT } from '../language.ts';
import { Failed, Skeleton } from './DataTable.tsx';
import { EmptyState } from './EmptyState.tsx';
import { T } from './T.tsx';
import { TransferReserve } from './TransferReserve.tsx';
import { totalOf, useFirstPage, usePages, type RowsSource } from './useRows.ts';

const RESERVES = 'GET /api/project_unassigned_domains/:projectId';
const PAUSE_MS = 200;
const ROW_PX = 64;
const LEAP = 5;
// What is registered longest comes first, as automatic transfer has it.
const ORDER = '-expired_at';

interface TransferReservesProps {
  project: { id: number; name: string };
  chosen: number | undefined;
  onChoose: (domain: DomainView) => void;
  onAdd: () => void;
}

/** A list that is searched by the server, after a pause in typing; what is found first is the active one then. */
function useReserves(projectId: number) {
  const [typed, setTyped] = useState('');
  const [search, setSearch] = useState('');
  const [active, setActive] = useState(-1);
  useEffect(() => {
    const next = typed.trim();
    if (next === search) return undefined;
    const timer = setTimeout(() => {
      setSearch(next);
      setActive(next === '' ? -1 : 0);
    }, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed, search]);
  const source = useMemo<RowsSource<DomainView>>(
    () => ({
      key: [RESERVES, { projectId, search, sort: ORDER }],
      load: (page, signal) =>
        call(RESERVES, { params: { projectId }, query: { search: search || undefined, sort: ORDER, ...page }, signal }),
    }),
    [projectId, search],
  );
  return { typed, setTyped, search, active, setActive, source, first: useFirstPage(source) };
}

/** Where the keys lead from a place in a list; undefined for a key that leads nowhere. */
function placeAfter(code: string, at: number, last: number): number | undefined {
  const to: Record<string, number> = { ArrowDown: at + 1, ArrowUp: at - 1, PageDown: at + LEAP, PageUp: at - LEAP };
  const place = to[code];
  return place === undefined ? undefined : Math.max(0, Math.min(last, place));
}

interface OptionsProps {
  id: string;
  label: string;
  source: RowsSource<DomainView>;
  total: number;
  active: number;
  chosen: number | undefined;
  onChoose: (domain: DomainView, index: number) => void;
  /** Where the domain at the active place is put, once it is known. */
  activeRow: RefObject<DomainView | undefined>;
}

/** The options in view. The focus stays in the field above; the active one is kept in view. */
function Options({ id, label, source, total, active, chosen, onChoose, activeRow }: OptionsProps) {
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
  const rowAt = usePages(source, items[0]?.index ?? 0, items.at(-1)?.index ?? 0);
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
        {items.map(({ index }) => {
          const domain = rowAt(index);
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
              key={index}
              ref={virtualizer.measureElement}
              data-index={index}
              id={`${id}-${index}`}
              className={`transfer-option ${index === active ? 'active' : ''}`}
            >
              <span className="transfer-tick">{isChosen && <TickIcon />}</span>
              {domain ? <TransferReserve domain={domain} /> : <span className="bp6-skeleton transfer-loading">…</span>}
            </div>
          );
        })}
      </div>
    </div>
  );
}

/** The field comes after the dialog has opened and put the focus on a button. */
function focusOnce(field: HTMLInputElement | null): void {
  const { activeElement } = document;
  if (field && (activeElement === document.body || activeElement?.matches('.form-dialog button'))) field.focus();
}

/** The reserve domains of a project: typed letters filter them, arrows walk, Enter chooses. */
export function TransferReserves({ project, chosen, onChoose, onAdd }: TransferReservesProps) {
  const t = useT();
  const id = useId();
  const { typed, setTyped, search, active, setActive, source, first } = useReserves(project.id);
  const activeRow = useRef<DomainView>(undefined);
  const total = totalOf(first.data);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.code === 'Enter' && !event.ctrlKey && !event.metaKey) {
      // A form with one field would be sent.
      event.preventDefault();
      if (activeRow.current) onChoose(activeRow.current);
      return;
    }
    const place = placeAfter(event.code, active, (total ?? 0) - 1);
    if (place === undefined || !total) return;
    event.preventDefault();
    setActive(place);
  };
  if (first.error) {
    const retry = (): void => void first.refetch();
    return <Failed sentence="transfer_dialog.load_failed" reason={first.error.message} retry={retry} />;
  }
  if (total === undefined) return <Skeleton label={t('ui.loading')} />;
  if (total === 0 && search === '') {
    const add = <Button icon={<AddIcon />} text={<T k="transfer_dialog.add" />} onClick={onAdd} />;
    return (
      <EmptyState action={add}>
        <T k="transfer_dialog.none" />
      </EmptyState>
    );
  }
  const combobox = {
    inputRef: focusOnce,
    role: 'combobox',
    'aria-expanded': total > 0,
    'aria-controls': id,
    'aria-autocomplete': 'list',
    'aria-activedescendant': active >= 0 && total > 0 ? `${id}-${active}` : undefined,
  } as const;
  return (
    <div className="transfer-reserves">
      <InputGroup
        {...combobox}
        type="search"
        leftIcon={<SearchIcon />}
        aria-label={t('transfer_dialog.reserve')}
        placeholder={t('transfer_dialog.reserve')}
        value={typed}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        onChange={(event) => setTyped(event.target.value)}
        onKeyDown={onKeyDown}
      />
      {total === 0 ? (
        <EmptyState>
          <T k="ui.nothing_found" />
        </EmptyState>
      ) : (
        <Options
          key={search}
          id={id}
          label={t('transfer_dialog.reserves', { project: project.name })}
          source={source}
          total={total}
          active={active}
          chosen={chosen}
          onChoose={(domain, index) => {
            setActive(index);
            onChoose(domain);
          }}
          activeRow={activeRow}
        />
      )}
    </div>
  );
}
