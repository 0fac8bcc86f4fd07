import type { ReactElement } from 'react';
import { stagesOf, type StageView } from '../../src/shared/transfers/stages.ts';
import { useCall } from '../kit/api.ts';
import { ErrorIcon, MinusIcon, RunningIcon, TickIcon } from '../kit/icons.tsx';
import { useFormats, useT } from '../kit/language.ts';
import { Panel } from '../kit/Panel.tsx';
import { Message, T } from '../kit/T.tsx';
import { useIsLive } from '../kit/live.ts';
import { useOperationText } from '../operations/OperationState.tsx';
import { transferPath } from '../operations/transferPath.ts';
import { useOperation } from '../operations/operations.ts';
import { Link } from 'react-router-dom';

const POLL_MS = 1500;

const MARKS: Record<StageView['state'], ReactElement> = {
  done: <TickIcon />,
  running: <RunningIcon />,
  waiting: <MinusIcon />,
  failed: <ErrorIcon />,
};

/** A move that is under way, stage by stage; its acts and its way back are on its own page. */
export function MovePanel({ id }: { id: number }) {
  const t = useT();
  const formats = useFormats();
  const textOf = useOperationText();
  const isLive = useIsLive();
  const { data: operation } = useOperation(id);
  const { data: items } = useCall(
    'GET /api/operations/:id/items',
    { params: { id }, query: { limit: 1 } },
    { refetchInterval: () => !isLive && POLL_MS },
  );
  const [item] = items?.data ?? [];
  if (!operation || !item) return null;
  return (
    <Panel
      title={<Message text={textOf(operation)} />}
      aside={
        <Link to={transferPath(id)}>
          <T k="transfer_page.open" />
        </Link>
      }
    >
      <p className="muted domain-move-since">
        <T k="operations.times" started={formats.dateTime(operation.created_at)} />
      </p>
      <ol className="domain-move" aria-label={t('domain_page.stages')}>
        {stagesOf(item).map(({ stage, state }) => (
          <li key={stage} className={`stage-${state}`} aria-current={state === 'running' ? 'step' : undefined}>
            <span className="stage-mark">{MARKS[state]}</span>
            <span>
              <T k={`domain_page.stage_${stage}`} />
              <span className="visually-hidden">
                {': '}
                <T k={`domain_page.stage_is_${state}`} />
              </span>
            </span>
          </li>
        ))}
      </ol>
      {item.error !== null && (
        <p className="bad">
          <Message text={item.error} />
        </p>
      )}
    </Panel>
  );
}
