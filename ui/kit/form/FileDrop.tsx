import { Button, Classes } from '@blueprintjs/core';
import { CrossIcon, DocumentIcon } from '../icons.tsx';
import type { ReactNode, Ref } from 'react';
import { useFormats, useT } from '../language.ts';
import { Field } from './Form.tsx';
import { T } from '../T.tsx';
import { useFileDrop } from './useFileDrop.ts';
import './FileDrop.css';

interface FileDropProps {
  label: ReactNode;
  /** As in a file input; dropped files are not checked against it. */
  accept: string;
  file: File | null;
  onChange: (file: File | null) => void;
  /** The text while no file is chosen, in place of "or drop it here". */
  none?: ReactNode;
  error?: string | undefined;
  help?: ReactNode;
  inputRef?: Ref<HTMLInputElement>;
}

/** A field for one file: a button and a drop target. */
export function FileDrop({ label, accept, file, onChange, none, error, help, inputRef }: FileDropProps) {
  const t = useT();
  const formats = useFormats();
  const { over, target, onPick } = useFileDrop(onChange);
  return (
    <Field label={label} error={error} help={help}>
      {(control) => (
        // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- the input does the same without a mouse
        <div className={`file-drop ${over ? 'over' : ''}`} {...target}>
          <input
            {...control}
            ref={inputRef}
            type="file"
            accept={accept}
            className="visually-hidden"
            onChange={onPick}
          />
          {/* The label of the field names the input; this one is only seen and clicked. */}
          <label htmlFor={control.id} className={Classes.BUTTON} aria-hidden>
            <DocumentIcon />
            <span className={Classes.BUTTON_TEXT}>
              <T k="file.choose" />
            </span>
          </label>
          {file ? (
            <span className="file-drop-name">
              <span translate="no">{file.name}</span> <span className="muted">{formats.bytes(file.size)}</span>
              <Button
                variant="minimal"
                size="small"
                icon={<CrossIcon />}
                aria-label={t('file.remove', { name: file.name })}
                onClick={() => onChange(null)}
              />
            </span>
          ) : (
            <span className="muted">{none ?? <T k="file.drop" />}</span>
          )}
        </div>
      )}
    </Field>
  );
}
