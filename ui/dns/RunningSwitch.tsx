import type { Key } from '../../src/shared/i18n/index.ts';
import { isFinal, type OperationView } from '../../src/shared/operations.ts';
import { useCall } from '../kit/api.ts';
import { RunningIcon } from '../kit/icons.tsx';
import { useT } from '../kit/language.ts';
import { Message, T } from '../kit/T.tsx';
import { OperationProgress, useOperationText } from '../operations/OperationState.tsx';
import { useOperations } from '../operations/operations.ts';
import './RunningSwitch.css';

export type SwitchKind = 'under_attack' | 'tls';

const STARTED: Record<SwitchKind, Record<'on' | 'off', Key>> = {
  under_attack: { on: 'protect.enable_started', off: 'protect.disable_started' },
  tls: { on: 'protect.tls_on_started', off: 'protect.tls_off_started' },
};

const LOOKED_AT = 20;
const POLL_MS = 5000;

/**
 * Returns the switch of a kind that has not ended, whoever has started it; `isKnown` once the server has answered. The list of recent
 * operations follows the events, the one of this kind has also a switch with many later operations.
 */
export function useRunningSwitch(kind: SwitchKind): { running: OperationView | undefined; isKnown: boolean } {
  const isRunning = (operation: OperationView): boolean => operation.kind === kind && !isFinal(operation.state);
  const recent = useOperations();
  const { data, isFetchedAfterMount } = useCall(
    'GET /api/operations',
    { query: { kind, limit: LOOKED_AT } },
    { anew: true, refetchInterval: (answer) => answer?.data.some(isRunning) === true && POLL_MS },
  );
  // An earlier answer may tell of a switch that has ended since.
  const older = (isFetchedAfterMount ? data?.data : undefined)?.filter(
    ({ id }) => !recent.some((one) => one.id === id),
  );
  return { running: [...recent, ...(older ?? [])].find(isRunning), isKnown: isFetchedAfterMount };
}

/** How far a switch is, and what it waits for; nothing once it has ended. */
export function RunningSwitch({ operation }: { operation: OperationView }) {
  const t = useT();
  const text = useOperationText()(operation);
  const { kind, turns, state, done, total } = operation;
  if (isFinal(state)) return null;
  const started = turns && (kind === 'under_attack' || kind === 'tls') ? t(STARTED[kind][turns]) : text;
  return (
    <div className="running-switch">
      <p>
        <RunningIcon className="running" />
        <span>
          {started}
          {text !== started && (
            <>
              {' · '}
              <Message text={text} />
            </>
          )}
          {total > 0 && (
            <>
              {' · '}
              <T k="ui.operation_done" done={done} total={total} />
            </>
          )}
        </span>
      </p>
      <OperationProgress operation={operation} />
    </div>
  );
}
