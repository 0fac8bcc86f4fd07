import type { PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/browser';
import { useState } from 'react';
import type { Credential } from '../../src/shared/access/factors.ts';
import { ApiError, call, messageOf } from '../kit/call.ts';
import { KeyIcon } from '../kit/icons.tsx';
import { useT } from '../kit/language.ts';
import { Button } from '../kit/plain/Button.tsx';
import { Callout } from '../kit/plain/Callout.tsx';
import { Message, T } from '../kit/T.tsx';

// An address is no name that a passkey could be bound to.
const isPossible = (): boolean => 'PublicKeyCredential' in window && !/^[\d.]+$|^\[/.test(window.location.hostname);

async function signIn(): Promise<string> {
  const { challenge, options } = await call('POST /api/passkey_login/options', { body: {} });
  const { startAuthentication } = await import('@simplewebauthn/browser');
  const optionsJSON: PublicKeyCredentialRequestOptionsJSON = options;
  const assertion = (await startAuthentication({ optionsJSON })) as unknown as Credential;
  return (await call('POST /api/passkey_login', { body: { challenge, assertion } })).token;
}

/** Signs in by a passkey alone, without a login; absent where the page's address can have none. */
export function PasskeyButton({ onToken }: { onToken: (token: string) => void }) {
  const t = useT();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  if (!isPossible()) return null;
  const onClick = async (): Promise<void> => {
    setBusy(true);
    setFailure(undefined);
    try {
      onToken(await signIn());
    } catch (error) {
      setBusy(false);
      setFailure(error instanceof ApiError ? messageOf(error) : t('factor.passkey_cancelled'));
    }
  };
  return (
    <>
      <Button
        fill
        className="front-passkey"
        icon={<KeyIcon />}
        busy={busy}
        text={<T k="login.use_passkey" />}
        onClick={() => void onClick()}
      />
      {failure !== undefined && (
        <Callout intent="danger" role="alert" className="front-note">
          <Message text={failure} />
        </Callout>
      )}
    </>
  );
}
