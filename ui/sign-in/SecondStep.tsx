import type { PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/browser';
import { useRef, useState, type FormEvent, type RefObject } from 'react';
import type { Credential, FactorKind } from '../../src/shared/access/factors.ts';
import { ApiError, call, messageOf } from '../kit/call.ts';
import { Field } from '../kit/form/Field.tsx';
import { useT } from '../kit/language.ts';
import { Button } from '../kit/plain/Button.tsx';
import { Callout } from '../kit/plain/Callout.tsx';
import { TextInput } from '../kit/plain/TextInput.tsx';
import { Message, T } from '../kit/T.tsx';

/** The server's answer to a right password that needs a second factor. `passkey` is null where none is registered for this address. */
export interface Challenge {
  challenge: string;
  factors: FactorKind[];
  passkey: PublicKeyCredentialRequestOptionsJSON | null;
}

/** Returns the challenge in a failed sign-in; undefined: it failed for another reason. */
export const challengeIn = (error: unknown): Challenge | undefined =>
  error instanceof ApiError && error.code === 'second_factor_required' ? (error.body as Challenge) : undefined;

type Answer = { code: string } | { assertion: Credential };

interface SecondStepProps {
  asked: Challenge;
  onToken: (token: string) => void;
  /** Back to login and password; with a text, because the challenge is over. */
  onBack: (reason?: string) => void;
}

function useStep({ asked: { challenge, passkey }, onToken, onBack }: SecondStepProps) {
  const t = useT();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  const attempt = async (answer: () => Promise<Answer>, failed?: string): Promise<boolean> => {
    setBusy(true);
    setFailure(undefined);
    try {
      const body = { challenge, ...(await answer()) };
      onToken((await call('POST /api/login', { body })).token);
      return true;
    } catch (error) {
      setBusy(false);
      if (error instanceof ApiError && error.code === 'challenge_over') onBack(error.message);
      else setFailure(error instanceof ApiError ? messageOf(error) : (failed ?? messageOf(error)));
      return false;
    }
  };
  const askPasskey = async (): Promise<Answer> => {
    if (!passkey) throw new Error('no passkey is registered for this address');
    const { startAuthentication } = await import('@simplewebauthn/browser');
    return { assertion: (await startAuthentication({ optionsJSON: passkey })) as unknown as Credential };
  };
  return {
    busy,
    failure,
    sendCode: (code: string) => attempt(async () => ({ code })),
    askForPasskey: () => attempt(askPasskey, t('factor.passkey_cancelled')),
  };
}

interface CodeFieldProps {
  isRecovery: boolean;
  code: string;
  onCode: (typed: string) => void;
  inputRef: RefObject<HTMLInputElement | null>;
}

/** The field of a code: of the app, or a recovery code. */
function CodeField({ isRecovery, code, onCode, inputRef }: CodeFieldProps) {
  return (
    <Field label={<T k={isRecovery ? 'login.recovery_code' : 'login.code'} />}>
      {(control) => (
        <TextInput
          {...control}
          value={code}
          onValueChange={onCode}
          name="code"
          autoComplete="one-time-code"
          autoCapitalize="none"
          spellCheck={false}
          inputMode={isRecovery ? 'text' : 'numeric'}
          inputRef={inputRef}
          takesFocus
        />
      )}
    </Field>
  );
}

/** The second step of a sign-in: a code of the app, a recovery code, or a passkey. */
export function SecondStep(props: SecondStepProps) {
  const { asked, onBack } = props;
  const hasApp = asked.factors.includes('totp');
  const [code, setCode] = useState('');
  const [isRecovery, setRecovery] = useState(!hasApp);
  const field = useRef<HTMLInputElement>(null);
  const { busy, failure, sendCode, askForPasskey } = useStep(props);
  const onSubmit = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    if (busy || (await sendCode(code))) return;
    setCode('');
    field.current?.focus();
  };
  return (
    <form onSubmit={(event) => void onSubmit(event)} noValidate aria-busy={busy}>
      {asked.passkey && (
        <Button
          fill
          className="front-note"
          intent={hasApp ? 'none' : 'primary'}
          busy={busy}
          text={<T k="login.use_passkey" />}
          onClick={() => void askForPasskey()}
        />
      )}
      <CodeField isRecovery={isRecovery} code={code} onCode={setCode} inputRef={field} />
      {failure !== undefined && (
        <Callout intent="danger" role="alert" className="front-note">
          <Message text={failure} />
        </Callout>
      )}
      <Button type="submit" intent="primary" fill busy={busy} text={<T k="login.submit" />} />
      {hasApp && (
        <Button
          fill
          variant="minimal"
          text={<T k={isRecovery ? 'login.use_app' : 'login.use_recovery'} />}
          onClick={() => {
            setRecovery(!isRecovery);
            setCode('');
            field.current?.focus();
          }}
        />
      )}
      <Button fill variant="minimal" text={<T k="login.back" />} onClick={() => onBack()} />
    </form>
  );
}
