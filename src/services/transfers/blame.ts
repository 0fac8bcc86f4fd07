import { messageFor } from '../../operations/failure.ts';
import type { Act } from '../../operations/flow.ts';
import { isPassing } from '../../operations/item-try.ts';
import { CANCELLED } from '../../operations/rollback.ts';
import { ProviderError, withDetails } from '../../providers/provider-error.ts';
import { AppError } from '../../shared/errors.ts';
import type { Message } from '../../shared/i18n/index.ts';
import type { OperationItemRow } from '../../shared/operations/tables.ts';

/** Runs `work`. Where an account refuses it, throws the AppError that `tell` makes of the service's reason. */
async function telling<T>(work: () => Promise<T>, tell: (reason: string) => AppError): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ProviderError) || !['credentials', 'refused'].includes(error.kind)) throw error;
    throw tell(String(messageFor(error)?.params?.['message'] ?? ''));
  }
}

/**
 * Runs `work` with the account of a move's source. Where the account refuses it, throws AppError `refused` that names the
 * source, so that the reserve is not taken for the cause; so does a failure that passes, in case it lasts.
 */
export const atSource = <T>(source: string, work: () => Promise<T>): Promise<T> =>
  telling(
    () =>
      work().catch((error: unknown) => {
        throw isPassing(error) ? withDetails(error, { domain: source }) : error;
      }),
    (reason) => new AppError('refused', 'transfer.source_refused', { domain: source, reason }),
  );

/**
 * Whether a move that has ended without having moved tells nothing of its reserve: a person has cancelled it, or its error names the main
 * domain. As `SPARES` of `fact-rows.ts`.
 */
export function sparesReserve({ state, error, error_key, lock_name }: OperationItemRow): boolean {
  if (state === 'cancelled' || CANCELLED.some((key) => key === error_key)) return true;
  return error !== null && (JSON.parse(error) as Message).params?.['domain'] === lock_name;
}

/**
 * Runs `work`. Where the account refuses it, throws AppError `conflict` saying that the site has moved but the rule of
 * the older name has not.
 */
export const toldAsLeft = <T>(name: string, source: string, work: () => Promise<T>): Promise<T> =>
  telling(work, (reason) => new AppError('conflict', 'transfer.older_left', { name, source, reason }));

/** Returns an act whose look and change run within `told`. */
export const actWithin = (act: Act, told: <T>(work: () => Promise<T>) => Promise<T>): Act => ({
  ...act,
  look: async (isOver) => {
    const change = await told(() => act.look(isOver));
    return change && { ...change, perform: () => told(change.perform) };
  },
});
