import { Button } from '@blueprintjs/core';
import { useMemo } from 'react';
import type { DomainDetail } from '../../src/shared/portfolio/domains.ts';
import { ChangeDnsLink } from '../dns/ChangeDnsLink.tsx';
import { OtherRecords, ZoneLine } from '../dns/editor/DnsZone.tsx';
import { shortName } from '../dns/editor/dnsDraft.ts';
import type { DomainDns } from '../dns/editor/useDnsDraft.ts';
import '../dns/editor/DnsEditor.css';
import { useCall } from '../kit/api.ts';
import { useUrlDialog } from '../kit/dialog/useUrlDialog.ts';
import { EditIcon } from '../kit/icons.tsx';
import { useT } from '../kit/language.ts';
import { NoData, Status } from '../kit/Status.tsx';
import { T } from '../kit/T.tsx';
import { DataTable, Failed, Skeleton, type Column } from '../kit/table/DataTable.tsx';
import { localRows } from '../kit/table/useRows.ts';

interface Shown {
  id: number;
  type: string;
  name: string;
  content: string;
  proxied: boolean | undefined;
}

const COLUMNS: readonly Column<Shown>[] = [
  { id: 'type', header: 'dns_editor.type', card: 'status', cell: ({ type }) => <code translate="no">{type}</code> },
  { id: 'name', header: 'dns_editor.name', card: 'title', cell: ({ name }) => <span translate="no">{name}</span> },
  {
    id: 'content',
    header: 'dns_editor.content',
    cell: ({ content }) => (
      <span className="domain-record" translate="no">
        {content}
      </span>
    ),
  },
  {
    id: 'proxy',
    header: 'dns_editor.proxy',
    cell: ({ proxied }) =>
      proxied ? (
        <Status state="healthy">
          <T k="domain_page.proxied" />
        </Status>
      ) : (
        <NoData />
      ),
  },
];

function Records({ id, dns, read }: { id: number; dns: DomainDns; read: number }) {
  const t = useT();
  const { open } = useUrlDialog('dns');
  const { zone, dns: records, others } = dns;
  const source = useMemo(() => {
    const rows = records.map(({ type, name, content, proxied }, index) => ({
      id: index,
      type,
      name: shortName(name, zone.name),
      content,
      proxied,
    }));
    return localRows(['records-of-domain', id, read], rows);
  }, [id, read, records, zone]);
  return (
    <>
      <div className="domain-tab-head">
        <ZoneLine zone={zone} />
        <Button icon={<EditIcon />} text={<T k="domain_page.edit_dns" />} onClick={() => open(id)} />
      </div>
      <DataTable
        label={t('dns_editor.title', { name: zone.name })}
        source={source}
        columns={COLUMNS}
        failed="dns_editor.load_failed"
        empty="dns_editor.none"
      />
      <OtherRecords records={others} zone={zone.name} />
    </>
  );
}

/** The records of a domain's zone as the CDN has them; they are edited in their dialog, which shows a plan first. */
export function DnsTab({ domain }: { domain: DomainDetail }) {
  const t = useT();
  const { id } = domain;
  const { data, error, refetch, dataUpdatedAt } = useCall('GET /api/domain_dns/:id', { params: { id } });
  if (error) {
    return (
      <>
        <Failed sentence="dns_editor.load_failed" reason={error.message} retry={() => void refetch()} />
        <ChangeDnsLink error={error} domain={domain} />
      </>
    );
  }
  return data ? <Records id={id} dns={data} read={dataUpdatedAt} /> : <Skeleton label={t('ui.loading')} />;
}
