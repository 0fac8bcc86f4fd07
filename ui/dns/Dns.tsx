import { Card } from '@blueprintjs/core';
import { lazy, Suspense, useCallback, useState, type FormEvent } from 'react';
import { useNavigate } from 'react-router-dom';
import { call, refresh } from '../kit/api.ts';
import { BusyButton } from '../kit/BusyButton.tsx';
import type { DnsChangeBody, DnsChangeValues } from './dnsChange.ts';
import { DnsBeside } from './DnsBeside.tsx';
import { DnsChangeFields, useDnsChoices } from './DnsChangeFields.tsx';
import { DnsChangeResult } from './DnsChangeResult.tsx';
import { useDnsChangeForm, type DnsChangeForm } from './useDnsChangeForm.ts';
import { Failure, submitOnKeys } from '../kit/form/Form.tsx';
import { Screen } from '../kit/Screen.tsx';
import { T } from '../kit/T.tsx';
import { toast } from '../kit/toasts.tsx';
import { useUrlState } from '../kit/useUrlState.ts';
import type { DnsPlanned, DnsStarted } from './DnsPlan.tsx';
import { useT } from '../kit/language.ts';
import './Dns.css';
import { Loading } from '../kit/Loading.tsx';

const DnsPlan = lazy(async () => ({ default: (await import('./DnsPlan.tsx')).DnsPlan }));

const VIEW = { domain: '' };
const TOAST_MS = 6000;

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

interface FormProps {
  form: DnsChangeForm;
  busy: boolean;
  onSubmit: (event: FormEvent) => void;
}

function ChangeForm({ form, busy, onSubmit }: FormProps) {
  const { values, typed, locked, faulty, failure, elements, change } = form;
  return (
    // Key presses bubble up from the fields inside.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- see above
    <form onSubmit={onSubmit} onKeyDown={submitOnKeys} noValidate>
      <DnsChangeFields
        values={{ ...values, domain: typed.domain }}
        locked={locked}
        faulty={faulty}
        elements={elements}
        onChange={change}
      />
      <Summary values={values} />
      <Failure text={failure} />
      <div className="dns-submit">
        <BusyButton type="submit" intent="primary" busy={busy} text={<T k="dns_change.submit" />} />
      </div>
    </form>
  );
}

/** Points a domain at a server through a CDN account: the form, the plan and the result. */
export function Dns() {
  const t = useT();
  const navigate = useNavigate();
  const [{ domain: locked }] = useUrlState(VIEW);
  const [busy, setBusy] = useState(false);
  const [planned, setPlanned] = useState<{ body: DnsChangeBody; plan: DnsPlanned }>();
  const [started, setStarted] = useState<{ id: number; accountId: number; domain: string }>();
  const form = useDnsChangeForm(locked, started !== undefined);
  const plan = async (): Promise<void> => {
    const body = form.check();
    if (!body) return;
    setBusy(true);
    try {
      setPlanned({ body, plan: (await call('POST /api/manage_dns/plan', { body })).data });
    } catch (error) {
      form.refuse(error);
    }
    setBusy(false);
  };
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    if (!busy) void plan();
  };
  const onStarted = ({ message, operation }: DnsStarted): void => {
    toast.success(message || t('dns_change.done'), { timeout: TOAST_MS });
    void refresh('GET /api/operations');
    setPlanned(undefined);
    if (!planned || !operation) return;
    setStarted({ id: operation.id, accountId: planned.body.accountId, domain: planned.body.domainName });
    setBusy(true);
  };
  const onEnd = useCallback(() => setBusy(false), []);
  const onNext = (): void => {
    setStarted(undefined);
    setBusy(false);
    form.nextDomain();
    if (locked !== '') void navigate('/dns', { replace: true });
  };
  return (
    <Screen title="nav.dns">
      <div className="beside">
        <Card className="dns-card">
          <ChangeForm form={form} busy={busy} onSubmit={onSubmit} />
          {started && <DnsChangeResult key={started.id} {...started} onEnd={onEnd} onNext={onNext} />}
        </Card>
        <DnsBeside domain={form.values.domain} account={Number(form.values.account)} />
      </div>
      {planned && (
        <Suspense fallback={<Loading />}>
          <DnsPlan {...planned} reasonOf={form.reasonOf} onStarted={onStarted} onClose={() => setPlanned(undefined)} />
        </Suspense>
      )}
    </Screen>
  );
}
