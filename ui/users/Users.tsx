import { Callout, Card, Intent, Tag } from '@blueprintjs/core';
import { useMemo, useState } from 'react';
import { useForm } from 'react-hook-form';
import type { UserView } from '../../src/shared/access/users.ts';
import { call, refresh } from '../kit/api.ts';
import { BusyButton } from '../kit/BusyButton.tsx';
import { CopyButton } from '../kit/CopyButton.tsx';
import type { Column } from '../kit/table/DataTable.tsx';
import { ListSection } from '../kit/table/ListSection.tsx';
import { Failure, TextField, useSubmit } from '../kit/form/Form.tsx';
import { useReveal } from '../kit/form/Password.tsx';
import { LogLink } from '../audit/LogLink.tsx';
import { Screen } from '../kit/Screen.tsx';
import { NoData } from '../kit/Status.tsx';
import { T } from '../kit/T.tsx';
import { pageOf, type RowsSource } from '../kit/table/useRows.ts';
import { useFormats, useT } from '../kit/language.ts';

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

function CreatedAt({ user }: { user: UserView }) {
  const formats = useFormats();
  return <>{formats.date(user.created_at)}</>;
}

const COLUMNS: readonly Column<UserView>[] = [
  { id: 'login', header: 'users.login', card: 'title', cell: (user) => user.login },
  { id: 'role', header: 'users.role', cell: (user) => <span lang="en">{user.role}</span> },
  { id: 'telegram', header: 'users.telegram', cell: (user) => user.telegram || <NoData /> },
  {
    id: 'active',
    header: 'users.active',
    card: 'status',
    cell: (user) => (
      <Tag minimal intent={user.active ? 'success' : 'none'}>
        <T k={user.active ? 'users.active_yes' : 'users.active_no'} />
      </Tag>
    ),
  },
  { id: 'created', header: 'users.created_at', cell: (user) => <CreatedAt user={user} /> },
];

function UserList() {
  // The call returns all users at once; there are never many.
  const source = useMemo<RowsSource<UserView>>(
    () => ({
      key: ['GET /api/users'],
      load: async (page, signal) => {
        const { data } = await call('GET /api/users', { signal });
        return pageOf(data, page);
      },
    }),
    [],
  );
  return (
    <ListSection title="users.list" source={source} columns={COLUMNS} failed="users.list_failed" empty="users.none" />
  );
}

/** Administrators create users here; a new user is always a `user`. */
export function Users() {
  return (
    <Screen title="nav.create_user" actions={<LogLink />}>
      <CreateUser />
      <UserList />
    </Screen>
  );
}
