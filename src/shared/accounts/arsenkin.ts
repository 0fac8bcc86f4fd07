import { accountKind, type AnyView } from './kind.ts';
import { arsenkinAccounts, type ArsenkinAccountRow } from './tables.ts';
import { ACCOUNT_SCREENS } from './screens.ts';

/** An account in a list. `balance` is what was last read, a decimal text in `balance_currency`; null: it can't be had. */
export interface ArsenkinView extends AnyView, Pick<ArsenkinAccountRow, 'token' | 'balance' | 'balance_currency'> {}

/** Accounts of Arsenkin Tools, where indexation can be asked for. */
export const arsenkinKind = accountKind<ArsenkinView>()({
  noun: 'arsenkin',
  table: arsenkinAccounts,
  path: '/api/arsenkin',
  edit: 'PUT',
  called: { one: 'an Arsenkin account', many: 'Arsenkin accounts' },
  texts: 'arsenkin',
  name: 'team.name',
  fields: {
    token: {
      kind: 'secret',
      max: 500,
      flag: 'token',
      label: 'arsenkin.token',
      kept: 'arsenkin.token_kept',
      empty: 'arsenkin.token_empty',
    },
  },
  test: { by: 'owner', onSave: true, unsaved: true },
  inGroups: false,
  listed: {
    id: true,
    name: true,
    balance: true,
    balance_currency: 'currency',
    check_error: 'error',
    token: false,
    domains: false,
    created_at: false,
    checked_at: false,
    can_edit: false,
  },
  screen: {
    ...ACCOUNT_SCREENS.arsenkin,
    layout: 'table',
    count: 'search_account.count',
    shown: [
      { column: 'name', header: 'team.name' },
      { column: 'token', header: 'arsenkin.token' },
      { column: 'balance', header: 'search_account.balance' },
    ],
  },
  chosen: null,
});
