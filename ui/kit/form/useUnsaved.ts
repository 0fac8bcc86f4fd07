import { useEffect } from 'react';
import { isLeavingNow } from '../session.ts';

/** Lets the browser ask before the window closes or loads anew while something is not saved. */
export function useUnsaved(dirty: boolean): void {
  useEffect(() => {
    if (!dirty) return undefined;
    const ask = (event: BeforeUnloadEvent): void => {
      if (!isLeavingNow()) event.preventDefault();
    };
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [dirty]);
}
