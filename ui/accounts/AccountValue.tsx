import { Link } from 'react-router-dom';
import { secretFieldOf } from '../../src/shared/accounts/kind.ts';
import type { Kind } from '../../src/shared/accounts/kinds.ts';
import type { Table } from '../../src/shared/table.ts';
import { CopyIcon } from '../kit/CopyButton.tsx';
import { useFormats } from '../kit/language.ts';
import { SecretText } from '../kit/table/SecretText.tsx';
import { T } from '../kit/T.tsx';
import { namesIn, type Account } from './calls.ts';
import { partsOf } from './parts.tsx';

interface ValueProps {
  kind: Kind;
  account: Account;
  column: string;
  /** Secrets are shown in clear until they are hidden by hand. */
  isOpen: boolean;
}

/** Shows a secret; a private key is replaced by a label, because it would fill the screen. */
function Secret({ value, name, isOpen }: { value: string; name: string; isOpen: boolean }) {
  if (value.trimStart().startsWith('-----BEGIN ')) {
    return (
      <span className="secret">
        <T k="servers.private_key" />
        <CopyIcon text={value} name={name} />
      </span>
    );
  }
  return <SecretText key={String(isOpen)} value={value} name={name} open={isOpen} />;
}

/** Shows how many domains use an account, as a link to them where there is a list of these. */
function Domains({ kind, account: { id, domains } }: Pick<ValueProps, 'kind' | 'account'>) {
  const count = useFormats().number(domains);
  const { domainsAt } = kind.screen as { domainsAt?: string };
  return domains === 0 || domainsAt === undefined ? <>{count}</> : <Link to={`${domainsAt}${id}`}>{count}</Link>;
}

/** Shows a column of an account by its type. */
export function AccountValue({ kind, account, column, isOpen }: ValueProps) {
  const formats = useFormats();
  const Part = partsOf(kind).cells?.[column];
  if (Part) return <Part account={account} />;
  if (column === 'domains') return <Domains kind={kind} account={account} />;
  const value = account[column] ?? '';
  if (column === secretFieldOf(kind)) return <Secret value={String(value)} name={account.name} isOpen={isOpen} />;
  const names = namesIn(account, column);
  if (names) return <>{names.map(({ name }) => name).join(', ') || '—'}</>;
  if (value === '') return <>—</>;
  if (typeof value === 'number') return <>{formats.number(value)}</>;
  const table: Table = kind.table;
  if (table.columns[column]?.kind === 'time') return <>{formats.date(String(value))}</>;
  return <span translate="no">{String(value)}</span>;
}
