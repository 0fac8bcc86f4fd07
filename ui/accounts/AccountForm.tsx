import { useState } from 'react';
import { useForm, useWatch } from 'react-hook-form';
import { fieldsFor, fieldsOf, optionFieldOf, secretFieldOf, textOf } from '../../src/shared/accounts/kind.ts';
import type { Kind } from '../../src/shared/accounts/kinds.ts';
import { FormDialog } from '../kit/dialog/FormDialog.tsx';
import { changesIn } from '../kit/form/changesIn.ts';
import { TextField, useSubmit } from '../kit/form/Form.tsx';
import { useBegun } from '../kit/form/useBegun.ts';
import { useDraft } from '../kit/form/useDraft.ts';
import { useT } from '../kit/language.ts';
import { T } from '../kit/T.tsx';
import { toast } from '../kit/toasts.tsx';
import { AccountInput, type Choice } from './AccountInput.tsx';
import { TestButton } from './AccountState.tsx';
import { namesIn, saveAccount, type Account, type Values } from './calls.ts';
import { TestLogin } from './TestLogin.tsx';

interface AccountFormProps {
  kind: Kind;
  /** The account to edit; without one a new one is added. */
  account?: Account | undefined;
  onClose: () => void;
}

/** The values of the form. The stored secret is never filled in. */
function valuesOf(kind: Kind, account: Account | undefined): Values {
  const fields = fieldsOf(kind).map(([name, field]) => [
    name,
    field.kind === 'secret' ? '' : String(account?.[name] ?? (field.kind === 'option' ? (field.options[0] ?? '') : '')),
  ]);
  return { name: account?.name ?? '', ...(Object.fromEntries(fields) as Values) };
}

/** Leaves an empty secret out of the body of an edit, so that the stored one stays, and settings of other options. */
function bodyOf(kind: Kind, account: Account | undefined, values: Values): Partial<Values> {
  const names = ['name', ...fieldsFor(kind, values).map(([name]) => name)];
  const own = Object.fromEntries(names.map((name) => [name, values[name] ?? '']));
  const { [secretFieldOf(kind)]: secret, ...rest } = own;
  return account && secret === '' ? rest : own;
}

/** Returns the body of an edit: what differs from the stored values, with the secret where one was typed. */
function changesOf(kind: Kind, account: Account, before: Values, values: Values): Partial<Values> {
  return changesIn<Partial<Values>>(bodyOf(kind, account, before), bodyOf(kind, account, values));
}

/** Returns the login of a form, without the name. */
function loginOf(kind: Kind, values: Values): Partial<Values> {
  const { name: _name, ...login } = bodyOf(kind, undefined, values);
  return login;
}

/** Returns the objects that the account's login was last seen to reach. */
function choicesOf(kind: Kind, account: Account | undefined): readonly Choice[] {
  const [field] = fieldsOf(kind).flatMap(([, field]) => (field.kind === 'choice' ? [field] : []));
  const seen = (field && account && namesIn(account, field.among)) ?? [];
  return seen.map(({ id, name }) => ({ id: String(id), name }));
}

/** The form of an account of any kind. An empty secret keeps the stored one. */
export function AccountForm({ kind, account, onClose }: AccountFormProps) {
  const t = useT();
  const { begun, wasOf, explain } = useBegun(valuesOf(kind, account), (now, field) => now[field] ?? '');
  const form = useForm<Values>({ defaultValues: begun });
  useDraft(form, `${kind.noun} ${account?.id ?? 'new'}`, [secretFieldOf(kind)]);
  const [choices, setChoices] = useState(() => choicesOf(kind, account));
  const option = optionFieldOf(kind) ?? 'name';
  const chosen = useWatch({ control: form.control, name: option });
  const isDirty = form.formState.isDirty;
  const edit = (values: Values): object => {
    if (!account) return bodyOf(kind, account, values);
    const changes = changesOf(kind, account, begun, values);
    const { [secretFieldOf(kind)]: _secret, ...told } = changes;
    return { ...changes, ...wasOf(told) };
  };
  const submit = useSubmit(
    form,
    async (values) => {
      const { name, check_error } = await saveAccount(kind, account?.id, edit(values)).catch(async (error: unknown) => {
        throw await explain(error);
      });
      toast.success(t(textOf(kind, account ? 'saved' : 'added'), { name }));
      if (kind.test.onSave && check_error !== null) toast.error(check_error, { timeout: 10_000 });
      onClose();
    },
    t(textOf(kind, account ? 'edit_failed' : 'add_failed')),
  );
  return (
    <FormDialog
      width={480}
      title={account ? <T k={textOf(kind, 'edit_title')} name={account.name} /> : <T k={textOf(kind, 'add_title')} />}
      action={<T k="team.save" />}
      note={!kind.test.unsaved && account && !isDirty && <TestButton kind={kind} account={account} />}
      submit={submit}
      dirty={isDirty}
      onClose={onClose}
    >
      <TextField form={form} name="name" label={<T k={kind.name} />} autoComplete="off" />
      {fieldsFor(kind, { [option]: chosen }).map(([name, field]) => (
        <AccountInput key={name} kind={kind} name={name} field={field} form={form} id={account?.id} choices={choices} />
      ))}
      {kind.test.unsaved && (
        <TestLogin
          kind={kind}
          form={form}
          stored={account && { id: account.id, login: loginOf(kind, valuesOf(kind, account)) }}
          login={() => loginOf(kind, form.getValues())}
          onChoices={setChoices}
        />
      )}
    </FormDialog>
  );
}
