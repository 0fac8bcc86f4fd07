import type { Migration } from './index.ts';

// Settings of a type, and the results of the last test.
const COLUMNS = [
  'base_url',
  'contact',
  'profile_type',
  'profile_name',
  'client_ip',
  'sandbox',
  'price',
  'highest_price',
  'balance',
  'balance_currency',
  'checked_at',
  'check_error',
];

/** Registrars have settings and are tested. */
export const registrars: Migration = {
  name: '0016-registrars',
  statements: COLUMNS.map((column) => `ALTER TABLE registrars ADD COLUMN ${column} TEXT`),
};
