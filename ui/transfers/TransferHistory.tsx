import { Button, Callout } from '@blueprintjs/core';
import { DownloadIcon, UndoIcon } from '../kit/icons.tsx';
import { useMemo, useState } from 'react';
import { Link } from 'react-router-dom';
import { writeCsv } from '../../src/shared/csv.ts';
import { toUnicode } from '../../src/shared/portfolio/domain-name.ts';
import type { TransferHistoryEntry } from '../../src/shared/transfers/transfer-plan.ts';
import { useCall } from '../kit/api.ts';
import { DateTime } from '../kit/table/DateTime.tsx';
import { DataTable, Failed, Skeleton, type Column } from '../kit/table/DataTable.tsx';
import { EmptyState } from '../kit/EmptyState.tsx';
import { InfoDialog } from '../kit/dialog/InfoDialog.tsx';
import { saveFile } from '../kit/saveFile.ts';
import { SearchField } from '../kit/form/SearchField.tsx';
import { Message, T } from '../kit/T.tsx';
import { localRows } from '../kit/table/useRows.ts';
import { transferPath } from '../operations/transferPath.ts';
import { useTransferDialog } from './useTransferDialog.ts';
import { useFormats, useT } from '../kit/language.ts';
import './Transfer.css';

function Way({ move }: { move: TransferHistoryEntry }) {
  const { operation_id: id } = move;
  const names = { main: toUnicode(move.main_domain_name), transfer: toUnicode(move.transfer_domain_name) };
  return (
    <span className="transfer-way" translate="no">
      {id === null ? (
        <T k="transfer_history.from_to" {...names} />
      ) : (
        <Link to={transferPath(id)}>
          <T k="transfer_history.from_to" {...names} />
        </Link>
      )}
    </span>
  );
}

/** Opens the plan of the reverse transfer; nothing if one of the two domains is gone. */
function WayBack({ move }: { move: TransferHistoryEntry }) {
  const t = useT();
  const { openBack } = useTransferDialog();
  const { main_domain_id: main, transfer_domain_id: transfer } = move;
  if (main === null || transfer === null) return null;
  const way = { main: toUnicode(move.transfer_domain_name), transfer: toUnicode(move.main_domain_name) };
  return (
    <Button
      size="small"
      icon={<UndoIcon />}
      text={<T k="transfer_history.back" />}
      aria-label={t('sites.action_on', {
        action: t('transfer_history.back'),
        name: t('transfer_history.from_to', way),
      })}
      onClick={() => openBack(transfer, main)}
    />
  );
}

/** Shows whether the redirect was seen from outside, or else what to do about it. */
function Outcome({ move: { outcome, warning, redirect_seen_at } }: { move: TransferHistoryEntry }) {
  const formats = useFormats();
  if (warning !== null) {
    return (
      <Callout compact intent="warning">
        <Message text={warning} />
      </Callout>
    );
  }
  const key = outcome === 'done' ? 'transfer_history.seen' : 'transfer_history.unknown';
  return <T k={key} when={redirect_seen_at === null ? '' : formats.dateTime(redirect_seen_at)} />;
}

const COLUMNS: readonly Column<TransferHistoryEntry>[] = [
  { id: 'when', header: 'transfer_history.when', cell: ({ created_at }) => <DateTime iso={created_at} /> },
  { id: 'way', header: 'transfer_history.way', card: 'title', cell: (move) => <Way move={move} /> },
  {
    id: 'action',
    header: 'transfer_history.action',
    cell: ({ action }) => <T k={action === 'auto' ? 'transfer_history.auto' : 'transfer_history.explicit'} />,
  },
  { id: 'outcome', header: 'transfer_history.outcome', cell: (move) => <Outcome move={move} /> },
  { id: 'back', header: 'sites.actions', cell: (move) => <WayBack move={move} /> },
];

const holds = (move: TransferHistoryEntry, search: string): boolean =>
  [move.main_domain_name, move.transfer_domain_name].some((name) =>
    `${name} ${toUnicode(name)}`.toLowerCase().includes(search.toLowerCase()),
  );

function csvOf(moves: readonly TransferHistoryEntry[]): string {
  const rows = moves.map((move) => [
    move.created_at,
    move.main_domain_name,
    move.transfer_domain_name,
    move.action,
    move.outcome ?? '',
    move.warning ?? '',
  ]);
  const head = ['created_at', 'main_domain_name', 'transfer_domain_name', 'action', 'outcome', 'warning'];
  return writeCsv([head, ...rows], {
    delimiter: ';',
    bom: true,
  });
}

function Moves({ moves, title, name }: { moves: readonly TransferHistoryEntry[]; title: string; name: string }) {
  const t = useT();
  const [search, setSearch] = useState('');
  const source = useMemo(() => {
    const found = moves.filter((move) => holds(move, search));
    return localRows(['transfer-history', name, search, found.map(({ id }) => id)], found);
  }, [moves, search, name]);
  if (moves.length === 0) {
    return (
      <EmptyState>
        <T k="transfer_history.none" />
      </EmptyState>
    );
  }
  const save = (): void => saveFile(`transfers-${name}.csv`, new Blob([csvOf(moves)], { type: 'text/csv' }));
  return (
    <>
      <div className="transfer-tools">
        <SearchField label={t('transfer_history.find')} value={search} onChange={setSearch} />
        <Button icon={<DownloadIcon />} text={<T k="transfer_history.csv" />} onClick={save} />
      </div>
      <DataTable
        label={title}
        source={source}
        columns={COLUMNS}
        failed="transfer_history.failed"
        empty="ui.nothing_found"
      />
    </>
  );
}

/** The transfers of a domain, newest first, each with its reverse transfer. */
export function TransferHistory({ id, onClose }: { id: number; onClose: () => void }) {
  const t = useT();
  const { data: domain } = useCall('GET /api/domains/:id', { params: { id } });
  const { data, error, refetch } = useCall('GET /api/domain_transfer_history/:id', { params: { id } });
  const title = domain ? t('transfer_history.title', { name: domain.data.unicode_name }) : t('sites.transfers');
  return (
    <InfoDialog width={1100} title={title} onClose={onClose}>
      {error && <Failed sentence="transfer_history.failed" reason={error.message} retry={() => void refetch()} />}
      {!data && !error && <Skeleton label={t('ui.loading')} />}
      {data && <Moves moves={data.data} title={title} name={domain?.data.domain_name ?? String(id)} />}
    </InfoDialog>
  );
}
