import { ProgressBar, Tag, type Intent } from '@blueprintjs/core';
import { DisableIcon, ErrorIcon, RunningIcon, TickCircleIcon, WarningSignIcon } from '../kit/icons.tsx';
import { isKey, type Key } from '../../src/shared/i18n/index.ts';
import { isFinal, type OperationState, type OperationView } from '../../src/shared/operations.ts';
import { useFormats, useT } from '../kit/language.ts';
import { T } from '../kit/T.tsx';

/** The label of each state. */
export const STATE_LABELS: Record<OperationState, Key> = {
  queued: 'ui.operation_queued',
  running: 'ui.operation_running',
  succeeded: 'ui.operation_succeeded',
  failed: 'ui.operation_failed',
  partial: 'ui.operation_partial',
  cancelled: 'ui.operation_cancelled',
};

const INTENTS: Record<OperationState, Intent> = {
  queued: 'none',
  running: 'primary',
  succeeded: 'success',
  failed: 'danger',
  partial: 'warning',
  cancelled: 'none',
};

/** The icon of a state; a label has to stand beside it. */
export function StateIcon({ state }: { state: OperationState }) {
  if (!isFinal(state)) return <RunningIcon className="running" />;
  if (state === 'succeeded') return <TickCircleIcon className="good" />;
  if (state === 'cancelled') return <DisableIcon />;
  return state === 'failed' ? <ErrorIcon className="bad" /> : <WarningSignIcon className="doubtful" />;
}

export function StateTag({ state }: { state: OperationState }) {
  return (
    <Tag minimal intent={INTENTS[state]} {...(isFinal(state) && { icon: <StateIcon state={state} /> })}>
      <T k={STATE_LABELS[state]} />
    </Tag>
  );
}

/**
 * Returns a function that returns what an operation says of itself. Until when it waits for the limit of a service is told in the
 * reader's time zone: the server's message has its own.
 */
export function useOperationText(): (operation: Pick<OperationView, 'message' | 'waits_until'>) => string {
  const t = useT();
  const formats = useFormats();
  return ({ message, waits_until }) =>
    waits_until === null ? message : t('operation.waits_until', { time: formats.time(waits_until) });
}

/** The progress of an operation; nothing once it has ended. */
export function OperationProgress({ operation }: { operation: OperationView }) {
  const t = useT();
  const message = useOperationText()(operation);
  const { state, total, done } = operation;
  if (isFinal(state)) return null;
  return (
    <ProgressBar {...(total > 0 && { value: done / total })} aria-label={t('ui.operation_progress', { message })} />
  );
}

/** Returns the name of a kind of operation; an unknown kind is returned as it is. */
export const kindOf = (t: (key: Key) => string, kind: string): string => {
  const key = `operation.kind_${kind}`;
  return isKey(key) ? t(key) : kind;
};
