import { useEffect } from 'react';
import { sessionNow } from '../../kit/session.ts';
import type { Draft } from './dnsDraft.ts';

// Of this page load alone, by user and domain: another tab of the browser has its own.
const kept = new Map<string, Draft>();
const keyOf = (id: number): string => `${sessionNow().user?.id} ${id}`;

/** Returns the edits of a domain's zone that were left without being saved. */
export const keptDraft = (id: number): Draft | undefined => kept.get(keyOf(id));

/** Keeps edits that are not saved while another tab or page is open; before the window closes, the browser asks. */
export function useKeptDraft(id: number, draft: Draft, dirty: boolean): void {
  useEffect(() => {
    if (dirty) kept.set(keyOf(id), draft);
    else kept.delete(keyOf(id));
  }, [id, draft, dirty]);
  useEffect(() => {
    if (!dirty) return undefined;
    const ask = (event: BeforeUnloadEvent): void => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [dirty]);
}
