import { Button, Callout } from '@blueprintjs/core';
import { Link } from 'react-router-dom';
import type { OperationView } from '../../src/shared/operations.ts';
import type { MoveView } from '../../src/shared/transfers/transfer-page.ts';
import { domainPath } from '../domains/DomainLink.tsx';
import { BusyButton } from '../kit/BusyButton.tsx';
import { RepeatIcon, SwapHorizontalIcon } from '../kit/icons.tsx';
import { Message, T } from '../kit/T.tsx';
import { useTransferDialog } from '../transfers/useTransferDialog.ts';
import { useTransferActs } from './useTransferActs.ts';

interface OfMove {
  operation: OperationView;
  move: MoveView;
}

/** Opens the transfer dialog with the reserve of a move, where a person looks at it and confirms; without one to choose it. */
function Choose({ move: { source, target, question } }: OfMove) {
  const { open } = useTransferDialog();
  if (source.domain?.type !== 'main') return null;
  const isSame = question === 'confirm' && target?.domain?.type === 'transfer';
  return (
    <Button
      intent="primary"
      icon={<SwapHorizontalIcon />}
      text={<T k={isSame ? 'transfer_page.ask_confirm' : 'transfer_page.ask_choose'} />}
      onClick={() => open(source.id, isSame ? target.id : null)}
    />
  );
}

function Retry({ operation, move }: OfMove) {
  const { busy, run } = useTransferActs(operation.id);
  if (!operation.retryable) return null;
  const isFirst = move.question === 'half' || move.question === 'open';
  return (
    <BusyButton
      intent={isFirst ? 'primary' : 'none'}
      icon={<RepeatIcon />}
      busy={busy === 'retry'}
      text={<T k="transfer_page.retry" />}
      onClick={() => void run('retry')}
    />
  );
}

/** Why a move waits for a person, and the decision. */
export function MoveQuestion({ operation, move }: OfMove) {
  const { question, error, warning, source } = move;
  if (question === null) return null;
  const reason = warning ?? error;
  const canChoose = question === 'choose' || question === 'confirm';
  return (
    <Callout intent="warning" className="transfer-asks" title={undefined}>
      <h2 className="bp6-heading">
        <T k="transfer_page.asks" />
      </h2>
      <p>
        <T k={`transfer_page.why_${question}`} />
      </p>
      {reason !== null && (
        <p>
          <Message text={reason} />
        </p>
      )}
      <div className="screen-actions">
        {canChoose && <Choose operation={operation} move={move} />}
        <Retry operation={operation} move={move} />
        {question === 'unseen' && source.domain !== null && (
          <Link className="bp6-button" to={`${domainPath(source.domain_name)}?tab=dns`}>
            DNS: {source.unicode_name}
          </Link>
        )}
      </div>
    </Callout>
  );
}
