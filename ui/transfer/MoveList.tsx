import type { ReactElement } from 'react';
import { Link } from 'react-router-dom';
import type { ItemState } from '../../src/shared/operations.ts';
import type { TransferPage } from '../../src/shared/transfers/transfer-page.ts';
import { useUrlDialog } from '../kit/dialog/useUrlDialog.ts';
import { DisableIcon, ErrorIcon, RunningIcon, TickIcon, WaitingIcon } from '../kit/icons.tsx';
import { useFormats } from '../kit/language.ts';
import { Panel } from '../kit/Panel.tsx';
import { T } from '../kit/T.tsx';
import { transferPath } from '../operations/transferPath.ts';

const MARKS: Record<ItemState, ReactElement> = {
  queued: <WaitingIcon />,
  intent: <RunningIcon className="running" />,
  done: <TickIcon className="good" />,
  noop: <TickIcon className="good" />,
  failed: <ErrorIcon className="bad" />,
  cancelled: <DisableIcon />,
};

/** The other moves of the same operation; nothing where there is one. */
export function MoveList({ page: { operation, moves, move, move_count } }: { page: TransferPage }) {
  const formats = useFormats();
  const { linkTo } = useUrlDialog('operation');
  if (move_count < 2) return null;
  const { to, state } = linkTo(operation.id);
  return (
    <Panel flush title={<T k="transfer_page.moves" />} count={formats.number(move_count)}>
      <ul className="move-list">
        {moves.map(({ id, source, target, state: how }) => (
          <li key={id}>
            {MARKS[how]}
            <span className="visually-hidden">
              <T k={`operation.item_${how}`} />
            </span>
            <Link
              to={transferPath(operation.id, id)}
              aria-current={id === move?.id ? 'true' : undefined}
              translate="no"
            >
              {target === null ? source : `${source} → ${target}`}
            </Link>
          </li>
        ))}
        {move_count > moves.length && (
          <li>
            <Link to={to} state={state}>
              <T k="transfer_page.moves_more" n={move_count - moves.length} />
            </Link>
          </li>
        )}
      </ul>
    </Panel>
  );
}
