import { useState } from 'react';
import { useCall } from '../kit/api.ts';
import { ChangeDnsLink } from './ChangeDnsLink.tsx';
import { Failed, Skeleton } from '../kit/table/DataTable.tsx';
import { useReturnFocus } from '../kit/dialog/dialogFocus.ts';
import { DnsEditor } from './editor/DnsEditor.tsx';
import { InfoDialog } from '../kit/dialog/InfoDialog.tsx';
import type { DomainDns } from './editor/useDnsDraft.ts';
import { useT } from '../kit/language.ts';

/** The DNS records of a domain, fetched from the CDN on each opening. */
export function DnsRecords({ id, onClose }: { id: number; onClose: () => void }) {
  const t = useT();
  useReturnFocus();
  const { data: domain } = useCall('GET /api/domains/:id', { params: { id } });
  const { data, error, isFetching, refetch } = useCall('GET /api/domain_dns/:id', { params: { id } }, { anew: true });
  // A later refetch, as after saving, must not replace the records while they are edited.
  const [first, setFirst] = useState<DomainDns>();
  if (data && !isFetching && !error && !first) setFirst(data);
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
