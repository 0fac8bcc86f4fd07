import { useEffect, useRef } from 'react';
import type { OperationView } from '../../src/shared/operations.ts';
import { isFinal } from '../../src/shared/operations.ts';
import { refresh, useCall } from '../api.ts';

const POLL_MS = 1500;
const NONE: readonly OperationView[] = [];

/** The recent operations, newest first; asked again every 1.5 s while something runs. */
export function useOperations(): readonly OperationView[] {
  const { data } = useCall(
    'GET /api/operations',
    {},
    { refetchInterval: (answer) => (answer?.data.some(({ state }) => !isFinal(state)) ? POLL_MS : false) },
  );
  return data?.data ?? NONE;
}

/** Calls back once for every operation that ends while the page is open. */
export function useFinished(operations: readonly OperationView[], onFinish: (operation: OperationView) => void): void {
  const running = useRef(new Set<number>());
  useEffect(() => {
    for (const operation of operations) {
      if (!isFinal(operation.state)) running.current.add(operation.id);
      else if (running.current.delete(operation.id)) onFinish(operation);
    }
  }, [operations, onFinish]);
}

/** Asks again for everything that shows domains: a check or an edit may have changed it. */
export const refreshDomains = (): Promise<void> =>
  refresh(
    'GET /api/user_domains',
    'GET /api/dashboard',
    'GET /api/domains',
    'GET /api/domains/:id',
    'GET /api/domains/:id/checks',
    'GET /api/user_projects',
    'GET /api/project_domains/:projectId',
    'GET /api/project_unassigned_domains/:projectId',
  );
