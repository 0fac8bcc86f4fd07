import { Button } from '@blueprintjs/core';
import { Fragment, lazy, Suspense } from 'react';
import type { DomainCounts, DomainFilter } from '../../src/shared/portfolio/domains.ts';
import type { Key } from '../../src/shared/i18n/index.ts';
import { useCall } from '../kit/api.ts';
import { AutoTransferNotes, useCurrentDecisions } from '../transfers/AutoTransferNotes.tsx';
import { BlocklistLine } from '../checks/BlocklistLine.tsx';
import { CheckButton } from '../checks/CheckButton.tsx';
import { Counters } from './Counters.tsx';
import { DomainList } from '../portfolio/DomainList.tsx';
import { ExpiryCalendar } from './ExpiryCalendar.tsx';
import { FirstSteps, useFirstSteps } from './FirstSteps.tsx';
import { HeldRuns } from '../transfers/HeldRuns.tsx';
import { ShieldIcon } from '../kit/icons.tsx';
import { Screen } from '../kit/Screen.tsx';
import { T } from '../kit/T.tsx';
import { TRIAGE_ID, TriageLead, TriagePanel } from '../triage/TriagePanel.tsx';
import { useAsked } from '../kit/useAsked.ts';
import { useUrlState } from '../kit/useUrlState.ts';
import { DomainDialogs } from '../portfolio/DomainDialogs.tsx';
import { Loading, UNSEEN, useAwaited } from '../kit/Loading.tsx';

const Telegram = lazy(async () => ({ default: (await import('../users/Telegram.tsx')).Telegram }));
const DisableTls = lazy(async () => ({ default: (await import('../dns/DisableTls.tsx')).DisableTls }));
const UnderAttack = lazy(async () => ({ default: (await import('../dns/UnderAttack.tsx')).UnderAttack }));

const TITLES: Record<DomainFilter, Key> = {
  blocked: 'dashboard.list_blocked',
  broken: 'dashboard.list_broken',
  expired: 'dashboard.list_expired',
  all: 'dashboard.list_all',
  active: 'dashboard.list_active',
};
const isFilter = (word: string): word is DomainFilter => Object.hasOwn(TITLES, word);

// A closed list is not requested: the whole portfolio is loaded on a click only.
const LISTS: readonly { status: DomainFilter; open: boolean }[] = [
  { status: 'blocked', open: true },
  { status: 'broken', open: true },
  { status: 'expired', open: true },
  { status: 'all', open: false },
];

/** Whether checks have run and the blocklist is fresh: otherwise "no problems" would be wrong. */
function useLooked(): { checked: boolean; listed: boolean; isPending: boolean } {
  const { data: counts } = useCall('GET /api/dashboard');
  const { data: blocklist, isPending } = useCall('GET /api/blocklist');
  return {
    isPending,
    checked: counts !== undefined && counts.active + counts.broken + counts.blocked > 0,
    listed: blocklist?.state === 'fresh',
  };
}

const emptyTexts = ({ checked, listed }: ReturnType<typeof useLooked>): Record<DomainFilter, Key> => ({
  blocked: listed ? 'list.no_problems' : 'list.not_checked',
  broken: checked ? 'list.no_problems' : 'list.not_checked',
  expired: 'list.no_problems',
  active: 'list.none',
  all: 'list.none',
});

const VIEW = { list: '' };

/** The buttons beside the title; all but the check open a dialog, by its name. */
function Actions({ onOpen }: { onOpen: (dialog: string) => void }) {
  return (
    <>
      <Button text={<T k="dashboard.telegram" />} onClick={() => onOpen('telegram')} />
      <CheckButton text="dashboard.check" />
      <Button text={<T k="protect.tls" />} onClick={() => onOpen('tls')} />
      <Button
        intent="warning"
        icon={<ShieldIcon />}
        text={<T k="protect.manage" />}
        onClick={() => onOpen('under_attack')}
      />
    </>
  );
}

/** The dialog of that name, loaded when it is opened first. Of other names, such as `first_steps`, it shows nothing. */
function OpenDialog({ name, onClose }: { name: string; onClose: () => void }) {
  return (
    <Suspense fallback={<Loading />}>
      {name === 'telegram' && <Telegram onClose={onClose} />}
      {name === 'tls' && <DisableTls onClose={onClose} />}
      {name === 'under_attack' && <UnderAttack onClose={onClose} />}
    </Suspense>
  );
}

interface ListsProps {
  /** Undefined while they are not loaded. */
  counts: DomainCounts | undefined;
  /** The status of the only list shown; any other word: all lists. */
  chosen: string;
  /** The sentence of each list when it is empty. */
  none: Record<DomainFilter, Key>;
  onChoose: (status: string) => void;
}

/** The counters of domains, and under them the lists that they choose from. */
function Lists({ counts, chosen, none, onChoose }: ListsProps) {
  const lists = isFilter(chosen) ? [{ status: chosen, open: true }] : LISTS;
  return (
    <>
      {counts && <Counters counts={counts} chosen={chosen} onChoose={onChoose} />}
      {lists.map(({ status, open }) => (
        <Fragment key={`${chosen}${status}`}>
          <DomainList title={TITLES[status]} status={status} open={open} none={none[status]} />
          {status === 'expired' && <ExpiryCalendar />}
        </Fragment>
      ))}
    </>
  );
}

/** The dashboard: what needs somebody, then the lists of blocked, broken and expiring domains. */
export function Dashboard() {
  const [{ list }, setView] = useUrlState(VIEW);
  const [dialog, setDialog] = useAsked();
  const close = (): void => setDialog('');
  const { data: counts, isPending } = useCall('GET /api/dashboard');
  const isAsked = dialog === 'first_steps';
  const guide = useFirstSteps(counts, isAsked);
  const looked = useLooked();
  const triage = useCall('GET /api/triage');
  const decisions = useCurrentDecisions();
  const isAwaited = useAwaited(triage.isPending || decisions.isPending || looked.isPending);
  const isNew = guide.isShown && counts?.all === 0;
  return (
    <Screen
      title="nav.main"
      lead={!isNew && <TriageLead triage={triage.data} />}
      actions={<Actions onOpen={setDialog} />}
    >
      <HeldRuns />
      {!isNew && (
        <TriagePanel
          triage={triage.data}
          failure={triage.error?.message}
          retry={() => void triage.refetch()}
          isChecked={looked.checked && looked.listed}
        />
      )}
      {/* Who has no domain yet is led to the first steps by the link that skips to what needs somebody. */}
      <div className={isAwaited ? UNSEEN : ''} {...(isNew && { id: TRIAGE_ID, tabIndex: -1 })}>
        <AutoTransferNotes />
        <BlocklistLine />
        {guide.isShown && counts && (
          <FirstSteps
            key={String(isAsked)}
            counts={counts}
            isAsked={isAsked}
            onTelegram={() => setDialog('telegram')}
            onDismiss={() => {
              guide.dismiss();
              if (isAsked) close();
            }}
          />
        )}
        {/* A portfolio without domains has no lists to ask for, and what stands above them is asked for first. */}
        {!isPending && !isNew && (
          <Lists
            counts={counts}
            chosen={list}
            none={emptyTexts(looked)}
            onChoose={(status) => setView({ list: status })}
          />
        )}
      </div>
      <OpenDialog name={dialog} onClose={close} />
      <DomainDialogs place="top" />
    </Screen>
  );
}
