import { Button, type ButtonProps } from '@blueprintjs/core';
import { RunningIcon } from './icons.tsx';

/**
 * A button that keeps its text while busy (Blueprint's `loading` hides it) and ignores presses meanwhile. It keeps the focus as well: a button
 * that is pressed and then `disabled` loses it.
 */
export function BusyButton({ busy, icon, disabled, onClick, ...props }: ButtonProps & { busy: boolean }) {
  return (
    <Button
      {...props}
      disabled={!busy && disabled}
      icon={busy ? <RunningIcon /> : icon}
      aria-busy={busy}
      aria-disabled={busy}
      {...(onClick && { onClick: busy ? (event) => event.preventDefault() : onClick })}
    />
  );
}
