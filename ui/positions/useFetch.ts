import { useEffect, useState } from 'react';
import type { Engine } from '../../src/shared/engines.ts';
import { isFinal } from '../../src/shared/operations.ts';
import { call, refresh, useCall } from '../kit/api.ts';
import { useT } from '../kit/language.ts';
import { toast, toastFailure } from '../kit/toasts.tsx';

/** As the specification has it: the data are loaded again so long after the request. */
const RELOAD_MS = 3_000;

/** Refetches all that shows positions. */
const refreshPositions = (): Promise<void> =>
  refresh(
    'GET /api/project_positions/:projectId/:engine',
    'GET /api/position/:domainId/:engine',
    'GET /api/position/:projectId/:engine/:keywordId',
    'GET /api/position_cost/:projectId/:engine',
    'GET /api/position_moves',
    'GET /api/operations',
  );

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Loads the positions again whenever an operation has come further, and once more when it has ended. */
function useFollowing(operationId: number | undefined): void {
  const { data } = useCall(
    'GET /api/operations/:id',
    { params: { id: operationId ?? 0 } },
    {
      enabled: operationId !== undefined,
      refetchInterval: (answer) => (answer && isFinal(answer.state) ? false : RELOAD_MS),
    },
  );
  useEffect(() => {
    if (data) void refreshPositions();
  }, [data]);
}

/**
 * Requests a reading of positions. The button stays disabled until the data were loaded again three seconds later; then they are
 * loaded at intervals until the operation has ended, for as long as the view is open. `operationId` is that of the last request of
 * this view, else of a reading that runs already.
 */
export function useFetch(projectId: number, engine: Engine) {
  const t = useT();
  const [isBusy, setBusy] = useState(false);
  const [said, setSaid] = useState('');
  const [asked, setAsked] = useState<{ id: number; engine: Engine }>();
  // A reading that was begun elsewhere, or before this view was opened.
  const { data: cost } = useCall('GET /api/position_cost/:projectId/:engine', { params: { projectId, engine } });
  const running = cost?.data.operation_id ?? undefined;
  const operationId = asked?.engine === engine ? asked.id : running;
  useFollowing(operationId);
  const request = async (): Promise<void> => {
    setBusy(true);
    setSaid('');
    try {
      const { operation } = await call('POST /api/fetch-positions', {
        body: { projectId, keywordId: null, type: engine },
      });
      setAsked({ id: operation.id, engine });
      setSaid(t('positions.requested'));
      toast.success(t('positions.requested'));
      await sleep(RELOAD_MS);
      await refreshPositions();
    } catch (error) {
      toastFailure(t('positions.request_failed'), error);
      setSaid(t('positions.request_failed'));
    }
    setBusy(false);
  };
  return { isBusy, said, operationId, request };
}
