import { InputGroup } from '@blueprintjs/core';
import { useT } from '../language.ts';
import { Field } from './Form.tsx';
import { T } from '../T.tsx';

/** Above this number of domains, the number has to be typed as a confirmation. */
export const NEEDS_COUNT = 100;

/** Returns whether the typed number confirms `count`; up to NEEDS_COUNT none is needed. */
export const isTyped = (typed: string, count: number): boolean =>
  count <= NEEDS_COUNT || typed.replace(/\D/g, '') === String(count);

interface CountFieldProps {
  count: number;
  value: string;
  /** Submitting was attempted: a wrong number is marked. */
  isAsked: boolean;
  onChange: (value: string) => void;
}

/** Asks for the number of affected domains as a confirmation. */
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
