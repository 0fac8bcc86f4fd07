import { Callout } from '@blueprintjs/core';
import { lazy, Suspense } from 'react';
import type { Credential, PasskeyView } from '../../src/shared/access/factors.ts';
import { ApiError, call, queries } from '../kit/api.ts';
import { CopyButton } from '../kit/CopyButton.tsx';
import { InfoDialog } from '../kit/dialog/InfoDialog.tsx';
import { useT } from '../kit/language.ts';
import { Loading } from '../kit/Loading.tsx';
import { T } from '../kit/T.tsx';
import { toast } from '../kit/toasts.tsx';
import { PasswordDialog, type PasswordDialogProps } from './PasswordDialog.tsx';

const AddApp = lazy(async () => ({ default: (await import('./AddApp.tsx')).AddApp }));

/** The dialog of the second factor that is open. */
export type Open =
  | { kind: 'app' | 'remove_app' | 'passkey' | 'renew' }
  | { kind: 'secret'; secret: string; uri: string }
  | { kind: 'remove_passkey'; passkey: PasskeyView }
  | { kind: 'codes'; codes: string[] };

/** Recovery codes, shown once. */
function Codes({ codes, onClose }: { codes: string[]; onClose: () => void }) {
  return (
    <InfoDialog title={<T k="factor.codes" />} width={480} onClose={onClose}>
      <Callout intent="warning">
        <T k="factor.codes_once" />
      </Callout>
      <ul className="people-codes">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <CopyButton text={codes.join('\n')} />
    </InfoDialog>
  );
}

/** Has the browser make a passkey. Throws ApiError with a sentence for a person who has cancelled it. */
async function makePasskey(password: string, name: string, cancelled: string): Promise<string[] | null> {
  const { challenge, options } = await call('POST /api/passkeys/options', { body: { password } });
  const { startRegistration } = await import('@simplewebauthn/browser');
  const response = await startRegistration({ optionsJSON: options }).catch(() => {
    throw new ApiError(0, 'cancelled', cancelled);
  });
  const body = { challenge, name, response: response as unknown as Credential };
  return (await call('POST /api/passkeys', { body })).recovery_codes;
}

export interface DialogsProps {
  open: Open;
  onOpen: (open: Open | undefined) => void;
}

type Asked = Omit<PasswordDialogProps, 'onClose'>;

interface Ends {
  cancelled: string;
  onSecret: (made: { secret: string; uri: string }) => void;
  changed: (codes: string[] | null) => Promise<void>;
  removed: (message: string) => Promise<void>;
}

/** Returns what a dialog asks the own password for; undefined: it is none of those. */
function askedBy(open: Open, { cancelled, onSecret, changed, removed }: Ends): Asked | undefined {
  switch (open.kind) {
    case 'app': {
      const run = async (password: string) =>
        onSecret(await call('POST /api/second_factor/totp', { body: { password } }));
      return { title: 'factor.add_app', action: 'factor.next', run };
    }
    case 'passkey': {
      const run = async (password: string, name: string) => changed(await makePasskey(password, name, cancelled));
      return { title: 'factor.add_passkey', action: 'factor.next', named: 'factor.passkey_name', run };
    }
    case 'renew': {
      const run = async (password: string) =>
        changed((await call('POST /api/second_factor/recovery_codes', { body: { password } })).recovery_codes);
      return { title: 'factor.renew', action: 'factor.renew', about: 'factor.renew_about', run };
    }
    case 'remove_app': {
      const run = async (password: string) =>
        removed((await call('POST /api/second_factor/totp/remove', { body: { password } })).message);
      return { title: 'factor.remove_app', action: 'factor.remove', danger: true, run };
    }
    case 'remove_passkey': {
      const params = { id: open.passkey.id };
      const run = async (password: string) =>
        removed((await call('POST /api/passkeys/:id/remove', { params, body: { password } })).message);
      return { title: 'factor.remove_passkey', action: 'factor.remove', danger: true, run };
    }
    default:
      return undefined;
  }
}

/** The dialogs of the second factor: each asks for the own password; codes are shown once. */
export function SecondFactorDialogs({ open, onOpen }: DialogsProps) {
  const t = useT();
  const close = (): void => onOpen(undefined);
  const changed = async (codes: string[] | null): Promise<void> => {
    // Told this once: they wait for nothing.
    if (codes) onOpen({ kind: 'codes', codes });
    // Users who had to add a factor could read nothing until now.
    await queries.invalidateQueries();
    if (!codes) onOpen(undefined);
  };
  const asked = askedBy(open, {
    cancelled: t('factor.passkey_cancelled'),
    onSecret: (made) => onOpen({ kind: 'secret', ...made }),
    changed,
    removed: async (message) => {
      await changed(null);
      toast.success(message);
    },
  });
  if (asked) return <PasswordDialog key={open.kind} {...asked} onClose={close} />;
  if (open.kind === 'codes') return <Codes codes={open.codes} onClose={close} />;
  if (open.kind !== 'secret') return null;
  return (
    <Suspense fallback={<Loading />}>
      <AddApp secret={open.secret} uri={open.uri} onDone={(codes) => void changed(codes)} onClose={close} />
    </Suspense>
  );
}
