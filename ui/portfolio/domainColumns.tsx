import type { DomainFilter, UserDomain } from '../../src/shared/portfolio/domains.ts';
import { healthOf } from '../../src/shared/portfolio/domain-state.ts';
import { SiteIcon } from '../domains/DomainLink.tsx';
import { ExpiryDate, HealthTag, ModeText, RknTag, TypeTag } from '../domains/DomainState.tsx';
import { ListedName } from '../domains/ListedName.tsx';
import { useFormats } from '../kit/language.ts';
import { NoData } from '../kit/Status.tsx';
import { T } from '../kit/T.tsx';
import type { Column } from '../kit/table/DataTable.tsx';
import { useNow } from '../kit/useNow.ts';
import { WhyLink } from '../why/WhyLink.tsx';
import { DomainMenu } from './DomainMenu.tsx';

function DateCell({ iso }: { iso: string | null }) {
  const formats = useFormats();
  return iso === null ? <NoData /> : <time dateTime={iso}>{formats.date(iso)}</time>;
}

function TimeCell({ iso }: { iso: string | null }) {
  const formats = useFormats();
  return iso === null ? <NoData /> : <time dateTime={iso}>{formats.dateTime(iso)}</time>;
}

/** The name with its site and its actions in one cell: the specification fixes the columns. */
function DomainCell({ domain }: { domain: UserDomain }) {
  return (
    <span className="domain-cell">
      <ListedName {...domain} />
      <span className="domain-acts">
        <SiteIcon {...domain} />
        <DomainMenu domain={domain} place="top" align="start" />
      </span>
    </span>
  );
}

/** The state by HTTP; one that is not fine leads to why it is so. */
function HealthCell({ domain }: { domain: UserDomain }) {
  const tag = <HealthTag domain={domain} isShort />;
  const health = healthOf(domain, useNow());
  if (health === 'ok' || health === 'unknown') return tag;
  return (
    <WhyLink id={domain.id} name={domain.unicode_name} broken={domain.broken_layer}>
      {tag}
    </WhyLink>
  );
}

/** The state by the blocklist; a blocked one leads to why it is so. */
function RknCell({ domain }: { domain: UserDomain }) {
  const tag = <RknTag status={domain.status} checked={domain.last_block_check_at !== null} />;
  if (domain.status !== 'blocked') return tag;
  return (
    <WhyLink id={domain.id} name={domain.unicode_name} broken={domain.broken_layer}>
      {tag}
    </WhyLink>
  );
}

const COLUMNS: readonly Column<UserDomain>[] = [
  {
    id: 'domain',
    fields: ['unicode_name'],
    width: 216,
    grow: 3,
    header: 'list.domain',
    sort: 'domain_name',
    card: 'title',
    cell: (row) => <DomainCell domain={row} />,
  },
  {
    id: 'project',
    line: 3,
    fields: ['project_name'],
    width: 108,
    grow: 2,
    priority: 2,
    header: 'list.project',
    sort: 'project_name',
    cell: (row) =>
      row.project_name || (
        <span className="muted">
          <T k="list.no_project" />
        </span>
      ),
  },
  {
    id: 'mode',
    fields: ['transfer_type'],
    width: 116,
    priority: 5,
    header: 'list.mode',
    sort: 'transfer_type',
    cell: (row) => <ModeText mode={row.transfer_type} />,
  },
  {
    id: 'type',
    line: 3,
    fields: ['type'],
    width: 112,
    priority: 4,
    header: 'list.type',
    sort: 'type',
    cell: (row) => <TypeTag type={row.type} />,
  },
  {
    id: 'rkn',
    fields: ['status'],
    width: 104,
    header: 'list.rkn',
    sort: 'status',
    card: 'status',
    cell: (row) => <RknCell domain={row} />,
  },
  {
    id: 'status',
    priority: 1,
    line: 2,
    fields: ['http_status_code', 'http_error'],
    width: 154,
    grow: 1,
    header: 'list.status',
    sort: 'http_status_code',
    cell: (row) => <HealthCell domain={row} />,
  },
  {
    id: 'added',
    fields: ['created_at'],
    width: 104,
    priority: 6,
    header: 'list.added',
    sort: 'created_at',
    cell: (row) => <DateCell iso={row.created_at} />,
  },
];

const EXPIRY: readonly Column<UserDomain>[] = [
  {
    id: 'expiry',
    line: 2,
    fields: ['expired_at'],
    // As wide as the status: where one of both has room, the edges of all lists are the same.
    width: 154,
    grow: 1,
    header: 'list.expiry',
    sort: 'expired_at',
    cell: (row) => <ExpiryDate {...row} />,
  },
  {
    id: 'registrar',
    fields: ['registrar_type'],
    width: 120,
    priority: 3,
    header: 'list.registrar',
    sort: 'registrar_type',
    cell: (row) => row.registrar_type ?? <NoData />,
  },
];

// The cards show more fields than the table (product.md, "Domain list widget").
const CARD_ONLY: readonly Column<UserDomain>[] = [
  { id: 'code', only: 'card', header: 'list.code', cell: (row) => row.http_status_code ?? <NoData /> },
  { id: 'checked', only: 'card', header: 'list.last_check', cell: (row) => <TimeCell iso={row.last_http_check_at} /> },
];

/** Returns the columns for a filter, in the order of the specification. */
export const domainColumns = (status: DomainFilter): Column<UserDomain>[] => [
  ...COLUMNS,
  ...(status === 'expired' ? EXPIRY : []),
  ...CARD_ONLY,
];

const WIDEST = domainColumns('expired');
const OTHERS = WIDEST.map((column) => (column.id === 'expiry' ? { ...column, priority: 1 } : column));
const DATE_FIRST = WIDEST.map((column) => (column.id === 'rkn' ? { ...column, priority: 1 } : column));

// Beside actions these are as wide as their words: the name needs the room.
const BESIDE_ACTIONS: Partial<Record<string, number>> = { type: 106, rkn: 95, status: 142, registrar: 125 };

function besideActions(column: Column<UserDomain>): Column<UserDomain> {
  const width = BESIDE_ACTIONS[column.id];
  return width === undefined ? column : { ...column, width };
}

/**
 * Returns the columns for a filter where actions stand beside them: in a list of what expires, a window of 640 px has room for the
 * date alone.
 */
export const columnsBesideActions = (status: DomainFilter): readonly Column<UserDomain>[] =>
  (status === 'expired' ? DATE_FIRST : domainColumns(status)).map(besideActions);

/**
 * One grid, however many lists stand below one another: that of the list with most columns. Where the status and the date of
 * expiry have no room beside each other, the list of what expires keeps the date, and the others the status.
 */
export const domainGrid = (status: DomainFilter): readonly Column<UserDomain>[] =>
  status === 'expired' ? WIDEST : OTHERS;
