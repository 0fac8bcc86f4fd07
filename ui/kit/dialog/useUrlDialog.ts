import { useLocation, useNavigate, useSearchParams } from 'react-router-dom';
import { allowStep } from './leaving.ts';

/** The state of an entry of the history that was opened from the page before it. */
export const OPENED = 'opened-here';

export interface UrlDialog {
  /** The id in the URL; undefined while the dialog is closed. */
  id: number | undefined;
  /** Returns the target of a link that opens the dialog; `state` records that Back returns to this page. */
  linkTo: (id: number) => { to: { search: string }; state: string };
  open: (id: number) => void;
  close: () => void;
}

const searchWith = (search: URLSearchParams, name: string, id: number | undefined): { search: string } => {
  const next = new URLSearchParams(search);
  if (id === undefined) next.delete(name);
  else next.set(name, String(id));
  return { search: next.toString() };
};

/**
 * Returns a function that opens the dialog of a name for an id. It reads the address when it is called, so that the rows of a list
 * are not drawn anew whenever that changes.
 */
export function useOpenDialog(): (name: string, id: number) => void {
  const navigate = useNavigate();
  return (name, id) =>
    void navigate(searchWith(new URLSearchParams(window.location.search), name, id), { state: OPENED });
}

/** A dialog about one row whose id is in the URL: a link opens it, Back closes it. */
export function useUrlDialog(name: string): UrlDialog {
  const [search] = useSearchParams();
  const { state } = useLocation();
  const navigate = useNavigate();
  const given = search.get(name) ?? '';
  return {
    id: /^[1-9]\d{0,14}$/.test(given) ? Number(given) : undefined,
    linkTo: (id) => ({ to: searchWith(search, name, id), state: OPENED }),
    open: (id) => void navigate(searchWith(search, name, id), { state: OPENED }),
    close: () => {
      // Back may have closed it while an answer was awaited.
      if (new URLSearchParams(window.location.search).get(name) !== given) return;
      if (state !== OPENED) {
        void navigate(searchWith(search, name, undefined), { replace: true });
        return;
      }
      allowStep();
      void navigate(-1);
    },
  };
}
