import { Button } from '@blueprintjs/core';
import { useEffect, useState } from 'react';
import { Link } from 'react-router-dom';
import { isFinal } from '../../src/shared/operations.ts';
import type { MoveView, TransferPage } from '../../src/shared/transfers/transfer-page.ts';
import { stagesOf } from '../../src/shared/transfers/stages.ts';
import { BusyButton } from '../kit/BusyButton.tsx';
import { Confirm } from '../kit/dialog/Confirm.tsx';
import { useUrlDialog } from '../kit/dialog/useUrlDialog.ts';
import { ChevronRightIcon, RepeatIcon, StopIcon, UndoIcon } from '../kit/icons.tsx';
import { useFormats, useT } from '../kit/language.ts';
import { Status, type State } from '../kit/Status.tsx';
import { Message, T } from '../kit/T.tsx';
import { useTransferDialog } from '../transfers/useTransferDialog.ts';
import { useTransferActs } from './useTransferActs.ts';

interface OfPage {
  page: TransferPage;
}

function Way({ page: { operation } }: OfPage) {
  const t = useT();
  const id = String(operation.id);
  return (
    <nav className="domain-way" aria-label={t('transfer_page.way')}>
      <Link to="/operations">
        <T k="ui.operations" />
      </Link>
      <ChevronRightIcon size={12} />
      <span aria-current="page">
        <T k="transfer_page.number" id={id} />
      </span>
    </nav>
  );
}

/** Returns the state of a move as a mark and a word. */
function markOf({ operation, move }: TransferPage): {
  state: State;
  key: 'queued' | 'running' | 'done' | 'failed' | 'cancelled' | 'asks';
} {
  if (!isFinal(operation.state)) {
    return operation.state === 'queued' ? { state: 'waiting', key: 'queued' } : { state: 'running', key: 'running' };
  }
  if (move?.question) return { state: 'waiting', key: 'asks' };
  if (move?.has_moved) return { state: 'healthy', key: 'done' };
  return operation.state === 'cancelled' || move?.state === 'cancelled'
    ? { state: 'unknown', key: 'cancelled' }
    : { state: 'broken', key: 'failed' };
}

/** Returns the time, told anew each second while something runs. */
function useSeconds(isRunning: boolean): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (!isRunning) return undefined;
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, [isRunning]);
  return now;
}

function Mark({ page }: OfPage) {
  const formats = useFormats();
  const now = useSeconds(page.operation.finished_at === null);
  const { created_at, finished_at } = page.operation;
  const until = finished_at === null ? now : Date.parse(finished_at);
  const span = formats.span(Math.max(0, until - Date.parse(created_at)) / 1000);
  const { state, key } = markOf(page);
  return (
    <Status state={state}>
      <T k={`transfer_page.state_${key}`} span={span} />
    </Status>
  );
}

/** The state of the transfer in words: its progress, or its outcome. */
function Lead({ page: { operation, move } }: OfPage) {
  if (isFinal(operation.state) || move === null) return <Message text={operation.message} />;
  if (!operation.cancellable) return <T k="transfer_page.cancelling" />;
  const stages = stagesOf(move);
  const done = stages.filter(({ state }) => state === 'done').length;
  return (
    <>
      <T k="transfer_page.progress" done={done} total={stages.length} />
      {move.waits !== null && (
        <>
          {' '}
          <Message text={move.waits} />
        </>
      )}
    </>
  );
}

const isLate = ({ acts }: MoveView): boolean => acts.some(({ name, state }) => name === 'redirect' && state === 'done');

interface CancelProps {
  page: TransferPage;
  busy: boolean;
  onConfirm: () => void;
  onCancel: () => void;
}

function ConfirmStop({ page: { move, move_count }, ...confirm }: CancelProps) {
  if (!move) return null;
  const names = { source: move.source.unicode_name, target: move.target?.unicode_name ?? '' };
  return (
    <Confirm
      title={<T k="transfer_page.cancel_title" {...names} />}
      confirm={<T k="operations.cancel" />}
      cancel={<T k="transfer_page.keep_going" />}
      {...confirm}
    >
      <p>
        <T k={isLate(move) ? 'transfer_page.cancel_late' : 'transfer_page.cancel_back'} {...names} />
      </p>
      {move_count > 1 && (
        <p>
          <T k="transfer_page.cancel_many" />
        </p>
      )}
    </Confirm>
  );
}

/** Returns the main domain and the reserve of a transfer that takes a move back; undefined: it can't be taken back. */
function wayBackOf({ operation, move }: TransferPage): { main: number; reserve: number } | undefined {
  const [source, target] = [move?.source, move?.target];
  const canGoBack =
    isFinal(operation.state) &&
    source?.domain?.type === 'transfer' &&
    target?.domain?.type === 'main' &&
    move?.has_moved;
  return canGoBack ? { main: target.id, reserve: source.id } : undefined;
}

/** The acts that the operation allows now, and the way back of a move that is done. */
function Acts({ page }: OfPage) {
  const [isAsking, ask] = useState(false);
  const { operation, move } = page;
  const { busy, run } = useTransferActs(operation.id);
  const { linkTo } = useUrlDialog('operation');
  const transfer = useTransferDialog();
  const { to, state } = linkTo(operation.id);
  const back = wayBackOf(page);
  const isOther = move?.question === null;
  return (
    <div className="screen-actions">
      <Link className="bp6-button bp6-minimal" to={to} state={state}>
        <T k="transfer_page.other" />
      </Link>
      {back && (
        <Button
          icon={<UndoIcon />}
          text={<T k="transfer_page.back" />}
          onClick={() => transfer.open(back.main, back.reserve)}
        />
      )}
      {operation.restorable && (
        <BusyButton
          icon={<UndoIcon />}
          busy={busy === 'restore'}
          text={<T k="operations.restore" />}
          onClick={() => void run('restore')}
        />
      )}
      {operation.retryable && isOther && (
        <BusyButton
          icon={<RepeatIcon />}
          busy={busy === 'retry'}
          text={<T k="transfer_page.retry" />}
          onClick={() => void run('retry')}
        />
      )}
      {operation.cancellable && move && (
        <BusyButton
          icon={<StopIcon />}
          busy={busy === 'cancel'}
          text={<T k="transfer_page.cancel" />}
          onClick={() => ask(true)}
        />
      )}
      {isAsking && (
        <ConfirmStop
          page={page}
          busy={busy === 'cancel'}
          onConfirm={() => void run('cancel').then(() => ask(false))}
          onCancel={() => ask(false)}
        />
      )}
    </div>
  );
}

/** The head of the page: the moved name, the progress, and the acts. */
export function TransferHead({ page }: OfPage) {
  const t = useT();
  const { operation, move } = page;
  return (
    <>
      <Way page={page} />
      <div className="screen-head domain-head">
        <div className="domain-title">
          <h1 className="bp6-heading">
            {move
              ? t('transfer_page.title', { name: move.source.unicode_name })
              : t('transfer_page.number', { id: String(operation.id) })}
          </h1>
          <Mark page={page} />
        </div>
        <Acts page={page} />
        <p className="transfer-lead" aria-live="polite">
          <Lead page={page} />
        </p>
      </div>
    </>
  );
}
