import { Callout } from '@blueprintjs/core';
import { useState } from 'react';
import type { ExpirySource } from '../../src/shared/checks/expiry.ts';
import type { RegistryState } from '../../src/shared/checks/registry-state.ts';
import type { Key } from '../../src/shared/i18n/index.ts';
import { expiryDay } from '../../src/shared/portfolio/expiry-day.ts';
import { ExpiryDate } from '../domains/DomainState.tsx';
import { Fact } from '../kit/Fact.tsx';
import { call, refresh, useCall, type AnswerOf } from '../kit/api.ts';
import { BusyButton } from '../kit/BusyButton.tsx';
import { useFormats, useT } from '../kit/language.ts';
import { NoData, Status, type State } from '../kit/Status.tsx';
import { T } from '../kit/T.tsx';
import { Failed, Skeleton } from '../kit/table/DataTable.tsx';
import { toastFailure } from '../kit/toasts.tsx';
import { refreshDomains } from '../operations/operations.ts';
import './DomainRegistration.css';

type Registration = AnswerOf<'GET /api/domains/:id/registration'>['data'];

const SOURCES: Record<ExpirySource, Key> = {
  registrar: 'registration.by_registrar',
  whois: 'registration.by_whois',
  rdap: 'registration.by_rdap',
  hand: 'registration.by_hand',
};

const STATES: Record<RegistryState, [State, Key]> = {
  ok: ['healthy', 'registration.ok'],
  not_delegated: ['broken', 'registration.not_delegated'],
  hold: ['broken', 'registration.hold'],
  redemption: ['expired', 'registration.redemption'],
  pending_delete: ['expired', 'registration.pending_delete'],
  free: ['expired', 'registration.free'],
};

/** The date with who has told it, and how long ago. */
function Until({ registration: { domain, expired_at, source, found_at } }: { registration: Registration }) {
  const formats = useFormats();
  return (
    <>
      <ExpiryDate domain_name={domain} expired_at={expired_at} />
      {source && (
        <span className="check-looks">
          <T k={SOURCES[source]} />
          {found_at !== null && `, ${formats.ago(found_at)}`}
        </span>
      )}
    </>
  );
}

/** The state in words, and what the registry itself says. */
function RegistryStatus({ registration: { status, statuses } }: { registration: Registration }) {
  if (status === null) return <NoData />;
  const [state, key] = STATES[status];
  return (
    <>
      <Status state={state}>
        <T k={key} />
      </Status>
      {statuses.length > 0 && (
        <span className="check-looks" translate="no">
          {statuses.join(', ')}
        </span>
      )}
    </>
  );
}

/** A date in doubt, with its decision. */
function Doubt({ id, registration }: { id: number; registration: Registration }) {
  const t = useT();
  const formats = useFormats();
  const [busy, setBusy] = useState(false);
  const { domain: domain_name, suspect, expired_at } = registration;
  if (!suspect) return null;
  const { date, source } = suspect;
  const decide = async (decision: 'accept' | 'ignore'): Promise<void> => {
    setBusy(true);
    try {
      await call('POST /api/domains/:id/registration', { params: { id }, body: { decision, date } });
      await refreshDomains();
    } catch (error) {
      toastFailure(t('registration.decide_failed'), error);
      await refresh('GET /api/domains/:id/registration');
    }
    setBusy(false);
  };
  const isEarlier = expired_at !== null && date < expired_at;
  return (
    <Callout intent="warning" className="registration-doubt">
      <p>
        <T k={SOURCES[source]} />: {formats.day(expiryDay({ domain_name, expired_at: date }))}.{' '}
        <T k={isEarlier ? 'registration.doubt_earlier' : 'registration.doubt_later'} />
      </p>
      <div className="registration-decisions">
        <BusyButton
          size="small"
          busy={busy}
          text={<T k="registration.accept" />}
          onClick={() => void decide('accept')}
        />
        <BusyButton
          size="small"
          busy={busy}
          text={<T k="registration.ignore" />}
          onClick={() => void decide('ignore')}
        />
      </div>
    </Callout>
  );
}

function Facts({ registration }: { registration: Registration }) {
  const formats = useFormats();
  const { domain, registrar, name_servers, free_at, looked_up_at, error } = registration;
  return (
    <dl className="registration">
      <Fact title="registration.until">
        <Until registration={registration} />
      </Fact>
      <Fact title="registration.state">
        <RegistryStatus registration={registration} />
      </Fact>
      <Fact title="registration.name_servers">
        {name_servers.length === 0 ? <NoData /> : <span translate="no">{name_servers.join(', ')}</span>}
      </Fact>
      <Fact title="registration.registrar">{registrar ?? <NoData />}</Fact>
      {free_at !== null && (
        <Fact title="registration.free_at">{formats.day(expiryDay({ domain_name: domain, expired_at: free_at }))}</Fact>
      )}
      <Fact title="registration.looked_up">
        {looked_up_at === null ? <T k="registration.never" /> : formats.ago(looked_up_at)}
        {error !== null && <span className="check-looks">{error}</span>}
      </Fact>
    </dl>
  );
}

/** Shows until when a domain is registered, who says so, and its state at the registry; a date in doubt is decided here. */
export function DomainRegistration({ id }: { id: number }) {
  const t = useT();
  const { data, error, refetch } = useCall('GET /api/domains/:id/registration', { params: { id } });
  if (data)
    return (
      <>
        <Doubt id={id} registration={data.data} />
        <Facts registration={data.data} />
      </>
    );
  if (error) return <Failed sentence="registration.failed" reason={error.message} retry={() => void refetch()} />;
  return <Skeleton label={t('ui.loading')} />;
}
