import { portfolio } from './first/0001-portfolio.ts';
import { operations } from './first/0002-operations.ts';
import { sites } from './first/0003-sites.ts';
import { ownership } from './first/0004-ownership.ts';
import { attachments } from './first/0005-attachments.ts';
import { moves } from './first/0006-moves.ts';
import { lists } from './first/0007-lists.ts';
import { signInNetworks } from './first/0009-sign-in-networks.ts';
import { cloudflare } from './first/0010-cloudflare.ts';
import { history } from './first/0011-history.ts';
import { locks } from './first/0012-locks.ts';
import { operationFacts } from './first/0013-operation-facts.ts';
import { audit } from './first/0014-audit.ts';
import { registrars } from './0016-registrars.ts';
import { registrations } from './0017-registrations.ts';
import { purchases } from './0018-purchases.ts';
import { autoBuy } from './0019-auto-buy.ts';
import { expiryFeeds } from './0020-expiry-feeds.ts';
import { renewedOnce } from './0021-renewed-once.ts';
import { searchAccounts } from './0025-search-accounts.ts';
import { positions } from './0026-positions.ts';
import { searchTasks } from './0027-search-tasks.ts';
import { schedules } from './0030-schedules.ts';
import { auditAnchor } from './0031-audit-anchor.ts';
import { notices } from './0032-notices.ts';
import { noticeAcknowledgements } from './0033-notice-acknowledgements.ts';
import { telegram } from './0034-telegram.ts';
import { why } from './0035-why.ts';
import { people } from './0036-people.ts';
import { claimsOfHosts } from './0050-claims-of-hosts.ts';
import { claimsOfAttachments } from './0051-claims-of-attachments.ts';
import { claimsOfRenamedRows } from './0052-claims-of-renamed-rows.ts';
import { claimsSetRight } from './0053-claims-set-right.ts';
import { secondFactor } from './0037-second-factor.ts';

/**
 * A change of the schema: statements that run in one transaction together with the note that they did. Work too large for
 * one transaction is done before them by `slice`, which is called in a transaction of its own until it returns false; after
 * an interruption it must continue where it stopped. `postgres` stands for both where PostgreSQL needs other statements than
 * those that `postgres-statement.ts` translates.
 */
export interface Migration {
  name: string;
  statements: string[];
  slice?: () => Promise<boolean>;
  postgres?: string[];
}

