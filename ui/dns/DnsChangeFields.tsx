import { Classes, FormGroup, HTMLSelect, InputGroup, Switch } from '@blueprintjs/core';
import { LockIcon } from '../kit/icons.tsx';
import { useId, type RefObject } from 'react';
import { Link } from 'react-router-dom';
import type { CloudflareAccountView } from '../../src/shared/accounts/cloudflare-accounts.ts';
import type { Key } from '../../src/shared/i18n/index.ts';
import type { ServerView } from '../../src/shared/accounts/servers.ts';
import { nameOf } from '../accounts/nameOf.ts';
import { useCall } from '../kit/api.ts';
import { useT } from '../kit/language.ts';
import { Failed } from '../kit/table/DataTable.tsx';
import type { DnsChangeField, DnsChangeValues } from './dnsChange.ts';
import { DomainCombobox } from '../domains/DomainCombobox.tsx';
import { Field } from '../kit/form/Form.tsx';
import { T } from '../kit/T.tsx';

/** Loads the servers and the accounts as two queries, so that each can fail alone. */
export function useDnsChoices() {
  const accounts = useCall('GET /api/cloudflare_accounts');
  const servers = useCall('GET /api/servers');
  return { accounts, servers };
}

interface Option {
  value: string;
  label: string;
}

interface ChoiceProps {
  label: Key;
  /** The placeholder while nothing is chosen. */
  prompt: Key;
  options: readonly Option[] | undefined;
  /** The text and link for an empty list of options. */
  none: { text: Key; to: string };
  failed: { sentence: Key; error: Error | null; retry: () => unknown };
  value: string;
  error: string | undefined;
  selectRef: (element: HTMLElement | null) => void;
  onChange: (value: string) => void;
}

function Choice({ label, prompt, options, none, failed, value, error, selectRef, onChange }: ChoiceProps) {
  const t = useT();
  const help = options?.length === 0 && (
    <Link to={none.to}>
      <T k={none.text} />
    </Link>
  );
  return (
    <>
      <Field label={<T k={label} />} error={error} help={help || undefined}>
        {(control) => (
          <HTMLSelect
            fill
            {...control}
            ref={selectRef}
            value={value}
            options={[{ value: '', label: t(prompt) }, ...(options ?? [])]}
            onChange={(event) => onChange(event.currentTarget.value)}
          />
        )}
      </Field>
      {failed.error && (
        <Failed sentence={failed.sentence} reason={failed.error.message} retry={() => void failed.retry()} />
      )}
    </>
  );
}

/** A domain that comes from the URL and can't be edited. */
function LockedDomain({ domain }: { domain: string }) {
  const id = useId();
  return (
    <FormGroup
      label={<T k="dns_change.domain" />}
      labelFor={id}
      helperText={
        <span id={`${id}-help`}>
          <T k="dns_change.domain_locked" />{' '}
          <Link to="/dns" replace>
            <T k="dns_change.domain_other" />
          </Link>
        </span>
      }
    >
      <InputGroup
        fill
        readOnly
        id={id}
        aria-describedby={`${id}-help`}
        leftIcon={<LockIcon />}
        value={domain}
        translate="no"
      />
    </FormGroup>
  );
}

interface DnsChangeFieldsProps {
  values: DnsChangeValues;
  /** The domain from the URL; empty if there is none. */
  locked: string;
  /** The fault of each wrong field, as text. */
  faulty: ReadonlyMap<DnsChangeField, string>;
  elements: RefObject<Partial<Record<DnsChangeField, HTMLElement | null>>>;
  onChange: (change: Partial<DnsChangeValues>) => void;
}

function Switches({ values, onChange }: Pick<DnsChangeFieldsProps, 'values' | 'onChange'>) {
  return (
    <div className={Classes.FORM_GROUP}>
      <Switch
        checked={values.tls}
        labelElement={<T k="dns_change.tls" />}
        onChange={(event) => onChange({ tls: event.currentTarget.checked })}
      />
      <Switch
        checked={values.updateNs}
        labelElement={<T k="dns_change.update_ns" />}
        onChange={(event) => onChange({ updateNs: event.currentTarget.checked })}
      />
    </div>
  );
}

/** The fields of a DNS change, each with its fault. */
export function DnsChangeFields({ values, locked, faulty, elements, onChange }: DnsChangeFieldsProps) {
  const t = useT();
  const { accounts, servers } = useDnsChoices();
  const keep = (field: DnsChangeField) => (element: HTMLElement | null) => {
    elements.current[field] = element;
  };
  const accountLabel = (account: CloudflareAccountView): string => {
    const name = nameOf(accounts.data?.data ?? [])(account);
    return account.zones === null ? name : t('dns_change.account_zones', { name, n: account.zones });
  };
  const serverLabel = ({ name, ssh_host }: ServerView): string => `${name} — ${ssh_host}`;
  return (
    <>
      <Choice
        label="dns_change.account"
        prompt="dns_change.choose_account"
        options={accounts.data?.data.map((account) => ({ value: String(account.id), label: accountLabel(account) }))}
        none={{ text: 'dns_change.no_accounts', to: '/cloudflare' }}
        failed={{ sentence: 'dns_change.accounts_failed', error: accounts.error, retry: accounts.refetch }}
        value={values.account}
        error={faulty.get('account')}
        selectRef={keep('account')}
        onChange={(account) => onChange({ account })}
      />
      {locked === '' ? (
        <DomainCombobox
          label={<T k="dns_change.domain" />}
          help={<T k="dns_change.domain_help" />}
          value={values.domain}
          error={faulty.get('domain')}
          inputRef={keep('domain')}
          onChange={(domain) => onChange({ domain })}
        />
      ) : (
        <LockedDomain domain={locked} />
      )}
      <Choice
        label="dns_change.server"
        prompt="dns_change.choose_server"
        options={servers.data?.data.map((server) => ({ value: String(server.id), label: serverLabel(server) }))}
        none={{ text: 'dns_change.no_servers', to: '/servers' }}
        failed={{ sentence: 'dns_change.servers_failed', error: servers.error, retry: servers.refetch }}
        value={values.server}
        error={faulty.get('server')}
        selectRef={keep('server')}
        onChange={(server) => onChange({ server })}
      />
      <Switches values={values} onChange={onChange} />
    </>
  );
}
