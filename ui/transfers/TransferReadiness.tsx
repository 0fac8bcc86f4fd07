import type { ReactElement } from 'react';
import type { Readiness, Used } from '../../src/shared/transfers/transfer-plan.ts';
import { T } from '../kit/T.tsx';
import { ExpiryBadge, HttpBadge, TransferBadge } from './TransferBadge.tsx';

function List({ list, list_entry }: Pick<Readiness, 'list' | 'list_entry'>) {
  if (list === 'free') return <TransferBadge state="ready" k="transfer_dialog.list_free" />;
  return list === 'blocked' ? (
    <TransferBadge state="blocked" k="transfer_dialog.list_blocked" entry={list_entry ?? ''} />
  ) : (
    <TransferBadge state="unknown" k="transfer_dialog.list_unknown" />
  );
}

function Zone({ status, name_servers }: Readiness['zone']) {
  if (status === 'active') return <TransferBadge state="ready" k="transfer_dialog.zone_active" />;
  if (status === 'missing') return <TransferBadge state="doubtful" k="transfer_dialog.zone_missing" />;
  if (status === 'unknown') return <TransferBadge state="unknown" k="transfer_dialog.zone_unknown" />;
  const servers = name_servers.join(', ');
  return <TransferBadge state="doubtful" k="transfer_dialog.zone_status" status={status} servers={servers} />;
}

function Account({ used }: { used: Used | null }) {
  if (used === null) return <TransferBadge state="missing" k="transfer_dialog.no_dns" />;
  const k = used.of === 'target' ? 'transfer_dialog.dns' : 'transfer_dialog.dns_of_source';
  return <TransferBadge state="ready" k={k} name={used.name} />;
}

function Server({ used }: { used: Used | null }) {
  if (used === null) return <TransferBadge state="missing" k="transfer_dialog.no_server" />;
  const k = used.of === 'target' ? 'transfer_dialog.on_server' : 'transfer_dialog.server_of_source';
  return <TransferBadge state="ready" k={k} name={used.name} />;
}

function Site({ site }: Pick<Readiness, 'site'>) {
  if (site === null) return <TransferBadge state="unknown" k="transfer_dialog.site_none" />;
  const k = site === 'target' ? 'transfer_dialog.site_of_target' : 'transfer_dialog.site_of_source';
  return <TransferBadge state="ready" k={k} />;
}

/** Shows the properties of the chosen reserve, as checked for the plan. */
export function TransferReadiness({ readiness, name }: { readiness: Readiness; name: string }) {
  const { http, zone, account, server, site, expired_at, age_days } = readiness;
  const badges: Record<string, ReactElement> = {
    list: <List {...readiness} />,
    http: <HttpBadge domain={http} />,
    zone: <Zone {...zone} />,
    account: <Account used={account} />,
    server: <Server used={server} />,
    site: <Site site={site} />,
    expiry: <ExpiryBadge domain_name={name} expired_at={expired_at} />,
    age: (
      <span className="muted">
        <T k="transfer_dialog.age" n={age_days} />
      </span>
    ),
  };
  return (
    <>
      <h3 className="bp6-heading">
        <T k="transfer_dialog.ready" name={name} />
      </h3>
      <ul className="transfer-readiness">
        {Object.entries(badges).map(([what, badge]) => (
          <li key={what}>{badge}</li>
        ))}
      </ul>
    </>
  );
}
