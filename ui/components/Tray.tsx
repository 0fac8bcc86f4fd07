import { Button, Classes, PopoverNext, ProgressBar, Spinner } from '@blueprintjs/core';
import { ErrorIcon, HistoryIcon, TickCircleIcon, WarningSignIcon } from '@blueprintjs/icons';
import { useCallback } from 'react';
import type { Key } from '../../src/shared/i18n/index.ts';
import { isFinal, type OperationState, type OperationView } from '../../src/shared/operations.ts';
import { useFormats, useT } from '../language.ts';
import { refreshDomains, useFinished, useOperations } from './operations.ts';
import { Said, T } from './T.tsx';
import { toast } from './toasts.tsx';

const STATES: Record<OperationState, Key> = {
  queued: 'ui.operation_queued',
  running: 'ui.operation_running',
  succeeded: 'ui.operation_succeeded',
  failed: 'ui.operation_failed',
  partial: 'ui.operation_partial',
  cancelled: 'ui.operation_cancelled',
};

function StateIcon({ state }: { state: OperationState }) {
  if (!isFinal(state)) return <Spinner size={16} aria-hidden />;
  if (state === 'succeeded') return <TickCircleIcon className="good" />;
  return state === 'failed' ? <ErrorIcon className="bad" /> : <WarningSignIcon className="doubtful" />;
}

function Operation({ operation }: { operation: OperationView }) {
  const t = useT();
  const formats = useFormats();
  const { state, total, done, failed, message } = operation;
  return (
    <li className="operation">
      <StateIcon state={state} />
      <div className="operation-text">
        <div>
          <Said text={message} />
        </div>
        {!isFinal(state) && (
          <ProgressBar
            {...(total > 0 && { value: done / total })}
            aria-label={t('ui.operation_progress', { message })}
          />
        )}
        <div className="muted">
          <T k={STATES[state]} />
          {total > 0 && <> · {t('ui.operation_done', { done, total })}</>}
          {failed > 0 && <> · {t('ui.operation_failures', { failed })}</>} · {formats.ago(operation.created_at)}
        </div>
      </div>
    </li>
  );
}

// More is history, not news.
const SHOWN = 10;

/** What runs in the background and what has ended lately; it is the server's, so it survives a reload. */
export function Tray() {
  const t = useT();
  const operations = useOperations();
  const onFinish = useCallback(
    (operation: OperationView) => {
      void refreshDomains();
      if (operation.state === 'succeeded') toast.success(operation.message);
      else if (operation.state === 'failed') toast.error(operation.message);
      else toast.info(`${operation.message} – ${t(STATES[operation.state])}`);
    },
    [t],
  );
  useFinished(operations, onFinish);
  const running = operations.filter(({ state }) => !isFinal(state));
  if (operations.length === 0) return null;
  return (
    <PopoverNext
      placement="bottom-end"
      arrow={false}
      content={
        <div className="tray">
          <h2 className="bp6-heading">
            <T k="ui.operations" />
          </h2>
          <ul className={Classes.LIST_UNSTYLED}>
            {operations.slice(0, SHOWN).map((operation) => (
              <Operation key={operation.id} operation={operation} />
            ))}
          </ul>
        </div>
      }
      renderTarget={({ isOpen, ref, className, ...handlers }) => (
        <Button
          {...handlers}
          ref={ref}
          className={className}
          variant="minimal"
          aria-haspopup={undefined}
          aria-expanded={isOpen}
          aria-label={running.length > 0 ? t('ui.operations_running', { n: running.length }) : t('ui.operations')}
          icon={running.length > 0 ? <Spinner size={16} aria-hidden /> : <HistoryIcon />}
          text={running.length > 0 ? running.length : undefined}
        />
      )}
    />
  );
}
