import { Link, useParams } from 'react-router-dom';
import { isFinal } from '../../src/shared/operations.ts';
import type { TransferPage as Page } from '../../src/shared/transfers/transfer-page.ts';
import { DomainDialogs } from '../portfolio/DomainDialogs.tsx';
import { ApiError, useCall } from '../kit/api.ts';
import { EmptyState } from '../kit/EmptyState.tsx';
import { useT } from '../kit/language.ts';
import { useIsLive } from '../kit/live.ts';
import { BareScreen, useTitleText } from '../kit/Screen.tsx';
import { T } from '../kit/T.tsx';
import { Failed, Skeleton } from '../kit/table/DataTable.tsx';
import { useUrlState } from '../kit/useUrlState.ts';
import { MoveAfter } from './MoveAfter.tsx';
import { MoveList } from './MoveList.tsx';
import { MoveQuestion } from './MoveQuestion.tsx';
import { MoveSides } from './MoveSides.tsx';
import { MoveSteps } from './MoveSteps.tsx';
import { Seen } from './Seen.tsx';
import { TransferHead } from './TransferHead.tsx';
import '../domain/page.css';
import './TransferPage.css';

const POLL_MS = 1500;
const VIEW = { move: '' };
const NUMBER = /^[1-9]\d{0,14}$/;

/** Stands in place of a transfer that is not there for the reader: unknown, purged, or another's. */
function Missing({ id }: { id: string }) {
  const t = useT();
  return (
    <BareScreen title={t('transfer_page.missing', { id })}>
      <EmptyState
        action={
          <Link to="/operations">
            <T k="operations.all" />
          </Link>
        }
      >
        <T k="transfer_page.missing_text" />
      </EmptyState>
    </BareScreen>
  );
}

function Loaded({ page }: { page: Page }) {
  const t = useT();
  const { operation, move } = page;
  const name = move?.source.unicode_name;
  useTitleText(
    name === undefined ? t('transfer_page.number', { id: String(operation.id) }) : t('transfer_page.title', { name }),
  );
  return (
    <>
      <TransferHead page={page} />
      {move === null ? (
        <EmptyState>
          <T k="transfer_page.empty" />
        </EmptyState>
      ) : (
        <div className="transfer-columns">
          <div>
            <MoveQuestion operation={operation} move={move} />
            <MoveSides move={move} />
            <MoveSteps operation={operation} move={move} />
          </div>
          <div>
            <Seen key={move.id} operation={operation} move={move} />
            <MoveAfter operation={operation} move={move} />
            <MoveList page={page} />
          </div>
        </div>
      )}
      <DomainDialogs place="top" />
    </>
  );
}

/** The transfer whose operation is named in the path, running or ended: both names, its steps, and what visitors see. */
export function TransferPage() {
  const t = useT();
  const isLive = useIsLive();
  const { id = '' } = useParams();
  const [{ move }] = useUrlState(VIEW);
  const isNumber = NUMBER.test(id);
  const { data, error, refetch } = useCall(
    'GET /api/transfer_pages/:id',
    { params: { id: Number(id) }, query: { move: NUMBER.test(move) ? Number(move) : undefined } },
    {
      enabled: isNumber,
      keep: true,
      refetchInterval: (answer) => !isLive && answer !== undefined && !isFinal(answer.data.operation.state) && POLL_MS,
    },
  );
  if (!isNumber || (error instanceof ApiError && error.status === 404)) return <Missing id={id} />;
  if (data) return <Loaded page={data.data} />;
  return (
    <BareScreen title={t('transfer_page.number', { id })}>
      {error ? (
        <Failed sentence="transfer_page.failed" reason={error.message} retry={() => void refetch()} />
      ) : (
        <Skeleton label={t('ui.loading')} />
      )}
    </BareScreen>
  );
}
