import { useMemo } from 'react';
import { useT } from '../kit/language.ts';
import { NoData, Status } from '../kit/Status.tsx';
import { T } from '../kit/T.tsx';
import { DataTable, type Column } from '../kit/table/DataTable.tsx';
import { localRows } from '../kit/table/useRows.ts';
import { OtherRecords, ZoneLine } from './editor/DnsZone.tsx';
import { shortName } from './editor/dnsDraft.ts';
import './editor/DnsEditor.css';
import type { DomainDns } from './editor/useDnsDraft.ts';

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
      <span className="zone-record" translate="no">
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
          <T k="dns_change.proxied" />
        </Status>
      ) : (
        <NoData />
      ),
  },
];

interface ZoneRecordsProps {
  /** The domain that the zone was asked for by. */
  id: number;
  dns: DomainDns;
  /** When it was read, in milliseconds. */
  read: number;
}

/** A zone as the CDN has it: its state, its name servers, its records. */
export function ZoneRecords({ id, dns, read }: ZoneRecordsProps) {
  const t = useT();
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
      <ZoneLine zone={zone} />
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
