import { DOMAIN_FIELDS, SITE_FIELDS, type DomainView } from '../../../shared/portfolio/domains.ts';
import { dayIn } from '../expiry-day.ts';
import { columnsOf, hidden } from '../../output.ts';

const SHOWN = {
  domain_name: 'domain',
  project_name: 'project',
  type: true,
  status: true,
  http_status_code: 'code',
  http_error: 'error',
  expired_at: { title: 'expires', show: dayIn('domain_name') },
  suspect_date: { title: 'suspect', show: dayIn('domain_name') },
} as const;

/** The fields of a domain in lists: those that people see, then the others. */
export const COLUMNS = [
  ...columnsOf<Pick<DomainView, keyof typeof SHOWN>>(SHOWN),
  ...hidden(DOMAIN_FIELDS.filter((field) => !Object.hasOwn(SHOWN, field))),
];
/** The fields of a single domain. */
export const DETAIL_COLUMNS = [...COLUMNS, ...hidden(SITE_FIELDS)];
