import { InputGroup } from '@blueprintjs/core';
import { useT } from '../language.ts';
import { Field } from './Form.tsx';
import { T } from '../T.tsx';

/** More domains than this are not switched with one press. */
export const NEEDS_COUNT = 100;

/** Whether the number was typed, where it has to be. */
export const isTyped = (typed: string, count: number): boolean =>
  count <= NEEDS_COUNT || typed.replace(/\D/g, '') === String(count);

interface CountFieldProps {
  count: number;
  value: string;
  /** It was tried to go on. */
  isAsked: boolean;
  onChange: (value: string) => void;
}

/** The number of domains, typed by who means it. */
export function CountField({ count, value, isAsked, onChange }: CountFieldProps) {
  const t = useT();
  const isWrong = isAsked && !isTyped(value, count);
  return (
    <Field
      label={<T k="protect.type_count" n={count} />}
      error={isWrong ? t('protect.type_wrong', { n: count }) : undefined}
    >
      {(control) => (
        <InputGroup
          {...control}
          inputMode="numeric"
          autoComplete="off"
          value={value}
          intent={isWrong ? 'danger' : 'none'}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      )}
    </Field>
  );
}
