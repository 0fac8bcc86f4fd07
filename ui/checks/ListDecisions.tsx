import { Callout, Intent } from '@blueprintjs/core';
import { useState } from 'react';
import type { BlocklistStatus, DoubtfulList, FormerList } from '../../src/shared/checks/blocklist.ts';
import type { Key } from '../../src/shared/i18n/index.ts';
import { call, refresh } from '../kit/api.ts';
import { useFormats, useT } from '../kit/language.ts';
import { useSession } from '../kit/session.ts';
import { BusyButton } from '../kit/BusyButton.tsx';
import { T } from '../kit/T.tsx';
import { toast, toastFailure } from '../kit/toasts.tsx';

/** Returns the props of a button that sends a decision about a list; `done` and `failed` are the toasts. */
function useDecision(
  route: 'POST /api/blocklist/accept' | 'POST /api/blocklist/rollback',
  list_version: string,
  done: Key,
  failed: Key,
) {
  const t = useT();
  const [busy, setBusy] = useState(false);
  const decide = async (): Promise<void> => {
    setBusy(true);
    try {
      await call(route, { body: { list_version } });
      await Promise.all([refresh('GET /api/blocklist'), refresh('GET /api/operations')]);
      toast.success(t(done));
    } catch (error) {
      toastFailure(t(failed), error);
    }
    setBusy(false);
  };
  return { busy, onClick: () => void decide() };
}

/** Shows why a list is held, and to admins the button that accepts it. */
function Doubt({ doubt, isAdmin }: { doubt: DoubtfulList; isAdmin: boolean }) {
  const { source, found, expected, reason } = doubt;
  const accept = useDecision(
    'POST /api/blocklist/accept',
    doubt.list_version,
    'dashboard.list_accepted',
    'dashboard.list_accept_failed',
  );
  return (
    <Callout intent={Intent.WARNING} className="dashboard-note">
      <p>
        <T k={`dashboard.list_doubt_${reason}`} source={source} found={found} expected={expected} />
        {!isAdmin && (
          <>
            {' '}
            <T k="dashboard.list_ask_admin_doubt" />
          </>
        )}
      </p>
      {isAdmin && <BusyButton {...accept} text={<T k="dashboard.list_accept" />} />}
    </Callout>
  );
}

/** The button that rolls back to the former list. */
function Former({ former }: { former: FormerList }) {
  const t = useT();
  const formats = useFormats();
  const rollBack = useDecision(
    'POST /api/blocklist/rollback',
    former.list_version,
    'dashboard.list_rolled_back',
    'dashboard.list_roll_back_failed',
  );
  const title = t('dashboard.list_former', { n: former.total, date: formats.dateTime(former.taken_at) });
  return (
    <p className="dashboard-note">
      <BusyButton
        {...rollBack}
        variant="minimal"
        size="small"
        title={title}
        text={<T k="dashboard.list_roll_back" />}
      />
    </p>
  );
}

/** Shows the decisions about lists: accept the one that is held or roll back to the former one (admins only). */
export function ListDecisions({ doubt, former }: Pick<BlocklistStatus, 'doubt' | 'former'>) {
  const isAdmin = useSession().user?.role === 'admin';
  return (
    <>
      {doubt && <Doubt doubt={doubt} isAdmin={isAdmin} />}
      {former && isAdmin && <Former former={former} />}
    </>
  );
}
