import { HTMLSelect } from '@blueprintjs/core';
import { registrarKind } from '../../src/shared/accounts/registrars.ts';
import { DOMAIN_FILTERS, domainFilter, type DomainType } from '../../src/shared/portfolio/domains.ts';
import { CellChips } from './CellChips.tsx';
import type { ExpiryFilter } from '../../src/shared/portfolio/domain-selection.ts';
import type { Key } from '../../src/shared/i18n/index.ts';
import { useAccounts } from '../accounts/calls.ts';
import { useCall } from '../kit/api.ts';
import { Chips } from '../kit/Chips.tsx';
import { FilterChip } from '../kit/FilterChip.tsx';
import { SearchField } from '../kit/form/SearchField.tsx';
import { useFormats, useT, type Formats } from '../kit/language.ts';
import { T } from '../kit/T.tsx';

/** The list of all domains without a filter. */
export const NO_FILTERS = {
  search: '',
  status: 'all',
  project: '',
  server: '',
  registrar: '',
  type: '',
  expires_from: '',
  expires_to: '',
  expiry: '',
  cells: '',
};
/** The default values of the filters in the address of the screen. */
export const DOMAINS_VIEW = { ...NO_FILTERS, sort: '' };
export type DomainsView = typeof DOMAINS_VIEW;

/** Returns the order of a view: what expires is sorted by date, unless another order is chosen. */
export const sortOf = ({ sort, status }: Pick<DomainsView, 'sort' | 'status'>): string =>
  sort === '' && status === 'expired' ? 'expired_at' : sort;

/** Returns the filters as the query of the call. */
export const queryOf = ({
  search,
  status,
  project,
  server,
  registrar,
  type,
  expires_from,
  expires_to,
  expiry,
  cells,
  sort,
}: DomainsView) => ({
  search: search || undefined,
  status: status === 'all' ? undefined : status,
  project_id: Number(project) || undefined,
  server_id: Number(server) || undefined,
  registrars_id: Number(registrar) || undefined,
  type: (type || undefined) as DomainType | undefined,
  expires_from: expires_from || undefined,
  expires_to: expires_to || undefined,
  expiry: (expiry || undefined) as ExpiryFilter | undefined,
  cells: cells || undefined,
  sort: sortOf({ sort, status }) || undefined,
});

/** The words of each state, as on its tile. */
export const STATUS_LABELS: Record<(typeof DOMAIN_FILTERS)[number], Key> = {
  all: 'dashboard.total',
  active: 'dashboard.active',
  blocked: 'dashboard.blocked',
  broken: 'dashboard.broken',
  expired: 'dashboard.expired',
};

export interface FiltersProps {
  view: DomainsView;
  onView: (change: Partial<DomainsView>) => void;
}

interface Choice {
  id: number;
  name: string;
}

interface PickProps {
  label: Key;
  any: Key;
  choices: readonly Choice[] | undefined;
  value: string;
  onChange: (value: string) => void;
}

/** One of the objects that domains belong to, or any. */
function Pick({ label, any, choices, value, onChange }: PickProps) {
  const t = useT();
  return (
    <HTMLSelect
      aria-label={t(label)}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      options={[
        { value: '', label: t(any) },
        ...(choices ?? []).map(({ id, name }) => ({ value: String(id), label: name })),
      ]}
    />
  );
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;

const KINDS_OF_EXPIRY: Record<string, Key> = { unknown: 'sites.expiry_unknown', doubted: 'list.doubt' };

/** Returns the days of expiry that a view is narrowed to, in words; '' where it is not. */
export function expiryWords(
  { expires_from: from, expires_to: to, expiry }: DomainsView,
  t: (key: Key) => string,
  formats: Formats,
): string {
  const kind = KINDS_OF_EXPIRY[expiry];
  if (from === '' && to === '' && expiry === '') return '';
  if (kind !== undefined) return t(kind);
  const day = (text: string): string => (DAY.test(text) ? formats.day(text) : '…');
  return from === to ? day(from) : `${day(from)} – ${day(to)}`;
}

/** The days of expiry that were chosen in the calendar, or those that are unknown or in doubt. */
function ExpiryChip({ view, onView }: FiltersProps) {
  const t = useT();
  const formats = useFormats();
  const value = expiryWords(view, t, formats);
  if (value === '') return null;
  return (
    <div className="expiry-chip">
      <FilterChip
        name={t('sites.expiry')}
        value={value}
        onRemove={() => onView({ expires_from: '', expires_to: '', expiry: '' })}
      />
    </div>
  );
}

/** The filters. The counts of the states cover the whole portfolio, so they are hidden while another filter is set. */
export function DomainFilters({ view, onView }: FiltersProps) {
  const t = useT();
  const { data: counts } = useCall('GET /api/dashboard');
  const { data: projects } = useCall('GET /api/user_projects');
  const { data: servers } = useCall('GET /api/servers');
  const { accounts: registrars } = useAccounts(registrarKind);
  const isWhole = Object.entries(NO_FILTERS).every(
    ([name, value]) => name === 'status' || view[name as keyof DomainsView] === value,
  );
  return (
    <>
      <div className="filters">
        <SearchField slash label={t('sites.search')} value={view.search} onChange={(search) => onView({ search })} />
        <Pick
          label="sites.project"
          any="sites.any_project"
          choices={projects?.data}
          value={view.project}
          onChange={(project) => onView({ project })}
        />
        <Pick
          label="sites.server"
          any="sites.any_server"
          choices={servers?.data}
          value={view.server}
          onChange={(server) => onView({ server })}
        />
        <Pick
          label="sites.registrar"
          any="sites.any_registrar"
          choices={registrars}
          value={view.registrar}
          onChange={(registrar) => onView({ registrar })}
        />
        <HTMLSelect
          aria-label={t('sites.type')}
          value={view.type}
          onChange={(event) => onView({ type: event.target.value })}
          options={[
            { value: '', label: t('sites.any_type') },
            { value: 'main', label: t('list.type_main') },
            { value: 'transfer', label: t('list.type_transfer') },
          ]}
        />
      </div>
      <Chips
        label={t('sites.status')}
        chips={DOMAIN_FILTERS.map((value) => ({
          value,
          label: <T k={STATUS_LABELS[value]} />,
          count: isWhole ? counts?.[value] : undefined,
        }))}
        value={domainFilter(view.status)}
        onChange={(status) => onView({ status })}
      />
      <ExpiryChip view={view} onView={onView} />
      <CellChips view={view} onView={onView} />
    </>
  );
}
