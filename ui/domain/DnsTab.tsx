import { useState } from 'react';
import type { DomainDetail } from '../../src/shared/portfolio/domains.ts';
import { ChangeDnsLink } from '../dns/ChangeDnsLink.tsx';
import { DnsInline } from '../dns/editor/DnsInline.tsx';
import type { DomainDns } from '../dns/editor/useDnsDraft.ts';
import { useCall } from '../kit/api.ts';
import { useT } from '../kit/language.ts';
import { Failed, Skeleton } from '../kit/table/DataTable.tsx';

/** The records of a domain's zone as the CDN has them, read on each opening, and edited here. */
export function DnsTab({ domain }: { domain: DomainDetail }) {
  const t = useT();
  const { id } = domain;
  const { data, error, isFetching, refetch } = useCall('GET /api/domain_dns/:id', { params: { id } }, { anew: true });
  // A later refetch, as after saving, must not replace the records while they are edited.
  const [first, setFirst] = useState<DomainDns>();
  if (data && !isFetching && !error && !first) setFirst(data);
  if (first) return <DnsInline id={id} first={first} />;
  if (!error || isFetching) return <Skeleton label={t('ui.loading')} />;
  return (
    <>
      <Failed sentence="dns_editor.load_failed" reason={error.message} retry={() => void refetch()} />
      <ChangeDnsLink error={error} domain={domain} />
    </>
  );
}
