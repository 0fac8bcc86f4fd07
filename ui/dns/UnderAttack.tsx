import { Button, Callout, RadioCard, RadioGroup } from '@blueprintjs/core';
import { TickCircleIcon } from '../kit/icons.tsx';
import { useEffect, useEffectEvent, useState, type FormEvent, type KeyboardEvent } from 'react';
import { isFinal, type OperationView } from '../../src/shared/operations.ts';
import { call, messageOf, refresh } from '../kit/api.ts';
import { AffectedDomains, useAffected } from './AffectedDomains.tsx';
import { CountField, isTyped, NEEDS_COUNT } from '../kit/form/CountField.tsx';
import { FailedItems } from '../operations/FailedItems.tsx';
import { FormDialog } from '../kit/dialog/FormDialog.tsx';
import { useOperation } from '../operations/operations.ts';
import { Message, T } from '../kit/T.tsx';
import { useT } from '../kit/language.ts';
import { RunningSwitch, useRunningSwitch } from './RunningSwitch.tsx';
import './UnderAttack.css';

type Action = 'enable' | 'disable';

const WORDS = {
  enable: {
    label: 'protect.enable',
    text: 'protect.enable_text',
    idle: 'protect.enable_action',
    busy: 'protect.enabling',
    failed: 'protect.enable_failed',
    intent: 'warning',
  },
  disable: {
    label: 'protect.disable',
    text: 'protect.disable_text',
    idle: 'protect.disable_action',
    busy: 'protect.disabling',
    failed: 'protect.disable_failed',
    intent: 'primary',
  },
} as const;

// After this time the dialog offers to close and leave the work to the server.
const PATIENCE_MS = 10_000;
const CLOSES_AFTER_MS = 2000;

/** Returns the action of a switch; undefined where nothing tells it. */
const actionOf = (operation: OperationView | undefined): Action | undefined =>
  operation?.turns ? (operation.turns === 'on' ? 'enable' : 'disable') : undefined;

/** Passes on each state of an operation. */
function Follow({ id, onChange }: { id: number; onChange: (operation: OperationView) => void }) {
  const { data } = useOperation(id);
  useEffect(() => {
    if (data) onChange(data);
  }, [data, onChange]);
  return data ? <RunningSwitch operation={data} /> : null;
}

/**
 * Starts and follows an operation on all domains; a second `send` retries it. `busy` until it has ended. A switch that runs already, of
 * this person before a reload or of a colleague, is followed as if it was started here.
 */
function useUnderAttack() {
  const t = useT();
  const { running, isKnown } = useRunningSwitch('under_attack');
  const [sending, setSending] = useState(false);
  const [started, setStarted] = useState<number>();
  const [operation, setOperation] = useState<OperationView>();
  const [failure, setFailure] = useState<string>();
  const [isFound, setFound] = useState(false);
  if (started === undefined && running && !sending) {
    setStarted(running.id);
    setOperation(running);
    setFound(true);
  }
  const send = async (action: Action): Promise<void> => {
    setSending(true);
    setFailure(undefined);
    try {
      if (started === undefined) {
        const answer = await call('POST /api/manage-under-attack-mode-all', { body: { action } });
        setStarted(answer.operation.id);
      } else {
        await call('POST /api/operations/:id/retry', { params: { id: started }, body: {} });
        await refresh('GET /api/operations/:id');
      }
      void refresh('GET /api/operations');
    } catch (error) {
      setFailure(`${t(WORDS[action].failed)}\n${messageOf(error)}`);
    }
    setSending(false);
  };
  const isRunning = started !== undefined && (operation === undefined || !isFinal(operation.state));
  const busy = sending || isRunning;
  return { send, started, operation, setOperation, failure, isRunning, isFound, isKnown, busy };
}

/** Returns whether `isOn` has been true for PATIENCE_MS. */
function useLong(isOn: boolean): boolean {
  const [long, setLong] = useState(false);
  useEffect(() => {
    if (!isOn) return undefined;
    const timer = setTimeout(() => setLong(true), PATIENCE_MS);
    return () => {
      clearTimeout(timer);
      setLong(false);
    };
  }, [isOn]);
  return long;
}

// Enter would submit the form from a radio button, also as a repeat of a key that is still held down.
function onChoiceKey(event: KeyboardEvent): void {
  if (event.code.endsWith('Enter') && !event.ctrlKey && !event.metaKey) event.preventDefault();
}

interface ChoiceProps {
  action: Action;
  disabled: boolean;
  onChange: (action: Action) => void;
}

