import { useForm } from 'react-hook-form';
import type { Key } from '../../src/shared/i18n/index.ts';
import { FormDialog } from '../kit/dialog/FormDialog.tsx';
import { TextField, useSubmit } from '../kit/form/Form.tsx';
import { T } from '../kit/T.tsx';

export interface PasswordDialogProps {
  title: Key;
  action: Key;
  danger?: boolean;
  /** With a label, a name is asked for as well. */
  named?: Key;
  about?: Key;
  /** Closes the dialog itself, or opens the next one. */
  run: (password: string, name: string) => Promise<void>;
  onClose: () => void;
}

/** Asks for the own password before the second factor is changed. */
export function PasswordDialog({ title, action, danger = false, named, about, run, onClose }: PasswordDialogProps) {
  const form = useForm({ defaultValues: { name: '', password: '' } });
  const submit = useSubmit(form, ({ password, name }) => run(password, name));
  return (
    <FormDialog
      title={<T k={title} />}
      action={<T k={action} />}
      intent={danger ? 'danger' : 'primary'}
      submit={submit}
      onClose={onClose}
    >
      {about && (
        <p>
          <T k={about} />
        </p>
      )}
      {named && <TextField form={form} name="name" label={<T k={named} />} autoComplete="off" />}
      <TextField
        form={form}
        name="password"
        label={<T k="password.current" />}
        type="password"
        autoComplete="current-password"
      />
    </FormDialog>
  );
}
