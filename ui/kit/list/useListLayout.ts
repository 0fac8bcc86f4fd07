import { useMemo } from 'react';
import type { ListName, ListSettings, ListSettingsInput } from '../../../src/shared/access/list-views.ts';
import { call, useCall } from '../api.ts';
import { allSent } from '../form/inTurn.ts';
import { storeChoice } from '../form/storeChoice.ts';
import { useT } from '../language.ts';
import type { Column } from '../table/DataTable.tsx';
import { useUrlState } from '../useUrlState.ts';
import { idsOf, laidOut } from './layout.ts';

const URL_STATE = { columns: '' };
const NOTHING: ListSettings = { columns: null, density: 'regular', views: [] };

/** How a person sees a list. */
export interface ListLayout<Row> {
  list: ListName;
  /** All columns of the list, and those that the person has chosen, in their order. */
  all: readonly Column<Row>[];
  columns: readonly Column<Row>[];
  /** The chosen ids; undefined: the columns are those of the program. */
  chosen: readonly string[] | undefined;
  settings: ListSettings;
  /** Until it is known: what is drawn before that would move. */
  isPending: boolean;
  set: (change: ListSettingsInput) => Promise<void>;
}

/**
 * Returns a list as a person sees it. Columns in the address (`?columns=project.rkn`) go before the person's own, so that a link
 * shows the same to all; a choice of columns takes them out of it. `all` must be a constant or memoized.
 */
export function useListLayout<Row>(list: ListName, all: readonly Column<Row>[]): ListLayout<Row> {
  const t = useT();
  const [{ columns: linked }, setUrl] = useUrlState(URL_STATE);
  const input = { params: { list } };
  const { data, isPending } = useCall('GET /api/list_settings/:list', input, { after: allSent });
  const settings = data?.data ?? NOTHING;
  const own = settings.columns?.join('.') ?? '';
  const chosen = useMemo(() => idsOf(linked || own, all), [linked, own, all]);
  const columns = useMemo(() => laidOut(all, chosen), [all, chosen]);
  const set = async (change: ListSettingsInput): Promise<void> => {
    const isKept = storeChoice({
      read: 'GET /api/list_settings/:list',
      input,
      shown: (now) => ({ data: { ...(now?.data ?? NOTHING), ...change } }),
      store: () => call('PUT /api/list_settings/:list', { ...input, body: change, keepalive: true }),
      failed: t('views.not_kept'),
    });
    if (change.columns !== undefined) setUrl({ columns: '' });
    await isKept;
  };
  return { list, all, columns, chosen, settings, isPending, set };
}
