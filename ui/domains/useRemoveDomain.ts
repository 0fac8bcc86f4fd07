import { call } from '../kit/api.ts';
import { useT } from '../kit/language.ts';
import { refreshDomains } from '../operations/operations.ts';
import { removeWithUndo } from '../kit/dialog/removal.ts';
import type { ToastPlace } from '../kit/toasts.tsx';

/** Returns a function that deletes a domain at once and offers an undo. */
export function useRemoveDomain(place: ToastPlace): (domain: { id: number; unicode_name: string }) => Promise<void> {
  const t = useT();
  return ({ id, unicode_name: name }) => {
    const params = { id };
    return removeWithUndo({
      remove: async () => {
        await call('DELETE /api/domains/:id', { params });
        return { message: t('domain.deleted', { name }) };
      },
      restore: () => call('POST /api/domains/:id/restore', { params, body: {} }),
      refresh: refreshDomains,
      words: {
        failed: t('projects.domain_delete_failed'),
        undo: t('projects.undo'),
        undoFailed: t('projects.undo_failed'),
      },
      place,
    });
  };
}
