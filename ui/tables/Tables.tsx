import { useCall } from '../kit/api.ts';
import { EmptyState } from '../kit/EmptyState.tsx';
import { useT } from '../kit/language.ts';
import { LogLink } from '../audit/LogLink.tsx';
import { ListBeside } from '../kit/list/ListBeside.tsx';
import { Screen } from '../kit/Screen.tsx';
import { T } from '../kit/T.tsx';
import { Failed, Skeleton } from '../kit/table/DataTable.tsx';
import { useUrlState } from '../kit/useUrlState.ts';
import { TableRows } from './TableRows.tsx';
import './Tables.css';

const VIEW = { table: '', search: '', sort: '', id: '' };
export type View = typeof VIEW;

/** The table editor: the tables at the left, the rows of the chosen one beside. The choice is in the URL. */
export function Tables() {
  const t = useT();
  const [view, setView] = useUrlState(VIEW);
  const { data: tables, error, refetch } = useCall('GET /api/tables');
  const chosen = tables?.find(({ name }) => name === view.table);
  return (
    <Screen title="nav.tables" actions={<LogLink />}>
      {error && <Failed sentence="tables.tables_failed" reason={error.message} retry={() => void refetch()} />}
      {!tables && !error && <Skeleton label={t('ui.loading')} />}
      {tables && (
        <ListBeside
          className="tables"
          label={t('tables.list')}
          find={t('tables.find')}
          prompt={t('tables.select')}
          items={tables.map(({ name }) => ({ id: name, name, search: `table=${name}` }))}
          chosen={view.table}
          onChoose={(table) => setView({ ...VIEW, table })}
        >
          <div>
            {chosen ? (
              <TableRows key={chosen.name} table={chosen} view={view} onView={setView} />
            ) : (
              <EmptyState>
                <T k="tables.select" />
              </EmptyState>
            )}
          </div>
        </ListBeside>
      )}
    </Screen>
  );
}
