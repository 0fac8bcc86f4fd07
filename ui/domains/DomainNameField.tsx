import { InputGroup, Intent } from '@blueprintjs/core';
import { Controller, type Control } from 'react-hook-form';
import { checkDomainName, hasIdn, toUnicode } from '../../src/shared/portfolio/domain-name.ts';
import { cleanHostname, isHostname } from '../../src/shared/hostname.ts';
import type { Key } from '../../src/shared/i18n/index.ts';
import type { DomainValues } from './domainForm.ts';
import { Field } from '../kit/form/Form.tsx';
import { T } from '../kit/T.tsx';

/**
 * Returns the fault of a typed text that is no host: that of the domain-name helper where it tells the real one. Its rules are those of a
 * name to buy, so that of an address, a path or a host of several labels they would name something that is there.
 */
function faultOf(name: string): Key | undefined {
  const typed = name.replace(/^https?:\/\//i, '').replace(/\/$/, '');
  const { errors } = checkDomainName(typed);
  const labels = typed.split('.');
  const told = labels.length < 2 || labels.at(-1) === '' ? errors[0] : errors.find((key) => key !== 'name.zone');
  return labels.length < 3 ? told : undefined;
}

/** Returns what is wrong with a name: what it lacks itself, or what the form says. */
const problemOf = (name: string, error: string | undefined): string | undefined =>
  error === undefined || isHostname(name) ? error : (faultOf(name) ?? error);

/** The hint under a name while it is typed: both forms of an IDN, or the first fault. */
function NameHelp({ name, before }: { name: string; before: string | undefined }) {
  if (name === '') return null;
  if (!isHostname(name)) return <T k={faultOf(name) ?? 'hostname.incorrect'} />;
  const host = cleanHostname(name);
  return (
    <>
      {hasIdn(host) && (
        <div translate="no">
          {toUnicode(host)} · {host}
        </div>
      )}
      {before !== undefined && host !== before && <T k="domain_form.renamed" />}
    </>
  );
}

interface DomainNameFieldProps {
  control: Control<DomainValues>;
  /** The stored name; absent for a new domain. */
  before?: string | undefined;
  onType?: (name: string) => void;
}

/** The name of a domain; removes blanks as they are typed or pasted and validates at once. */
export function DomainNameField({ control, before, onType }: DomainNameFieldProps) {
  return (
    <Controller
      control={control}
      name="domain_name"
      render={({ field: { ref, onChange, ...field }, fieldState: { error } }) => (
        <Field
          label={<T k="domain_form.name" />}
          error={problemOf(field.value, error?.message)}
          help={<NameHelp name={field.value} before={before} />}
        >
          {(control) => (
            <InputGroup
              fill
              {...field}
              {...control}
              inputRef={ref}
              intent={error ? Intent.DANGER : Intent.NONE}
              // oxlint-disable-next-line jsx-a11y/no-autofocus -- the first field of a dialog that was opened by hand
              autoFocus
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              onChange={(event) => {
                const name = event.target.value.replace(/\s/g, '');
                onChange(name);
                onType?.(name);
              }}
            />
          )}
        </Field>
      )}
    />
  );
}
