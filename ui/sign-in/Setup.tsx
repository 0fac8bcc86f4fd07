import { useEffect, useState, type FormEvent } from 'react';
import { ApiError, call, messageOf } from '../kit/call.ts';
import { EmptyState } from '../kit/EmptyState.tsx';
import { Failure } from '../kit/form/Failure.tsx';
import { Field } from '../kit/form/Field.tsx';
import { useReveal } from '../kit/form/Password.tsx';
import { Button } from '../kit/plain/Button.tsx';
import { Callout } from '../kit/plain/Callout.tsx';
import { TextInput } from '../kit/plain/TextInput.tsx';
import { Screen } from '../kit/Screen.tsx';
import { setToken } from '../kit/session.ts';
import { T } from '../kit/T.tsx';
import { Front } from './Front.tsx';

type Name = 'login' | 'password';

const EMPTY: Record<Name, string> = { login: '', password: '' };

/** The values of the form, their faults, and the submit handler. An edit of a field clears its fault. */
function useSetup(token: string) {
  const [values, setValues] = useState(EMPTY);
  const [errors, setErrors] = useState<Partial<Record<Name, string>>>({});
  const [failure, setFailure] = useState<string>();
  const [busy, setBusy] = useState(false);
  const create = async (form: HTMLFormElement): Promise<void> => {
    setBusy(true);
    setErrors({});
    setFailure(undefined);
    try {
      setToken((await call('POST /api/setup', { body: { token, ...values } })).token);
      window.location.replace('/');
    } catch (error) {
      setBusy(false);
      const wrong = error instanceof ApiError ? Object.keys(error.fields).filter((name) => name in EMPTY) : [];
      if (error instanceof ApiError && wrong.length > 0) setErrors(error.fields);
      else setFailure(messageOf(error));
      form.querySelector<HTMLInputElement>(`[name="${wrong[0]}"]`)?.focus();
    }
  };
  const onSubmit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    if (!busy) void create(event.currentTarget);
  };
  const input = (name: Name) => ({
    name,
    value: values[name],
    onValueChange: (value: string) => {
      setValues({ ...values, [name]: value });
      setErrors({ ...errors, [name]: undefined });
    },
  });
  return { errors, failure, busy, onSubmit, input };
}

function SetupForm({ token }: { token: string }) {
  const { errors, failure, busy, onSubmit, input } = useSetup(token);
  const reveal = useReveal();
  return (
    <form onSubmit={onSubmit} noValidate aria-busy={busy}>
      <p>
        <T k="setup.text" />
      </p>
      <Field label={<T k="setup.login" />} error={errors.login}>
        {(control) => <TextInput {...control} {...input('login')} autoComplete="username" autoCapitalize="none" />}
      </Field>
      <Field label={<T k="setup.password" />} error={errors.password} help={<T k="setup.password_help" />}>
        {(control) => <TextInput {...control} {...input('password')} {...reveal} autoComplete="new-password" />}
      </Field>
      <Failure text={failure} />
      <Button type="submit" intent="primary" fill busy={busy} text={<T k="setup.submit" />} />
    </form>
  );
}

/** The setup is over: the same as an address that leads nowhere. */
function Over() {
  return (
    <main className="content">
      <Screen title="ui.not_found">
        <EmptyState
          action={
            <a href="/">
              <T k="nav.main" />
            </a>
          }
        >
          <T k="ui.not_found_text" />
        </EmptyState>
      </Screen>
    </main>
  );
}

/** Asks whether the setup is open; undefined until the server has answered. Where it can't be asked, it is not. */
function useOpen(): boolean | undefined {
  const [isOpen, setOpen] = useState<boolean>();
  useEffect(() => {
    call('GET /api/setup').then(
      ({ open }) => setOpen(open),
      () => setOpen(false),
    );
  }, []);
  return isOpen;
}

/** Creates the first administrator, with the token from the link in the terminal. Unavailable once there is a user. */
export function Setup() {
  const [token] = useState(() => new URLSearchParams(window.location.hash.slice(1)).get('t') ?? '');
  const isOpen = useOpen();
  if (isOpen === undefined) return null;
  if (!isOpen) return <Over />;
  return (
    <Front title="setup.title">
      {token === '' ? (
        <Callout intent="warning">
          <T k="setup.no_token" />
        </Callout>
      ) : (
        <SetupForm token={token} />
      )}
    </Front>
  );
}
