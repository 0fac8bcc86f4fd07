import { Callout, HTMLSelect } from '@blueprintjs/core';
import { useState } from 'react';
import { useForm, useWatch } from 'react-hook-form';
import type { CloudflareAccountView } from '../../src/shared/accounts/cloudflare-accounts.ts';
import { call, messageOf, refresh } from '../kit/api.ts';
import { BusyButton } from '../kit/BusyButton.tsx';
import { FormDialog } from '../kit/dialog/FormDialog.tsx';
import { Field, TextField, useSubmit } from '../kit/form/Form.tsx';
import { useReveal } from '../kit/form/Password.tsx';
import { Message, T } from '../kit/T.tsx';
import { toast } from '../kit/toasts.tsx';
import { useT } from '../kit/language.ts';

interface CloudflareAccountProps {
  /** The account to edit; without one a new one is added. */
  account?: CloudflareAccountView | undefined;
  onClose: () => void;
}

interface Values {
  name: string;
  email: string;
  api_key: string;
  cf_account_id: string;
}

/** Leaves an empty key out of the body, so that the stored one stays. */
const withoutEmptyKey = ({ api_key, ...rest }: Values): Partial<Values> =>
  api_key === '' ? rest : { ...rest, api_key };

async function save(account: CloudflareAccountView | undefined, values: Values): Promise<CloudflareAccountView> {
  const { data } = account
    ? await call('POST /api/cloudflare_accounts/:id', { params: { id: account.id }, body: withoutEmptyKey(values) })
    : await call('POST /api/cloudflare_accounts', { body: values });
  return data;
}

async function tryLogin(account: CloudflareAccountView | undefined, { email, api_key, cf_account_id }: Values) {
  const { data } =
    account && api_key === ''
      ? await call('POST /api/cloudflare_accounts/:id/test', { params: { id: account.id }, body: {} })
      : await call('POST /api/cloudflare_accounts/test', { body: { email, api_key, cf_account_id } });
  return data;
}

/** Tests the login as typed, before it is saved, and shows the result. */
function TryLogin({
  account,
  values,
  onAccounts,
}: {
  account: CloudflareAccountView | undefined;
  values: () => Values;
  onAccounts: (accounts: CloudflareAccountView['cf_accounts']) => void;
}) {
  const [busy, setBusy] = useState(false);
  const [result, setResult] = useState<{ ok: boolean; message: string }>();
  const run = async (): Promise<void> => {
    setBusy(true);
    setResult(undefined);
    try {
      const found = await tryLogin(account, values());
      setResult(found);
      if (found.accounts.length > 0) onAccounts(found.accounts);
    } catch (error) {
      setResult({ ok: false, message: messageOf(error) });
    }
    setBusy(false);
  };
  return (
    <>
      <BusyButton busy={busy} size="small" text={<T k="cloudflare.test" />} onClick={() => void run()} />
      <div aria-live="polite">
        {result && (
          <Callout compact className="form-failure" intent={result.ok ? 'success' : 'danger'}>
            <Message text={result.message} />
          </Callout>
        )}
      </div>
    </>
  );
}

/** The form of a CDN account. The stored key is never filled in; an empty field keeps it. */
export function CloudflareAccount({ account, onClose }: CloudflareAccountProps) {
  const t = useT();
  const reveal = useReveal();
  const form = useForm<Values>({
    defaultValues: {
      name: account?.name ?? '',
      email: account?.email ?? '',
      api_key: '',
      cf_account_id: account?.cf_account_id ?? '',
    },
  });
  const [accounts, setAccounts] = useState(account?.cf_accounts ?? []);
  const chosen = useWatch({ control: form.control, name: 'cf_account_id' });
  const submit = useSubmit(
    form,
    async (values) => {
      const { name, check_error } = await save(account, values);
      await refresh('GET /api/cloudflare_accounts', 'GET /api/cloudflare_groups', 'GET /api/domains');
      toast.success(t(account ? 'cloudflare.saved' : 'cloudflare.added', { name }));
      if (check_error !== null) toast.error(check_error, { timeout: 10_000 });
      onClose();
    },
    t(account ? 'cloudflare.edit_failed' : 'cloudflare.add_failed'),
  );
  const plain = { autoComplete: 'off', autoCapitalize: 'none', spellCheck: false };
  return (
    <FormDialog
      width={480}
      title={account ? <T k="cloudflare.edit_title" name={account.name} /> : <T k="cloudflare.add_title" />}
      action={<T k="team.save" />}
      submit={submit}
      dirty={form.formState.isDirty}
      onClose={onClose}
    >
      <TextField form={form} name="name" label={<T k="cloudflare.name" />} autoComplete="off" />
      <TextField
        form={form}
        name="email"
        label={<T k="cloudflare.email" />}
        help={<T k="cloudflare.email_help" />}
        {...plain}
      />
      <TextField
        form={form}
        name="api_key"
        label={<T k="cloudflare.key" />}
        help={<T k={account ? 'cloudflare.key_kept' : 'cloudflare.key_help'} />}
        {...plain}
        {...reveal}
        autoComplete="new-password"
      />
      {(accounts.length > 1 || chosen !== '') && (
        <Field
          label={<T k="cloudflare.zones_account" />}
          help={<T k="cloudflare.zones_account_help" />}
          error={form.formState.errors.cf_account_id?.message}
        >
          {(props) => (
            <HTMLSelect {...props} fill {...form.register('cf_account_id')}>
              <option value="">{t('cloudflare.zones_account_none')}</option>
              {chosen !== '' && !accounts.some(({ id }) => id === chosen) && <option value={chosen}>{chosen}</option>}
              {accounts.map(({ id, name }) => (
                <option key={id} value={id}>{`${name} (${id.slice(0, 8)}…)`}</option>
              ))}
            </HTMLSelect>
          )}
        </Field>
      )}
      <TryLogin account={account} values={form.getValues} onAccounts={setAccounts} />
    </FormDialog>
  );
}