function Choice({ action, disabled, onChange }: ChoiceProps) {
  const t = useT();
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- the keys come from the radio buttons inside
    <div onKeyDown={onChoiceKey}>
      <RadioGroup
        aria-label={t('protect.choice')}
        className="switch-cards"
        disabled={disabled}
        selectedValue={action}
        onChange={(event) => onChange(event.currentTarget.value === 'disable' ? 'disable' : 'enable')}
      >
        {(['enable', 'disable'] as const).map((value) => (
          <RadioCard key={value} value={value} compact>
            <strong>
              <T k={WORDS[value].label} />
            </strong>
            <span className="switch-text">
              <T k={WORDS[value].text} />
            </span>
          </RadioCard>
        ))}
      </RadioGroup>
    </div>
  );
}

interface NoteProps {
  isEmpty: boolean;
  operation: OperationView | undefined;
  onLeave: (() => void) | undefined;
}

/** The note beside the buttons: why the action is disabled, its progress, or that it is done. */
function Note({ isEmpty, operation, onLeave }: NoteProps) {
  return (
    <>
      <output>
        {isEmpty && <T k="protect.no_domains" />}
        {operation?.state === 'succeeded' && (
          <span className="switch-done">
            <TickCircleIcon className="good" /> <Message text={operation.message} />
          </span>
        )}
      </output>
      {onLeave && <Button variant="outlined" text={<T k="protect.in_background" />} onClick={onLeave} />}
    </>
  );
}

/** Shows why an operation did not change all domains, and which. */
function Incomplete({ action, operation }: { action: Action; operation: OperationView }) {
  return (
    <>
      <Callout intent="danger" role="alert" compact className="switch-failed">
        <T k={WORDS[action].failed} />
        <div>
          <Message text={operation.message} />
        </div>
      </Callout>
      <FailedItems id={operation.id} ended={operation.finished_at ?? ''} />
    </>
  );
}

/**
 * Switches Under Attack mode for all domains. While it runs it can be closed only after PATIENCE_MS; closes itself
 * after success.
 */
export function UnderAttack({ onClose }: { onClose: () => void }) {
  const affected = useAffected();
  const [wanted, setWanted] = useState<Action>('enable');
  const [typed, setTyped] = useState('');
  const [isAsked, setAsked] = useState(false);
  const { send, started, operation, setOperation, failure, isRunning, isFound, isKnown, busy } = useUnderAttack();
  const isLong = useLong(isRunning);
  const mayLeave = isRunning && (isLong || isFound);
  const action = actionOf(operation) ?? wanted;
  const words = WORDS[action];
  const isDone = operation?.state === 'succeeded';
  const isIncomplete = operation !== undefined && !isRunning && !isDone;
  const count = affected?.domains ?? 0;
  const isEmpty = affected?.domains === 0;
  const left = operation ? operation.counts.failed + operation.counts.cancelled + operation.counts.queued : 0;
  // The screen behind gives another function each time that it is drawn, which is no reason to wait anew.
  const close = useEffectEvent(onClose);
  useEffect(() => {
    if (!isDone) return undefined;
    const timer = setTimeout(() => close(), CLOSES_AFTER_MS);
    return () => clearTimeout(timer);
  }, [isDone]);
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    setAsked(true);
    if (busy || isDone || !isKnown || count === 0 || !isTyped(typed, count)) return;
    void send(action);
  };
  const actionWords = busy ? words.busy : words.idle;
  return (
    <FormDialog
      width={900}
      title={<T k="protect.title" />}
      action={isIncomplete && left > 0 ? <T k="operations.retry" n={left} /> : <T k={actionWords} />}
      intent={words.intent}
      cancel={<T k={isIncomplete ? 'ui.close' : 'protect.cancel'} />}
      disabled={count === 0 || isDone || !isKnown}
      note={<Note isEmpty={isEmpty} operation={operation} onLeave={mayLeave ? onClose : undefined} />}
      submit={{ onSubmit, busy, failure }}
      onClose={onClose}
    >
      <div className="under-attack">
        <Choice action={action} disabled={busy || operation !== undefined} onChange={setWanted} />
        {affected && !isEmpty && !isRunning && (
          <p className="switch-count">
            <T k="protect.count" n={affected.domains} accounts={affected.accounts} />
          </p>
        )}
        {count > NEEDS_COUNT && started === undefined && (
          <CountField count={count} value={typed} isAsked={isAsked} onChange={setTyped} />
        )}
        {started !== undefined && <Follow id={started} onChange={setOperation} />}
        {isIncomplete ? <Incomplete action={action} operation={operation} /> : <AffectedDomains />}
      </div>
    </FormDialog>
  );
}
