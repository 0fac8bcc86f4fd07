import { Button, Callout, InputGroup, Intent } from '@blueprintjs/core';
import { useRef, useState, type FormEvent } from 'react';
import { Navigate, useLocation, useNavigate } from 'react-router-dom';
import { DEMO_USERS } from '../../src/shared/demo.ts';
import type { Key, Params } from '../../src/shared/i18n/index.ts';
import { ApiError, call, useCall } from '../kit/api.ts';
import { BusyButton } from '../kit/BusyButton.tsx';
import { useDemo } from './DemoStrip.tsx';
import { Field } from '../kit/form/Form.tsx';
import { Front } from './Front.tsx';
import { useCapsLock, useReveal } from '../kit/form/Password.tsx';
import { Message, T } from '../kit/T.tsx';
import { nextPath, setToken, useSession } from '../kit/session.ts';
import { PasskeyButton } from './PasskeyButton.tsx';
import { challengeIn, SecondStep, type Challenge } from './SecondStep.tsx';

type Reason = { k: Key } & Params;

/**
 * Returns the reason shown beside the one message of a failed sign-in; only reasons unrelated to the typed credentials.
 */
function reasonOf(error: unknown): Reason | undefined {
  if (!(error instanceof ApiError)) return undefined;
  if (error.status === 429) return { k: 'login.too_many', n: error.retryAfter ?? 60 };
  if (error.status === 503 && error.retryAfter !== undefined) return { k: 'error.overloaded' };
  return error.status === 0 || error.status >= 500 ? { k: 'ui.unreachable' } : undefined;
}

/** Without users, nobody can sign in here: points to the setup link in the terminal. */
function FirstRun() {
  const { data } = useCall('GET /api/health');
  if (!data?.first_run) return null;
  return (
    <Callout intent={Intent.PRIMARY} className="front-note">
      <p>
        <T k="login.first_run" />
      </p>
      <code>seo-admin user create --login admin --role admin</code>
    </Callout>
  );
}

function Failed({ reason }: { reason: Reason | undefined }) {
  return (
    <Callout intent={Intent.DANGER} role="alert" className="front-note">
      <T k="login.failed" />
      {reason && (
        <div className="failure-reason">
          <T {...reason} />
        </div>
      )}
    </Callout>
  );
}

interface Credentials {
  login: string;
  password: string;
}

/** A demo shows its logins and passwords. */
function DemoUsers({ onPick }: { onPick: (credentials: Credentials) => void }) {
  if (!useDemo()) return null;
  return (
    <Callout intent={Intent.PRIMARY} className="front-note demo-users">
      <T k="demo.users" /> <code>{DEMO_USERS.map(({ login, password }) => `${login} / ${password}`).join(', ')}</code>
      {DEMO_USERS.map(({ login, password }) => (
        <Button
          key={login}
          fill
          text={<T k="demo.sign_in" login={login} />}
          onClick={() => onPick({ login, password })}
        />
      ))}
    </Callout>
  );
}

/** Signs in and opens the screen that was asked for. `onFailed` gets whether the server has checked the password. */
function useSignIn(search: string, onFailed: (isChecked: boolean) => void) {
  const navigate = useNavigate();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<{ reason: Reason | undefined }>();
  const [asked, setAsked] = useState<Challenge>();
  const enter = async (token: string): Promise<void> => {
    setToken(token);
    await navigate(nextPath(search), { replace: true });
  };
  const signIn = async (credentials: Credentials): Promise<void> => {
    setBusy(true);
    setFailure(undefined);
    try {
      await enter((await call('POST /api/login', { body: credentials })).token);
    } catch (error) {
      const challenge = challengeIn(error);
      setAsked(challenge);
      setBusy(false);
      if (challenge) return;
      setFailure({ reason: reasonOf(error) });
      // The server did not check the password if it asks to retry later.
      onFailed(!(error instanceof ApiError && error.retryAfter !== undefined));
    }
  };
  return { signIn, enter, asked, leave: () => setAsked(undefined), busy, failure };
}

function LoginForm({ search }: { search: string }) {
  const [login, setLogin] = useState('');
  const [password, setPassword] = useState('');
  const passwordField = useRef<HTMLInputElement>(null);
  const reveal = useReveal();
  const caps = useCapsLock();
  const [over, setOver] = useState<string>();
  const { signIn, enter, asked, leave, busy, failure } = useSignIn(search, (isChecked) => {
    if (isChecked) setPassword('');
    passwordField.current?.focus();
  });
  const onSubmit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    setOver(undefined);
    if (!busy) void signIn({ login, password });
  };
  const onBack = (reason?: string): void => {
    setOver(reason);
    setPassword('');
    leave();
  };
  if (asked) return <SecondStep asked={asked} onToken={(token) => void enter(token)} onBack={onBack} />;
  return (
    <form onSubmit={onSubmit} noValidate aria-busy={busy}>
      <DemoUsers onPick={(user) => void (busy || signIn(user))} />
      <Field label={<T k="login.login" />}>
        {(control) => (
          <InputGroup
            {...control}
            value={login}
            onValueChange={setLogin}
            name="login"
            autoComplete="username"
            autoCapitalize="none"
            // oxlint-disable-next-line jsx-a11y/no-autofocus -- the only thing to do on this page
            autoFocus
          />
        )}
      </Field>
      <Field label={<T k="login.password" />} help={caps.hint}>
        {(control) => (
          <InputGroup
            {...control}
            {...reveal}
            value={password}
            onValueChange={setPassword}
            name="password"
            autoComplete="current-password"
            inputRef={passwordField}
            onKeyUp={caps.onKeyUp}
          />
        )}
      </Field>
      {over !== undefined && (
        <Callout intent={Intent.WARNING} role="alert" className="front-note">
          <Message text={over} />
        </Callout>
      )}
      {failure && <Failed reason={failure.reason} />}
      <BusyButton type="submit" intent="primary" fill busy={busy} text={<T k="login.submit" />} />
      <PasskeyButton onToken={(token) => void enter(token)} />
    </form>
  );
}

/** The sign-in. Every failure shows the same message; a signed-in user is redirected. */
export function Login() {
  const { search } = useLocation();
  const { token } = useSession();
  if (token !== '') return <Navigate replace to={nextPath(search)} />;
  return (
    <Front title="login.title">
      {new URLSearchParams(search).has('expired') && (
        <Callout intent={Intent.PRIMARY} className="front-note">
          <T k="login.expired" />
        </Callout>
      )}
      <FirstRun />
      <LoginForm search={search} />
    </Front>
  );
}
