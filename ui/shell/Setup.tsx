import { Callout, Intent } from '@blueprintjs/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { useLocation, useNavigate } from 'react-router-dom';
import { call } from '../kit/api.ts';
import { BusyButton } from '../kit/BusyButton.tsx';
import { Failure, TextField, useSubmit } from '../kit/form/Form.tsx';
import { Front } from './Front.tsx';
import { useReveal } from '../kit/form/Password.tsx';
import { T } from '../kit/T.tsx';
import { setToken } from '../kit/session.ts';
import { NotFound } from './NotFound.tsx';

function SetupForm({ token }: { token: string }) {
  const navigate = useNavigate();
  const form = useForm({ defaultValues: { login: '', password: '' } });
  const submit = useSubmit(form, async (values) => {
    setToken((await call('POST /api/setup', { body: { token, ...values } })).token);
    await navigate('/', { replace: true });
  });
  return (
    <form onSubmit={submit.onSubmit} noValidate aria-busy={submit.busy}>
      <p>
        <T k="setup.text" />
      </p>
      <TextField form={form} name="login" label={<T k="setup.login" />} autoComplete="username" autoCapitalize="none" />
      <TextField
        form={form}
        name="password"
        label={<T k="setup.password" />}
        help={<T k="setup.password_help" />}
        autoComplete="new-password"
        {...useReveal()}
      />
      <Failure text={submit.failure} />
      <BusyButton type="submit" intent="primary" fill busy={submit.busy} text={<T k="setup.submit" />} />
    </form>
  );
}

/** Creates the first administrator, with the token from the link in the terminal. Unavailable once there is a user. */
export function Setup() {
  const { hash } = useLocation();
  const [token] = useState(() => new URLSearchParams(hash.slice(1)).get('t') ?? '');
  const setup = useQuery({ queryKey: ['setup'], queryFn: () => call('GET /api/setup'), retry: false, staleTime: 0 });
  if (setup.isPending) return null;
  if (!setup.data?.open) {
    return (
      <main className="content">
        <NotFound />
      </main>
    );
  }
  return (
    <Front title="setup.title">
      {token === '' ? (
        <Callout intent={Intent.WARNING}>
          <T k="setup.no_token" />
        </Callout>
      ) : (
        <SetupForm token={token} />
      )}
    </Front>
  );
}
