import { Button, Tag } from '@blueprintjs/core';
import { ChevronDownIcon, ChevronRightIcon, TickCircleIcon } from '../kit/icons.tsx';
import { useId, useMemo, useState } from 'react';
import type { DomainFilter, UserDomain } from '../../src/shared/portfolio/domains.ts';
import type { Key } from '../../src/shared/i18n/index.ts';
import { call } from '../kit/api.ts';
import { useFormats, useT } from '../kit/language.ts';
import { DataTable } from '../kit/table/DataTable.tsx';
import { domainColumns, domainGrid } from './domainColumns.tsx';
import { EmptyState } from '../kit/EmptyState.tsx';
import { useRenewals } from '../purchases/useRenewals.tsx';
import { AWAITED, useAwaited } from '../kit/Loading.tsx';
import { T } from '../kit/T.tsx';
import { useUrlState } from '../kit/useUrlState.ts';
import { totalOf, useFirstPage, type RowsSource } from '../kit/table/useRows.ts';

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

// The URL parameter and default sort of each list: expiring domains come by date.
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
  const isAwaited = useAwaited(openAtFirst && first.isPending);
  const columns = useMemo(() => domainColumns(status), [status]);
  const { selection, bar } = useRenewals();
  return (
    <section className={`panel domain-list ${isAwaited ? AWAITED : ''}`} aria-labelledby={id}>
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
            among={domainGrid(status)}
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
