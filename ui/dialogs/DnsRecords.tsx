import { useState } from 'react';
import { useCall } from '../api.ts';
import { ChangeDnsLink } from '../components/ChangeDnsLink.tsx';
import { Failed, Skeleton } from '../components/DataTable.tsx';
import { useReturnFocus } from '../components/dialogFocus.ts';
import { DnsEditor } from '../components/DnsEditor.tsx';
import { InfoDialog } from '../components/InfoDialog.tsx';
import type { DomainDns } from '../components/useDnsEditor.ts';
import { useT } from '../language.ts';

/** The DNS records of a domain, asked of the CDN anew. */
export function DnsRecords({ id, onClose }: { id: number; onClose: () => void }) {
  const t = useT();
  useReturnFocus();
  const { data: domain } = useCall('GET /api/domains/:id', { params: { id } });
  const { data, error, isFetching, refetch } = useCall('GET /api/domain_dns/:id', { params: { id } });
  // What comes later, as after saving, must not change the records under the hands.
  const [first, setFirst] = useState<DomainDns>();
  if (data && !isFetching && !first) setFirst(data);
  const name = domain?.data.unicode_name ?? first?.zone.name;
  const title = name === undefined ? t('sites.dns') : t('dns_editor.title', { name });
  if (first) return <DnsEditor id={id} first={first} title={title} onClose={onClose} />;
  return (
    <InfoDialog width={1100} title={title} onClose={onClose}>
      {error && !isFetching ? (
        <>
          <Failed sentence="dns_editor.load_failed" reason={error.message} retry={() => void refetch()} />
          <ChangeDnsLink error={error} domain={domain?.data} />
        </>
      ) : (
        <Skeleton label={t('ui.loading')} />
      )}
    </InfoDialog>
  );
}
