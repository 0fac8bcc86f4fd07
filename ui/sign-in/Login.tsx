import { useEffect, useRef, useState, type FormEvent } from 'react';
import { DEMO_USERS } from '../../src/shared/demo.ts';
import type { Key, Params } from '../../src/shared/i18n/index.ts';
import { ApiError, call } from '../kit/call.ts';
import { Field } from '../kit/form/Field.tsx';
import { useCapsLock, useReveal } from '../kit/form/Password.tsx';
import { Button } from '../kit/plain/Button.tsx';
import { Callout } from '../kit/plain/Callout.tsx';
import { TextInput } from '../kit/plain/TextInput.tsx';
import { Message, T } from '../kit/T.tsx';
import { formerToken, nextPath, setToken, useSession } from '../kit/session.ts';
import { servedByDemo } from '../shell/servedByDemo.ts';
import { loadAhead } from './ahead.ts';
import { Front } from './Front.tsx';
import { PasskeyButton } from './PasskeyButton.tsx';
import { challengeIn, SecondStep, type Challenge } from './SecondStep.tsx';
import type { Health } from './useHealth.ts';

type Reason = { k: Key } & Params;

/**
 * Returns the reason shown beside the one message of a failed sign-in; only reasons unrelated to the typed credentials.
 */
function reasonOf(error: unknown): Reason | undefined {
  if (error instanceof DOMException) return { k: 'login.no_storage' };
  if (!(error instanceof ApiError)) return undefined;
  if (error.status === 429) return { k: 'login.too_many', n: error.retryAfter ?? 60 };
  if (error.status === 503 && error.retryAfter !== undefined) return { k: 'error.overloaded' };
  return error.status === 0 || error.status >= 500 ? { k: 'ui.unreachable' } : undefined;
}

/** Without users, nobody can sign in here: points to the setup link in the terminal. */
function FirstRun() {
  return (
    <Callout intent="primary" className="front-note">
      <p>
        <T k="login.first_run" />
      </p>
      <code>seo-admin user create --login admin --role admin</code>
    </Callout>
  );
}

function Failed({ reason }: { reason: Reason | undefined }) {
  return (
    <Callout intent="danger" role="alert" className="front-note">
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
  return (
    <Callout intent="primary" className="front-note demo-users">
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

/** Signs in. `onFailed` gets whether the server has checked the password. */
function useSignIn(onFailed: (isChecked: boolean) => void) {
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<{ reason: Reason | undefined }>();
  const [asked, setAsked] = useState<Challenge>();
  const signIn = async (credentials: Credentials): Promise<void> => {
    setBusy(true);
    setFailure(undefined);
    try {
      setToken((await call('POST /api/login', { body: { ...credentials, former: formerToken() } })).token);
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
  return { signIn, asked, leave: () => setAsked(undefined), busy, failure };
}

function LoginField({ value, onChange }: { value: string; onChange: (typed: string) => void }) {
  return (
    <Field label={<T k="login.login" />}>
      {(control) => (
        <TextInput
          {...control}
          value={value}
          onValueChange={onChange}
          name="login"
          autoComplete="username"
          autoCapitalize="none"
          takesFocus
        />
      )}
    </Field>
  );
}

function LoginForm({ isDemo }: { isDemo: boolean }) {
  const [login, setLogin] = useState('');
  const [password, setPassword] = useState('');
  const passwordField = useRef<HTMLInputElement>(null);
  const reveal = useReveal();
  const caps = useCapsLock();
  const [over, setOver] = useState<string>();
  const { signIn, asked, leave, busy, failure } = useSignIn((isChecked) => {
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
  if (asked) return <SecondStep asked={asked} onToken={setToken} onBack={onBack} />;
  return (
    <form onSubmit={onSubmit} onInput={loadAhead} noValidate aria-busy={busy}>
      {isDemo && <DemoUsers onPick={(user) => void (busy || signIn(user))} />}
      <LoginField value={login} onChange={setLogin} />
      <Field label={<T k="login.password" />} help={caps.hint}>
        {(control) => (
          <TextInput
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
        <Callout intent="warning" role="alert" className="front-note">
          <Message text={over} />
        </Callout>
      )}
      {failure && <Failed reason={failure.reason} />}
      <Button type="submit" intent="primary" fill busy={busy} text={<T k="login.submit" />} />
      <PasskeyButton onToken={setToken} />
    </form>
  );
}

/**
 * The sign-in. Every failure shows the same message. As soon as there is a session, of this page or of another tab, the
 * browser loads the screen that was asked for.
 */
export function Login({ health }: { health: Health | undefined }) {
  const { search } = window.location;
  const { token } = useSession();
  useEffect(() => {
    if (token !== '') window.location.replace(nextPath(search));
  }, [token, search]);
  return (
    <Front title="login.title">
      {new URLSearchParams(search).has('expired') && (
        <Callout intent="primary" className="front-note">
          <T k="login.expired" />
        </Callout>
      )}
      {health?.first_run && <FirstRun />}
      <LoginForm isDemo={health?.demo ?? servedByDemo()} />
    </Front>
  );
}
