// Shared parts of the tests of imports: a file is staged against what the portfolio has.
import { readCsv } from '../../../../src/lib/csv.ts';
import type { Existing, ExistingDomain } from '../../../../src/shared/portfolio/import-existing.ts';
import { readTable } from '../../../../src/shared/portfolio/import-columns.ts';
import { readRows } from '../../../../src/shared/portfolio/import-rows.ts';
import { stageImport, type Staged } from '../../../../src/shared/portfolio/import-stage.ts';
import { ImportOptions } from '../../../../src/shared/portfolio/imports.ts';

/** The user who imports. */
export const ME = 7;
/** The bytes of a text. */
export const utf8 = (text: string): Uint8Array => Buffer.from(text);
/** The options of an import. */
export const options = (change: object = {}) => ImportOptions.parse(change);
const existing = (change: Partial<Existing> = {}): Existing => ({
  domains: new Map(),
  projects: [],
  registrars: [],
  owner: ME,
  ...change,
});

/** Stages a file against what the portfolio has. */
export function stage(bytes: Uint8Array, change: object = {}, known: Partial<Existing> = {}): Staged {
  const chosen = options(change);
  return stageImport(readRows(readTable(readCsv(bytes).rows, chosen)), existing(known), chosen);
}

/** Each row as its line, action, name and the keys of its messages. */
export const brief = ({ rows }: Staged) =>
  rows.map(({ line, action, domain_name, messages }) => [line, action, domain_name, ...messages.map(({ key }) => key)]);

/** A domain that the importing user has. */
export const known = (change: Partial<ExistingDomain> = {}): ExistingDomain => ({
  id: 1,
  user_id: ME,
  project_id: null,
  project: null,
  server_id: null,
  holder: ME,
  type: 'main',
  transfer_type: 'auto',
  file_path: '/var/www/www-root/data/www/a.com',
  expired_at: null,
  registrars_id: null,
  updated_at: '2026-01-01T00:00:00.000Z',
  ...change,
});
