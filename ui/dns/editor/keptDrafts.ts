import { useEffect } from 'react';
import { useKept } from '../../kit/form/useDraft.ts';
import { readDraft } from '../../kit/reader/drafts.ts';
import { isLeavingNow, sessionNow } from '../../kit/session.ts';
import type { Draft } from './dnsDraft.ts';

// Of this page load alone, by user and domain: another tab of the browser has its own.
const kept = new Map<string, Draft>();
const keyOf = (id: number): string => `${sessionNow().user?.id} ${id}`;

const nameOf = (id: number): string => `dns ${id}`;

/** Returns the edits of a domain's zone that were typed before the session ended. */
export const typedDraft = (id: number): Draft | undefined =>
  readDraft(sessionNow().user?.id ?? 0, nameOf(id))?.['draft'] as Draft | undefined;

/** Keeps edits that are not saved where the session ends. */
export const useTypedDraft = (id: number, draft: Draft, dirty: boolean): void =>
  useKept(nameOf(id), () => (dirty ? { draft } : undefined));

/** Returns the edits of a domain's zone that were left without being saved. */
export const keptDraft = (id: number): Draft | undefined => kept.get(keyOf(id)) ?? typedDraft(id);

/** Keeps edits that are not saved while another tab or page is open; before the window closes, the browser asks. */
export function useKeptDraft(id: number, draft: Draft, dirty: boolean): void {
  useTypedDraft(id, draft, dirty);
  useEffect(() => {
    if (dirty) kept.set(keyOf(id), draft);
    else kept.delete(keyOf(id));
  }, [id, draft, dirty]);
  useEffect(() => {
    if (!dirty) return undefined;
    const ask = (event: BeforeUnloadEvent): void => {
      if (!isLeavingNow()) event.preventDefault();
    };
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [dirty]);
}
