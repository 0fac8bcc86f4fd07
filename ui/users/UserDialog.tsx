import { Button, Callout, Checkbox } from '@blueprintjs/core';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import type { Key } from '../../src/shared/i18n/index.ts';
import { ROLES, type UserListed } from '../../src/shared/access/users.ts';
import { call, refresh } from '../kit/api.ts';
import { CopyButton } from '../kit/CopyButton.tsx';
import { Confirm } from '../kit/dialog/Confirm.tsx';
import { FormDialog } from '../kit/dialog/FormDialog.tsx';
import { changesIn } from '../kit/form/changesIn.ts';
import { useSubmit } from '../kit/form/Form.tsx';
import { SelectField } from '../kit/form/SelectField.tsx';
import { useDraft } from '../kit/form/useDraft.ts';
import { useT } from '../kit/language.ts';
import { useSession } from '../kit/session.ts';
import { T } from '../kit/T.tsx';
import { toast, toastFailure } from '../kit/toasts.tsx';

type Act = 'password' | 'sessions' | 'factor';

const TEXTS: Record<Act, { action: Key; about: Key }> = {
  password: { action: 'people.reset_password', about: 'people.reset_password_about' },
  sessions: { action: 'people.sign_out', about: 'people.sign_out_about' },
  factor: { action: 'people.reset_factor', about: 'people.reset_factor_about' },
};

/** Performs an act on a user; returns the new password, if it made one. */
async function perform(act: Act, id: number): Promise<string | undefined> {
  const params = { id };
  if (act === 'password') return (await call('POST /api/users/:id/password', { params, body: {} })).password;
  await call(act === 'sessions' ? 'DELETE /api/users/:id/sessions' : 'DELETE /api/users/:id/second_factor', { params });
  return undefined;
}

function Acts({ user }: { user: UserListed }) {
  const t = useT();
  const [asked, setAsked] = useState<Act>();
  const [busy, setBusy] = useState(false);
  const [password, setPassword] = useState<string>();
  const run = async (act: Act): Promise<void> => {
    setBusy(true);
    try {
      setPassword(await perform(act, user.id));
      await refresh('GET /api/users');
      toast.success(t('people.changed'));
    } catch (error) {
      toastFailure(t('people.failed'), error);
    }
    setBusy(false);
    setAsked(undefined);
  };
  const acts: Act[] = user.second_factor ? ['password', 'sessions', 'factor'] : ['password', 'sessions'];
  return (
    <div className="user-acts">
      {acts.map((act) => (
        <Button key={act} size="small" text={<T k={TEXTS[act].action} />} onClick={() => setAsked(act)} />
      ))}
      {password !== undefined && (
        <Callout intent="warning">
          <T k="people.password_once" /> <code>{password}</code>
          <div>
            <CopyButton text={password} />
          </div>
        </Callout>
      )}
      {asked && (
        <Confirm
          title={<T k={TEXTS[asked].action} />}
          confirm={<T k={TEXTS[asked].action} />}
          busy={busy}
          onConfirm={() => void run(asked)}
          onCancel={() => setAsked(undefined)}
        >
          <p>
            <T k={TEXTS[asked].about} login={user.login} />
          </p>
        </Confirm>
      )}
    </div>
  );
}

/** Changes role and access of a user; resets password, sessions and second factor of others. */
export function UserDialog({ user, onClose }: { user: UserListed; onClose: () => void }) {
  const me = useSession().user;
  const [before] = useState({ role: user.role, active: user.active });
  const form = useForm({ defaultValues: before });
  useDraft(form, `user ${user.id}`);
  const submit = useSubmit(form, async (values) => {
    const body = changesIn(before, values);
    const { message } = await call('PUT /api/users/:id', { params: { id: user.id }, body });
    await refresh('GET /api/users');
    toast.success(message);
    onClose();
  });
  return (
    <FormDialog
      title={user.login}
      action={<T k="people.save" />}
      submit={submit}
      dirty={form.formState.isDirty}
      onClose={onClose}
    >
      <SelectField
        form={form}
        name="role"
        label={<T k="users.role" />}
        options={ROLES.map((role) => ({ value: role, label: role }))}
      />
      <Checkbox {...form.register('active')} labelElement={<T k="people.may_sign_in" />} />
      {me?.id !== user.id && <Acts user={user} />}
    </FormDialog>
  );
}
