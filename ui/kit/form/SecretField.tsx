import { Button, TextArea } from '@blueprintjs/core';
import { EyeOffIcon, EyeOpenIcon } from '../icons.tsx';
import { useState, type ClipboardEvent, type ReactNode } from 'react';
import type { FieldValues, Path, PathValue, UseFormReturn } from 'react-hook-form';
import { useT } from '../language.ts';
import { Field, TextField } from './Form.tsx';
import { useReveal } from './Password.tsx';
import { T } from '../T.tsx';
import './SecretField.css';

const PLAIN = { autoComplete: 'new-password', autoCapitalize: 'none', spellCheck: false };

interface SecretFieldProps<Values extends FieldValues> {
  form: UseFormReturn<Values>;
  name: Path<Values>;
  label: ReactNode;
  help?: ReactNode;
}

/** The secret of a server: a password, or a multi-line private key. Pasting a key switches to the multi-line field. */
export function SecretField<Values extends FieldValues>({ form, name, label, help }: SecretFieldProps<Values>) {
  const t = useT();
  const [isKey, setKey] = useState(false);
  const [shown, setShown] = useState(false);
  const reveal = useReveal();
  const take = (event: ClipboardEvent): void => {
    const text = event.clipboardData.getData('text');
    if (!/^\s*-----BEGIN /.test(text)) return;
    // A one-line field would join the lines and corrupt the key.
    event.preventDefault();
    form.setValue(name, text as PathValue<Values, Path<Values>>, { shouldDirty: true });
    setKey(true);
  };
  const change = (): void => {
    form.resetField(name);
    setKey(!isKey);
  };
  return (
    <>
      {isKey ? (
        <KeyField form={form} name={name} label={label} help={help} shown={shown} />
      ) : (
        <TextField form={form} name={name} label={label} help={help} {...PLAIN} {...reveal} onPaste={take} />
      )}
      <div className="secret-field-acts">
        <Button
          variant="minimal"
          size="small"
          text={<T k={isKey ? 'servers.use_password' : 'servers.use_key'} />}
          onClick={change}
        />
        {isKey && (
          <Button
            variant="minimal"
            size="small"
            icon={shown ? <EyeOffIcon /> : <EyeOpenIcon />}
            aria-label={t('ui.show_password')}
            aria-pressed={shown}
            onClick={() => setShown(!shown)}
          />
        )}
      </div>
    </>
  );
}

interface KeyFieldProps<Values extends FieldValues> extends SecretFieldProps<Values> {
  shown: boolean;
}

function KeyField<Values extends FieldValues>({ form, name, label, help, shown }: KeyFieldProps<Values>) {
  const { ref, onChange, ...registered } = form.register(name);
  const error = form.getFieldState(name, form.formState).error?.message;
  return (
    <Field label={label} error={error} help={help ?? <T k="servers.key_help" />}>
      {(control) => (
        <TextArea
          fill
          rows={6}
          className={shown ? 'key-field' : 'key-field key-field-hidden'}
          {...PLAIN}
          {...registered}
          {...control}
          inputRef={ref}
          onChange={(event) => void onChange(event)}
          intent={error === undefined ? 'none' : 'danger'}
        />
      )}
    </Field>
  );
}
