import { Card } from '@blueprintjs/core';
import type { DomainCounts, DomainFilter } from '../../src/shared/portfolio/domains.ts';
import type { Key } from '../../src/shared/i18n/index.ts';
import { useFormats, useT } from '../kit/language.ts';
import { T } from '../kit/T.tsx';

const COUNTERS: readonly { status: DomainFilter; label: Key; look: string }[] = [
  { status: 'all', label: 'dashboard.total', look: '' },
  { status: 'blocked', label: 'dashboard.blocked', look: 'bad' },
  { status: 'broken', label: 'dashboard.broken', look: 'bad' },
  { status: 'expired', label: 'dashboard.expired', look: 'doubtful' },
  { status: 'active', label: 'dashboard.active', look: 'good' },
];

interface CountersProps {
  counts: DomainCounts;
  /** The status of the only list shown; empty for all lists. */
  chosen: string;
  onChoose: (status: string) => void;
}

/** Counts the domains of each list; a press shows that list alone, another press all again. */
export function Counters({ counts, chosen, onChoose }: CountersProps) {
  const t = useT();
  const formats = useFormats();
  return (
    <section aria-label={t('dashboard.counters')} className="counters">
      {COUNTERS.map(({ status, label, look }) => (
        <Card key={status} compact className="counter-card">
          <button
            type="button"
            className="counter"
            aria-pressed={chosen === status}
            onClick={() => onChoose(chosen === status ? '' : status)}
          >
            <span className={`counter-number ${counts[status] > 0 ? look : ''}`}>{formats.number(counts[status])}</span>
            <span>
              <T k={label} />
            </span>
          </button>
        </Card>
      ))}
    </section>
  );
}
