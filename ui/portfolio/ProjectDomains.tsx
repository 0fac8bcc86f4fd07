import { Tag } from '@blueprintjs/core';
import { useEffect, useId, useMemo } from 'react';
import type { DomainView } from '../../src/shared/portfolio/domains.ts';
import type { Key } from '../../src/shared/i18n/index.ts';
import { call } from '../kit/api.ts';
import { useFormats, useT } from '../kit/language.ts';
import { DataTable, type DataTableProps } from '../kit/table/DataTable.tsx';
import { T } from '../kit/T.tsx';
import { toastFailure } from '../kit/toasts.tsx';
import { totalOf, useFirstPage, type RowsSource } from '../kit/table/useRows.ts';

/** The two tables of a project: its main domains and the reserve ones. */
const TABLES = {
  main: {
    call: 'GET /api/project_domains/:projectId',
    title: 'projects.assigned',
    none: 'projects.no_assigned',
    failed: 'projects.assigned_failed',
  },
  transfer: {
    call: 'GET /api/project_unassigned_domains/:projectId',
    title: 'projects.reserve',
    none: 'projects.no_reserve',
    failed: 'projects.reserve_failed',
  },
} as const satisfies Record<string, { call: string; title: Key; none: Key; failed: Key }>;

/** Which rows of a project: main or reserve ones, found by a text and in an order. */
interface ProjectRows {
  type: keyof typeof TABLES;
  projectId: number;
  search: string;
  sort: string;
}

/** Returns the rows of one of the tables of a project. */
export function useProjectRows({ type, projectId, search, sort }: ProjectRows): RowsSource<DomainView> {
  const path = TABLES[type].call;
  return useMemo(
    () => ({
      key: [path, { projectId, search, sort }],
      load: (page, signal) =>
        call(path, {
          params: { projectId },
          query: { search: search || undefined, sort: sort || undefined, ...page },
          signal,
        }),
    }),
    [path, projectId, search, sort],
  );
}

interface ProjectDomainsProps extends Pick<DataTableProps<DomainView>, 'columns' | 'density' | 'isLoading'> {
  type: keyof typeof TABLES;
  source: RowsSource<DomainView>;
  search: string;
  sort: string;
  onSort: (sort: string) => void;
}

/** The main or the reserve domains of a project. A failure is shown in place and as a toast. */
export function ProjectDomains({ type, source, search, sort, onSort, ...look }: ProjectDomainsProps) {
  const t = useT();
  const formats = useFormats();
  const id = useId();
  const table = TABLES[type];
  const first = useFirstPage(source);
  const total = totalOf(first.data);
  useEffect(() => {
    if (first.error) toastFailure(t(table.failed), first.error, { place: 'project' });
  }, [first.error, t, table]);
  return (
    <section aria-labelledby={id} className="project-domains">
      <div className="list-head">
        <h3 id={id} className="bp6-heading">
          <T k={table.title} />
        </h3>
        {total !== undefined && (
          <Tag round minimal>
            {formats.number(total)}
          </Tag>
        )}
      </div>
      <DataTable
        oneLine
        label={t(table.title)}
        source={source}
        {...look}
        sort={sort}
        onSort={onSort}
        failed={table.failed}
        empty={search === '' ? table.none : 'ui.nothing_found'}
      />
    </section>
  );
}
