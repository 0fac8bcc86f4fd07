import { useKept, useTyped } from '../../kit/form/useDraft.ts';
import { useUnsaved } from '../../kit/form/useUnsaved.ts';
import type { Draft } from './dnsDraft.ts';

/** Where the records of a zone are edited: in a dialog, or in a tab of the domain's page. */
type Where = 'dialog' | 'page';

const nameOf = (id: number, where: Where): string => `dns ${where} ${id}`;

/** Returns the edits of a domain's zone that were typed before the session ended or the page was left. */
export const useTypedEdits = (id: number, where: Where): Draft | undefined =>
  useTyped(nameOf(id, where))?.['draft'] as Draft | undefined;

/** Keeps edits that are not saved where the session ends; those of a page also while another tab or page is open. The dialog asks instead. */
export function useKeptEdits(id: number, where: Where, draft: Draft, dirty: boolean): void {
  useKept(nameOf(id, where), () => (dirty ? { draft } : undefined), where === 'page' ? 'page' : 'session');
  useUnsaved(dirty && where === 'page');
}
