import { Callout } from '@blueprintjs/core';
import { useState } from 'react';
import { useWatch, type UseFormReturn } from 'react-hook-form';
import { textOf } from '../../src/shared/accounts/kind.ts';
import type { Kind } from '../../src/shared/accounts/kinds.ts';
import { messageOf } from '../kit/api.ts';
import { BusyButton } from '../kit/BusyButton.tsx';
import { changesIn } from '../kit/form/changesIn.ts';
import { showOnFields } from '../kit/form/Form.tsx';
import { Message, T } from '../kit/T.tsx';
import type { Choice } from './AccountInput.tsx';
import { testAccount, testLogin, type TestResult, type Values } from './calls.ts';

interface TestLoginProps {
  kind: Kind;
  form: UseFormReturn<Values>;
  /** The account that is edited, with its login as stored: that one is tested where no other one is typed. */
  stored: { id: number; login: Partial<Values> } | undefined;
  /** Returns the login as typed. */
  login: () => Partial<Values>;
  onChoices: (choices: readonly Choice[]) => void;
}

/** Tests the login as typed, before it is saved, and shows the result. */
export function TestLogin({ kind, form, stored, login, onChoices }: TestLoginProps) {
  const [busy, setBusy] = useState(false);
  const [result, setResult] = useState<Pick<TestResult, 'ok' | 'message'> & { of: string }>();
  useWatch({ control: form.control });
  const loginNow = (): string => JSON.stringify(login());
  const run = async (): Promise<void> => {
    setBusy(true);
    setResult(undefined);
    const of = loginNow();
    try {
      const typed = login();
      // A secret belongs to its login: another one is tested with what is typed alone.
      const isStored = stored && Object.keys(changesIn(stored.login, typed)).length === 0;
      const found = isStored ? await testAccount(kind, stored.id) : await testLogin(kind, typed);
      setResult({ ...found, of });
      if (of === loginNow() && found.accounts && found.accounts.length > 0) onChoices(found.accounts);
    } catch (error) {
      if (!showOnFields(form, error)) setResult({ ok: false, message: messageOf(error), of });
    }
    setBusy(false);
  };
  return (
    <>
      <BusyButton busy={busy} size="small" text={<T k={textOf(kind, 'test')} />} onClick={() => void run()} />
      <div aria-live="polite">
        {result?.of === loginNow() && (
          <Callout compact className="form-failure" intent={result.ok ? 'success' : 'danger'}>
            <Message text={result.message} />
          </Callout>
        )}
      </div>
    </>
  );
}
