import { HTMLTable, Tag } from '@blueprintjs/core';
import { LockIcon, TickIcon, TimeIcon } from '../../kit/icons.tsx';
import type { DnsRecord } from '../../../src/shared/dns/dns.ts';
import { useT } from '../../kit/language.ts';
import { CopyIcon } from '../../kit/CopyButton.tsx';
import { shortName } from './dnsDraft.ts';
import { T } from '../../kit/T.tsx';
import type { DomainDns } from './useDnsDraft.ts';

function StatusTag({ status }: { status: string }) {
  if (status === 'active')
    return (
      <Tag minimal intent="success" icon={<TickIcon />} htmlTitle={status}>
        <T k="dns_editor.status_active" />
      </Tag>
    );
  return (
    <Tag minimal intent="warning" icon={<TimeIcon />} htmlTitle={status}>
      {status === 'pending' ? <T k="dns_editor.status_pending" /> : status}
    </Tag>
  );
}

/** Shows the state of a zone and the name servers to set at its registrar. */
export function ZoneLine({ zone: { status, name_servers } }: { zone: DomainDns['zone'] }) {
  const t = useT();
  const servers = name_servers.join(', ');
  return (
    <div className="zone-line">
      <span>
        <T k="dns_editor.status" />: <StatusTag status={status} />
      </span>
      {servers !== '' && (
        <span className="zone-ns">
          <T k="dns_editor.ns" />: <span translate="no">{servers}</span>
          <CopyIcon text={servers} name={t('dns_editor.ns')} />
        </span>
      )}
      {status === 'pending' && (
        <span className="muted zone-waits">
          <T k="dns_editor.ns_waiting" />
        </span>
      )}
    </div>
  );
}

/** Lists the records that can't be edited here: other types, and those that Cloudflare manages. */
export function OtherRecords({ records, zone }: { records: readonly DnsRecord[]; zone: string }) {
  const t = useT();
  if (records.length === 0) return null;
  return (
    <section className="other-records" aria-labelledby="other-records">
      <h3 id="other-records" className="bp6-heading section-title">
        <T k="dns_editor.others" n={records.length} />
      </h3>
      <HTMLTable compact aria-label={t('dns_editor.others', { n: records.length })}>
        <thead>
          <tr>
            {(['type', 'name', 'content'] as const).map((header) => (
              <th key={header} scope="col">
                <T k={`dns_editor.${header}`} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody translate="no">
          {records.map(({ id, type, name, content, priority, read_only }) => (
            <tr key={id}>
              <td>{type}</td>
              <td title={name}>{shortName(name, zone)}</td>
              <td>
                {priority === undefined ? content : `${priority} ${content}`}
                {read_only && (
                  <Tag minimal icon={<LockIcon />} className="locked-record" translate="yes">
                    <T k="dns_editor.managed" />
                  </Tag>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </HTMLTable>
    </section>
  );
}
