import { accountKind, type AnyView } from './kind.ts';
import { xmlriverAccounts, type XmlriverAccountRow } from './tables.ts';
import { ACCOUNT_SCREENS } from './screens.ts';

/** An account in a list. `balance` is what was last read, a decimal text in `balance_currency`; null: it can't be had. */
export interface XmlriverView
  extends AnyView, Pick<XmlriverAccountRow, 'login' | 'key' | 'balance' | 'balance_currency'> {}

/** Accounts of XMLRiver, where positions are read. */
export const xmlriverKind = accountKind<XmlriverView>()({
  noun: 'xmlriver',
  table: xmlriverAccounts,
  path: '/api/xmlriver',
  edit: 'PUT',
  called: { one: 'an XMLRiver account', many: 'XMLRiver accounts' },
  texts: 'xmlriver',
  name: 'team.name',
  fields: {
    login: { kind: 'text', max: 200, flag: 'login', label: 'xmlriver.login_field', empty: 'xmlriver.login_empty' },
    key: {
      kind: 'secret',
      max: 500,
      flag: 'key',
      label: 'xmlriver.key',
      kept: 'xmlriver.key_kept',
      empty: 'xmlriver.key_empty',
    },
  },
  test: { by: 'owner', onSave: true, unsaved: true },
  inGroups: false,
  listed: {
    id: true,
    name: true,
    login: true,
    balance: true,
    balance_currency: 'currency',
    check_error: 'error',
    key: false,
    domains: false,
    created_at: false,
    checked_at: false,
    can_edit: false,
  },
  screen: {
    ...ACCOUNT_SCREENS.xmlriver,
    layout: 'table',
    count: 'search_account.count',
    shown: [
      { column: 'name', header: 'team.name' },
      { column: 'login', header: 'xmlriver.login' },
      { column: 'key', header: 'xmlriver.key' },
      { column: 'balance', header: 'search_account.balance' },
    ],
  },
  chosen: null,
});
