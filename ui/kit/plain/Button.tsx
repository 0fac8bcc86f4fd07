import type { ComponentProps, ReactNode } from 'react';
import { RunningIcon } from '../icons.tsx';
import { classes } from './classes.ts';

interface ButtonProps extends Omit<ComponentProps<'button'>, 'children'> {
  text?: ReactNode;
  icon?: ReactNode;
  variant?: 'minimal';
  intent?: 'none' | 'primary';
  size?: 'small';
  fill?: boolean;
  /** Given: the button keeps its text while it is true, and ignores presses. */
  busy?: boolean;
}

/** A button that looks as Blueprint's, without its script: for the sign-in, which must be small, and what it shares with the rest. */
export function Button(props: ButtonProps) {
  const { text, icon, variant, intent = 'none', size, fill, busy, className, onClick, ...rest } = props;
  const press = busy ? (event: React.MouseEvent) => event.preventDefault() : onClick;
  return (
    <button
      type="button"
      {...rest}
      {...(busy !== undefined && { 'aria-busy': busy, 'aria-disabled': busy })}
      {...(onClick && press && { onClick: press })}
      className={classes(
        'bp6-button',
        fill && 'bp6-fill',
        variant && `bp6-${variant}`,
        size && `bp6-${size}`,
        intent !== 'none' && `bp6-intent-${intent}`,
        className,
      )}
    >
      {busy ? <RunningIcon /> : icon}
      {text !== undefined && <span className="bp6-button-text">{text}</span>}
    </button>
  );
}
