import { accountKind, type AnyView, type SettingField } from './kind.ts';
import { REGISTRAR_TYPES, typesWith } from './registrar-types.ts';
import { registrars, type RegistrarRow } from './tables.ts';
import { ACCOUNT_SCREENS } from './screens.ts';

/**
 * A registrar in a list. `balance` is what was last read or charged, a decimal text in `balance_currency`; null where the service does
 * not tell. Settings are null where the type has none of the kind, or none was given.
 */
export interface RegistrarView
  extends
    AnyView,
    Pick<
      RegistrarRow,
      | 'type'
      | 'login'
      | 'password'
      | 'base_url'
      | 'contact'
      | 'profile_type'
      | 'profile_name'
      | 'client_ip'
      | 'sandbox'
      | 'price'
      | 'highest_price'
      | 'balance'
      | 'balance_currency'
    > {}

type Setting = Pick<SettingField, 'value' | 'flag' | 'label' | 'help'>;

const setting = (name: string, field: Setting): SettingField => ({
  kind: 'setting',
  max: 200,
  ...field,
  ...typesWith(name),
});

/** Registrars. The type decides which settings there are; it can't be changed. */
export const registrarKind = accountKind<RegistrarView>()({
  noun: 'registrar',
  table: registrars,
  path: '/api/registrars',
  edit: 'PUT',
  called: { one: 'a registrar', many: 'registrars' },
  texts: 'registrars',
  name: 'team.name',
  fields: {
    type: {
      kind: 'option',
      options: REGISTRAR_TYPES,
      max: 40,
      flag: 'type',
      label: 'registrars.type',
      empty: 'registrars.type_unknown',
      locked: 'registrars.type_locked',
    },
    login: { kind: 'text', max: 200, flag: 'login', label: 'registrars.login_field', empty: 'registrars.login_empty' },
    password: {
      kind: 'secret',
      max: 500,
      flag: 'password',
      label: 'registrars.password_field',
      kept: 'registrars.password_kept',
      empty: 'registrars.password_empty',
    },
    base_url: setting('base_url', { value: 'url', flag: 'base-url', label: 'registrars.base_url' }),
    contact: setting('contact', {
      value: 'text',
      flag: 'contact',
      label: 'registrars.contact',
      help: 'registrars.contact_help',
    }),
    profile_type: setting('profile_type', {
      value: 'text',
      flag: 'profile-type',
      label: 'registrars.profile_type',
      help: 'registrars.profile_help',
    }),
    profile_name: setting('profile_name', { value: 'text', flag: 'profile-name', label: 'registrars.profile_name' }),
    client_ip: setting('client_ip', {
      value: 'ip',
      flag: 'client-ip',
      label: 'registrars.client_ip',
      help: 'registrars.client_ip_help',
    }),
    sandbox: setting('sandbox', { value: 'flag', flag: 'sandbox', label: 'registrars.sandbox' }),
    price: setting('price', {
      value: 'money',
      flag: 'price',
      label: 'registrars.price',
      help: 'registrars.price_help',
    }),
    highest_price: setting('highest_price', {
      value: 'money',
      flag: 'highest-price',
      label: 'registrars.highest_price',
      help: 'registrars.highest_price_help',
    }),
  },
  test: { by: 'owner', onSave: true, unsaved: true },
  inGroups: false,
  listed: {
    id: true,
    type: true,
    name: true,
    login: true,
    balance: true,
    balance_currency: 'currency',
    domains: true,
    check_error: 'error',
    password: false,
    base_url: false,
    contact: false,
    profile_type: false,
    profile_name: false,
    client_ip: false,
    sandbox: false,
    price: false,
    highest_price: false,
    created_at: false,
    checked_at: false,
    can_edit: false,
  },
  screen: {
    ...ACCOUNT_SCREENS.registrar,
    layout: 'table',
    shown: [
      { column: 'type', header: 'registrars.type' },
      { column: 'name', header: 'team.name' },
      { column: 'login', header: 'registrars.login' },
      { column: 'password', header: 'registrars.password' },
    ],
    count: 'registrars.count',
    domainsAt: '/sites?registrar=',
  },
  chosen: { label: 'domain_form.registrar', none: 'domain_form.no_registrar', failed: 'registrars.list_failed' },
});
