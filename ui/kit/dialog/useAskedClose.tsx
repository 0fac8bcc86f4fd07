import { useEffect, useState, type ReactNode } from 'react';
import { useLocation } from 'react-router-dom';
import { useUnsaved } from '../form/useUnsaved.ts';
import { ConfirmClose } from './ConfirmClose.tsx';
import { guardLeaving } from './guardLeaving.ts';

interface AskedClose {
  /** Closes the dialog, or asks first. */
  close: () => void;
  isAsking: boolean;
  /** The question, while it is asked; to be rendered in the dialog. */
  question: ReactNode;
}

/**
 * Asks before what was typed in a dialog is dropped: by closing it, by Back, Forward or a link, and before the window closes or loads
 * anew. While it is being sent (`busy`), Back leaves at once.
 */
export function useAskedClose(dirty: boolean, onClose: () => void, busy = false): AskedClose {
  const [leave, setLeave] = useState<() => void>();
  const { key } = useLocation();
  useUnsaved(dirty);
  const isGuarded = dirty && !busy;
  useEffect(() => {
    if (!isGuarded) return undefined;
    return guardLeaving((go) =>
      setLeave(() => () => {
        setLeave(undefined);
        go();
      }),
    );
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- the place in the history is that of the address
  }, [isGuarded, key]);
  return {
    close: () => (dirty ? setLeave(() => onClose) : onClose()),
    isAsking: leave !== undefined,
    question: leave && <ConfirmClose onClose={leave} onStay={() => setLeave(undefined)} />,
  };
}
