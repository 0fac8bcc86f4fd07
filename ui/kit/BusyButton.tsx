import { Button, type ButtonProps } from '@blueprintjs/core';
import { RunningIcon } from './icons.tsx';

/** A button that keeps its text while busy (Blueprint's `loading` hides it) and ignores presses meanwhile. */
export function BusyButton({ busy, icon, onClick, ...props }: ButtonProps & { busy: boolean }) {
  return (
    <Button
      {...props}
      icon={busy ? <RunningIcon /> : icon}
      aria-busy={busy}
      aria-disabled={busy}
      {...(onClick && { onClick: busy ? (event) => event.preventDefault() : onClick })}
    />
  );
}
