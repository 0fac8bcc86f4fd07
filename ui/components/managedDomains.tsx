import { EditIcon, HistoryIcon, ShareIcon, TrashIcon } from '@blueprintjs/icons';
import { lazy, Suspense, useCallback, useMemo, useState, type ReactNode } from 'react';
import { Link } from 'react-router-dom';
import type { DomainFilter, DomainView } from '../../src/shared/domains.ts';
import { call } from '../api.ts';
import { useT } from '../language.ts';
import type { Column } from './DataTable.tsx';
import { domainColumns } from './DomainList.tsx';
import { IconAction } from './IconAction.tsx';
import { IndexTag } from './IndexTag.tsx';
import { refreshDomains } from './operations.ts';
import { removeWithUndo } from './removal.ts';
import type { ToastPlace } from './toasts.tsx';
import { useUrlDialog } from './useUrlDialog.ts';

const Domain = lazy(async () => ({ default: (await import('../dialogs/Domain.tsx')).Domain }));
const DomainChecks = lazy(async () => ({ default: (await import('../dialogs/DomainChecks.tsx')).DomainChecks }));

interface Acts {
  history: (domain: DomainView) => void;
  remove: (domain: DomainView) => void;
}

function DomainActions({ domain, acts }: { domain: DomainView; acts: Acts }) {
  const t = useT();
  const { open } = useUrlDialog('domain');
  const name = domain.unicode_name;
  return (
    <span className="icon-actions">
      <IconAction icon={<EditIcon />} action={t('sites.edit')} name={name} onClick={() => open(domain.id)} />
      <IconAction icon={<ShareIcon />} action={t('sites.open')} name={name} href={`http://${domain.domain_name}/`} />
      <IconAction icon={<HistoryIcon />} action={t('sites.history')} name={name} onClick={() => acts.history(domain)} />
      <IconAction icon={<TrashIcon />} action={t('sites.delete')} name={name} onClick={() => acts.remove(domain)} />
    </span>
  );
}

/** A domain's name as people read it; it opens the domain. */
function DomainLink({ domain }: { domain: DomainView }) {
  const { to, state } = useUrlDialog('domain').linkTo(domain.id);
  return (
    <Link to={to} state={state} className="domain-name" title={domain.domain_name} translate="no">
      {domain.unicode_name}
    </Link>
  );
}

/** The widget's columns with the name leading to the domain, the indexation, and what can be done at the end. */
const managedColumns = (
  filter: DomainFilter,
  without: readonly string[],
  more: readonly Column<DomainView>[],
  acts: Acts,
): Column<DomainView>[] => [
  {
    id: 'domain',
    header: 'list.domain',
    sort: 'domain_name',
    card: 'title',
    cell: (domain) => <DomainLink domain={domain} />,
  },
  ...domainColumns(filter).filter(({ id }) => id !== 'domain' && !without.includes(id)),
  { id: 'index', header: 'sites.index', cell: (domain) => <IndexTag domain={domain} /> },
  ...more,
  { id: 'actions', header: 'sites.actions', cell: (domain) => <DomainActions domain={domain} acts={acts} /> },
];

export interface ManagedDomains {
  columns: readonly Column<DomainView>[];
  /** The dialogs that are open: to be put at the end of the screen. */
  dialogs: ReactNode;
}

interface Options {
  filter: DomainFilter;
  /** Columns of the widget that would say the same in every row. Both lists are constants. */
  without?: readonly string[];
  more?: readonly Column<DomainView>[];
  place: ToastPlace;
}

const NONE: readonly never[] = [];

/** A list of domains that can be edited: its columns and the dialogs behind them. The edited domain is in the address. */
export function useManagedDomains({ filter, without = NONE, more = NONE, place }: Options): ManagedDomains {
  const t = useT();
  const { id, close } = useUrlDialog('domain');
  const [history, setHistory] = useState<DomainView>();
  const remove = useCallback(
    async (domain: DomainView): Promise<void> => {
      const params = { id: domain.id };
      // The row goes, and the focus with it: the list keeps it.
      document.activeElement?.closest<HTMLElement>('.rows')?.focus();
      await removeWithUndo({
        remove: async () => {
          await call('DELETE /api/domains/:id', { params });
          return { message: t('domain.deleted', { name: domain.unicode_name }) };
        },
        restore: () => call('POST /api/domains/:id/restore', { params, body: {} }),
        refresh: refreshDomains,
        words: {
          failed: t('projects.domain_delete_failed'),
          undo: t('projects.undo'),
          undoFailed: t('projects.undo_failed'),
        },
        place,
      });
    },
    [t, place],
  );
  const columns = useMemo(
    () =>
      managedColumns(filter, without, more, {
        history: setHistory,
        remove: (domain) => void remove(domain),
      }),
    [filter, without, more, remove],
  );
  const dialogs = (
    <Suspense fallback={null}>
      {id !== undefined && <Domain key={id} id={id} place={place} onClose={close} />}
      {history && <DomainChecks domain={history} onClose={() => setHistory(undefined)} />}
    </Suspense>
  );
  return { columns, dialogs };
}
