import { Button, TextArea } from '@blueprintjs/core';
import { CrossIcon, DocumentIcon } from '../kit/icons.tsx';
import { useRef, useState, type FormEvent } from 'react';
import { useT } from '../kit/language.ts';
import { BusyButton } from '../kit/BusyButton.tsx';
import { Failure, Field, submitOnKeys } from '../kit/form/Form.tsx';
import { useFileDrop } from '../kit/form/useFileDrop.ts';
import { T } from '../kit/T.tsx';
import type { Importing } from './useImport.ts';

/** Takes a file from a button or by drag and drop. */
function FilePlace({ input: { file }, setInput }: Importing) {
  const t = useT();
  const picker = useRef<HTMLInputElement>(null);
  const { over, target, onPick } = useFileDrop((chosen) => setInput({ file: chosen, text: '' }));
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- the button does the same without a mouse
    <div className={`import-drop ${over ? 'over' : ''}`} {...target}>
      <input
        ref={picker}
        type="file"
        hidden
        accept=".csv,.tsv,.txt,text/csv,text/tab-separated-values,text/plain"
        aria-label={t('import.file_input')}
        onChange={onPick}
      />
      <Button icon={<DocumentIcon />} text={<T k="import.choose_file" />} onClick={() => picker.current?.click()} />
      {file ? (
        <span className="import-file">
          <T k="import.chosen_file" name={file.name} />
          <Button
            variant="minimal"
            size="small"
            icon={<CrossIcon />}
            aria-label={t('import.remove_file')}
            onClick={() => setInput({ file: null, text: '' })}
          />
        </span>
      ) : (
        <span className="muted">
          <T k="import.drop" />
        </span>
      )}
    </div>
  );
}

/** Step 1: a file or a pasted text. */
export function ImportSource(importing: Importing) {
  const { input, setInput, check, busy, failure } = importing;
  const [asked, setAsked] = useState(false);
  const field = useRef<HTMLTextAreaElement>(null);
  const isEmpty = !input.file && input.text.trim() === '';
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    setAsked(true);
    if (isEmpty) field.current?.focus();
    else if (!busy) void check({}, 'columns');
  };
  return (
    // Key presses bubble up from the field inside.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- see above
    <form className="import-source" onSubmit={onSubmit} onKeyDown={submitOnKeys} noValidate>
      <FilePlace {...importing} />
      {!input.file && (
        <Field label={<T k="import.paste" />} error={asked && isEmpty ? 'import.no_file' : undefined}>
          {(control) => (
            <TextArea
              fill
              rows={8}
              spellCheck={false}
              autoCapitalize="none"
              {...control}
              inputRef={field}
              value={input.text}
              onChange={(event) => setInput({ file: null, text: event.target.value })}
            />
          )}
        </Field>
      )}
      <p className="muted">
        <T k="import.formats" />
      </p>
      <Failure text={failure} />
      <div className="import-buttons">
        <BusyButton type="submit" intent="primary" busy={busy} text={<T k="import.next" />} />
      </div>
    </form>
  );
}
