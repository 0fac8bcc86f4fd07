import { Tag } from '@blueprintjs/core';
import { useMemo } from 'react';
import { toUnicode } from '../../src/shared/portfolio/domain-name.ts';
import type { AffectedDomain } from '../../src/shared/dns/protection.ts';
import { useCall } from '../kit/api.ts';
import { useT } from '../kit/language.ts';
import './AffectedDomains.css';
import { DataTable, Failed, Skeleton, type Column } from '../kit/table/DataTable.tsx';
import { T } from '../kit/T.tsx';
import { localRows } from '../kit/table/useRows.ts';

interface Row extends AffectedDomain {
  id: number;
}

function Given({ text }: { text: string | null }) {
  if (text !== null && text !== '') return <>{text}</>;
  return (
    <Tag minimal>
      <T k="protect.not_specified" />
    </Tag>
  );
}

const COLUMNS: readonly Column<Row>[] = [
  {
    id: 'domain',
    header: 'protect.domain',
    card: 'title',
    cell: ({ domain_name }) => (
      <span translate="no" title={domain_name}>
        {toUnicode(domain_name)}
      </span>
    ),
  },
  { id: 'project', header: 'protect.project', cell: ({ project_name }) => <Given text={project_name} /> },
  { id: 'user', header: 'protect.user', cell: ({ user_login }) => <Given text={user_login} /> },
];

/** Returns how many domains and accounts a protection change for all would reach; undefined while loading. */
export function useAffected(): { domains: number; accounts: number } | undefined {
  const { data } = useCall('GET /api/domains-for-under-attack');
  if (!data) return undefined;
  const accounts = new Set(data.map(({ cloudflare_account_id }) => cloudflare_account_id));
  return { domains: data.length, accounts: accounts.size };
}

/** Lists the domains that a protection change for all would reach; nothing if there are none. */
export function AffectedDomains() {
  const t = useT();
  const { data, dataUpdatedAt, error, refetch } = useCall('GET /api/domains-for-under-attack');
  const source = useMemo(
    () =>
      localRows<Row>(
        ['affected', dataUpdatedAt],
        (data ?? []).map((row, id): Row => Object.assign({ id }, row)),
      ),
    [data, dataUpdatedAt],
  );
  if (error) return <Failed sentence="protect.list_failed" reason={error.message} retry={() => void refetch()} />;
  if (!data) return <Skeleton label={t('ui.loading')} />;
  return (
    <div className="affected">
      <DataTable
        label={t('protect.list')}
        source={source}
        columns={COLUMNS}
        failed="protect.list_failed"
        empty={null}
      />
    </div>
  );
}