/** Every migration, oldest first; one of a statement or two stands here itself. Never edit one that has landed: write a new one. */
export const migrations: Migration[] = [
  portfolio,
  operations,
  sites,
  ownership,
  attachments,
  moves,
  lists,
  signInNetworks,
  cloudflare,
  history,
  locks,
  operationFacts,
  audit,
  // PostgreSQL expects a thousand members otherwise, and reads a whole table where a few rows are found by an index.
  { name: '0015-few-members', statements: [], postgres: ['ALTER FUNCTION json_each(text) ROWS 10'] },
  registrars,
  registrations,
  purchases,
  autoBuy,
  expiryFeeds,
  renewedOnce,
  {
    name: '0022-purchases-switch',
    statements: ['switched_at', 'switched_by'].map((column) => `ALTER TABLE budget_settings ADD COLUMN ${column} TEXT`),
  },
  {
    name: '0023-tries',
    statements: ['ALTER TABLE operations ADD COLUMN tries INTEGER NOT NULL DEFAULT 0'],
  },
  {
    name: '0024-registry-turns',
    statements: [
      'CREATE TABLE registry_turns (server TEXT PRIMARY KEY, period_at TEXT NOT NULL, calls INTEGER NOT NULL)',
    ],
  },
  searchAccounts,
  positions,
  {
    name: '0027-indexation',
    statements: [
      `CREATE TABLE indexation_spans (
        domain_id INTEGER NOT NULL REFERENCES domains(id) ON DELETE CASCADE,
        engine TEXT NOT NULL,
        since TEXT NOT NULL,
        indexed INTEGER NOT NULL,
        last_checked_at TEXT NOT NULL,
        doubted_at TEXT,
        PRIMARY KEY (domain_id, engine, since)
      )`,
    ],
  },
  searchTasks,
  {
    name: '0028-pages-read',
    statements: [`ALTER TABLE search_pages ADD COLUMN read_at TEXT NOT NULL DEFAULT ''`],
  },
  {
    name: '0029-moves-of-gone',
    statements: ['main', 'transfer'].map((side) => `ALTER TABLE transfer_history ADD COLUMN gone_${side}_id INTEGER`),
  },
  schedules,
  auditAnchor,
  notices,
  noticeAcknowledgements,
  telegram,
  why,
  people,
  secondFactor,
  {
    name: '0038-triage',
    statements: [
      'CREATE INDEX events_kind ON events (kind, at)',
      'CREATE INDEX notice_subjects_closed ON notice_subjects (closed_at) WHERE closed_at IS NOT NULL',
    ],
  },
  {
    // Index for the operations of a name, on its page: the other index begins with the operation.
    name: '0039-work-by-name',
    statements: ['CREATE INDEX operation_items_name ON operation_items (lock_name)'],
  },
  {
    name: '0040-budgets',
    statements: [
      `CREATE TABLE call_budgets (
        key TEXT PRIMARY KEY,
        service TEXT NOT NULL,
        calls INTEGER NOT NULL,
        seconds INTEGER NOT NULL,
        slices TEXT NOT NULL,
        blocked_until TEXT,
        changed_at TEXT NOT NULL
      )`,
    ],
  },
  {
    name: '0041-reserve-looks',
    statements: [
      'CREATE TABLE reserve_looks (project_id INTEGER PRIMARY KEY REFERENCES projects(id) ON DELETE CASCADE, ready INTEGER NOT NULL)',
      // A notice of a project has its id as the subject from now on, so that a rename does not end it.
      `UPDATE notice_subjects SET subject = 'project:' || project_id WHERE project_id IS NOT NULL
         AND notice_id IN (SELECT id FROM notices WHERE kind = 'no_reserve')`,
    ],
  },
  { name: '0042-requests', statements: ['ALTER TABLE operations ADD COLUMN request_id TEXT'] },
  {
    // Work that a person has stopped waits for a person. Index of the few that have not ended: each look asks which of them are half ended.
    name: '0043-stopped-work',
    statements: [
      'ALTER TABLE operations ADD COLUMN stopped INTEGER NOT NULL DEFAULT 0',
      'CREATE INDEX operations_unfinished ON operations (id) WHERE finished_at IS NULL',
    ],
  },
  {
    name: '0044-sign-in-tries',
    statements: [
      'CREATE TABLE sign_in_tries (key TEXT PRIMARY KEY, book TEXT NOT NULL, expires_at TEXT NOT NULL)',
      'CREATE INDEX sign_in_tries_expires ON sign_in_tries (expires_at)',
    ],
  },
  { name: '0045-traces', statements: ['ALTER TABLE operations ADD COLUMN trace TEXT'] },
  {
    name: '0047-list-views',
    statements: [
      `CREATE TABLE list_settings (
        user_id INTEGER NOT NULL REFERENCES users(id) ON DELETE CASCADE,
        list TEXT NOT NULL,
        columns TEXT,
        density TEXT NOT NULL,
        PRIMARY KEY (user_id, list)
      )`,
      `CREATE TABLE list_views (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        user_id INTEGER NOT NULL REFERENCES users(id) ON DELETE CASCADE,
        list TEXT NOT NULL,
        name TEXT NOT NULL,
        query TEXT NOT NULL,
        created_at TEXT NOT NULL
      )`,
      'CREATE UNIQUE INDEX list_views_name ON list_views (user_id, list, name)',
    ],
  },
  {
    // Index of silent names, with the condition of `filters().broken`. Each read asks for its first column: by that alone SQLite takes it.
    // The time of the check, which each check changes, stays out: PostgreSQL would write all indexes of the row anew.
    name: '0048-silent-names',
    statements: [
      `CREATE INDEX domains_silent ON domains (deleted_at, server_id, cloudflare_account_id)
         WHERE deleted_at IS NULL AND NOT COALESCE(http_status_code BETWEEN 200 AND 299, 1=0)`,
    ],
  },
  {
    // A purge deletes operations, domains and queries by the thousand: without these it reads a whole table for each of them.
    name: '0049-referring-rows',
    statements: [
      'CREATE INDEX transfer_history_operation ON transfer_history (operation_id)',
      'CREATE INDEX transfer_decisions_operation ON transfer_decisions (operation_id)',
      'CREATE INDEX transfer_decisions_target ON transfer_decisions (target_id)',
      'CREATE INDEX search_pages_query ON search_pages (query_id)',
    ],
  },
  claimsOfHosts,
  claimsOfAttachments,
  claimsOfRenamedRows,
  claimsSetRight,
  {
    // A confirmed address stays in force until the next one is confirmed, and hears of the change itself.
    name: '0054-email-changes',
    statements: [
      'ALTER TABLE notice_preferences ADD COLUMN email_next TEXT',
      'ALTER TABLE notice_deliveries ADD COLUMN address TEXT',
    ],
  },
  {
    // Looked for every few seconds, among all that is kept.
    name: '0055-untold-notices',
    statements: [
      'CREATE INDEX notices_new ON notices (id) WHERE told_at IS NULL',
      'CREATE INDEX notices_closed_since ON notices (kind) WHERE closed_at > told_at',
    ],
  },
  // Each claim takes the highest fence of all.
  { name: '0056-order-of-work', statements: ['CREATE INDEX operations_fence ON operations (fence)'] },
  // The index `notices_closed_since` is read by processes of the version before alone.
  {
    name: '0059-silent-subjects',
    statements: ['ALTER TABLE notice_subjects ADD COLUMN silent INTEGER NOT NULL DEFAULT 0'],
  },
];
