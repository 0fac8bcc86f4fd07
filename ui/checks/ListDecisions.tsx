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

/** A decision about lists as a button's work: what it calls, and what is said when it is done or failed. */
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

/** A list that waits for a person: why, and the way to take it over. */
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

/** The way back to the former list. */
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

/** What a person may decide about lists: take over the one that waits, or go back to the former one. */
export function ListDecisions({ doubt, former }: Pick<BlocklistStatus, 'doubt' | 'former'>) {
  const isAdmin = useSession().user?.role === 'admin';
  return (
    <>
      {doubt && <Doubt doubt={doubt} isAdmin={isAdmin} />}
      {former && isAdmin && <Former former={former} />}
    </>
  );
}
