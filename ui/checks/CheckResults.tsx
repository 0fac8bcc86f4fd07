import { Button, Tag } from '@blueprintjs/core';
import { BanCircleIcon, DownloadIcon, HelpIcon, TickIcon } from '../kit/icons.tsx';
import { useMemo, useState } from 'react';
import { writeCsv } from '../../src/shared/csv.ts';
import { hasIdn, toUnicode } from '../../src/shared/portfolio/domain-name.ts';
import type { Key } from '../../src/shared/i18n/index.ts';
import type { AnswerOf } from '../kit/api.ts';
import { useT } from '../kit/language.ts';
import { Chips } from '../kit/Chips.tsx';
import { CopyButton } from '../kit/CopyButton.tsx';
import { DataTable, type Column } from '../kit/table/DataTable.tsx';
import { saveFile } from '../kit/saveFile.ts';
import { NoData } from '../kit/Status.tsx';
import { T } from '../kit/T.tsx';
import { localRows } from '../kit/table/useRows.ts';

/** The result for one domain. */
export type CheckResult = AnswerOf<'POST /api/check_domains'>['foundDomains']['allDomains'][number];
type Row = CheckResult & { id: number };
type Status = CheckResult['status'];

const CHIPS = {
  blocked: { intent: 'danger', icon: <BanCircleIcon />, label: 'check_site.blocked' },
  free: { intent: 'success', icon: <TickIcon />, label: 'check_site.free' },
  unknown: { intent: 'none', icon: <HelpIcon />, label: 'check_site.unknown' },
} as const satisfies Record<Status, object>;

/** The state of a name by the blocklist, as a check has found it. */
export function StatusChip({ status }: { status: Status }) {
  const { intent, icon, label } = CHIPS[status];
  return (
    <Tag minimal intent={intent} icon={icon}>
      <T k={label} />
    </Tag>
  );
}

/** Shows the reason of a result, if there is one to show. */
function Detail({ result: { status, reason, entry, url_listed } }: { result: CheckResult }) {
  if (status === 'unknown') return <T k={reason === 'invalid' ? 'check_site.not_host' : 'check_site.no_list'} />;
  if (entry !== null) return <T k={reason === 'mask' ? 'check_site.by_mask' : 'check_site.by_entry'} entry={entry} />;
  return url_listed ? <T k="check_site.url_listed" /> : <NoData />;
}

const COLUMNS: readonly Column<Row>[] = [
  {
    id: 'domain',
    header: 'domain_form.name',
    card: 'title',
    cell: ({ domain }) => (
      <span translate="no">
        {toUnicode(domain)} {hasIdn(domain) && <span className="muted">{domain}</span>}
      </span>
    ),
  },
  { id: 'result', header: 'check_site.result', card: 'status', cell: ({ status }) => <StatusChip status={status} /> },
  { id: 'detail', header: 'check_site.detail', cell: (row) => <Detail result={row} /> },
];

const FILTERS = ['all', 'blocked', 'free', 'unknown'] as const;
type Filter = (typeof FILTERS)[number];
const FILTER_LABELS: Record<Filter, Key> = {
  all: 'check_site.all',
  blocked: 'check_site.blocked',
  free: 'check_site.free',
  unknown: 'check_site.unknown',
};

const inCsv = (results: readonly CheckResult[]): Blob => {
  const rows = results.map(({ domain, status, entry }) => [domain, status, entry ?? '']);
  const text = writeCsv([['domain', 'status', 'entry'], ...rows], { delimiter: ';', bom: true });
  return new Blob([text], { type: 'text/csv' });
};

/** Shows the results of a check. `run` identifies the check. */
export function CheckResults({ results, run }: { results: readonly CheckResult[]; run: number }) {
  const t = useT();
  const [filter, setFilter] = useState<Filter>('all');
  const count = (status: Filter): number =>
    status === 'all' ? results.length : results.filter((result) => result.status === status).length;
  const source = useMemo(() => {
    const rows = results.map((result, id) => ({ ...result, id }));
    return localRows<Row>(
      ['check_site', run, filter, results.length],
      filter === 'all' ? rows : rows.filter(({ status }) => status === filter),
    );
  }, [results, run, filter]);
  const free = results.filter(({ status }) => status === 'free').map(({ domain }) => domain);
  return (
    <section>
      <h2 className="visually-hidden">{t('check_site.results')}</h2>
      <div className="filters">
        <Chips
          label={t('check_site.result')}
          chips={FILTERS.filter((value) => value !== 'unknown' || count(value) > 0).map((value) => ({
            value,
            label: <T k={FILTER_LABELS[value]} />,
            count: count(value),
          }))}
          value={filter}
          onChange={setFilter}
        />
        {free.length > 0 && <CopyButton text={free.join('\n')} label={t('check_site.copy_free')} />}
        <Button
          size="small"
          icon={<DownloadIcon />}
          text={<T k="check_site.csv" />}
          onClick={() => saveFile('check.csv', inCsv(results))}
        />
      </div>
      <DataTable
        label={t('check_site.results')}
        source={source}
        columns={COLUMNS}
        failed="check_site.failed"
        empty="check_site.none"
      />
    </section>
  );
}
