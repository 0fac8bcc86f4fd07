import { Button, InputGroup } from '@blueprintjs/core';
import { AddIcon, SearchIcon } from '../kit/icons.tsx';
import { useEffect, useId, useMemo, useRef, useState, type KeyboardEvent } from 'react';
import type { DomainView } from '../../src/shared/portfolio/domains.ts';
import { call } from '../kit/api.ts';
import { useT } from '../kit/language.ts';
import { Failed, Skeleton } from '../kit/table/DataTable.tsx';
import { EmptyState } from '../kit/EmptyState.tsx';
import { T } from '../kit/T.tsx';
import { TransferOptions } from './TransferOptions.tsx';
import { totalOf, useFirstPage, type RowsSource } from '../kit/table/useRows.ts';

const RESERVES = 'GET /api/project_unassigned_domains/:projectId';
const PAUSE_MS = 200;
const LEAP = 5;
// The longest registration first, as automatic transfer prefers it.
const ORDER = '-expired_at';

interface TransferReservesProps {
  project: { id: number; name: string };
  chosen: number | undefined;
  onChoose: (domain: DomainView) => void;
  onAdd: () => void;
}

/** Searches the reserves on the server after a pause in typing; the first match becomes the active option. */
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

/** Returns the index that a key moves to; undefined for other keys. */
function placeAfter(code: string, at: number, last: number): number | undefined {
  const to: Record<string, number> = { ArrowDown: at + 1, ArrowUp: at - 1, PageDown: at + LEAP, PageUp: at - LEAP };
  const place = to[code];
  return place === undefined ? undefined : Math.max(0, Math.min(last, place));
}

/** The field is rendered after the dialog has opened and focused a button. */
function focusOnce(field: HTMLInputElement | null): void {
  const { activeElement } = document;
  if (field && (activeElement === document.body || activeElement?.matches('.form-dialog button'))) field.focus();
}

/** Scrolls to the chosen reserve, which was perhaps chosen before the list was loaded; among what is typed the first match is looked at. */
function useSeenChoice({ search, first, setActive }: ReturnType<typeof useReserves>, chosen: number | undefined): void {
  const place = search === '' ? (first.data?.data.findIndex(({ id }) => id === chosen) ?? -1) : -1;
  useEffect(() => {
    if (place >= 0) setActive(place);
  }, [place, setActive]);
}

interface FinderProps extends Omit<TransferReservesProps, 'onAdd'> {
  reserves: ReturnType<typeof useReserves>;
  total: number;
}

/** The search field and the list that it filters. */
function Finder({ project, chosen, onChoose, reserves, total }: FinderProps) {
  const t = useT();
  const id = useId();
  const { typed, setTyped, search, active, setActive, source } = reserves;
  useSeenChoice(reserves, chosen);
  const activeRow = useRef<DomainView>(undefined);
  const onKeyDown = (event: KeyboardEvent): void => {
    const isEnter = event.code === 'Enter' && !event.ctrlKey && !event.metaKey;
    const place = placeAfter(event.code, active, total - 1);
    // Enter would submit a form with a single field.
    if (isEnter || place !== undefined) event.preventDefault();
    // The list is of an earlier text until that is looked for.
    if (isEnter && total > 0 && typed.trim() === search && activeRow.current) onChoose(activeRow.current);
    if (place !== undefined && total > 0) setActive(place);
  };
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
      {total > 0 ? (
        <TransferOptions
          key={search}
          id={id}
          label={t('transfer_dialog.reserves', { project: project.name })}
          {...{ source, total, active, chosen, activeRow }}
          onChoose={(domain, index) => {
            setActive(index);
            onChoose(domain);
          }}
        />
      ) : (
        <EmptyState>
          <T k="ui.nothing_found" />
        </EmptyState>
      )}
    </div>
  );
}

/** The reserve domains of a project: typing filters, arrows move, Enter chooses. */
export function TransferReserves({ onAdd, ...props }: TransferReservesProps) {
  const t = useT();
  const reserves = useReserves(props.project.id);
  const { first, search } = reserves;
  const total = totalOf(first.data);
  if (first.error) {
    const retry = (): void => void first.refetch();
    return <Failed sentence="transfer_dialog.load_failed" reason={first.error.message} retry={retry} />;
  }
  if (total === undefined) return <Skeleton label={t('ui.loading')} />;
  if (total > 0 || search !== '') return <Finder {...props} reserves={reserves} total={total} />;
  return (
    <EmptyState action={<Button icon={<AddIcon />} text={<T k="transfer_dialog.add" />} onClick={onAdd} />}>
      <T k="transfer_dialog.none" />
    </EmptyState>
  );
}
