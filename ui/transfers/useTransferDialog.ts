import { useLocation, useNavigate, useSearchParams } from 'react-router-dom';
import { OPENED, useUrlDialog } from '../kit/dialog/useUrlDialog.ts';

const TARGET = 'transfer_to';

export interface TransferDialog {
  /** The main domain and the preselected reserve in the URL; undefined while absent. */
  id: number | undefined;
  target: number | undefined;
  /** Opens the dialog of a main domain, with a reserve that is chosen already; null: none is. */
  open: (id: number, target: number | null) => void;
  /** Replaces the open history dialog with the transfer dialog, for a reverse transfer chosen there. */
  openBack: (id: number, target: number) => void;
  close: () => void;
}

/** The transfer dialog, whose domains are in the URL. */
export function useTransferDialog(): TransferDialog {
  const { id, close } = useUrlDialog('transfer');
  const [search, setSearch] = useSearchParams();
  const { state } = useLocation() as { state: unknown };
  const navigate = useNavigate();
  const target = search.get(TARGET) ?? '';
  const without = (...names: string[]): URLSearchParams => {
    const next = new URLSearchParams(search);
    for (const name of names) next.delete(name);
    return next;
  };
  const opened = (from: string, main: number, reserve: number | null): { search: string } => {
    const next = without(TARGET, from);
    next.set('transfer', String(main));
    if (reserve !== null) next.set(TARGET, String(reserve));
    return { search: next.toString() };
  };
  return {
    id,
    target: /^[1-9]\d{0,14}$/.test(target) ? Number(target) : undefined,
    open: (main, reserve) => void navigate(opened('transfer', main, reserve), { state: OPENED }),
    openBack: (main, reserve) => {
      // Replaces the history entry, so that closing returns to the page that opened the history.
      void navigate(opened('transfers', main, reserve), { replace: true, state });
    },
    close: () =>
      target === '' || state !== null ? close() : setSearch(without('transfer', TARGET), { replace: true }),
  };
}
