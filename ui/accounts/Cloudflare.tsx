import { Button, Tag } from '@blueprintjs/core';
import { AddIcon, ErrorIcon, MinusIcon, RefreshIcon, TickIcon } from '../kit/icons.tsx';
import { lazy, Suspense, useId, useState, type ReactNode } from 'react';
import type { CloudflareAccountView } from '../../src/shared/accounts/cloudflare-accounts.ts';
import type { Key } from '../../src/shared/i18n/index.ts';
import { call, refresh, useCall } from '../kit/api.ts';
import { BusyButton } from '../kit/BusyButton.tsx';
import { CopyIcon } from '../kit/CopyButton.tsx';
import { Failed, Skeleton } from '../kit/table/DataTable.tsx';
import { EmptyState } from '../kit/EmptyState.tsx';
import { RowActions } from '../kit/table/RowActions.tsx';
import { useRowKeys } from '../kit/table/rowKeys.ts';
import { Screen } from '../kit/Screen.tsx';
import { SearchField } from '../kit/form/SearchField.tsx';
import { SecretText } from '../kit/table/SecretText.tsx';
import { Message, T } from '../kit/T.tsx';
import { toast, toastFailure } from '../kit/toasts.tsx';
import { useUrlState } from '../kit/useUrlState.ts';
import { Remove } from '../kit/dialog/Remove.tsx';
import { useFormats, useT } from '../kit/language.ts';
import './Cloudflare.css';
import { Loading } from '../kit/Loading.tsx';

const CloudflareAccount = lazy(async () => ({
  default: (await import('./CloudflareAccount.tsx')).CloudflareAccount,
}));

const VIEW = { search: '' };
// Fewer cards need no search field.
const SEARCHED = 6;

interface CardProps {
  account: CloudflareAccountView;
  onEdit: () => void;
  onRemove: () => void;
}

function Line({ label, children }: { label: Key; children: ReactNode }) {
  return (
    <div>
      <dt>
        <T k={label} />
      </dt>
      <dd>{children}</dd>
    </div>
  );
}

/** Shows whether the key worked at the last test. */
function KeyTag({ account: { checked_at, check_error } }: { account: CloudflareAccountView }) {
  const formats = useFormats();
  if (checked_at === null) {
    return (
      <Tag minimal icon={<MinusIcon />}>
        <T k="cloudflare.unchecked" />
      </Tag>
    );
  }
  const title = formats.dateTime(checked_at);
  return check_error === null ? (
    <Tag minimal intent="success" icon={<TickIcon />} htmlTitle={title}>
      <T k="cloudflare.checked" ago={formats.ago(checked_at)} />
    </Tag>
  ) : (
    <Tag minimal intent="danger" icon={<ErrorIcon />} htmlTitle={title}>
      <T k="cloudflare.broken" ago={formats.ago(checked_at)} />
    </Tag>
  );
}

function TestButton({ account }: { account: CloudflareAccountView }) {
  const t = useT();
  const [busy, setBusy] = useState(false);
  const test = async (): Promise<void> => {
    setBusy(true);
    try {
      const params = { id: account.id };
      const { data } = await call('POST /api/cloudflare_accounts/:id/test', { params, body: {} });
      await refresh('GET /api/cloudflare_accounts');
      if (data.ok) toast.success(`${account.name}: ${data.message}`);
      else toast.error(`${account.name}: ${data.message}`);
    } catch (error) {
      toastFailure(t('cloudflare.test_failed'), error);
    }
    setBusy(false);
  };
  return (
    <BusyButton
      size="small"
      busy={busy}
      icon={<RefreshIcon />}
      text={<T k="cloudflare.test" />}
      aria-label={t('sites.action_on', { action: t('cloudflare.test'), name: account.name })}
      onClick={() => void test()}
    />
  );
}

function NameServers({ account: { name, ns_1, ns_2 } }: { account: CloudflareAccountView }) {
  const pair = [ns_1, ns_2].filter((server) => server !== null).join(', ');
  if (pair === '') return <T k="cloudflare.no_ns" />;
  return (
    <>
      {pair} <CopyIcon text={pair} name={`NS ${name}`} />
    </>
  );
}

