import { HTMLSelect, Switch } from '@blueprintjs/core';
import { useWatch, type UseFormReturn } from 'react-hook-form';
import type { Field as AccountField } from '../../src/shared/accounts/kind.ts';
import type { Kind } from '../../src/shared/accounts/kinds.ts';
import { Field, TextField } from '../kit/form/Form.tsx';
import { useReveal } from '../kit/form/Password.tsx';
import { SecretField } from '../kit/form/SecretField.tsx';
import { useT } from '../kit/language.ts';
import { T } from '../kit/T.tsx';
import type { Values } from './calls.ts';
import { partsOf } from './parts.tsx';

/** One of the objects that a login reaches. */
export interface Choice {
  id: string;
  name: string;
}

interface InputProps<F extends AccountField = AccountField> {
  kind: Kind;
  name: string;
  field: F;
  form: UseFormReturn<Values>;
  /** The id of the account that is edited. */
  id: number | undefined;
  choices: readonly Choice[];
}

type Of<K extends AccountField['kind']> = Extract<AccountField, { kind: K }>;

const PLAIN = { autoComplete: 'off', autoCapitalize: 'none', spellCheck: false };

function SecretInput({ name, field, form, id }: InputProps<Of<'secret'>>) {
  const reveal = useReveal();
  const help = id === undefined ? field.help : field.kept;
  const shared = { form, name, label: <T k={field.label} />, help: help && <T k={help} /> };
  if (field.lines) return <SecretField {...shared} />;
  return <TextField {...shared} {...PLAIN} {...reveal} autoComplete="new-password" />;
}

/** Shown where there is something to choose. A chosen object that the login does not reach any more stays in the list. */
function ChoiceInput({ name, field, form, choices }: InputProps<Of<'choice'>>) {
  const t = useT();
  const chosen = useWatch({ control: form.control, name }) ?? '';
  if (choices.length <= 1 && chosen === '') return null;
  return (
    <Field
      label={<T k={field.label} />}
      help={field.help && <T k={field.help} />}
      error={form.formState.errors[name]?.message}
    >
      {(props) => (
        <HTMLSelect {...props} fill {...form.register(name)}>
          <option value="">{t(field.none)}</option>
          {chosen !== '' && !choices.some(({ id }) => id === chosen) && <option value={chosen}>{chosen}</option>}
          {choices.map(({ id, name }) => (
            <option key={id} value={id}>{`${name} (${id.slice(0, 8)}…)`}</option>
          ))}
        </HTMLSelect>
      )}
    </Field>
  );
}

/** Chosen once: an account keeps its option. */
function OptionInput({ name, field, form, id }: InputProps<Of<'option'>>) {
  const isLocked = id !== undefined;
  return (
    <Field
      label={<T k={field.label} />}
      help={isLocked && <T k={field.locked} />}
      error={form.formState.errors[name]?.message}
    >
      {(props) => (
        <HTMLSelect {...props} fill {...form.register(name)} disabled={isLocked} options={[...field.options]} />
      )}
    </Field>
  );
}

function SettingInput({ name, field, form }: InputProps<Of<'setting'>>) {
  const value = useWatch({ control: form.control, name });
  const label = <T k={field.label} />;
  const help = field.help && <T k={field.help} />;
  if (field.value !== 'flag') return <TextField form={form} name={name} label={label} help={help} {...PLAIN} />;
  return (
    <Switch
      checked={value === 'on'}
      labelElement={label}
      onChange={(event) => form.setValue(name, event.currentTarget.checked ? 'on' : '', { shouldDirty: true })}
    />
  );
}

function TextInput({ kind, name, field, form, id }: InputProps) {
  const value = useWatch({ control: form.control, name }) ?? '';
  const Help = partsOf(kind).helps?.[name];
  const help = Help ? <Help value={value} id={id} /> : field.help && <T k={field.help} />;
  return <TextField form={form} name={name} label={<T k={field.label} />} help={help} {...PLAIN} />;
}

/** The control of a field of an account. */
export function AccountInput({ field, ...props }: InputProps) {
  if (field.kind === 'secret') return <SecretInput {...props} field={field} />;
  if (field.kind === 'option') return <OptionInput {...props} field={field} />;
  if (field.kind === 'setting') return <SettingInput {...props} field={field} />;
  if (field.kind === 'choice') return <ChoiceInput {...props} field={field} />;
  return <TextInput {...props} field={field} />;
}
