import { Callout } from '@blueprintjs/core';
import { useState } from 'react';
import { secretFieldOf, textOf } from '../../src/shared/accounts/kind.ts';
import type { Kind } from '../../src/shared/accounts/kinds.ts';
import { messageOf } from '../kit/api.ts';
import { BusyButton } from '../kit/BusyButton.tsx';
import { Message, T } from '../kit/T.tsx';
import type { Choice } from './AccountInput.tsx';
import { testAccount, testLogin, type TestResult, type Values } from './calls.ts';

interface TestLoginProps {
  kind: Kind;
  /** The id of the account whose stored secret is tested where none is typed. */
  id: number | undefined;
  values: () => Values;
  onChoices: (choices: readonly Choice[]) => void;
}

/** Tests the login as typed, before it is saved, and shows the result. */
export function TestLogin({ kind, id, values, onChoices }: TestLoginProps) {
  const [busy, setBusy] = useState(false);
  const [result, setResult] = useState<Pick<TestResult, 'ok' | 'message'>>();
  const run = async (): Promise<void> => {
    setBusy(true);
    setResult(undefined);
    try {
      const { name: _name, ...login } = values();
      const isStored = id !== undefined && login[secretFieldOf(kind)] === '';
      const found = isStored ? await testAccount(kind, id) : await testLogin(kind, login);
      setResult(found);
      if (found.accounts && found.accounts.length > 0) onChoices(found.accounts);
    } catch (error) {
      setResult({ ok: false, message: messageOf(error) });
    }
    setBusy(false);
  };
  return (
    <>
      <BusyButton busy={busy} size="small" text={<T k={textOf(kind, 'test')} />} onClick={() => void run()} />
      <div aria-live="polite">
        {result && (
          <Callout compact className="form-failure" intent={result.ok ? 'success' : 'danger'}>
            <Message text={result.message} />
          </Callout>
        )}
      </div>
    </>
  );
}
