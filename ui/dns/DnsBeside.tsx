import { useEffect, useState } from 'react';
import { Link } from 'react-router-dom';
import { cleanHostname, isHostname } from '../../src/shared/hostname.ts';
import type { OperationView } from '../../src/shared/operations.ts';
import { toUnicode } from '../../src/shared/portfolio/domain-name.ts';
import { ApiError, useCall } from '../kit/api.ts';
import { useUrlDialog } from '../kit/dialog/useUrlDialog.ts';
import { EmptyState } from '../kit/EmptyState.tsx';
import { GlobeNetworkIcon } from '../kit/icons.tsx';
import { useFormats, useT } from '../kit/language.ts';
import { Panel } from '../kit/Panel.tsx';
import { Message, T } from '../kit/T.tsx';
import { Failed, Skeleton } from '../kit/table/DataTable.tsx';
import { kindOf, StateTag } from '../operations/OperationState.tsx';
import { useZoneOf } from './useZoneOf.ts';
import { ZoneRecords } from './ZoneRecords.tsx';

const REST_MS = 500;

/** Returns a name in punycode after its typing has rested; '' while it is none. */
function useRestedName(text: string): string {
  const name = isHostname(text) ? cleanHostname(text) : '';
  const [rested, rest] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => rest(name), REST_MS);
    return () => clearTimeout(timer);
  }, [name]);
  return rested === name ? name : '';
}

const isAbsent = (error: Error | null): boolean => error instanceof ApiError && error.status === 422;

interface ZoneProps {
  name: string;
  /** The chosen CDN account; 0: none. */
  account: number;
}

/** The zone of a domain of the portfolio as the chosen account has it now; a sentence instead where there is none to show. */
function Zone({ name, account }: ZoneProps) {
  const t = useT();
  const { list, domain, zone, hasAccount, isPending } = useZoneOf(name, account);
  const say = (key: `dns_change.zone_${'none' | 'unknown' | 'unasked' | 'new'}`) => (
    <EmptyState icon={<GlobeNetworkIcon size={20} />}>
      <T k={key} />
    </EmptyState>
  );
  if (name === '') return say('dns_change.zone_none');
  // That Cloudflare did not answer tells nothing of a zone.
  const failed = list.error ?? (isAbsent(zone.error) ? null : zone.error);
  if (failed) {
    const again = list.error ? list.refetch : zone.refetch;
    return <Failed sentence="dns_editor.load_failed" reason={failed.message} retry={() => void again()} />;
  }
  if (isPending) return <Skeleton label={t('ui.loading')} />;
  if (!domain) return say('dns_change.zone_unknown');
  if (!hasAccount) return say('dns_change.zone_unasked');
  if (!zone.data) return say('dns_change.zone_new');
  return (
    <div className="panel-body">
      <ZoneRecords id={domain.id} dns={zone.data} read={zone.dataUpdatedAt} />
    </div>
  );
}

function Change({ operation }: { operation: OperationView }) {
  const formats = useFormats();
  const t = useT();
  const { id, kind, state, created_at, message } = operation;
  const { to, state: from } = useUrlDialog('operation').linkTo(id);
  return (
    <li>
      <Link to={to} state={from}>
        {t('operations.title', { kind: kindOf(t, kind), id })}
      </Link>
      <span className="muted">{state !== 'succeeded' && <Message text={message} />}</span>
      <StateTag state={state} />
      <time dateTime={created_at} className="muted">
        {formats.dateTime(created_at)}
      </time>
    </li>
  );
}

function Recent() {
  const { data } = useCall('GET /api/operations', { query: { kind: 'dns_change', limit: 6 } });
  const list = data?.data ?? [];
  if (list.length === 0) return null;
  const all = (
    <Link to="/operations">
      <T k="dns_change.all_operations" />
    </Link>
  );
  return (
    <Panel title={<T k="dns_change.recent" />} aside={all}>
      <ul className="recent-changes">
        {list.map((operation) => (
          <Change key={operation.id} operation={operation} />
        ))}
      </ul>
    </Panel>
  );
}

/** The panels beside the form: the current zone of the chosen domain, and the latest DNS changes. */
export function DnsBeside({ domain, account }: { domain: string; account: number }) {
  const name = useRestedName(domain);
  return (
    <div>
      <Panel flush title={<T k="dns_change.zone" />} aside={name && <span translate="no">{toUnicode(name)}</span>}>
        <Zone name={name} account={account} />
      </Panel>
      <Recent />
    </div>
  );
}
