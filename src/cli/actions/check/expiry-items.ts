import { renderRegistration, type Registration } from '../../../shared/checks/registration.ts';
import type { Message, Render } from '../../../shared/i18n/index.ts';
import { EXPIRING_DAYS } from '../../../shared/portfolio/expiry-day.ts';
import { DAY_MS } from '../../../shared/time.ts';
import { dayIn } from '../expiry-day.ts';
import { columnsOf, type ItemError } from '../../output.ts';

const HOUR_MS = 3_600_000;

/** An item of `check expiry`; `age_hours` is the age of the date, null where nobody has told it. */
interface ExpiryItem extends Registration {
  age_hours: number | null;
}

/** The fields of an item. */
export const EXPIRY_COLUMNS = columnsOf<ExpiryItem>({
  domain: true,
  expired_at: { title: 'expires', show: dayIn('domain') },
  source: true,
  age_hours: true,
  status: true,
  suspect: { title: 'suspect', show: (value, row) => dayIn('domain')((value as Registration['suspect'])?.date, row) },
  error: true,
  found_at: false,
  looked_up_at: false,
  statuses: false,
  name_servers: false,
  registrar: false,
  free_at: false,
  registry_at: false,
});

/** Returns a registration as an item. */
export const expiryItemOf = (render: Render, registration: Registration<Message>): ExpiryItem => {
  const { found_at } = registration;
  const age_hours = found_at === null ? null : Math.floor((Date.now() - Date.parse(found_at)) / HOUR_MS);
  return { ...renderRegistration(render, registration), age_hours };
};

/** Counts what has ended, what ends soon, and what has no date. */
export function expirySummary(items: readonly Pick<ExpiryItem, 'expired_at'>[]) {
  const days = items.map(({ expired_at }) =>
    expired_at === null ? null : (Date.parse(expired_at) - Date.now()) / DAY_MS,
  );
  return {
    total: items.length,
    expired: days.filter((left) => left !== null && left <= 0).length,
    expiring: days.filter((left) => left !== null && left > 0 && left <= EXPIRING_DAYS).length,
    unknown: days.filter((left) => left === null).length,
  };
}

/** Returns an error for each registration about which nobody has told. */
export const unanswered = (render: Render, registrations: readonly Registration<Message>[]): ItemError[] =>
  registrations.flatMap(({ domain, error, found_at, registry_at, looked_up_at }) => {
    if (!error || error.key === 'expiry.no_registry' || [found_at, registry_at].includes(looked_up_at)) return [];
    return [{ domain, code: 'no_answer', message: render(error) }];
  });
