import { Button, Spinner, type ButtonProps } from '@blueprintjs/core';

/** A button that keeps its text while busy (Blueprint's `loading` hides it) and ignores presses meanwhile. */
export function BusyButton({ busy, icon, onClick, ...props }: ButtonProps & { busy: boolean }) {
  return (
    <Button
      {...props}
      icon={busy ? <Spinner size={16} aria-hidden /> : icon}
      aria-busy={busy}
      aria-disabled={busy}
      {...(onClick && { onClick: busy ? (event) => event.preventDefault() : onClick })}
    />
  );
}
