import type { UseQueryResult } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError, messageOf, refresh } from '../kit/api.ts';
import { useAnew } from '../kit/dialog/useAnew.ts';
import type { Submit } from '../kit/form/Form.tsx';
import { toast, type ToastPlace } from '../kit/toasts.tsx';

const STARTED_MS = 6_000;

/** Asks for prices at each opening: those that are shown are what is paid. */
export const useQuote = <Quote>(queryKey: readonly unknown[], ask: (signal: AbortSignal) => Promise<Quote>) =>
  useAnew<Quote>({ queryKey, queryFn: ({ signal }) => ask(signal), retry: false });

interface Ordering<Order> {
  /** The order at the prices that are shown; undefined: there is nothing to pay. */
  order: Order | undefined;
  send: (order: Order) => Promise<{ message: string }>;
  /** Says what failed. */
  failed: string;
  /** Where the toast stands. */
  place?: ToastPlace;
  onClose: () => void;
}

/** Returns the submit of a dialog that pays what its quote has shown; asks for a new quote where the server refuses. */
export function useOrder<Order>({ refetch }: UseQueryResult, ordering: Ordering<Order>): Submit {
  const { order, send, failed, place, onClose } = ordering;
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  const start = async (wanted: Order): Promise<void> => {
    setBusy(true);
    setFailure(undefined);
    try {
      const { message } = await send(wanted);
      toast.success(message, { timeout: STARTED_MS, ...(place && { place }) });
      void refresh('GET /api/operations');
      onClose();
    } catch (error) {
      setFailure(`${failed}\n${messageOf(error)}`);
      if (error instanceof ApiError) await refetch();
      setBusy(false);
    }
  };
  return {
    busy,
    failure,
    onSubmit: (event) => {
      event.preventDefault();
      if (!busy && order !== undefined) void start(order);
    },
  };
}
