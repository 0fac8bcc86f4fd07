import { Tag, type Intent } from '@blueprintjs/core';
import { BanCircleIcon, ErrorIcon, MinusIcon, TickCircleIcon, TickIcon, TimeIcon } from '@blueprintjs/icons';
import type { ReactElement } from 'react';
import type { DomainType, UserDomain } from '../../src/shared/portfolio/domains.ts';
import { expiryOf, healthOf, type Health } from '../../src/shared/portfolio/domain-state.ts';
import { isKey, type Key } from '../../src/shared/i18n/index.ts';
import { useFormats, useT } from './language.ts';
import { Message, T } from './T.tsx';
import { useNow } from './useNow.ts';

/** A dash for a value that is not known. */
export function NoData() {
  const t = useT();
  return (
    <span className="no-data">
      <span aria-hidden="true">—</span>
      <span className="visually-hidden">{t('ui.no_data')}</span>
    </span>
  );
}

/**
 * The state by the blocklist: `available` or `blocked`; another value is shown as it is. `checked` false: the initial
 * value of a new domain, which no list has confirmed, so it gets no tick.
 */
export function RknTag({ status, checked = true }: { status: string; checked?: boolean }) {
  const t = useT();
  if (status === 'available' && !checked)
    return (
      <Tag minimal icon={<MinusIcon />} title={t('list.rkn_unknown')}>
        <Message text={status} />
      </Tag>
    );
  if (status === 'available')
    return (
      <Tag minimal intent="success" icon={<TickIcon />}>
        <Message text={status} />
      </Tag>
    );
  if (status === 'blocked')
    return (
      <Tag minimal intent="danger" icon={<BanCircleIcon />}>
        <Message text={status} />
      </Tag>
    );
  return <Tag minimal>{status}</Tag>;
}

const HEALTH: Record<Exclude<Health, 'unknown'>, { intent: Intent; icon: ReactElement }> = {
  ok: { intent: 'success', icon: <TickCircleIcon /> },
  stale: { intent: 'warning', icon: <TimeIcon /> },
  error: { intent: 'danger', icon: <ErrorIcon /> },
};

type Checked = Pick<UserDomain, 'http_status_code' | 'http_error' | 'last_http_check_at'>;

/** Returns the sentence for the reason of a failed check; an unknown reason is returned as it is. */
const reasonOf = (t: (key: Key) => string, reason: string): string => {
  const key = `health.${reason}`;
  return isKey(key) ? t(key) : reason;
};

/**
 * Shows the HTTP code of the last check, or the reason why there is none; after 24 hours, the age of the check instead.
 */
export function HealthTag({ domain }: { domain: Checked }) {
  const t = useT();
  const formats = useFormats();
  const health = healthOf(domain, useNow());
  if (health === 'unknown') return <NoData />;
  const { http_status_code: code, http_error, last_http_check_at: at } = domain;
  const answer = code === null ? reasonOf(t, http_error ?? '') : `HTTP ${code}`;
  const word =
    health === 'stale' && at !== null
      ? t('list.checked', { ago: formats.ago(at) })
      : code === null
        ? answer
        : String(code);
  const title = at === null ? answer : `${answer}, ${formats.dateTime(at)}`;
  return (
    <Tag minimal intent={HEALTH[health].intent} icon={HEALTH[health].icon} htmlTitle={title}>
      {word}
    </Tag>
  );
}

/** The type of a domain; reserve domains are highlighted as a warning, because traffic should not end on them. */
export function TypeTag({ type }: { type: DomainType }) {
  const isMain = type === 'main';
  return (
    <Tag minimal intent={isMain ? 'primary' : 'warning'} htmlTitle={type}>
      <T k={isMain ? 'list.type_main' : 'list.type_transfer'} />
    </Tag>
  );
}

/** The transfer mode of a domain; an unknown value is shown as it is. */
export function ModeText({ mode }: { mode: string }) {
  if (mode === 'auto') return <T k="list.mode_auto" />;
  if (mode === 'manual') return <T k="list.mode_manual" />;
  return <>{mode}</>;
}

/** The end of a registration; red with a word if it is today or past. */
export function ExpiryDate({ expired_at }: { expired_at: string | null }) {
  const formats = useFormats();
  const now = useNow();
  if (expired_at === null) return <NoData />;
  const when = expiryOf(expired_at, now);
  if (when === 'later') return <>{formats.date(expired_at)}</>;
  return (
    <Tag minimal intent="danger" icon={<TimeIcon />}>
      {formats.date(expired_at)} <T k={when === 'past' ? 'list.ended' : 'list.ends_today'} />
    </Tag>
  );
}
