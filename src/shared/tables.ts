import type { Table } from './table.ts';
import * as access from './access/tables.ts';
import * as audit from './audit/tables.ts';
import * as accounts from './accounts/tables.ts';
import * as checks from './checks/tables.ts';
import * as telegram from './notices/telegram-tables.ts';
import * as dns from './dns/tables.ts';
import * as notices from './notices/tables.ts';
import * as operations from './operations/tables.ts';
import * as portfolio from './portfolio/tables.ts';
import * as positions from './positions/tables.ts';
import * as purchases from './purchases/tables.ts';
import * as sites from './sites/tables.ts';
import * as system from './system/tables.ts';
import * as transfers from './transfers/tables.ts';
import * as why from './why/tables.ts';

/** Every table, by name, but the ledger of the migrations. */
export const TABLES: ReadonlyMap<string, Table> = new Map(
  [
    access,
    accounts,
    audit,
    checks,
    dns,
    notices,
    operations,
    portfolio,
    positions,
    purchases,
    sites,
    system,
    telegram,
    transfers,
    why,
  ]
    .flatMap((area) => Object.values<Table>(area))
    .map((table) => [table.name, table]),
);

/** Returns the columns of other tables that refer to the rows of one, in the order of the tables. */
export const referencesTo = (name: string): { table: string; column: string }[] =>
  [...TABLES.values()].flatMap(({ name: table, columns }) =>
    Object.entries(columns).flatMap(([column, { references }]) =>
      references?.table === name ? [{ table, column }] : [],
    ),
  );

/** Returns every column that holds sealed secrets. */
export const secretColumns = (): { table: string; column: string }[] =>
  [...TABLES.values()].flatMap(({ name: table, columns }) =>
    Object.entries(columns).flatMap(([column, { kind }]) => (kind === 'secret' ? [{ table, column }] : [])),
  );
