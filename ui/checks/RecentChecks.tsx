import { Button } from '@blueprintjs/core';
import { toUnicode } from '../../src/shared/portfolio/domain-name.ts';
import { useFormats, useT } from '../kit/language.ts';
import { Panel } from '../kit/Panel.tsx';
import { T } from '../kit/T.tsx';
import { recentList } from '../kit/recent.ts';
import { useNow } from '../kit/useNow.ts';
import { StatusChip, type CheckResult } from './CheckResults.tsx';

/** A name that was checked recently, and the result. */
interface RecentCheck {
  id: string;
  status: CheckResult['status'];
  at: string;
}

const MOST = 8;
const recent = recentList<RecentCheck>('checks', { most: MOST, fields: ['status', 'at'] });

/** Returns a user's recent checks in this browser: the server stores no checks of names in no portfolio. */
export const recentChecks = (user: number): RecentCheck[] => recent.read(user);

/** Keeps the results of a check; of many, the blocked ones first. */
export function rememberChecks(user: number, results: readonly CheckResult[]): void {
  const at = new Date().toISOString();
  const byWeight = [...results.filter(({ status }) => status === 'blocked'), ...results];
  const checks = new Map(byWeight.map(({ domain, status }) => [domain, { id: domain, status, at }]));
  recent.remember(user, ...[...checks.values()].slice(0, MOST));
}

/** The recent checks, newest first; a press on a name puts it into the form again. */
export function RecentChecks({ checks, onTake }: { checks: readonly RecentCheck[]; onTake: (name: string) => void }) {
  const t = useT();
  const formats = useFormats();
  // The ages are drawn anew each minute.
  useNow();
  if (checks.length === 0) return null;
  return (
    <Panel title={<T k="check_site.recent" />} count={formats.number(checks.length)}>
      <ul className="beside-names">
        {checks.map(({ id, status, at }) => (
          <li key={id}>
            <Button
              variant="minimal"
              size="small"
              className="recent-name"
              text={<span translate="no">{toUnicode(id)}</span>}
              title={t('check_site.take')}
              onClick={() => onTake(id)}
            />
            <span className="recent-state">
              <StatusChip status={status} />
              <time dateTime={at} title={formats.dateTime(at)} className="muted">
                {formats.ago(at)}
              </time>
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
