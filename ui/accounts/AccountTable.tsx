import { useMemo, type ReactNode } from 'react';
import { secretFieldOf, textOf, type AccountKind } from '../../src/shared/accounts/kind.ts';
import type { Kind } from '../../src/shared/accounts/kinds.ts';
import type { Key } from '../../src/shared/i18n/index.ts';
import { EmptyState } from '../kit/EmptyState.tsx';
import { useT } from '../kit/language.ts';
import { DataTable, type Column } from '../kit/table/DataTable.tsx';
import { ListTools } from '../kit/list/ListTools.tsx';
import { useListLayout } from '../kit/list/useListLayout.ts';
import { useSeenFile } from '../kit/list/useSeenFile.ts';
import { RowActions } from '../kit/table/RowActions.tsx';
import type { RowsSource } from '../kit/table/useRows.ts';
import { T } from '../kit/T.tsx';
import type { AccountListProps } from './AccountCards.tsx';
import { AccountState, TestButton, TestError, TestTag } from './AccountState.tsx';
import { AccountValue } from './AccountValue.tsx';
import { listCall, loadAccounts, useAccounts, type Account } from './calls.ts';
import { partsOf } from './parts.tsx';

const sourceOf = (kind: Kind): RowsSource<Account> => ({
  key: [listCall(kind)],
  load: async ({ limit, offset }, signal) => {
    const accounts = await loadAccounts(kind, signal);
    return { data: accounts.slice(offset, offset + limit), total: accounts.length };
  },
});

// Accounts are not filtered: a view of them is its columns.
const FIELDS = ['columns'];

type ColumnsFor = Omit<AccountListProps, 'add'>;

interface FactsProps {
  kind: Kind;
  account: Account;
}

/** Shows the facts of an account and its last test, for kinds without columns for these. */
function Facts({ kind, account }: FactsProps) {
  const { Beneath } = partsOf(kind);
  return (
    <span className="account-facts">
      {Beneath && <Beneath account={account} />}
      <TestTag kind={kind} account={account} />
      <TestError kind={kind} account={account} />
    </span>
  );
}

const hasFacts = (kind: Kind): boolean => partsOf(kind).Beneath !== undefined;

/** The name, with what stands beneath it; on a card that is a line of its own. */
function nameColumns(kind: Kind, header: Key): Column<Account>[] {
  if (!hasFacts(kind)) return [{ id: 'name', header, fields: ['name'], card: 'title', cell: ({ name }) => name }];
  return [
    { id: 'title', header, only: 'card', card: 'title', cell: ({ name }) => name },
    { id: 'facts', header: 'team.facts', only: 'card', cell: (account) => <Facts kind={kind} account={account} /> },
    {
      id: 'name',
      header,
      fields: ['name'],
      only: 'table',
      cell: (account) => (
        <span className="account-facts">
          <span translate="no">{account.name}</span>
          <Facts kind={kind} account={account} />
        </span>
      ),
    },
  ];
}

/** All that can be done with an account. */
function Acts({ kind, account, children }: FactsProps & { children: ReactNode }) {
  const { Acts: Own } = partsOf(kind);
  return (
    <span className="account-acts">
      {Own && <Own account={account} />}
      {hasFacts(kind) && account.can_edit && <TestButton kind={kind} account={account} />}
      {children}
    </span>
  );
}

function valueColumns({ kind, isOpen }: Pick<ColumnsFor, 'kind' | 'isOpen'>): Column<Account>[] {
  const { shown }: AccountKind['screen'] = kind.screen;
  const values = shown.flatMap(({ column, header }): Column<Account>[] => {
    if (column === 'name') return nameColumns(kind, header);
    const cell = (account: Account) => <AccountValue kind={kind} account={account} column={column} isOpen={isOpen} />;
    // No file has secrets.
    return [{ id: column, header, cell, ...(column !== secretFieldOf(kind) && { fields: [column] }) }];
  });
  return shown.some(({ column }) => column === 'name') ? values : [...nameColumns(kind, 'team.name'), ...values];
}

function columnsOf({ kind, isOpen, onEdit, onRemove }: ColumnsFor): Column<Account>[] {
  const { state }: AccountKind['screen'] = kind.screen;
  return [
    ...valueColumns({ kind, isOpen }),
    ...(state
      ? [
          {
            id: 'state',
            header: state,
            fields: ['checked_at', 'check_error'],
            cell: (account: Account) => <AccountState kind={kind} account={account} />,
          },
        ]
      : []),
    {
      id: 'actions',
      header: 'team.actions',
      cell: (account) => (
        <Acts kind={kind} account={account}>
          <RowActions row={account} onEdit={() => onEdit(account)} onRemove={() => onRemove(account)} />
        </Acts>
      ),
    },
  ];
}

/** The accounts of a kind as a table. */
export function AccountTable({ kind, add, isOpen, onEdit, onRemove }: AccountListProps) {
  const t = useT();
  const source = useMemo(() => sourceOf(kind), [kind]);
  const columns = useMemo(() => columnsOf({ kind, isOpen, onEdit, onRemove }), [kind, isOpen, onEdit, onRemove]);
  const layout = useListLayout(kind.noun, columns);
  const seen = useSeenFile(layout.list, source, layout.columns);
  const { accounts = [] } = useAccounts(kind);
  const { count, title }: AccountKind['screen'] = kind.screen;
  return (
    <>
      {accounts.length > 0 && (
        <div className="list-line">
          {count && (
            <h2 className="bp6-heading found">
              <T k={count} n={accounts.length} />
            </h2>
          )}
          <ListTools layout={layout} fields={FIELDS} csv={seen} />
        </div>
      )}
      <DataTable
        height="page"
        isWide
        label={t(title)}
        source={source}
        columns={layout.columns}
        density={layout.settings.density}
        isLoading={layout.isPending}
        failed={textOf(kind, 'list_failed')}
        empty={
          <EmptyState action={add}>
            <T k={textOf(kind, 'empty')} />
          </EmptyState>
        }
      />
    </>
  );
}
