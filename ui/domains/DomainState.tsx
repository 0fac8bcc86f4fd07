import { Tag } from '@blueprintjs/core';
import { Link } from 'react-router-dom';
import type { DomainType, UserDomain } from '../../src/shared/portfolio/domains.ts';
import { dayOf, expiryDay, nearnessOf } from '../../src/shared/portfolio/expiry-day.ts';
import { healthOf, type Health } from '../../src/shared/portfolio/domain-state.ts';
import { isKey, type Key } from '../../src/shared/i18n/index.ts';
import { useFormats, useT } from '../kit/language.ts';
import { NoData, Status, type State } from '../kit/Status.tsx';
import { Message, T } from '../kit/T.tsx';
import { useUrlDialog } from '../kit/dialog/useUrlDialog.ts';
import { useNow } from '../kit/useNow.ts';
import './DomainState.css';

/**
 * The state by the blocklist: `available` or `blocked`; another value is shown as it is. `checked` false: the initial
 * value of a new domain, which no list has confirmed, so it gets no tick.
 */
export function RknTag({ status, checked = true }: { status: string; checked?: boolean }) {
  const t = useT();
  if (status === 'available' && !checked)
    return (
      <Status state="unknown" title={t('list.rkn_unknown')}>
        <Message text={status} />
      </Status>
    );
  if (status !== 'available' && status !== 'blocked') return <Tag minimal>{status}</Tag>;
  return (
    <Status state={status === 'blocked' ? 'blocked' : 'healthy'}>
      <Message text={status} />
    </Status>
  );
}

const STATES: Record<Exclude<Health, 'unknown'>, State> = { ok: 'healthy', stale: 'stale', error: 'broken' };

type Checked = Pick<UserDomain, 'http_status_code' | 'http_error' | 'last_http_check_at'>;

/** Returns the text for the reason of a failed check; an unknown reason is returned as it is. */
const reasonOf = (t: (key: Key) => string, reason: string, isShort = false): string => {
  const key = isShort ? `health_short.${reason}` : `health.${reason}`;
  return isKey(key) ? t(key) : reason;
};

/**
 * Shows the HTTP code of the last check, or the reason why there is none; after 24 hours, the age of the check instead. In a cell
 * of a list, `isShort`, the reason is of two words.
 */
export function HealthTag({ domain, isShort = false }: { domain: Checked; isShort?: boolean }) {
  const t = useT();
  const formats = useFormats();
  const health = healthOf(domain, useNow());
  if (health === 'unknown') return <NoData />;
  const { http_status_code: code, http_error, last_http_check_at: at } = domain;
  const reason = http_error ?? '';
  const answer = code === null ? reasonOf(t, reason) : `HTTP ${code}`;
  const word =
    health === 'stale' && at !== null
      ? isShort
        ? formats.ago(at)
        : t('list.checked', { ago: formats.ago(at) })
      : code === null
        ? reasonOf(t, reason, isShort)
        : String(code);
  const title = at === null ? answer : `${answer}, ${formats.dateTime(at)}`;
  return (
    <Status state={STATES[health]} title={title}>
      {word}
    </Status>
  );
}

/** The type of a domain; the main one has a solid mark, one in reserve a hollow one. */
export function TypeTag({ type }: { type: DomainType }) {
  const isMain = type === 'main';
  return (
    <span className={isMain ? 'role role-main' : 'role'} title={type}>
      <T k={isMain ? 'list.type_main' : 'list.type_transfer'} />
    </span>
  );
}

/** The transfer mode of a domain; an unknown value is shown as it is. */
export function ModeText({ mode }: { mode: string }) {
  if (mode === 'auto') return <T k="list.mode_auto" />;
  if (mode === 'manual') return <T k="list.mode_manual" />;
  return <>{mode}</>;
}

interface Expiry {
  /** With it, a mark of doubt opens the registration of the domain, where the date is decided; the screen has its dialogs. */
  id?: number;
  domain_name: string;
  expired_at: string | null;
  /** Another date that waits for a decision. */
  suspect_date?: string | null;
}

/** The mark of a date in doubt; its title is the other date. */
function Doubt({ domain_name, date }: { domain_name: string; date: string }) {
  const t = useT();
  const formats = useFormats();
  const day = formats.day(expiryDay({ domain_name, expired_at: date }));
  return (
    <Status state="stale" title={t('list.doubt_other', { day })}>
      <T k="list.doubt" />
    </Status>
  );
}

/** The day on which a registration ends, and a mark where it is in doubt. */
export function ExpiryDate({ id, suspect_date = null, ...expiry }: Expiry) {
  if (suspect_date === null) return <ExpiryDay {...expiry} />;
  const doubt = { domain_name: expiry.domain_name, date: suspect_date };
  return (
    <span className="expiry-doubted">
      <ExpiryDay {...expiry} /> {id === undefined ? <Doubt {...doubt} /> : <DoubtLink id={id} {...doubt} />}
    </span>
  );
}

/** The mark of doubt as a link to the decision. */
function DoubtLink({ id, ...doubt }: { id: number; domain_name: string; date: string }) {
  const { to, state } = useUrlDialog('registration').linkTo(id);
  return (
    <Link to={to} state={state}>
      <Doubt {...doubt} />
    </Link>
  );
}

/** Amber if the day is near, red with a word if it is today or past. */
function ExpiryDay({ domain_name, expired_at }: Omit<Expiry, 'id' | 'suspect_date'>) {
  const formats = useFormats();
  const today = dayOf(useNow());
  if (expired_at === null) return <NoData />;
  const day = expiryDay({ domain_name, expired_at });
  const near = nearnessOf(day, today);
  if (near === 'later') return <>{formats.day(day)}</>;
  if (near === 'soon') return <Status state="expiring">{formats.day(day)}</Status>;
  return (
    <Status state="expired">
      {formats.day(day)} <T k={near === 'past' ? 'list.ended' : 'list.ends_today'} />
    </Status>
  );
}
