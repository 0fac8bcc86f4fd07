import { useState } from 'react';
import type { Engine } from '../../src/shared/engines.ts';
import { isFinal } from '../../src/shared/operations.ts';
import { call, refresh } from '../kit/api.ts';
import { useT } from '../kit/language.ts';
import { toast, toastFailure } from '../kit/toasts.tsx';

/** As the specification has it: the data are loaded again so long after the request. */
const RELOAD_MS = 3_000;

/** Refetches all that shows positions. */
const refreshPositions = (): Promise<void> =>
  refresh(
    'GET /api/project_positions/:projectId/:engine',
    'GET /api/position/:domainId/:engine',
    'GET /api/position_cost/:projectId/:engine',
    'GET /api/position_moves',
    'GET /api/operations',
  );

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Requests a reading of positions. The button stays disabled until the data were loaded again three seconds later; then they are
 * loaded at intervals until the operation has ended. `operationId` is that of the last request of this view.
 */
export function useFetch(projectId: number, engine: Engine) {
  const t = useT();
  const [isBusy, setBusy] = useState(false);
  const [said, setSaid] = useState('');
  const [operationId, setOperation] = useState<number>();
  const follow = async (id: number): Promise<void> => {
    for (;;) {
      const { state } = await call('GET /api/operations/:id', { params: { id } });
      await refreshPositions();
      if (isFinal(state)) return;
      await sleep(RELOAD_MS);
    }
  };
  const request = async (): Promise<void> => {
    setBusy(true);
    setSaid('');
    try {
      const { operation } = await call('POST /api/fetch-positions', {
        body: { projectId, keywordId: null, type: engine },
      });
      setOperation(operation.id);
      setSaid(t('positions.requested'));
      toast.success(t('positions.requested'));
      await sleep(RELOAD_MS);
      await refreshPositions();
      void follow(operation.id).catch(() => undefined);
    } catch (error) {
      toastFailure(t('positions.request_failed'), error);
      setSaid(t('positions.request_failed'));
    }
    setBusy(false);
  };
  return { isBusy, said, operationId, request };
}
