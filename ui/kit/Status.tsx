import type { ReactNode } from 'react';
import { BanCircleIcon, ErrorIcon, RunningIcon, StaleIcon, TickIcon, TimeIcon, WaitingIcon } from './icons.tsx';
import { useT } from './language.ts';

/** The states that everything here is said in; each has a mark, and a look that calls louder the more it asks for. */
export type State =
  | 'healthy'
  | 'stale'
  | 'broken'
  | 'blocked'
  | 'expiring'
  | 'expired'
  | 'unknown'
  | 'running'
  | 'waiting';

const MARKS: Record<State, ReactNode> = {
  healthy: <TickIcon />,
  stale: <StaleIcon />,
  broken: <ErrorIcon />,
  blocked: <BanCircleIcon />,
  expiring: <TimeIcon />,
  expired: <TimeIcon />,
  unknown: null,
  running: <RunningIcon />,
  waiting: <WaitingIcon />,
};

/** A state as a mark and a word. A word that is too long for its place is cut: `title` should have all of it. */
export function Status({ state, title, children }: { state: State; title?: string | undefined; children: ReactNode }) {
  return (
    <span className={`status status-${state}`} title={title}>
      {MARKS[state]}
      <span className="status-word">{children}</span>
    </span>
  );
}

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
