import type { ReactElement, ReactNode } from 'react';
import type { Key } from '../../src/shared/i18n/index.ts';
import { isFinal, type OperationView } from '../../src/shared/operations.ts';
import type { MoveView } from '../../src/shared/transfers/transfer-page.ts';
import { HistoryIcon, SwapHorizontalIcon, TickIcon, TimeIcon, UndoIcon } from '../kit/icons.tsx';
import { useT } from '../kit/language.ts';
import { Panel } from '../kit/Panel.tsx';
import { T } from '../kit/T.tsx';

interface OfMove {
  operation: OperationView;
  move: MoveView;
}

interface Line {
  icon: ReactElement;
  key: Key;
  stage?: string;
}

const has = ({ acts }: MoveView, names: readonly string[]): boolean =>
  acts.some(({ name, state }) => names.includes(name) && state !== 'noop');

const isDone = ({ acts }: MoveView, act: string): boolean =>
  acts.some(({ name, state }) => name === act && state === 'done');

/** Returns the effects of a cancellation now, as lines. */
function ifCancelled(move: MoveView, stage: string): Line[] {
  if (isDone(move, 'redirect')) return [{ icon: <TimeIcon />, key: 'transfer_page.if_late', stage }];
  return [
    { icon: <UndoIcon />, key: 'transfer_page.if_dns' },
    ...(has(move, ['upload', 'activate']) ? [{ icon: <UndoIcon />, key: 'transfer_page.if_files' } as const] : []),
    { icon: <SwapHorizontalIcon />, key: 'transfer_page.if_roles' },
    { icon: <TimeIcon />, key: 'transfer_page.if_until', stage },
  ];
}

/** Returns the results of an ended move, and the things kept from before, as lines. */
function outcomeOf(move: MoveView): Line[] {
  if (move.has_moved) {
    return [
      ...(move.question === 'unseen' ? [] : [{ icon: <TickIcon />, key: 'transfer_page.kept_forward' } as const]),
      { icon: <SwapHorizontalIcon />, key: 'transfer_page.kept_reserve' },
      { icon: <TickIcon />, key: 'transfer_page.kept_files' },
      ...(has(move, ['snapshot']) ? [{ icon: <HistoryIcon />, key: 'transfer_page.kept_images' } as const] : []),
    ];
  }
  if (move.question === 'half') return [];
  const isBegun = move.acts.some(({ state }) => state === 'undone');
  return [
    isBegun
      ? { icon: <UndoIcon />, key: 'transfer_page.kept_back' }
      : { icon: <TickIcon />, key: 'transfer_page.kept_nothing' },
    ...(has(move, ['zone']) ? [{ icon: <TickIcon />, key: 'transfer_page.kept_zone' } as const] : []),
  ];
}

const Lines = ({ lines, names }: { lines: readonly Line[]; names: Record<string, string> }): ReactNode => (
  <ul className="move-after">
    {lines.map(({ icon, key, stage = '' }) => (
      <li key={key}>
        <span className="muted">{icon}</span>
        <span>
          <T k={key} {...names} stage={stage} />
        </span>
      </li>
    ))}
  </ul>
);

/** The effects of a cancellation while a move runs; afterwards its results and the things kept. */
export function MoveAfter({ operation, move }: OfMove) {
  const t = useT();
  const names = { source: move.source.unicode_name, target: move.target?.unicode_name ?? '' };
  const isOver = isFinal(operation.state);
  const lines = isOver ? outcomeOf(move) : ifCancelled(move, t('domain_page.stage_redirect'));
  if (lines.length === 0 || (!isOver && !operation.cancellable)) return null;
  return (
    <Panel title={<T k={isOver ? 'transfer_page.outcome' : 'transfer_page.if_cancelled'} />}>
      <Lines lines={lines} names={names} />
    </Panel>
  );
}
