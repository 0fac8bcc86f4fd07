import { useId, useMemo, type ReactNode } from 'react';
import { secretFieldOf, textOf, type AccountKind } from '../../src/shared/accounts/kind.ts';
import type { Kind } from '../../src/shared/accounts/kinds.ts';
import { EmptyState } from '../kit/EmptyState.tsx';
import { SearchField } from '../kit/form/SearchField.tsx';
import { useT } from '../kit/language.ts';
import { ListTools } from '../kit/list/ListTools.tsx';
import { useListLayout } from '../kit/list/useListLayout.ts';
import { useSeenFile } from '../kit/list/useSeenFile.ts';
import { Failed, Skeleton, type Column } from '../kit/table/DataTable.tsx';
import { RowActions } from '../kit/table/RowActions.tsx';
import { T } from '../kit/T.tsx';
import { localRows } from '../kit/table/useRows.ts';
import { useUrlState } from '../kit/useUrlState.ts';
import { TestButton, TestError, TestTag } from './AccountState.tsx';
import { AccountValue } from './AccountValue.tsx';
import { useAccounts, type Account } from './calls.ts';

const VIEW = { search: '' };
// Fewer cards need no search field.
const SEARCHED = 6;

/** The list of a kind in either layout. */
export interface AccountListProps {
  kind: Kind;
  add: ReactNode;
  isOpen: boolean;
  onEdit: (account: Account) => void;
  onRemove: (account: Account) => void;
}

type CardProps = Omit<AccountListProps, 'add'> & { account: Account };

function Card({ kind, account, isOpen, onEdit, onRemove }: CardProps) {
  const id = useId();
  return (
    <article className="card" aria-labelledby={id}>
      <header>
        <h2 id={id} className="bp6-heading card-title">
          {account.name}
        </h2>
        <TestTag kind={kind} account={account} />
      </header>
      <dl>
        {kind.screen.shown.map(({ column, header }) => (
          <div key={column}>
            <dt>
              <T k={header} />
            </dt>
            <dd>
              <AccountValue kind={kind} account={account} column={column} isOpen={isOpen} />
            </dd>
          </div>
        ))}
      </dl>
      <div className="account-error">
        <TestError kind={kind} account={account} />
      </div>
      <footer className="card-actions">
        <RowActions row={account} onEdit={() => onEdit(account)} onRemove={() => onRemove(account)}>
          <TestButton kind={kind} account={account} />
        </RowActions>
      </footer>
    </article>
  );
}

/** The columns of the cards' CSV file: name and lines, without the secret. */
function columnsOf(kind: Kind): readonly Column<Account>[] {
  const shown = kind.screen.shown.filter(({ column }) => column !== secretFieldOf(kind));
  const name: Column<Account> = { id: 'name', header: 'team.name', fields: ['name'], cell: ({ name }) => name };
  return [
    name,
    ...shown.map(({ column, header }) => ({
      id: column,
      header,
      fields: [column],
      cell: (account: Account) => <AccountValue kind={kind} account={account} column={column} isOpen={false} />,
    })),
  ];
}

const matches = (account: Account, columns: readonly string[], search: string): boolean =>
  ['name', ...columns].some((column) => String(account[column]).toLowerCase().includes(search.toLowerCase()));

const FIELDS = Object.keys(VIEW);

/** The views of the cards, and a file of those that are found. */
function Tools({ kind, found }: { kind: Kind; found: readonly Account[] }) {
  const columns = useMemo(() => columnsOf(kind), [kind]);
  const layout = useListLayout(kind.noun, columns);
  const seen = useSeenFile(kind.noun, localRows([kind.noun], found), columns);
  return <ListTools hasCards layout={layout} fields={FIELDS} csv={seen} />;
}

/** The accounts of a kind as cards. */
export function AccountCards(props: AccountListProps) {
  const { kind, add } = props;
  const t = useT();
  const [{ search }, setView] = useUrlState(VIEW);
  const { accounts, error, refetch } = useAccounts(kind);
  const { search: searched }: AccountKind['screen'] = kind.screen;
  if (!accounts) {
    if (!error) return <Skeleton label={t('ui.loading')} />;
    return <Failed sentence={textOf(kind, 'list_failed')} reason={error.message} retry={refetch} />;
  }
  if (accounts.length === 0) {
    return (
      <EmptyState action={add}>
        <T k={textOf(kind, 'empty')} />
      </EmptyState>
    );
  }
  const found = accounts.filter((account) => matches(account, searched?.columns ?? [], search));
  return (
    <>
      <div className="list-line">
        {searched && (accounts.length > SEARCHED || search !== '') && (
          <div className="filters">
            <SearchField
              slash
              label={t(searched.label)}
              value={search}
              onChange={(next) => setView({ search: next })}
            />
          </div>
        )}
        <Tools kind={kind} found={found} />
      </div>
      {found.length === 0 && (
        <EmptyState>
          <T k="ui.nothing_found" />
        </EmptyState>
      )}
      <ul className="account-grid">
        {found.map((account) => (
          <li key={account.id}>
            <Card {...props} account={account} />
          </li>
        ))}
      </ul>
    </>
  );
}
