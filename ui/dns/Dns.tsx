import { Card } from '@blueprintjs/core';
import { lazy, Suspense, useCallback, useRef, useState, type FormEvent } from 'react';
import { useNavigate } from 'react-router-dom';
import type { Started } from '../../src/shared/operations.ts';
import { ApiError, call, messageOf, refresh } from '../kit/api.ts';
import { BusyButton } from '../kit/BusyButton.tsx';
import {
  bodyOf,
  FIELD_OF,
  faultsOf,
  NO_VALUES,
  type DnsChangeBody,
  type DnsChangeField,
  type DnsChangeValues,
} from './dnsChange.ts';
import { DnsChangeFields, useDnsChoices } from './DnsChangeFields.tsx';
import { DnsChangeResult } from './DnsChangeResult.tsx';
import { Failure, submitOnKeys } from '../kit/form/Form.tsx';
import { Screen } from '../kit/Screen.tsx';
import { T } from '../kit/T.tsx';
import { toast } from '../kit/toasts.tsx';
import { useUrlState } from '../kit/useUrlState.ts';
import type { DnsPlanned } from './DnsPlan.tsx';
import { useT } from '../kit/language.ts';
import './Dns.css';
import { Loading } from '../kit/Loading.tsx';

const DnsPlan = lazy(async () => ({ default: (await import('./DnsPlan.tsx')).DnsPlan }));

const VIEW = { domain: '' };
const TOAST_MS = 6000;
const NONE: ReadonlySet<DnsChangeField> = new Set();

/** Sums the change up in a sentence. */
function Summary({ values }: { values: DnsChangeValues }) {
  const t = useT();
  const { accounts, servers } = useDnsChoices();
  const account = accounts.data?.data.find(({ id }) => String(id) === values.account);
  const server = servers.data?.data.find(({ id }) => String(id) === values.server);
  if (!account || !server || values.domain === '') {
    return (
      <p className="muted">
        <T k="dns_change.summary_empty" />
      </p>
    );
  }
  return (
    <p className="dns-summary">
      <T
        k="dns_change.summary"
        domain={values.domain}
        ip={server.ssh_host}
        server={server.name}
        account={account.name}
        tls={t(values.tls ? 'dns_change.tls_on' : 'dns_change.tls_off')}
        ns={t(values.updateNs ? 'dns_change.ns_update' : 'dns_change.ns_keep')}
      />
    </p>
  );
}

/** Returns the server's message, or this screen's own sentence if there is none. */
function useReason(): (error: unknown) => string {
  const t = useT();
  return (error) => {
    const reason = messageOf(error);
    const isServers = error instanceof ApiError && error.status > 0 && reason !== t('ui.failed');
    return isServers
      ? reason
      : [t('dns_change.failed'), error instanceof ApiError && reason].filter(Boolean).join('\n');
  };
}

/** Points a domain at a server through a CDN account: the form, the plan and the result. */
export function Dns() {
  const t = useT();
  const reasonOf = useReason();
  const navigate = useNavigate();
  const [{ domain: locked }] = useUrlState(VIEW);
  const { servers } = useDnsChoices();
  const [typed, setTyped] = useState(NO_VALUES);
  const [faulty, setFaulty] = useState(NONE);
  const [failure, setFailure] = useState<string>();
  const [busy, setBusy] = useState(false);
  const [planned, setPlanned] = useState<{ body: DnsChangeBody; plan: DnsPlanned }>();
  const [started, setStarted] = useState<{ id: number; accountId: number }>();
  const elements = useRef<Partial<Record<DnsChangeField, HTMLElement | null>>>({});
  const values = { ...typed, domain: locked || typed.domain.trim() };

  const mark = (fields: readonly DnsChangeField[]): void => {
    setFaulty(new Set(fields));
    if (fields[0]) elements.current[fields[0]]?.focus();
  };
  const plan = async (): Promise<void> => {
    const known = servers.data?.data ?? [];
    const faults = faultsOf(values, known);
    mark(faults.map(({ field }) => field));
    setFailure(faults[0] && t(faults[0].text));
    if (faults.length > 0) return;
    const body = bodyOf(values, known);
    setBusy(true);
    try {
      setPlanned({ body, plan: (await call('POST /api/manage_dns/plan', { body })).data });
    } catch (error) {
      setFailure(reasonOf(error));
      if (error instanceof ApiError) mark(Object.keys(error.fields).flatMap((name) => FIELD_OF[name] ?? []));
    }
    setBusy(false);
  };
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    if (!busy) void plan();
  };
  const onStarted = ({ message, operation: { id } }: Started): void => {
    toast.success(message || t('dns_change.done'), { timeout: TOAST_MS });
    void refresh('GET /api/operations');
    if (planned) setStarted({ id, accountId: planned.body.accountId });
    setPlanned(undefined);
    setBusy(true);
  };
  const onEnd = useCallback(() => setBusy(false), []);
  const onNext = (): void => {
    setStarted(undefined);
    setBusy(false);
    setTyped({ ...typed, domain: '' });
    if (locked !== '') void navigate('/dns', { replace: true });
    // A locked field is replaced by an input at the next render.
    requestAnimationFrame(() => elements.current.domain?.focus());
  };
  const onChange = (change: Partial<DnsChangeValues>): void => {
    setTyped({ ...typed, ...change });
    setFaulty(NONE);
    setFailure(undefined);
  };
  return (
    <Screen title="nav.dns">
      <Card className="dns-card">
        {/* Key presses bubble up from the fields inside. */}
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- see above */}
        <form onSubmit={onSubmit} onKeyDown={submitOnKeys} noValidate>
          <DnsChangeFields
            values={{ ...values, domain: typed.domain }}
            locked={locked}
            faulty={faulty}
            elements={elements}
            onChange={onChange}
          />
          <Summary values={values} />
          <Failure text={failure} />
          <div className="dns-submit">
            <BusyButton type="submit" intent="primary" busy={busy} text={<T k="dns_change.submit" />} />
          </div>
        </form>
        {started && <DnsChangeResult key={started.id} {...started} onEnd={onEnd} onNext={onNext} />}
      </Card>
      {planned && (
        <Suspense fallback={<Loading />}>
          <DnsPlan {...planned} reasonOf={reasonOf} onStarted={onStarted} onClose={() => setPlanned(undefined)} />
        </Suspense>
      )}
    </Screen>
  );
}
