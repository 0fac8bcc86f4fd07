import { Callout, Card, Intent } from '@blueprintjs/core';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { call, refresh } from '../kit/api.ts';
import { BusyButton } from '../kit/BusyButton.tsx';
import { CopyButton } from '../kit/CopyButton.tsx';
import { Failure, TextField, useSubmit } from '../kit/form/Form.tsx';
import { useReveal } from '../kit/form/Password.tsx';
import { useDraft } from '../kit/form/useDraft.ts';
import { LogLink } from '../audit/LogLink.tsx';
import { Screen } from '../kit/Screen.tsx';
import { T } from '../kit/T.tsx';
import { useT } from '../kit/language.ts';
import { UserList } from './UserList.tsx';

interface Created {
  id: number;
  access: string;
}

const EMPTY = { login: '', password: '', telegram: '', role: 'user' as const };

function CreateUser() {
  const t = useT();
  const [created, setCreated] = useState<Created>();
  const reveal = useReveal();
  const form = useForm({ defaultValues: EMPTY });
  useDraft(form, 'user new', ['password'], 'page');
  const submit = useSubmit(
    form,
    async (values) => {
      setCreated(undefined);
      const { id } = await call('POST /api/users', { body: values });
      setCreated({ id, access: `${window.location.origin}\n${values.login}\n${values.password}` });
      form.reset(EMPTY);
      await refresh('GET /api/users');
    },
    t('users.failed'),
  );
  return (
    <Card className="form-card">
      <form onSubmit={submit.onSubmit} noValidate aria-busy={submit.busy}>
        <TextField form={form} name="login" label={<T k="users.login" />} autoComplete="off" autoCapitalize="none" />
        <TextField
          form={form}
          name="password"
          label={<T k="users.password" />}
          autoComplete="new-password"
          {...reveal}
        />
        <TextField
          form={form}
          name="telegram"
          label={<T k="users.telegram" />}
          autoComplete="off"
          autoCapitalize="none"
        />
        <TextField form={form} name="role" label={<T k="users.role" />} readOnly />
        <Failure text={submit.failure} />
        {created && (
          <Callout intent={Intent.SUCCESS} role="alert" className="front-note">
            <p>
              <T k="users.created" id={String(created.id)} />
            </p>
            <CopyButton text={created.access} label={t('users.copy_access')} />
          </Callout>
        )}
        <BusyButton type="submit" intent="primary" busy={submit.busy} text={<T k="users.create" />} />
      </form>
    </Card>
  );
}

/** Administrators create users here; a new user is always a `user`. */
export function Users() {
  return (
    <Screen title="nav.create_user" actions={<LogLink />}>
      <div className="beside">
        <CreateUser />
        <UserList />
      </div>
    </Screen>
  );
}
