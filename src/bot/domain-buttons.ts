import { healthOf } from '../shared/portfolio/domain-state.ts';
import type { TelegramButton } from '../shared/notices/telegram.ts';
import type { DomainDetail } from '../shared/portfolio/domains.ts';

/** The button that shows the plan of a move, under a main domain that is blocked. */
export const moveButtons = ({ id, status, type, project_id }: DomainDetail): TelegramButton[] =>
  status === 'blocked' && type === 'main' && project_id !== null
    ? [{ label: { key: 'telegram.start_transfer' }, data: `move:${id}` }]
    : [];

/** The button that asks why a domain is red, where it is. */
const whyButtons = (domain: DomainDetail): TelegramButton[] =>
  domain.status === 'blocked' || healthOf(domain, Date.now()) === 'error'
    ? [{ label: { key: 'why.ask' }, data: `why:${domain.id}` }]
    : [];

export const openButton = ({ domain_name }: DomainDetail): TelegramButton => ({
  label: { key: 'telegram.open' },
  path: `/sites?search=${encodeURIComponent(domain_name)}`,
});

/** The buttons under a domain that was checked. */
export const domainButtons = (domain: DomainDetail): TelegramButton[] => [
  { label: { key: 'telegram.check_again' }, data: `check:${domain.id}` },
  ...whyButtons(domain),
  ...moveButtons(domain),
  openButton(domain),
];
