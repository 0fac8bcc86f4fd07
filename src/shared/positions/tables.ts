import { audited, id, integer, json, machine, optional, reference, table, text, time, type Row } from '../table.ts';
import type { Device, Engine, SourceChoice } from '../engines.ts';

/**
 * The keywords table. `normalized` is `value` in lower case with single blanks: no two of a project are the same. `tags` is JSON;
 * `target_url` is the page that is to be found, `frequency` how often people ask for it in a month.
 */
export const keywords = table('keywords', audited('value', ['normalized']), {
  id: id(),
  project_id: reference('projects', 'CASCADE'),
  value: text(),
  normalized: text(),
  tags: json(),
  target_url: optional(text()),
  frequency: optional(integer()),
  created_at: time(),
});
export type KeywordRow = Row<typeof keywords>;

/**
 * The position_settings table: how the positions of a project are read. `depth` is the number of places, `daily_cap` the most
 * paid requests a day, `every_days` 0 where they are read on request alone, `source` the service that reads them.
 */
export const positionSettings = table(
  'position_settings',
  audited(null),
  {
    project_id: reference('projects', 'CASCADE'),
    yandex_region: text(),
    google_region: text(),
    device: text<Device>(),
    depth: integer(),
    daily_cap: integer(),
    every_days: integer(),
    source: text<SourceChoice>(),
  },
  { key: ['project_id'] },
);
export type PositionSettingsRow = Row<typeof positionSettings>;

/** The search_queries table: what is asked of an engine for a keyword. */
export const searchQueries = table('search_queries', machine('what positions are of'), {
  id: id(),
  keyword_id: reference('keywords', 'CASCADE'),
  engine: text<Engine>(),
  region: text(),
  device: text<Device>(),
});
export type SearchQueryRow = Row<typeof searchQueries>;

/** The search_scopes table: the domains that were looked for, as a JSON list of ids in their order. */
export const searchScopes = table('search_scopes', machine('what was looked for'), {
  id: id(),
  project_id: reference('projects', 'CASCADE'),
  domain_ids: json(),
});
export type SearchScopeRow = Row<typeof searchScopes>;

/**
 * The search_days table: a query that was read on a day, its last reading. `day` is that of the first page of its list, and counts
 * from 1970-01-01 in UTC, here as in `positions`. `depth` is how many places were read, `results` the list of addresses: JSON, deflated, in base64; null once it
 * is too old.
 */
export const searchDays = table(
  'search_days',
  machine('what search engines have answered'),
  {
    query_id: reference('search_queries', 'CASCADE'),
    day: integer(),
    depth: integer(),
    requests: integer(),
    source: text(),
    checked_at: time(),
    scope_id: integer(),
    results: optional(text()),
  },
  { key: ['query_id', 'day'] },
);
export type SearchDayRow = Row<typeof searchDays>;

/**
 * The positions table: the place of a domain on a day. Where a query was read and a domain of its scope has no row, it is not
 * within the depth.
 */
export const positions = table(
  'positions',
  machine('what search engines have answered'),
  {
    query_id: reference('search_queries', 'CASCADE'),
    day: integer(),
    /** No reference, which would need an index of its own: the rows of a domain that is gone stay for the moves of its project. */
    domain_id: integer(),
    place: integer(),
    page_id: optional(integer()),
  },
  { key: ['query_id', 'day', 'domain_id'] },
);
export type PositionRow = Row<typeof positions>;

/** The found_pages table: addresses that search engines have shown of a domain. */
export const foundPages = table('found_pages', machine('what search engines have answered'), {
  id: id(),
  domain_id: reference('domains', 'CASCADE'),
  url: text(),
});
export type FoundPageRow = Row<typeof foundPages>;

/**
 * The search_pages table: pages of a running operation that were answered, and paid; `urls` is JSON. `read_at` is empty in rows of
 * earlier versions.
 */
export const searchPages = table(
  'search_pages',
  machine('what search engines have answered'),
  {
    operation_id: reference('operations', 'CASCADE'),
    query_id: reference('search_queries', 'CASCADE'),
    page: integer(),
    urls: json(),
    is_last: integer(),
    read_at: time(),
  },
  { key: ['operation_id', 'query_id', 'page'] },
);
export type SearchPageRow = Row<typeof searchPages>;

/** The search_failures table: queries that an operation could not read, and why: a Message as JSON. */
export const searchFailures = table(
  'search_failures',
  machine('what search engines have not answered'),
  {
    operation_id: reference('operations', 'CASCADE'),
    query_id: reference('search_queries', 'CASCADE'),
    day: integer(),
    error: json(),
  },
  { key: ['operation_id', 'query_id'] },
);
export type SearchFailureRow = Row<typeof searchFailures>;

/** The search_spending table: requests of a project on a day that were charged, or may have been: their answer was lost. */
export const searchSpending = table(
  'search_spending',
  machine('what positions have cost'),
  {
    project_id: reference('projects', 'CASCADE'),
    day: integer(),
    xmlriver_id: integer(),
    requests: integer(),
  },
  { key: ['project_id', 'day', 'xmlriver_id'] },
);
export type SearchSpendingRow = Row<typeof searchSpending>;

/** The search_task_spending table: keywords of a project that were sent to Arsenkin on a day, and the limits that they have cost. */
export const searchTaskSpending = table(
  'search_task_spending',
  machine('what positions have cost'),
  {
    project_id: reference('projects', 'CASCADE'),
    day: integer(),
    arsenkin_id: integer(),
    requests: integer(),
    limits: integer(),
  },
  { key: ['project_id', 'day', 'arsenkin_id'] },
);
export type SearchTaskSpendingRow = Row<typeof searchTaskSpending>;
