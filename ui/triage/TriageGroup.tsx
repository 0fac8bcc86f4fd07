import { useId, type ReactElement } from 'react';
import { Link } from 'react-router-dom';
import type { TriageKind } from '../../src/shared/triage/kinds.ts';
import type { TriageCount, TriageItem } from '../../src/shared/triage/triage.ts';
import { BanCircleIcon, ErrorIcon, TimeIcon, WaitingIcon } from '../kit/icons.tsx';
import { useFormats } from '../kit/language.ts';
import { T } from '../kit/T.tsx';
import { TriageRow } from './TriageRow.tsx';

interface Look {
  icon: ReactElement;
  tone: 'bad' | 'doubtful' | 'running';
  /** Where those stand that are left out. */
  all: string;
}

const LOOKS: Record<TriageKind, Look> = {
  no_reserve: { icon: <BanCircleIcon />, tone: 'bad', all: '/?list=blocked' },
  blocked: { icon: <BanCircleIcon />, tone: 'bad', all: '/?list=blocked' },
  cause: { icon: <ErrorIcon />, tone: 'bad', all: '/?list=broken' },
  down: { icon: <ErrorIcon />, tone: 'bad', all: '/?list=broken' },
  ends: { icon: <TimeIcon />, tone: 'doubtful', all: '/?list=expired' },
  purchase: { icon: <WaitingIcon />, tone: 'running', all: '/purchases' },
  operation: { icon: <WaitingIcon />, tone: 'running', all: '/operations' },
};

interface TriageGroupProps {
  kind: TriageKind;
  count: TriageCount;
  /** With their places among all items. */
  items: readonly { item: TriageItem; index: number }[];
  /** The key of the current row. */
  current: string | undefined;
  isRunning: (key: string) => boolean;
  onAct: (item: TriageItem) => void;
}

/** The items of a kind under their head: its mark, its words, and how many there are, those that are left out as well. */
export function TriageGroup({ kind, count, items, current, isRunning, onAct }: TriageGroupProps) {
  const id = useId();
  const formats = useFormats();
  const { icon, tone, all } = LOOKS[kind];
  const rest = count.items - items.length;
  return (
    <section className="triage-group" aria-labelledby={id}>
      <div className="triage-head">
        <span className={tone}>{icon}</span>
        <h3 id={id} className="bp6-heading">
          <T k={`triage.kind_${kind}`} />
        </h3>
        <span className="count">{formats.number(count.items)}</span>
        {count.names > count.items && (
          <span className="muted">
            <T k="triage.names" n={count.names} />
          </span>
        )}
      </div>
      <ul>
        {items.map(({ item, index }) => (
          <TriageRow
            key={item.key}
            item={item}
            index={index}
            isCurrent={item.key === current}
            isRunning={isRunning(item.key)}
            onAct={() => onAct(item)}
          />
        ))}
      </ul>
      {rest > 0 && (
        <Link to={all} className="triage-rest">
          <T k="triage.rest" n={rest} />
        </Link>
      )}
    </section>
  );
}
