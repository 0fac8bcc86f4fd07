import { useLocation, useNavigate, useSearchParams } from 'react-router-dom';
import { useUrlDialog } from '../kit/dialog/useUrlDialog.ts';

const TARGET = 'transfer_to';

export interface TransferDialog {
  /** The main domain in the address, if the dialog is open, and the reserve that was chosen beforehand. */
  id: number | undefined;
  target: number | undefined;
  /** Opens the dialog in place of the history: a way back that was picked there. */
  openBack: (id: number, target: number) => void;
  close: () => void;
}

/** The transfer dialog, whose domains are in the address. */
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
  return {
    id,
    target: /^[1-9]\d{0,14}$/.test(target) ? Number(target) : undefined,
    openBack: (id, target) => {
      const next = without('transfers');
      next.set('transfer', String(id));
      next.set(TARGET, String(target));
      // In the place of the history, so that closing leads back to where that was opened.
      void navigate({ search: next.toString() }, { replace: true, state });
    },
    close: () =>
      target === '' || state !== null ? close() : setSearch(without('transfer', TARGET), { replace: true }),
  };
}
