import { Classes, InputGroup } from '@blueprintjs/core';
import type { UseComboboxGetInputPropsReturnValue, UseComboboxReturnValue } from 'downshift';
import { useId, type ReactNode, type Ref } from 'react';
import { SuggestionsToggle } from './Suggestions.tsx';

interface ComboboxFieldProps<Item> {
  box: UseComboboxReturnValue<Item>;
  label: ReactNode;
  help: ReactNode;
  error: string | undefined;
  /** The result of downshift's `getInputProps`, and more properties of the field. */
  input: UseComboboxGetInputPropsReturnValue & { placeholder?: string; disabled?: boolean };
  /** The list of suggestions. */
  children: ReactNode;
}

/** The label, the field and the help of a combobox; an error takes the place of the help. */
export function ComboboxField<Item>({ box, label, help, error, input, children }: ComboboxFieldProps<Item>) {
  const helpId = useId();
  const { ref, ...props } = input;
  const text = error ?? help;
  return (
    <div className={`${Classes.FORM_GROUP} ${error === undefined ? '' : Classes.INTENT_DANGER} combobox`}>
      <label className={Classes.LABEL} {...box.getLabelProps()}>
        {label}
      </label>
      <InputGroup
        fill
        {...props}
        inputRef={ref as Ref<HTMLInputElement>}
        aria-invalid={error !== undefined}
        aria-describedby={text ? helpId : undefined}
        intent={error === undefined ? 'none' : 'danger'}
        rightElement={<SuggestionsToggle box={box} disabled={input.disabled ?? false} />}
      />
      {children}
      {text && (
        <div className={Classes.FORM_HELPER_TEXT} id={helpId}>
          {text}
        </div>
      )}
    </div>
  );
}