function AccountCard({ account, onEdit, onRemove }: CardProps) {
  const id = useId();
  const formats = useFormats();
  const { zones, groups } = account;
  return (
    <article className="card" aria-labelledby={id}>
      <header>
        <h2 id={id} className="bp6-heading card-title">
          {account.name}
        </h2>
        <KeyTag account={account} />
      </header>
      <dl>
        <Line label="cloudflare.email">{account.email || '—'}</Line>
        <Line label="cloudflare.key">
          <SecretText value={account.api_key} name={account.name} />
        </Line>
        <Line label="cloudflare.ns">
          <NameServers account={account} />
        </Line>
        <Line label="cloudflare.zones">{zones === null ? '—' : formats.number(zones)}</Line>
        <Line label="cloudflare.domains">{formats.number(account.domains)}</Line>
        <Line label="cloudflare.groups">{groups.map(({ name }) => name).join(', ') || '—'}</Line>
        <Line label="cloudflare.created">{formats.date(account.created_at)}</Line>
      </dl>
      {account.check_error !== null && (
        <p className="bad account-error">
          <Message text={account.check_error} />
        </p>
      )}
      <footer className="card-actions">
        <RowActions row={account} onEdit={onEdit} onRemove={onRemove}>
          <TestButton account={account} />
        </RowActions>
      </footer>
    </article>
  );
}

const matches = ({ name, email }: CloudflareAccountView, search: string): boolean =>
  `${name}\n${email}`.toLowerCase().includes(search.toLowerCase());

interface ListProps {
  accounts: readonly CloudflareAccountView[];
  add: ReactNode;
  onEdit: (account: CloudflareAccountView) => void;
  onRemove: (account: CloudflareAccountView) => void;
}

function AccountList({ accounts, add, onEdit, onRemove }: ListProps) {
  const t = useT();
  const [{ search }, setView] = useUrlState(VIEW);
  const found = accounts.filter((account) => matches(account, search));
  if (accounts.length === 0) {
    return (
      <EmptyState action={add}>
        <T k="cloudflare.empty" />
      </EmptyState>
    );
  }
  return (
    <>
      {(accounts.length > SEARCHED || search !== '') && (
        <div className="filters">
          <SearchField
            slash
            label={t('cloudflare.search')}
            value={search}
            onChange={(next) => setView({ search: next })}
          />
        </div>
      )}
      {found.length === 0 && (
        <EmptyState>
          <T k="ui.nothing_found" />
        </EmptyState>
      )}
      <ul className="account-grid">
        {found.map((account) => (
          <li key={account.id}>
            <AccountCard account={account} onEdit={() => onEdit(account)} onRemove={() => onRemove(account)} />
          </li>
        ))}
      </ul>
    </>
  );
}

/** The CDN accounts as cards. */
export function Cloudflare() {
  const t = useT();
  const { data, error, refetch } = useCall('GET /api/cloudflare_accounts');
  const [editing, setEditing] = useState<CloudflareAccountView | 'new'>();
  const [removing, setRemoving] = useState<CloudflareAccountView>();
  const add = (
    <Button intent="primary" icon={<AddIcon />} text={<T k="cloudflare.add" />} onClick={() => setEditing('new')} />
  );
  useRowKeys(data?.data ?? [], { add: () => setEditing('new'), edit: setEditing, remove: setRemoving });
  return (
    <Screen title="nav.cloudflare" actions={add}>
      {error && !data && (
        <Failed sentence="cloudflare.list_failed" reason={error.message} retry={() => void refetch()} />
      )}
      {!data && !error && <Skeleton label={t('ui.loading')} />}
      {data && <AccountList accounts={data.data} add={add} onEdit={setEditing} onRemove={setRemoving} />}
      <Suspense fallback={<Loading />}>
        {editing && (
          <CloudflareAccount account={editing === 'new' ? undefined : editing} onClose={() => setEditing(undefined)} />
        )}
      </Suspense>
      {removing && (
        <Remove
          title={<T k="cloudflare.remove_title" name={removing.name} n={removing.domains} />}
          failed={t('cloudflare.delete_failed')}
          lists={['GET /api/cloudflare_accounts']}
          words={{ confirm: 'cloudflare.yes', cancel: 'cloudflare.no' }}
          remove={() => call('DELETE /api/cloudflare_accounts/:id', { params: { id: removing.id } })}
          onClose={() => setRemoving(undefined)}
        >
          <p>
            <T k="cloudflare.remove_question" />
          </p>
        </Remove>
      )}
    </Screen>
  );
}
