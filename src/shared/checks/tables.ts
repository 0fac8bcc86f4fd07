import type { RegistryState } from './registry-state.ts';
import type { Engine } from '../engines.ts';
import { flag, id, integer, json, machine, optional, reference, table, text, time, type Row } from '../table.ts';

/** The HTTP checks of a domain in a day (UTC): their number, those that were up (2xx), and the milliseconds of answers. */
export const checkDays = table(
  'check_days',
  machine('what checks have found'),
  {
    domain_id: reference('domains', 'CASCADE'),
    day: text(),
    checks: integer(),
    up: integer(),
    median_ms: optional(integer()),
    worst_ms: optional(integer()),
  },
  { key: ['domain_id', 'day'] },
);
export type CheckDayRow = Row<typeof checkDays>;

/** The samples of a day that is not over; `ms` has the milliseconds of its answers, separated by commas. */
export const checkSamples = table(
  'check_samples',
  machine('what checks have found'),
  {
    domain_id: reference('domains', 'CASCADE'),
    day: text(),
    checks: integer(),
    up: integer(),
    ms: text(),
  },
  { key: ['domain_id', 'day'] },
);
export type CheckSampleRow = Row<typeof checkSamples>;

/** The domains of a check; `domain_ids` is JSON. */
export const checkBatches = table('check_batches', machine('what checks have found'), {
  id: id(),
  domain_ids: json(),
});
export type CheckBatchRow = Row<typeof checkBatches>;

/** The check_runs table: which domains the check of an operation covers, where null is all, and when its verdicts were stored. */
export const checkRuns = table('check_runs', machine('of which domains a check is'), {
  id: id(),
  operation_id: reference('operations', 'CASCADE'),
  /** No reference: with its user or project gone a check would have covered everything. */
  user_id: optional(integer()),
  project_id: optional(integer()),
  /** A status filter, or the ids of domains as JSON. */
  part: optional(text()),
  stored_at: optional(time()),
});
export type CheckRunRow = Row<typeof checkRuns>;

/** The verdict_baselines table: a domain's status before the first change since `since`. */
export const verdictBaselines = table('verdict_baselines', machine('what checks have found'), {
  id: id(),
  domain_id: reference('domains', 'CASCADE'),
  status: text<'available' | 'blocked'>(),
  since: time(),
});
export type VerdictBaselineRow = Row<typeof verdictBaselines>;

/** A stored check of a domain. `detail` is the blocklist's entry, or the last address of an HTTP check. */
export const checks = table('checks', machine('what checks have found'), {
  id: id(),
  domain_id: reference('domains', 'CASCADE'),
  kind: text<'http' | 'blocklist'>(),
  verdict: text(),
  http_status_code: optional(integer()),
  ms: optional(integer()),
  detail: optional(text()),
  list_version: optional(text()),
  checked_at: time(),
  list_fetched_at: optional(time()),
  since: optional(time()),
  repeats: integer(),
});
export type CheckRow = Row<typeof checks>;

/**
 * The domain_registrations table: what the last look-up of a domain's registration told. `expires_at` is the date as the `source`
 * gave it at `found_at`: where the domain's `expired_at` is another, a person has set it. `registry_at` is the last answer of
 * the registry, from which `state`, `statuses`, `name_servers`, `registrar` and `free_at` are. `suspect_date` waits for a
 * decision; `ignored_date` was turned down. `error` is a Message as JSON.
 */
export const domainRegistrations = table(
  'domain_registrations',
  machine('what look-ups of registrations have found'),
  {
    domain_id: reference('domains', 'CASCADE'),
    looked_up_at: time(),
    source: optional(text<'registrar' | 'whois' | 'rdap'>()),
    expires_at: optional(time()),
    found_at: optional(time()),
    registry_at: optional(time()),
    state: optional(text<RegistryState>()),
    statuses: json(),
    name_servers: json(),
    registrar: optional(text()),
    free_at: optional(time()),
    suspect_date: optional(time()),
    suspect_source: optional(text<'registrar' | 'whois' | 'rdap'>()),
    suspect_since: optional(time()),
    ignored_date: optional(time()),
    error: optional(json()),
  },
  { key: ['domain_id'] },
);
export type DomainRegistrationRow = Row<typeof domainRegistrations>;

/** The registry_pauses table: until when a registry's server is not asked, after so many refusals in a row. */
export const registryPauses = table(
  'registry_pauses',
  machine('what registries have refused'),
  {
    server: text(),
    until: time(),
    refusals: integer(),
  },
  { key: ['server'] },
);
export type RegistryPauseRow = Row<typeof registryPauses>;

/**
 * The registry_turns table: of each registry's server the last period of its pace of which calls were taken, when that
 * began or begins, and how many were taken. All processes take theirs here.
 */
export const registryTurns = table(
  'registry_turns',
  machine('the pace of registries'),
  {
    server: text(),
    period_at: time(),
    calls: integer(),
  },
  { key: ['server'] },
);
export type RegistryTurnsRow = Row<typeof registryTurns>;

/**
 * The indexation_spans table: since when an engine has a domain in its index, or has not; the newest span of a domain and engine says
 * how it stands. `doubted_at`: when the engine has said the opposite of an indexed span for the first time, which a second
 * answer has to confirm.
 */
export const indexationSpans = table(
  'indexation_spans',
  machine('what search engines have answered'),
  {
    domain_id: reference('domains', 'CASCADE'),
    engine: text<Engine>(),
    since: time(),
    indexed: flag(),
    last_checked_at: time(),
    doubted_at: optional(time()),
  },
  { key: ['domain_id', 'engine', 'since'] },
);
export type IndexationSpanRow = Row<typeof indexationSpans>;

/** The domain_outages table: domains that answered, and no more. The second look makes a `suspect` one `down`; an answer removes the row. */
export const domainOutages = table(
  'domain_outages',
  machine('what checks have found'),
  {
    domain_id: reference('domains', 'CASCADE'),
    state: text<'suspect' | 'down'>(),
    since: time(),
    looked_at: time(),
  },
  { key: ['domain_id'] },
);
export type DomainOutageRow = Row<typeof domainOutages>;
