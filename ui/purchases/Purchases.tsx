import { useMemo, useState } from 'react';
import { Link } from 'react-router-dom';
import { PURCHASE_STATES, type PurchaseState } from '../../src/shared/purchases/states.ts';
import { call } from '../kit/api.ts';
import { Chips } from '../kit/Chips.tsx';
import { useT } from '../kit/language.ts';
import { ListTools } from '../kit/list/ListTools.tsx';
import { useListLayout } from '../kit/list/useListLayout.ts';
import { useSeenFile } from '../kit/list/useSeenFile.ts';
import { Screen } from '../kit/Screen.tsx';
import { useSession } from '../kit/session.ts';
import { T } from '../kit/T.tsx';
import { DataTable } from '../kit/table/DataTable.tsx';
import { EmptyList } from '../kit/table/EmptyList.tsx';
import type { RowsSource } from '../kit/table/useRows.ts';
import { useUrlState } from '../kit/useUrlState.ts';
import { Budget } from './Budget.tsx';
import { Decide } from './Decide.tsx';
import { decisionColumn, PURCHASE_COLUMNS, stateKey, type Purchase } from './purchaseColumns.tsx';
import { PurchasesState } from './PurchasesState.tsx';
import './Purchases.css';

const VIEW = { state: '' };
const FIELDS = [...Object.keys(VIEW), 'columns'];

function StateChips({ state, onState }: { state: PurchaseState | ''; onState: (state: PurchaseState | '') => void }) {
  const t = useT();
  return (
    <Chips<PurchaseState | ''>
      label={t('purchases.state')}
      chips={[
        { value: '', label: <T k="purchases.any" /> },
        ...PURCHASE_STATES.map((value) => ({ value, label: <T k={stateKey(value)} /> })),
      ]}
      value={state}
      onChange={onState}
    />
  );
}

/** The ledger: the budget with its switch for admins, and every purchase and renewal that the user may see. */
export function Purchases() {
  const t = useT();
  const isAdmin = useSession().user?.role === 'admin';
  const [view, setView] = useUrlState(VIEW);
  const [decided, setDecided] = useState<Purchase>();
  const state = PURCHASE_STATES.find((value) => value === view.state);
  const source = useMemo<RowsSource<Purchase>>(
    () => ({
      key: ['GET /api/purchases', { state }],
      load: (page, signal) => call('GET /api/purchases', { query: { state, ...page }, signal }),
    }),
    [state],
  );
  const columns = useMemo(
    () => (isAdmin ? [...PURCHASE_COLUMNS, decisionColumn(setDecided)] : PURCHASE_COLUMNS),
    [isAdmin],
  );
  const layout = useListLayout('purchases', columns);
  const seen = useSeenFile('purchases', source, layout.columns);
  return (
    <Screen title="nav.purchases">
      {isAdmin ? <Budget /> : <PurchasesState />}
      <h2 className="bp6-heading section-title">
        <T k="purchases.list" />
      </h2>
      <div className="list-line">
        <StateChips state={state ?? ''} onState={(next) => setView({ state: next })} />
        <ListTools layout={layout} fields={FIELDS} csv={seen} />
      </div>
      <DataTable
        oneLine
        height="page"
        label={t('purchases.list')}
        source={source}
        columns={layout.columns}
        density={layout.settings.density}
        isLoading={layout.isPending}
        failed="purchases.list_failed"
        empty={
          <EmptyList
            none="purchases.none"
            onReset={state && (() => setView({ state: '' }))}
            action={
              <Link className="bp6-button" to="/projects">
                <T k="purchases.to_projects" />
              </Link>
            }
          />
        }
      />
      {decided && <Decide key={decided.id} purchase={decided} onClose={() => setDecided(undefined)} />}
    </Screen>
  );
}
