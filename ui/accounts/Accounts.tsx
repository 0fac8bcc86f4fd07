import { Switch } from '@blueprintjs/core';
import { lazy, Suspense, useState } from 'react';
import { textOf, type AccountKind } from '../../src/shared/accounts/kind.ts';
import type { Kind } from '../../src/shared/accounts/kinds.ts';
import type { Call } from '../kit/api.ts';
import { Remove } from '../kit/dialog/Remove.tsx';
import { useT } from '../kit/language.ts';
import { Loading } from '../kit/Loading.tsx';
import { keep, readKept } from '../kit/reader/storage.ts';
import { Screen } from '../kit/Screen.tsx';
import { T } from '../kit/T.tsx';
import { AccountCards } from './AccountCards.tsx';
import { AccountTable } from './AccountTable.tsx';
import { listCall, removeAccount, useAccounts, type Account } from './calls.ts';
import { partsOf } from './parts.tsx';
import { useRowDialogs } from './RowDialogs.tsx';
import './Accounts.css';

const AccountForm = lazy(async () => ({ default: (await import('./AccountForm.tsx')).AccountForm }));

const HIDDEN = 'secrets-hidden';

/** Returns whether secrets are hidden, which this browser remembers, and sets it. */
function useHidden(): [boolean, (hidden: boolean) => void] {
  const [isHidden, setHidden] = useState(() => readKept(HIDDEN) !== null);
  const hide = (hidden: boolean): void => {
    setHidden(hidden);
    keep(HIDDEN, hidden ? '1' : null);
  };
  return [isHidden, hide];
}

interface RemovalProps {
  kind: Kind;
  account: Account;
  onClose: () => void;
}

function Removal({ kind, account: { id, name, domains }, onClose }: RemovalProps) {
  const t = useT();
  const { question }: AccountKind['screen'] = kind.screen;
  const lists: Call[] = [listCall(kind)];
  return (
    <Remove
      title={<T k={textOf(kind, 'remove_title')} name={name} n={domains} />}
      failed={t(textOf(kind, 'delete_failed'))}
      lists={lists}
      words={question}
      remove={() => removeAccount(kind, id)}
      onClose={onClose}
    >
      {question && (
        <p>
          <T k={question.text} />
        </p>
      )}
    </Remove>
  );
}

/** The screen of a kind of account. */
export function Accounts({ kind }: { kind: Kind }) {
  const [isHidden, hide] = useHidden();
  const { accounts } = useAccounts(kind);
  const { add, edited, removed, close, ...acts } = useRowDialogs(accounts, textOf(kind, 'add'));
  const { layout, title, hide: hideText }: AccountKind['screen'] = kind.screen;
  const { Notice } = partsOf(kind);
  const List = layout === 'cards' ? AccountCards : AccountTable;
  return (
    <Screen title={title} actions={add}>
      {hideText && (
        <Switch
          checked={isHidden}
          labelElement={<T k={hideText} />}
          onChange={(event) => hide(event.currentTarget.checked)}
        />
      )}
      {Notice && accounts?.map((account) => <Notice key={account.id} account={account} />)}
      <List kind={kind} add={add} isOpen={hideText !== undefined && !isHidden} {...acts} />
      <Suspense fallback={<Loading />}>
        {edited !== undefined && <AccountForm kind={kind} account={edited ?? undefined} onClose={close} />}
      </Suspense>
      {removed && <Removal kind={kind} account={removed} onClose={close} />}
    </Screen>
  );
}
