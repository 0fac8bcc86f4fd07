import type { UseQueryResult } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { OperationView } from '../../src/shared/operations.ts';
import { isFinal } from '../../src/shared/operations.ts';
import { refresh, useCall } from '../kit/api.ts';
import { useIsLive } from '../kit/live.ts';

const POLL_MS = 1500;
// An event may be missed: its row was committed later than the server looks back.
const LIVE_POLL_MS = 15_000;
const NONE: readonly OperationView[] = [];

const pause = (isLive: boolean): number => (isLive ? LIVE_POLL_MS : POLL_MS);

/** Returns the recent operations, newest first; while one runs, polls every 15 s, without the event stream every 1.5 s. */
export function useOperations(): readonly OperationView[] {
  const isLive = useIsLive();
  const { data } = useCall(
    'GET /api/operations',
    {},
    {
      refetchInterval: (answer) => answer?.data.some(({ state }) => !isFinal(state)) === true && pause(isLive),
    },
  );
  return data?.data ?? NONE;
}

/** Returns one operation, kept up to date in the same way. */
export function useOperation(id: number): UseQueryResult<OperationView> {
  const isLive = useIsLive();
  return useCall(
    'GET /api/operations/:id',
    { params: { id } },
    { refetchInterval: (answer) => answer !== undefined && !isFinal(answer.state) && pause(isLive) },
  );
}

/** Calls back once for each operation that ends while the page is open. */
export function useFinished(operations: readonly OperationView[], onFinish: (operation: OperationView) => void): void {
  const running = useRef(new Set<number>());
  useEffect(() => {
    for (const operation of operations) {
      if (!isFinal(operation.state)) running.current.add(operation.id);
      else if (running.current.delete(operation.id)) onFinish(operation);
    }
  }, [operations, onFinish]);
}

/** Refetches everything that shows domains, after a check or an edit. */
export const refreshDomains = (): Promise<void> =>
  refresh(
    'GET /api/user_domains',
    'GET /api/dashboard',
    'GET /api/triage',
    'GET /api/expiry_calendar',
    'GET /api/domains',
    'GET /api/domains/:id',
    'GET /api/domains/:id/checks',
    'GET /api/domains/:id/check_days',
    'GET /api/domains/:id/registration',
    'GET /api/domains/:id/timeline',
    'GET /api/domain_pages/:name',
    'GET /api/user_projects',
    'GET /api/project_domains/:projectId',
    'GET /api/project_unassigned_domains/:projectId',
    'GET /api/transfer_decisions',
    'GET /api/transfer_pages/:id',
    'GET /api/project_pages/:ref',
    'GET /api/projects/:id/timeline',
  );
