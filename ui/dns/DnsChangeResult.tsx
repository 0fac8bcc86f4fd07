import { Button, Callout } from '@blueprintjs/core';
import { useEffect, useState } from 'react';
import { Link } from 'react-router-dom';
import { isFinal, type OperationView } from '../../src/shared/operations.ts';
import { call, refresh, useCall, type AnswerOf } from '../kit/api.ts';
import { useT } from '../kit/language.ts';
import { BusyButton } from '../kit/BusyButton.tsx';
import { CopyButton } from '../kit/CopyButton.tsx';
import { OperationProgress } from '../operations/OperationState.tsx';
import { useOperation } from '../operations/operations.ts';
import { PlanLines } from '../operations/PlanLines.tsx';
import { planLines } from '../../src/shared/dns/plan-words.ts';
import { Message, T } from '../kit/T.tsx';
import { toastFailure } from '../kit/toasts.tsx';
import { useZoneOf } from './useZoneOf.ts';
import { useUrlDialog } from '../kit/dialog/useUrlDialog.ts';

/** Returns the name servers that an account gives new zones; if none are known yet, tests the account, which may find them. */
function useUsualServers(accountId: number): string[] {
  const { data, isFetching } = useCall('GET /api/cloudflare_accounts');
  const account = data?.data.find(({ id }) => id === accountId);
  const isUnknown = account !== undefined && !isFetching && account.ns_1 === null;
  useEffect(() => {
    if (!isUnknown) return;
    const look = async (): Promise<void> => {
      await call('POST /api/cloudflare_accounts/:id/test', { params: { id: accountId }, body: {} });
      await refresh('GET /api/cloudflare_accounts');
    };
    // A user without the right to test the account sees no name servers.
    look().catch(() => undefined);
  }, [isUnknown, accountId]);
  return [account?.ns_1, account?.ns_2].flatMap((name) => name ?? []);
}

/** A domain, and the CDN account through which it was pointed at a server. */
interface Changed {
  accountId: number;
  domain: string;
}

/**
 * Returns the name servers of a domain's zone, which may be others than those of the account's new zones. Of a name that is not in the
 * portfolio nobody can ask for the zone: the account's are returned.
 */
function useNameServers({ accountId, domain: name }: Changed): string[] {
  const usual = useUsualServers(accountId);
  const { domain, zone, isPending } = useZoneOf(name);
  if (isPending) return [];
  return (domain?.cloudflare_account_id === accountId && zone.data?.zone.name_servers) || usual;
}

/** The name servers to enter at the registrar, or those that were set there. */
function NameServers({ changed, set }: { changed: Changed; set: readonly string[] | undefined }) {
  const t = useT();
  const known = useNameServers(changed);
  const names = set?.length ? set : known;
  if (names.length === 0) return null;
  return (
    <div className="name-servers">
      <p>
        <T k={set ? 'dns_change.ns_set' : 'dns_change.ns_title'} />
      </p>
      <ul translate="no">
        {names.map((name) => (
          <li key={name}>
            <code>{name}</code>
          </li>
        ))}
      </ul>
      <CopyButton text={names.join('\n')} label={t('dns_change.ns_copy')} />
    </div>
  );
}

/** Shows the reason of the failure and the acts done before it. */
function Failure({ operation }: { operation: OperationView }) {
  const t = useT();
  const { id, message } = operation;
  const { data } = useCall('GET /api/operations/:id/items', { params: { id } });
  const items = data?.data ?? [];
  const errors = items.flatMap(({ error }) => error ?? []);
  const done = items.flatMap(({ acts }) =>
    acts.filter(({ state }) => state === 'done').map(({ name, before, after }) => ({ act: name, before, after })),
  );
  return (
    <>
      <Callout intent="danger">
        {(errors.length > 0 ? errors : [message]).map((error) => (
          <p key={error}>
            <Message text={error} />
          </p>
        ))}
      </Callout>
      {done.length > 0 && (
        <div className="dns-done">
          <p>
            <T k="dns_change.done_before" />
          </p>
          <PlanLines lines={planLines(t, done)} />
        </div>
      )}
    </>
  );
}

/** Retries the failed items. */
function Retry({ id }: { id: number }) {
  const t = useT();
  const [busy, setBusy] = useState(false);
  const retry = async (): Promise<void> => {
    setBusy(true);
    try {
      await call('POST /api/operations/:id/retry', { params: { id }, body: {} });
      await refresh('GET /api/operations', 'GET /api/operations/:id');
    } catch (error) {
      toastFailure(t('dns_change.failed'), error);
    }
    setBusy(false);
  };
  return <BusyButton busy={busy} intent="primary" text={<T k="ui.retry" />} onClick={() => void retry()} />;
}

type Items = AnswerOf<'GET /api/operations/:id/items'>['data'];

/** Returns the name servers that the registrar was given, none where it had them; undefined: it was not asked to. */
function serversSet(items: Items): string[] | undefined {
  const act = items.flatMap(({ acts }) => acts).find(({ name }) => name === 'name_servers');
  return act && ((act.after as { name_servers: string[] } | undefined)?.name_servers ?? []);
}

function Ended({ operation, changed }: { operation: OperationView; changed: Changed }) {
  const { id, state, counts, steps } = operation;
  const { data } = useCall('GET /api/operations/:id/items', { params: { id } });
  if (state === 'failed' || state === 'cancelled' || counts.failed > 0) {
    return <Failure operation={operation} />;
  }
  return (
    <>
      <Callout intent="success">
        <T k="dns_change.done" />
      </Callout>
      {steps.map(
        ({ name, error }) =>
          error !== undefined && (
            <Callout key={name} intent="warning" className="form-failure">
              <Message text={error} />
            </Callout>
          ),
      )}
      {data && <NameServers changed={changed} set={serversSet(data.data)} />}
    </>
  );
}

interface DnsChangeResultProps extends Changed {
  id: number;
  onEnd: () => void;
  onNext: () => void;
}

/** Shows the progress and the result of a DNS change that was started. */
export function DnsChangeResult({ id, onEnd, onNext, ...changed }: DnsChangeResultProps) {
  const t = useT();
  const { data: operation } = useOperation(id);
  const { to, state } = useUrlDialog('operation').linkTo(id);
  const hasEnded = operation !== undefined && isFinal(operation.state);
  useEffect(() => {
    if (!hasEnded) return;
    void refresh(
      'GET /api/cloudflare_accounts',
      'GET /api/domains',
      'GET /api/operations/:id/items',
      'GET /api/domain_dns/:id',
    );
    onEnd();
  }, [hasEnded, onEnd]);
  return (
    <section className="dns-result" aria-label={t('dns_change.result')}>
      {/* oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- an output holds phrases, this is blocks */}
      <div role="status">
        {operation && !hasEnded && (
          <p>
            <Message text={operation.message} />
          </p>
        )}
        {operation && hasEnded && <Ended operation={operation} changed={changed} />}
      </div>
      {operation && <OperationProgress operation={operation} />}
      <div className="dns-result-acts">
        {operation?.retryable && <Retry id={id} />}
        <Button text={<T k="dns_change.next" />} onClick={onNext} />
        <Link to={to} state={state}>
          <T k="dns_change.details" />
        </Link>
      </div>
    </section>
  );
}
