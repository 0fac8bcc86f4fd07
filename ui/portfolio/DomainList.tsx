import { Button, Tag } from '@blueprintjs/core';
import { ChevronDownIcon, ChevronRightIcon, TickCircleIcon } from '../kit/icons.tsx';
import { useId, useMemo, useState } from 'react';
import type { DomainFilter, UserDomain } from '../../src/shared/portfolio/domains.ts';
import type { Key } from '../../src/shared/i18n/index.ts';
import { call } from '../kit/api.ts';
import { useFormats, useT } from '../kit/language.ts';
import { DataTable, type Column } from '../kit/table/DataTable.tsx';
import { DomainMenu } from './DomainMenu.tsx';
import { EmptyState } from '../kit/EmptyState.tsx';
import { DomainLink, SiteIcon } from '../domains/DomainLink.tsx';
import { ExpiryDate, HealthTag, ModeText, RknTag, TypeTag } from '../domains/DomainState.tsx';
import { NoData } from '../kit/Status.tsx';
import { useRenewals } from '../purchases/useRenewals.tsx';
import { T } from '../kit/T.tsx';
import { useNow } from '../kit/useNow.ts';
import { useUrlState } from '../kit/useUrlState.ts';
import { healthOf } from '../../src/shared/portfolio/domain-state.ts';
import { WhyLink } from '../why/WhyLink.tsx';
import { totalOf, useFirstPage, type RowsSource } from '../kit/table/useRows.ts';

function DateCell({ iso }: { iso: string | null }) {
  const formats = useFormats();
  return iso === null ? <NoData /> : <time dateTime={iso}>{formats.date(iso)}</time>;
}

function TimeCell({ iso }: { iso: string | null }) {
  const formats = useFormats();
  return iso === null ? <NoData /> : <time dateTime={iso}>{formats.dateTime(iso)}</time>;
}

/** The name with its site and its actions in one cell: the specification fixes the columns. */
function DomainCell({ domain }: { domain: UserDomain }) {
  return (
    <span className="domain-cell">
      <DomainLink {...domain} />
      <span className="domain-acts">
        <SiteIcon {...domain} />
        <DomainMenu domain={domain} place="top" align="start" />
      </span>
    </span>
  );
}

/** The state by HTTP; one that is not fine leads to why it is so. */
function HealthCell({ domain }: { domain: UserDomain }) {
  const tag = <HealthTag domain={domain} />;
  const health = healthOf(domain, useNow());
  if (health === 'ok' || health === 'unknown') return tag;
  return (
    <WhyLink id={domain.id} name={domain.unicode_name} broken={domain.broken_layer}>
      {tag}
    </WhyLink>
  );
}

/** The state by the blocklist; a blocked one leads to why it is so. */
function RknCell({ domain }: { domain: UserDomain }) {
  const tag = <RknTag status={domain.status} checked={domain.last_block_check_at !== null} />;
  if (domain.status !== 'blocked') return tag;
  return (
    <WhyLink id={domain.id} name={domain.unicode_name} broken={domain.broken_layer}>
      {tag}
    </WhyLink>
  );
}

const COLUMNS: readonly Column<UserDomain>[] = [
  {
    id: 'domain',
    header: 'list.domain',
    sort: 'domain_name',
    card: 'title',
    cell: (row) => <DomainCell domain={row} />,
  },
  {
    id: 'project',
    header: 'list.project',
    sort: 'project_name',
    cell: (row) =>
      row.project_name || (
        <span className="muted">
          <T k="list.no_project" />
        </span>
      ),
  },
  { id: 'mode', header: 'list.mode', sort: 'transfer_type', cell: (row) => <ModeText mode={row.transfer_type} /> },
  { id: 'type', header: 'list.type', sort: 'type', cell: (row) => <TypeTag type={row.type} /> },
  {
    id: 'rkn',
    header: 'list.rkn',
    sort: 'status',
    card: 'status',
    cell: (row) => <RknCell domain={row} />,
  },
  { id: 'status', header: 'list.status', sort: 'http_status_code', cell: (row) => <HealthCell domain={row} /> },
  { id: 'added', header: 'list.added', sort: 'created_at', cell: (row) => <DateCell iso={row.created_at} /> },
];

