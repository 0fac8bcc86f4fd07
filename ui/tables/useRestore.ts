import { call, queries } from '../kit/api.ts';
import { useT } from '../kit/language.ts';
import { toast, toastFailure } from '../kit/toasts.tsx';

const RESTORES = { domains: 'POST /api/domains/:id/restore', projects: 'POST /api/projects/:id/restore' } as const;

const isRestored = (table: string): table is keyof typeof RESTORES => Object.hasOwn(RESTORES, table);

/** Returns what takes the deletion of a table's row back; undefined where its rows are deleted for good. */
export function useRestore(table: string): ((id: number) => { text: string; run: () => void }) | undefined {
  const t = useT();
  if (!isRestored(table)) return undefined;
  const restore = async (id: number): Promise<void> => {
    try {
      await call(RESTORES[table], { params: { id }, body: {} });
      await queries.invalidateQueries();
      toast.success(t('tables.restored', { table, id }));
      // The pressed button disappeared with its toast, and the focus with it.
      if (document.activeElement === document.body) document.getElementById('main')?.focus();
    } catch (error) {
      toastFailure(t('projects.undo_failed'), error);
    }
  };
  return (id) => ({ text: t('tables.undo'), run: () => void restore(id) });
}
