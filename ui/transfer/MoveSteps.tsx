import type { ReactElement } from 'react';
import { planLines } from '../../src/shared/dns/plan-words.ts';
import type { OperationView, StoredAct } from '../../src/shared/operations.ts';
import { actsOf, stagesOf, type StageView } from '../../src/shared/transfers/stages.ts';
import type { MoveView } from '../../src/shared/transfers/transfer-page.ts';
import { ErrorIcon, RunningIcon, TickIcon, UndoIcon } from '../kit/icons.tsx';
import { useFormats, useT } from '../kit/language.ts';
import { Panel } from '../kit/Panel.tsx';
import { Message, T } from '../kit/T.tsx';
import { useOperationText } from '../operations/OperationState.tsx';
import { PlanLines } from '../operations/PlanLines.tsx';

// A zone that is made anew has dozens of records.
const MOST_LINES = 6;

const isBack = ({ state }: StoredAct): boolean => state === 'undone' || state === 'undoing';

/** The mark of a step; its number where it is still to come. */
function Dot({
  state,
  isUndone,
  number,
}: {
  state: StageView['state'];
  isUndone: boolean;
  number: number;
}): ReactElement {
  if (isUndone) return <UndoIcon />;
  if (state === 'done') return <TickIcon />;
  if (state === 'running') return <RunningIcon />;
  if (state === 'failed') return <ErrorIcon />;
  return <>{number}</>;
}

/** The changes that the acts of a step have made. */
function Lines({ acts }: { acts: readonly StoredAct[] }) {
  const t = useT();
  const changed = acts.filter(({ state }) => state !== 'noop');
  const lines = planLines(
    t,
    changed.map(({ name, before, after }) => ({ act: name, before, after })),
  );
  if (lines.length === 0) {
    return acts.length > 0 && changed.length === 0 ? (
      <p className="muted">
        <T k="transfer_page.as_wanted" />
      </p>
    ) : null;
  }
  return (
    <>
      <PlanLines lines={lines.slice(0, MOST_LINES)} />
      {lines.length > MOST_LINES && (
        <p className="muted">
          <T k="transfer_page.step_lines_more" n={lines.length - MOST_LINES} />
        </p>
      )}
    </>
  );
}

interface StepProps {
  view: StageView;
  number: number;
  move: MoveView;
  operation: OperationView;
}

function Step({ view: { stage, state }, number, move, operation }: StepProps) {
  const t = useT();
  const formats = useFormats();
  const textOf = useOperationText();
  const acts = actsOf(stage, move.acts);
  const isUndone = acts.some(isBack) && state !== 'failed';
  const at = state === 'waiting' ? undefined : acts.flatMap((act) => act.at ?? []).at(-1);
  const names = { source: move.source.unicode_name, target: move.target?.unicode_name ?? '' };
  const isNow = state === 'running';
  // For something outside, or for the limit of a service.
  const waits = move.waits ?? (operation.waits_until === null ? null : textOf(operation));
  const told = isUndone ? t('transfer_page.taken_back') : t(`domain_page.stage_is_${state}`);
  return (
    <li className={`step step-${isUndone ? 'undone' : state}`} aria-current={isNow ? 'step' : undefined}>
      <span className="step-dot" aria-hidden="true">
        <Dot state={state} isUndone={isUndone} number={number} />
      </span>
      <div className="step-body">
        <h3 className="bp6-heading">
          <T k={`domain_page.stage_${stage}`} />
          <span className="visually-hidden">: {told}</span>
        </h3>
        {(state === 'waiting' || isNow) && (
          <p className="muted">
            <T k={`transfer_page.next_${stage}`} {...names} />
          </p>
        )}
        {isNow && waits !== null && (
          <p className="step-now">
            <Message text={waits} />
          </p>
        )}
        {isUndone && (
          <p className="muted">
            <T k="transfer_page.taken_back" />
          </p>
        )}
        {state !== 'waiting' && <Lines acts={acts} />}
        {state === 'failed' && move.error !== null && (
          <p className="bad">
            <Message text={move.error} />
          </p>
        )}
      </div>
      {at !== undefined && (
        <time dateTime={at} title={formats.dateTime(at)}>
          {formats.time(at)}
        </time>
      )}
    </li>
  );
}

/** The steps of a move: what each has changed and when, which one is under way, and what comes. */
export function MoveSteps({ operation, move }: { operation: OperationView; move: MoveView }) {
  const t = useT();
  return (
    <Panel flush title={<T k="transfer_page.steps" />} aside={<T k="transfer_page.by_journal" />}>
      <ol className="steps" aria-label={t('domain_page.stages')}>
        {stagesOf(move).map((view, index) => (
          <Step key={view.stage} view={view} number={index + 1} move={move} operation={operation} />
        ))}
      </ol>
    </Panel>
  );
}
