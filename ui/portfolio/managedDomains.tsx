import { useMemo, type ReactNode } from 'react';
import type { DomainFilter, DomainView } from '../../src/shared/portfolio/domains.ts';
import { DomainDialogs } from './DomainDialogs.tsx';
import type { Column } from '../kit/table/DataTable.tsx';
import { columnsBesideActions } from './domainColumns.tsx';
import { DomainActions, PhoneActs } from './DomainMenu.tsx';
import { IndexTag } from '../domains/IndexTag.tsx';
import { ListedName } from '../domains/ListedName.tsx';
import type { ToastPlace } from '../kit/toasts.tsx';

/** Returns the widget's columns with the name as a link, plus the indexing state and the actions. */
const managedColumns = ({ filter, without = NONE, more = NONE, place }: Options): Column<DomainView>[] => [
  {
    id: 'domain',
    fields: ['unicode_name'],
    // Room for 24 characters in each of two lines; in the smallest windows for the actions first.
    width: 192,
    least: 144,
    grow: 3,
    header: 'list.domain',
    sort: 'domain_name',
    card: 'title',
    cell: (domain) => <ListedName {...domain} />,
  },
  ...columnsBesideActions(filter).filter(({ id }) => id !== 'domain' && !without.includes(id)),
  {
    id: 'index',
    fields: ['yandex_indexation', 'google_indexation'],
    width: 90,
    priority: 3,
    header: 'sites.index',
    cell: (domain) => <IndexTag domain={domain} />,
  },
  ...more,
  {
    id: 'act',
    only: 'card',
    header: 'sites.actions',
    cell: (domain) => <PhoneActs domain={domain} place={place} />,
  },
  {
    id: 'actions',
    only: 'table',
    width: 164,
    header: 'sites.actions',
    cell: (domain) => <DomainActions domain={domain} place={place} />,
  },
];

export interface ManagedDomains {
  columns: readonly Column<DomainView>[];
  /** The dialogs; to be rendered at the end of the screen. */
  dialogs: ReactNode;
}

interface Options {
  filter: DomainFilter;
  /** Columns to leave out because every row would show the same. Both lists must be constants. */
  without?: readonly string[] | undefined;
  more?: readonly Column<DomainView>[] | undefined;
  place: ToastPlace;
}

const NONE: readonly never[] = [];

/** Returns the columns of an editable list of domains, and its dialogs, whose domain is in the URL. */
export function useManagedDomains({ filter, without, more, place }: Options): ManagedDomains {
  const columns = useMemo(() => managedColumns({ filter, without, more, place }), [filter, without, more, place]);
  return { columns, dialogs: <DomainDialogs place={place} /> };
}
