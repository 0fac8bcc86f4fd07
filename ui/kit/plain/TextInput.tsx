import { useLayoutEffect, useRef, type ComponentProps, type ReactNode, type RefObject } from 'react';
import { classes } from './classes.ts';

interface TextInputProps extends Omit<ComponentProps<'input'>, 'ref' | 'onChange' | 'autoFocus'> {
  value: string;
  onValueChange: (value: string) => void;
  inputRef?: RefObject<HTMLInputElement | null>;
  /** A button at its end. */
  rightElement?: ReactNode;
  /** It has the focus as soon as it is there. The attribute of HTML does so for the first input of a page alone. */
  takesFocus?: boolean;
}

/** A text input that looks as Blueprint's, without its script; invalid where `aria-invalid` says so. */
export function TextInput(props: TextInputProps) {
  const { onValueChange, inputRef, rightElement, takesFocus = false, type = 'text', ...input } = props;
  const own = useRef<HTMLInputElement>(null);
  const field = inputRef ?? own;
  useLayoutEffect(() => {
    if (takesFocus) field.current?.focus();
  }, [takesFocus, field]);
  return (
    <div className={classes('bp6-input-group', input['aria-invalid'] === true && 'bp6-intent-danger')}>
      <input
        {...input}
        type={type}
        ref={field}
        className="bp6-input"
        onChange={(event) => onValueChange(event.currentTarget.value)}
      />
      {rightElement && <span className="bp6-input-action">{rightElement}</span>}
    </div>
  );
}
