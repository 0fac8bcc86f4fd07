import { useId, type ReactNode } from 'react';
import { say } from '../../../src/shared/i18n/index.ts';
import { useLanguage } from '../language.ts';
import { classes } from '../plain/classes.ts';
import { Message } from '../T.tsx';

/** The props that tie a control to its label, its help and its error. */
export interface Control {
  id: string;
  'aria-invalid': boolean;
  'aria-describedby': string | undefined;
}

interface FieldProps {
  label: ReactNode;
  error?: string | undefined;
  help?: ReactNode;
  children: (control: Control) => ReactNode;
}

/** A labelled control of any kind with its help and its error. */
export function Field({ label, error, help, children }: FieldProps) {
  const id = useId();
  const helpId = `${id}-help`;
  const language = useLanguage();
  // The server sends texts, a shape of src/shared sends keys.
  const text = error === undefined ? help : <Message text={say(language, error)} />;
  return (
    <div className={classes('bp6-form-group', error !== undefined && 'bp6-intent-danger')}>
      <label className="bp6-label" htmlFor={id}>
        {label}
      </label>
      <div className="bp6-form-content">
        {children({ id, 'aria-invalid': error !== undefined, 'aria-describedby': text ? helpId : undefined })}
        {text && (
          <div className="bp6-form-helper-text">
            <span id={helpId}>{text}</span>
          </div>
        )}
      </div>
    </div>
  );
}
