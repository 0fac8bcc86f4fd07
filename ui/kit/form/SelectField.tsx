import { HTMLSelect } from '@blueprintjs/core';
import type { ReactNode } from 'react';
import type { FieldValues, Path, UseFormReturn } from 'react-hook-form';
import { Field } from './Form.tsx';

interface SelectFieldProps<Values extends FieldValues> {
  form: UseFormReturn<Values>;
  name: Path<Values>;
  label: ReactNode;
  options: readonly { value: string; label: string }[];
}

/** A choice of few values in a form. */
export function SelectField<Values extends FieldValues>({ form, name, label, options }: SelectFieldProps<Values>) {
  const { ref, onChange, ...registered } = form.register(name);
  return (
    <Field label={label} error={form.getFieldState(name, form.formState).error?.message}>
      {(control) => (
        <HTMLSelect
          fill
          {...registered}
          {...control}
          ref={ref}
          onChange={(event) => void onChange(event)}
          options={[...options]}
        />
      )}
    </Field>
  );
}
