import type { Message, Render } from '../i18n/index.ts';
import { sourceOf, type ExpiryFacts, type ExpirySource } from './expiry.ts';
import type { RegistryState } from './registry-state.ts';

/** A domain's registration as every door shows it; `Text` is Message in services and text at the doors. */
export interface Registration<Text = string> {
  domain: string;
  expired_at: string | null;
  source: ExpirySource | null;
  /** When the source gave the date; null: it was set by hand. */
  found_at: string | null;
  looked_up_at: string | null;
  /** The registry's state; null: it has not answered yet. */
  status: RegistryState | null;
  statuses: string[];
  name_servers: string[];
  registrar: string | null;
  free_at: string | null;
  registry_at: string | null;
  suspect: { date: string; source: Exclude<ExpirySource, 'hand'>; since: string } | null;
  error: Text | null;
}

const NO_DOUBT = { suspect_date: null, suspect_source: null, suspect_since: null };

/** Returns a domain's registration for the doors. */
export function registrationOf(domain: string, facts: ExpiryFacts): Registration<Message> {
  const { expired_at, registration: row } = facts;
  const source = sourceOf(facts);
  const { suspect_date: date, suspect_source, suspect_since: since } = row ?? NO_DOUBT;
  return {
    domain,
    expired_at,
    source,
    found_at: source === null || source === 'hand' ? null : (row?.found_at ?? null),
    looked_up_at: row?.looked_up_at ?? null,
    status: row?.state ?? null,
    statuses: JSON.parse(row?.statuses ?? '[]') as string[],
    name_servers: JSON.parse(row?.name_servers ?? '[]') as string[],
    registrar: row?.registrar ?? null,
    free_at: row?.free_at ?? null,
    registry_at: row?.registry_at ?? null,
    suspect:
      date !== null && suspect_source !== null && since !== null ? { date, source: suspect_source, since } : null,
    error: row?.error ? (JSON.parse(row.error) as Message) : null,
  };
}

/** Puts the message of a registration into words. */
export const renderRegistration = (
  render: Render,
  { error, ...registration }: Registration<Message>,
): Registration => ({
  ...registration,
  error: error && render(error),
});
