import { Tag, type Intent } from '@blueprintjs/core';
import { BanCircleIcon, MinusIcon, SmallCrossIcon, SmallTickIcon, TimeIcon, WarningSignIcon } from '../kit/icons.tsx';
import type { ReactElement } from 'react';
import { dayOf, expiryDay, nearnessOf } from '../../src/shared/portfolio/expiry-day.ts';
import type { Key, Params } from '../../src/shared/i18n/index.ts';
import { useFormats } from '../kit/language.ts';
import { HealthTag } from '../domains/DomainState.tsx';
import { T } from '../kit/T.tsx';
import { useNow } from '../kit/useNow.ts';

export type BadgeState = 'ready' | 'doubtful' | 'soon' | 'over' | 'missing' | 'blocked' | 'unknown';

const LOOKS: Record<BadgeState, { intent: Intent; icon: ReactElement }> = {
  ready: { intent: 'success', icon: <SmallTickIcon /> },
  doubtful: { intent: 'warning', icon: <WarningSignIcon /> },
  soon: { intent: 'warning', icon: <TimeIcon /> },
  over: { intent: 'danger', icon: <TimeIcon /> },
  missing: { intent: 'warning', icon: <SmallCrossIcon /> },
  blocked: { intent: 'danger', icon: <BanCircleIcon /> },
  unknown: { intent: 'none', icon: <MinusIcon /> },
};

/** One property of a reserve: a text and an icon; the colour only repeats them. */
export function TransferBadge({ state, k, ...params }: { state: BadgeState; k: Key } & Params) {
  return (
    <Tag minimal intent={LOOKS[state].intent} icon={LOOKS[state].icon}>
      <T k={k} {...params} />
    </Tag>
  );
}

/** The end of a domain's registration: amber if it is soon, red if it is today or past. */
export function ExpiryBadge({ domain_name, expired_at }: { domain_name: string; expired_at: string | null }) {
  const formats = useFormats();
  const today = dayOf(useNow());
  if (expired_at === null) return <TransferBadge state="unknown" k="transfer_dialog.no_expiry" />;
  const day = expiryDay({ domain_name, expired_at });
  const date = formats.day(day);
  const near = nearnessOf(day, today);
  if (near === 'past') return <TransferBadge state="over" k="transfer_dialog.expired" date={date} />;
  const state = near === 'today' ? 'over' : near === 'soon' ? 'soon' : 'ready';
  return <TransferBadge state={state} k="transfer_dialog.until" date={date} />;
}

/** The result of a domain's last HTTP check. */
export function HttpBadge({ domain }: { domain: Parameters<typeof HealthTag>[0]['domain'] }) {
  if (domain.http_status_code === null && domain.http_error === null) {
    return <TransferBadge state="unknown" k="transfer_dialog.http_unknown" />;
  }
  return (
    <span className="transfer-http">
      <span className="muted">
        <T k="transfer_dialog.http" />
      </span>
      <HealthTag domain={domain} />
    </span>
  );
}
