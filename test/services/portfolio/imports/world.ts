// Shared parts of the tests of imports: three users, files as text, and readers for what was stored.
import type { DomainRow } from '../../../../src/shared/portfolio/tables.ts';
import { afterEach, beforeEach } from 'vitest';
import { select, transaction } from '../../../../db/index.ts';
import { insertRow } from '../../../../db/rows.ts';
import { registrars } from '../../../../src/shared/accounts/tables.ts';
import { createDomain } from '../../../../src/services/portfolio/domains.ts';
import { commitImport } from '../../../../src/services/portfolio/imports.ts';
import type { Actor } from '../../../../src/services/access/scope.ts';
import { DomainInput } from '../../../../src/shared/portfolio/domains.ts';
import { ImportOptions, type ImportResult } from '../../../../src/shared/portfolio/imports.ts';
import { addUser, startDatabase } from '../../../support/database.ts';

/** The database of the running test. */
export let database: Awaited<ReturnType<typeof startDatabase>>;
/** An administrator. */
export let admin: Actor & { id: number };
/** A user. */
export let anna: Actor & { id: number };
/** Another user. */
export let boris: Actor & { id: number };

/** Opens a new database with the three users before each test. */
export function useImports(): void {
  beforeEach(async () => {
    database = await startDatabase();
    admin = await addUser('admin', 'admin');
    anna = await addUser('anna');
    boris = await addUser('boris');
  });
  afterEach(() => database.close());
}

/** The options of an import. */
export const options = (change: object = {}) => ImportOptions.parse(change);
/** A file of that text. */
export const text = (content: string) => ({ name: 'domains.csv', bytes: Buffer.from(content) });
/** Imports a file of that text. */
export const run = (actor: Actor, content: string, change: object = {}): Promise<ImportResult> =>
  commitImport(actor, text(content), options(change));
/** The id of the stored import. */
export const idOf = ({ import: view }: ImportResult): number => view?.id ?? 0;

/** The rows of a table. */
export const rowsOf = (table: string): Promise<DomainRow[]> => select<DomainRow>(`SELECT * FROM ${table} ORDER BY id`);
/** The row of a domain. */
export const domain = async (name: string): Promise<DomainRow | undefined> =>
  (await select<DomainRow>('SELECT * FROM domains WHERE domain_name = $name AND deleted_at IS NULL', { name }))[0];
/** Adds a registrar of Anna's and returns its id. */
export const addRegistrar = (name: string): Promise<number> =>
  transaction(() =>
    insertRow(registrars, {
      user_id: anna.id,
      type: 'reg.ru',
      name,
      login: 'ann',
      password: '',
      created_at: new Date().toISOString(),
    }),
  );
/** Adds a domain. */
export const add = (actor: Actor, domain_name: string, change: object = {}) =>
  createDomain(actor, DomainInput.parse({ domain_name, ...change }));
