import { InputGroup, Intent, type InputGroupProps } from '@blueprintjs/core';
import { useState, type KeyboardEvent, type ReactNode } from 'react';
import type { FieldValues, Path, UseFormReturn } from 'react-hook-form';
import { ApiError, messageOf } from '../api.ts';
import { Field } from './Field.tsx';

export { Failure } from './Failure.tsx';
export { Field } from './Field.tsx';

interface TextFieldProps<Values extends FieldValues> extends Omit<InputGroupProps, 'name' | 'form'> {
  form: UseFormReturn<Values>;
  name: Path<Values>;
  label: ReactNode;
  help?: ReactNode;
}

/** A one-line text field of a form. */
export function TextField<Values extends FieldValues>({ form, name, label, help, ...input }: TextFieldProps<Values>) {
  const { ref, onChange, ...registered } = form.register(name);
  const error = form.getFieldState(name, form.formState).error?.message;
  return (
    <Field label={label} error={error} help={help}>
      {(control) => (
        <InputGroup
          fill
          {...input}
          {...registered}
          {...control}
          inputRef={ref}
          onChange={(event) => void onChange(event)}
          intent={error === undefined ? Intent.NONE : Intent.DANGER}
        />
      )}
    </Field>
  );
}

/** Submits a form on Ctrl+Enter or ⌘+Enter in any of its fields, once for a press. */
export function submitOnKeys(event: KeyboardEvent<HTMLFormElement>): void {
  const isEnter = event.code === 'Enter' || event.code === 'NumpadEnter';
  // A dialog above it is its child for React, and not in the document.
  const isOwn = event.target instanceof Node && event.currentTarget.contains(event.target);
  if (!isOwn || !isEnter || !(event.ctrlKey || event.metaKey)) return;
  // On a button, Enter would also press it.
  event.preventDefault();
  if (!event.repeat) event.currentTarget.requestSubmit();
}

export interface Submit {
  onSubmit: (event: React.FormEvent<HTMLFormElement>) => void;
  busy: boolean;
  /** A failure of the whole form, not of a field. */
  failure: string | undefined;
}

/** Shows the messages of an error at the fields that it names, and focuses the first of those. Returns whether there were any. */
export function showOnFields<Values extends FieldValues>(form: UseFormReturn<Values>, error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  const named = Object.entries(error.fields).filter(([name]) => name in form.getValues());
  for (const [index, [name, message]] of named.entries()) {
    form.setError(name as Path<Values>, { message }, { shouldFocus: index === 0 });
  }
  return named.length > 0;
}

/**
 * Returns the submit handler and state of a form. Field errors from the server go to their fields, and the first of
 * those gets the focus. `failure` is `sentence`, or that of the error, after any failure, then the message of an error
 * that no field takes.
 */
export function useSubmit<Values extends FieldValues>(
  form: UseFormReturn<Values>,
  run: (values: Values) => Promise<void>,
  sentence?: string | ((error: unknown) => string),
): Submit {
  const [failure, setFailure] = useState<string>();
  const submit = form.handleSubmit(async (values) => {
    setFailure(undefined);
    try {
      await run(values);
    } catch (error) {
      const isOnFields = showOnFields(form, error);
      const failed = typeof sentence === 'function' ? sentence(error) : sentence;
      setFailure([failed, isOnFields ? undefined : messageOf(error)].filter(Boolean).join('\n') || undefined);
    }
  });
  const busy = form.formState.isSubmitting;
  const onSubmit = (event: React.FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    if (!busy) void submit(event);
  };
  return { onSubmit, busy, failure };
}
