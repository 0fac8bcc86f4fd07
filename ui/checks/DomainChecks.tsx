import { Tab, Tabs } from '@blueprintjs/core';
import { useMemo } from 'react';
import type { DomainDetail } from '../../src/shared/portfolio/domains.ts';
import type { Stretch } from '../../src/shared/checks/check-history.ts';
import { isKey } from '../../src/shared/i18n/index.ts';
import { call, useCall } from '../kit/api.ts';
import { DateTime } from '../kit/table/DateTime.tsx';
import { CheckDays } from './CheckDays.tsx';
import { DomainRegistration } from './DomainRegistration.tsx';
import { IndexLanes } from './IndexLanes.tsx';
import { DataTable, type Column } from '../kit/table/DataTable.tsx';
import { InfoDialog } from '../kit/dialog/InfoDialog.tsx';
import { RknTag } from '../domains/DomainState.tsx';
import { NoData, Status } from '../kit/Status.tsx';
import { T } from '../kit/T.tsx';
import type { RowsSource } from '../kit/table/useRows.ts';
import { useFormats, useT } from '../kit/language.ts';
import { WhyLadder } from '../why/WhyLadder.tsx';
import './DomainChecks.css';

/** Shows the period of equal results and the number of checks in it. */
function When({ check: { since, checked_at, repeats } }: { check: Stretch }) {
  const formats = useFormats();
  if (repeats === 1) return <DateTime iso={checked_at} />;
  return (
    <>
      <T k="checks.stretch" since={formats.dateTime(since)} until={formats.dateTime(checked_at)} />
      <span className="check-looks">
        <T k="checks.looks" n={repeats} />
      </span>
    </>
  );
}

/** Shows the result of a check: the HTTP code or the reason why there is none, or the state by the blocklist. */
function Result({ check }: { check: Stretch }) {
  if (check.kind === 'blocklist') return <RknTag status={check.verdict} />;
  const { http_status_code: code, verdict } = check;
  const isOk = code !== null && code >= 200 && code <= 299;
  const key = `health.${verdict}`;
  return <Status state={isOk ? 'healthy' : 'broken'}>{isKey(key) ? <T k={key} /> : verdict}</Status>;
}

function Milliseconds({ check }: { check: Stretch }) {
  return check.ms === null ? <NoData /> : <T k="checks.ms" n={check.ms} />;
}

const COLUMNS: readonly Column<Stretch>[] = [
  { id: 'when', header: 'checks.when', card: 'title', cell: (check) => <When check={check} /> },
  {
    id: 'kind',
    header: 'checks.kind',
    cell: (check) => <T k={check.kind === 'http' ? 'checks.kind_http' : 'checks.kind_blocklist'} />,
  },
  { id: 'result', header: 'checks.result', card: 'status', cell: (check) => <Result check={check} /> },
  { id: 'ms', header: 'checks.time', cell: (check) => <Milliseconds check={check} /> },
  { id: 'detail', header: 'checks.detail', cell: (check) => check.detail ?? <NoData /> },
];

interface CheckTabsProps {
  id: number;
  /** The name of the list of results, for a screen reader. */
  title: string;
  domain: DomainDetail | undefined;
  /** The tab that is open first. */
  tab?: 'results' | 'registration' | 'why';
}

/** The checks of a domain, newest first, its HTTP results by day, its indexation, its registration, and why it is red. */
export function CheckTabs({ id, title, domain, tab = 'results' }: CheckTabsProps) {
  const source = useMemo<RowsSource<Stretch>>(
    () => ({
      key: ['GET /api/domains/:id/checks', { id }],
      load: (page, signal) => call('GET /api/domains/:id/checks', { params: { id }, query: page, signal }),
    }),
    [id],
  );
  const results = (
    <DataTable label={title} source={source} columns={COLUMNS} failed="checks.failed" empty="checks.none" />
  );
  return (
    <Tabs id="domain-checks" className="domain-checks" defaultSelectedTabId={tab} renderActiveTabPanelOnly>
      <Tab id="results" title={<T k="checks.tab_results" />} panel={results} />
      <Tab id="days" title={<T k="checks.tab_days" />} panel={<CheckDays id={id} />} />
      <Tab id="indexation" title={<T k="operation.kind_indexation" />} panel={<IndexLanes id={id} />} />
      <Tab id="registration" title={<T k="checks.tab_registration" />} panel={<DomainRegistration id={id} />} />
      <Tab id="why" title={<T k="why.tab" />} panel={<WhyLadder id={id} domain={domain} />} />
    </Tabs>
  );
}

interface DomainChecksProps extends Pick<CheckTabsProps, 'id' | 'tab'> {
  onClose: () => void;
}

/** The same in a dialog. */
export function DomainChecks({ id, tab = 'results', onClose }: DomainChecksProps) {
  const t = useT();
  const { data: domain } = useCall('GET /api/domains/:id', { params: { id } });
  const title = domain ? t('checks.title', { name: domain.data.unicode_name }) : t('sites.history');
  return (
    <InfoDialog width={820} title={title} onClose={onClose}>
      <CheckTabs id={id} title={title} domain={domain?.data} tab={tab} />
    </InfoDialog>
  );
}
