import { call } from '../kit/api.ts';
import { useT } from '../kit/language.ts';
import { refreshDomains } from '../operations/operations.ts';
import { removeWithUndo } from '../kit/dialog/removal.ts';
import type { ToastPlace } from '../kit/toasts.tsx';

interface Named {
  id: number;
  unicode_name: string;
}

/** Returns what deletes a domain at once and offers an undo; `onGone` is called once it is deleted, before the lists are read anew. */
export function useRemoveDomain(place: ToastPlace, onGone: () => void): (domain: Named) => Promise<void> {
  const t = useT();
  return ({ id, unicode_name: name }) => {
    const params = { id };
    return removeWithUndo({
      remove: async () => {
        await call('DELETE /api/domains/:id', { params });
        onGone();
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