const EXPIRY: readonly Column<UserDomain>[] = [
  { id: 'expiry', header: 'list.expiry', sort: 'expired_at', cell: (row) => <ExpiryDate {...row} /> },
  {
    id: 'registrar',
    header: 'list.registrar',
    sort: 'registrar_type',
    cell: (row) => row.registrar_type ?? <NoData />,
  },
];

// The cards show more fields than the table (product.md, "Domain list widget").
const CARD_ONLY: readonly Column<UserDomain>[] = [
  { id: 'code', only: 'card', header: 'list.code', cell: (row) => row.http_status_code ?? <NoData /> },
  { id: 'checked', only: 'card', header: 'list.last_check', cell: (row) => <TimeCell iso={row.last_http_check_at} /> },
];

/** Returns the columns for a filter, in the order of the specification. */
export const domainColumns = (status: DomainFilter): Column<UserDomain>[] => [
  ...COLUMNS,
  ...(status === 'expired' ? EXPIRY : []),
  ...CARD_ONLY,
];

const nameOf = ({ unicode_name }: UserDomain): string => unicode_name;

interface DomainListProps {
  title: Key;
  status: DomainFilter;
  /** Open at first; an empty list closes itself. */
  open: boolean;
  /** The text of an empty list: no problems, or not checked yet. */
  none: Key;
}

function useSource(status: DomainFilter, sort: string): RowsSource<UserDomain> {
  return useMemo<RowsSource<UserDomain>>(
    () => ({
      key: ['GET /api/user_domains', { status, sort }],
      load: (page, signal) =>
        call('GET /api/user_domains', { query: { status, sort: sort || undefined, ...page }, signal }),
    }),
    [status, sort],
  );
}

// Of each list in the URL. What expires comes by its date.
const SORTS = { sort_blocked: '', sort_broken: '', sort_expired: 'expired_at', sort_all: '', sort_active: '' };

/** One list of the dashboard. While closed, it requests nothing. */
export function DomainList({ title, status, open: openAtFirst, none }: DomainListProps) {
  const t = useT();
  const formats = useFormats();
  const id = useId();
  const [chosen, setChosen] = useState<boolean>();
  const [sorts, setSorts] = useUrlState(SORTS);
  const sort = sorts[`sort_${status}`];
  const source = useSource(status, sort);
  const first = useFirstPage(source, chosen ?? openAtFirst);
  const total = totalOf(first.data);
  const open = chosen ?? (openAtFirst && total !== 0);
  const columns = useMemo(() => domainColumns(status), [status]);
  const { selection, bar } = useRenewals();
  return (
    <section className="panel domain-list" aria-labelledby={id}>
      <div className="list-head">
        <h2 id={id} className="bp6-heading">
          <Button
            variant="minimal"
            icon={open ? <ChevronDownIcon /> : <ChevronRightIcon />}
            aria-expanded={open}
            aria-controls={`${id}-body`}
            onClick={() => setChosen(!open)}
            text={<T k={title} />}
          />
        </h2>
        {total !== undefined && (
          <Tag round minimal intent={total === 0 ? 'none' : LIST_INTENT[status]}>
            {formats.number(total)}
          </Tag>
        )}
        {total === 0 && !open && (
          <span className="muted">
            <T k={none} />
          </span>
        )}
        {open && status === 'expired' && bar}
      </div>
      <div id={`${id}-body`} hidden={!open}>
        {open && (
          <DataTable
            oneLine
            label={t(title)}
            source={source}
            columns={columns}
            sort={sort}
            onSort={(next) => setSorts({ [`sort_${status}`]: next })}
            {...selection}
            name={nameOf}
            empty={<Nothing text={none} />}
            failed="list.failed"
          />
        )}
      </div>
    </section>
  );
}

const LIST_INTENT = {
  all: 'none',
  active: 'success',
  blocked: 'danger',
  broken: 'danger',
  expired: 'warning',
} as const;

function Nothing({ text }: { text: Key }) {
  return (
    <EmptyState icon={text === 'list.no_problems' ? <TickCircleIcon size={20} className="good" /> : undefined}>
      <T k={text} />
    </EmptyState>
  );
}
