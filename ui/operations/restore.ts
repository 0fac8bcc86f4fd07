import { isFinal } from '../../src/shared/operations.ts';
import { ApiError, call, refresh } from '../kit/api.ts';

const POLL_MS = 400;

/**
 * Restores the state before an operation and waits for the end. Throws ApiError if the restore can't be started or,
 * with its message, if it did not succeed.
 */
export async function restoreOperation(id: number): Promise<void> {
  const { operation } = await call('POST /api/operations/:id/restore', { params: { id }, body: {} });
  await refresh('GET /api/operations');
  for (;;) {
    const { state, message } = await call('GET /api/operations/:id', { params: { id: operation.id } });
    if (state === 'succeeded') return;
    if (isFinal(state)) throw new ApiError(409, state, message);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
