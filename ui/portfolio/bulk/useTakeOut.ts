import { call } from '../../kit/api.ts';
import { useT } from '../../kit/language.ts';
import { saveFile } from '../../kit/saveFile.ts';
import { toast, toastFailure } from '../../kit/toasts.tsx';
import type { ChosenBody } from './usePlan.ts';

/** Returns what takes chosen domains out of the page: a file that a Russian Excel opens as a table, and their names in the clipboard. */
export function useTakeOut(selection: ChosenBody): { exportThem: () => Promise<void>; copyThem: () => Promise<void> } {
  const t = useT();
  return {
    exportThem: async () => {
      try {
        const body = { selection, delimiter: 'semicolon', bom: 'on' } as const;
        const { filename, csv } = await call('POST /api/domains_bulk/export', { body });
        saveFile(filename, new Blob([csv], { type: 'text/csv' }));
      } catch (error) {
        toastFailure(t('sites.export_failed'), error);
      }
    },
    copyThem: async () => {
      try {
        const { data } = await call('POST /api/domains_bulk/names', { body: { selection } });
        await navigator.clipboard.writeText(data.join('\n'));
        toast.success(t('ui.copied'));
      } catch (error) {
        // The clipboard exists only on https pages and on localhost.
        toastFailure(t('ui.copy_failed'), error);
      }
    },
  };
}
