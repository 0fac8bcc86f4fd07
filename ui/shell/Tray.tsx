import { Button, Classes } from '@blueprintjs/core';
import { Popover } from '../kit/float/Popover.tsx';
import { HistoryIcon, RunningIcon } from '../kit/icons.tsx';
import { lazy, Suspense, useCallback } from 'react';
import { Link } from 'react-router-dom';
import { isFinal, type OperationView } from '../../src/shared/operations.ts';
import { useFormats, useLanguage, useT } from '../kit/language.ts';
import { useSession } from '../kit/session.ts';
import { Events } from './events.ts';
import { kindOf, OperationProgress, STATE_LABELS, StateIcon, useOperationText } from '../operations/OperationState.tsx';
import { refreshDomains, useFinished, useOperations } from '../operations/operations.ts';
import { Message, T } from '../kit/T.tsx';
import { toast } from '../kit/toasts.tsx';
import { transferPath } from '../operations/transferPath.ts';
import { useUrlDialog } from '../kit/dialog/useUrlDialog.ts';
import { Loading } from '../kit/Loading.tsx';

const OperationDialog = lazy(async () => ({ default: (await import('../operations/Operation.tsx')).OperationDialog }));

function Operation({ operation }: { operation: OperationView }) {
  const t = useT();
  const formats = useFormats();
  const dialog = useUrlDialog('operation').linkTo(operation.id);
  const { to, state: opened } =
    operation.kind === 'transfer' ? { to: transferPath(operation.id), state: undefined } : dialog;
  const { state, total, done, failed } = operation;
  const text = useOperationText()(operation);
  return (
    <li className="operation">
      <StateIcon state={state} />
      <div className="operation-text">
        <Link to={to} state={opened} className={Classes.POPOVER_DISMISS}>
          <Message text={text} />
        </Link>
        <OperationProgress operation={operation} />
        <div className="muted">
          {kindOf(t, operation.kind)} · <T k={STATE_LABELS[state]} />
          {total > 0 && <> · {t('ui.operation_done', { done, total })}</>}
          {failed > 0 && <> · {t('ui.operation_failures', { failed })}</>} · {formats.ago(operation.created_at)}
        </div>
      </div>
    </li>
  );
}

// Older operations are in the history.
const SHOWN = 10;

function Operations({ operations }: { operations: readonly OperationView[] }) {
  return (
    <div className="tray">
      <h2 className="bp6-heading">
        <T k="ui.operations" />
      </h2>
      <ul className={Classes.LIST_UNSTYLED}>
        {operations.slice(0, SHOWN).map((operation) => (
          <Operation key={operation.id} operation={operation} />
        ))}
      </ul>
      <p className="tray-all">
        <Link to="/operations" className={Classes.POPOVER_DISMISS}>
          <T k="operations.all" />
        </Link>
      </p>
    </div>
  );
}

/** Shows a toast for each operation that ends while the page is open, and refetches the domains. */
function useEndings(operations: readonly OperationView[]): void {
  const t = useT();
  const onFinish = useCallback(
    (operation: OperationView) => {
      void refreshDomains();
      if (operation.state === 'succeeded') toast.success(operation.message);
      else if (operation.state === 'failed') toast.error(operation.message);
      else toast.info(`${operation.message} – ${t(STATE_LABELS[operation.state])}`);
    },
    [t],
  );
  useFinished(operations, onFinish);
}

/**
 * Shows running and recently ended operations, whichever process runs them; loaded from the server, so a reload keeps
 * them. The operation in the URL opens as a dialog over any screen.
 */
export function Tray() {
  const t = useT();
  const language = useLanguage();
  const { token } = useSession();
  const operations = useOperations();
  useEndings(operations);
  const { id, close } = useUrlDialog('operation');
  const running = operations.filter(({ state }) => !isFinal(state));
  return (
    <>
      <Events key={`${language}/${token}`} />
      {operations.length > 0 && (
        <Popover content={<Operations operations={operations} />} align="end">
          {(target) => (
            <Button
              {...target}
              variant="minimal"
              aria-label={running.length > 0 ? t('ui.operations_running', { n: running.length }) : t('ui.operations')}
              icon={running.length > 0 ? <RunningIcon className="running" /> : <HistoryIcon />}
              text={running.length > 0 ? running.length : undefined}
            />
          )}
        </Popover>
      )}
      {id !== undefined && (
        <Suspense fallback={<Loading />}>
          <OperationDialog key={id} id={id} onClose={close} />
        </Suspense>
      )}
    </>
  );
}
