import type { DomainView } from '../../src/shared/portfolio/domains.ts';
import { useFormats } from '../kit/language.ts';
import { RknTag } from '../domains/DomainState.tsx';
import { T } from '../kit/T.tsx';
import { ExpiryBadge, HttpBadge, TransferBadge } from './TransferBadge.tsx';

/** A reserve domain with a short summary of its readiness; the plan has the details. */
export function TransferReserve({ domain }: { domain: DomainView }) {
  const formats = useFormats();
  const { server_name, cloudflare_account_name, template_id } = domain;
  return (
    <>
      <span className="transfer-name" translate="no" title={domain.domain_name}>
        {domain.unicode_name}
      </span>
      <span className="transfer-badges">
        <RknTag status={domain.status} checked={domain.last_block_check_at !== null} />
        <HttpBadge domain={domain} />
        {cloudflare_account_name === null ? (
          <TransferBadge state="missing" k="transfer_dialog.no_dns" />
        ) : (
          <TransferBadge state="ready" k="transfer_dialog.dns" name={cloudflare_account_name} />
        )}
        {server_name === null ? (
          <TransferBadge state="missing" k="transfer_dialog.no_server" />
        ) : (
          <TransferBadge state="ready" k="transfer_dialog.on_server" name={server_name} />
        )}
        {template_id === null ? (
          <TransferBadge state="unknown" k="transfer_dialog.no_template" />
        ) : (
          <TransferBadge state="ready" k="transfer_dialog.template" />
        )}
        <ExpiryBadge domain_name={domain.domain_name} expired_at={domain.expired_at} />
        <span className="muted">
          <T k="transfer_dialog.added" date={formats.date(domain.created_at)} />
        </span>
      </span>
    </>
  );
}
