import { Tag } from '@blueprintjs/core';
import { useState } from 'react';
import { textOf } from '../../src/shared/accounts/kind.ts';
import type { Kind } from '../../src/shared/accounts/kinds.ts';
import { refresh } from '../kit/api.ts';
import { BusyButton } from '../kit/BusyButton.tsx';
import { ErrorIcon, MinusIcon, RefreshIcon, TickIcon } from '../kit/icons.tsx';
import { useFormats, useT } from '../kit/language.ts';
import { Message, T } from '../kit/T.tsx';
import { toast, toastFailure } from '../kit/toasts.tsx';
import { listCall, testAccount, type Account } from './calls.ts';
import { partsOf } from './parts.tsx';

interface AccountProps {
  kind: Kind;
  account: Account;
}

/** Shows whether the login worked at the last test. */
export function TestTag({ kind, account }: AccountProps) {
  const formats = useFormats();
  const { checked_at, check_error } = account;
  const alarm = partsOf(kind).alarm?.(account);
  if (alarm !== undefined) {
    return (
      <Tag minimal intent="danger" icon={<ErrorIcon />}>
        <T k={alarm} />
      </Tag>
    );
  }
  if (!checked_at) {
    return (
      <Tag minimal icon={<MinusIcon />}>
        <T k={textOf(kind, 'unchecked')} />
      </Tag>
    );
  }
  const isWell = !check_error;
  return (
    <Tag
      minimal
      intent={isWell ? 'success' : 'danger'}
      icon={isWell ? <TickIcon /> : <ErrorIcon />}
      htmlTitle={formats.dateTime(checked_at)}
    >
      <T k={textOf(kind, isWell ? 'checked' : 'broken')} ago={formats.ago(checked_at)} />
    </Tag>
  );
}

/** Tests an account and shows the result as a toast. */
export function TestButton({ kind, account: { id, name } }: AccountProps) {
  const t = useT();
  const [busy, setBusy] = useState(false);
  const test = async (): Promise<void> => {
    setBusy(true);
    try {
      const { ok, message } = await testAccount(kind, id);
      await refresh(listCall(kind));
      if (ok) toast.success(`${name}: ${message}`);
      else toast.error(`${name}: ${message}`);
    } catch (error) {
      toastFailure(t(textOf(kind, 'test_failed')), error);
    }
    setBusy(false);
  };
  const action = textOf(kind, 'test');
  return (
    <BusyButton
      size="small"
      busy={busy}
      icon={<RefreshIcon />}
      text={<T k={action} />}
      aria-label={t('sites.action_on', { action: t(action), name })}
      onClick={() => void test()}
    />
  );
}

/** Shows the error of the last test, unless an alarm stands in its place. */
export function TestError({ kind, account }: AccountProps) {
  if (account.check_error === null || partsOf(kind).alarm?.(account) !== undefined) return null;
  return (
    <span className="bad">
      <Message text={account.check_error} />
    </span>
  );
}

/** Shows the last test of an account in a table, with a button that tests again. */
export function AccountState({ kind, account }: AccountProps) {
  const { Below } = partsOf(kind);
  return (
    <div className="account-state">
      <span className="account-state-line">
        <TestTag kind={kind} account={account} />
        {(account.can_edit || kind.test.by === 'user') && <TestButton kind={kind} account={account} />}
      </span>
      {Below && <Below account={account} />}
      <TestError kind={kind} account={account} />
    </div>
  );
}
