import { useMemo } from 'react';
import { textOf, type AccountKind } from '../../src/shared/accounts/kind.ts';
import type { Kind } from '../../src/shared/accounts/kinds.ts';
import { EmptyState } from '../kit/EmptyState.tsx';
import { useT } from '../kit/language.ts';
import { DataTable, type Column } from '../kit/table/DataTable.tsx';
import { RowActions } from '../kit/table/RowActions.tsx';
import type { RowsSource } from '../kit/table/useRows.ts';
import { T } from '../kit/T.tsx';
import type { AccountListProps } from './AccountCards.tsx';
import { AccountState } from './AccountState.tsx';
import { AccountValue } from './AccountValue.tsx';
import { listCall, loadAccounts, useAccounts, type Account } from './calls.ts';

const sourceOf = (kind: Kind): RowsSource<Account> => ({
  key: [listCall(kind)],
  load: async ({ limit, offset }, signal) => {
    const accounts = await loadAccounts(kind, signal);
    return { data: accounts.slice(offset, offset + limit), total: accounts.length };
  },
});

type ColumnsFor = Omit<AccountListProps, 'add'>;

function columnsOf({ kind, isOpen, onEdit, onRemove }: ColumnsFor): Column<Account>[] {
  const { shown, state }: AccountKind['screen'] = kind.screen;
  return [
    { id: 'name', header: 'team.name', card: 'title', cell: ({ name }) => name },
    ...shown.map(({ column, header }): Column<Account> => ({
      id: column,
      header,
      cell: (account) => <AccountValue kind={kind} account={account} column={column} isOpen={isOpen} />,
    })),
    ...(state
      ? [
          {
            id: 'state',
            header: state,
            cell: (account: Account) => <AccountState kind={kind} account={account} />,
          },
        ]
      : []),
    {
      id: 'actions',
      header: 'team.actions',
      cell: (account) => <RowActions row={account} onEdit={() => onEdit(account)} onRemove={() => onRemove(account)} />,
    },
  ];
}

/** The accounts of a kind as a table. */
export function AccountTable({ kind, add, isOpen, onEdit, onRemove }: AccountListProps) {
  const t = useT();
  const source = useMemo(() => sourceOf(kind), [kind]);
  const columns = useMemo(() => columnsOf({ kind, isOpen, onEdit, onRemove }), [kind, isOpen, onEdit, onRemove]);
  const { accounts = [] } = useAccounts(kind);
  const { count, title }: AccountKind['screen'] = kind.screen;
  return (
    <>
      {count && accounts.length > 0 && (
        <h2 className="bp6-heading found">
          <T k={count} n={accounts.length} />
        </h2>
      )}
      <DataTable
        height="page"
        label={t(title)}
        source={source}
        columns={columns}
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
