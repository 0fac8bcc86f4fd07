import { Button, Callout, InputGroup, ProgressBar, type Intent } from '@blueprintjs/core';
import { useState } from 'react';
import type { Key } from '../../../src/shared/i18n/index.ts';
import { Confirm } from '../dialog/Confirm.tsx';
import { FormDialog } from '../dialog/FormDialog.tsx';
import { Field, type Submit } from '../form/Form.tsx';
import { useT } from '../language.ts';
import { Panel } from '../Panel.tsx';
import { T } from '../T.tsx';
import { toast } from '../toasts.tsx';

const MESSAGES: readonly { kind: 'success' | 'info' | 'error'; text: Key }[] = [
  { kind: 'success', text: 'kit.success' },
  { kind: 'info', text: 'kit.info' },
  { kind: 'error', text: 'kit.failure' },
];

function SampleForm({ onClose }: { onClose: () => void }) {
  const submit: Submit = {
    onSubmit: (event) => {
      event.preventDefault();
      onClose();
    },
    busy: false,
    failure: undefined,
  };
  return (
    <FormDialog title={<T k="kit.form_dialog" />} action={<T k="team.save" />} submit={submit} onClose={onClose}>
      <Field label={<T k="kit.field" />} help={<T k="kit.help" />}>
        {(control) => <InputGroup {...control} />}
      </Field>
    </FormDialog>
  );
}

/** Buttons that open the dialogs and show the messages. */
export function Dialogs() {
  const t = useT();
  const [open, setOpen] = useState<'form' | 'confirm'>();
  const close = (): void => setOpen(undefined);
  return (
    <Panel title={<T k="kit.dialogs" />}>
      <div className="kit-row">
        <Button text={<T k="kit.form_dialog" />} onClick={() => setOpen('form')} />
        <Button text={<T k="kit.confirm" />} onClick={() => setOpen('confirm')} />
        {MESSAGES.map(({ kind, text }) => (
          <Button key={kind} variant="minimal" text={<T k={text} />} onClick={() => toast[kind](t(text))} />
        ))}
      </div>
      {open === 'form' && <SampleForm onClose={close} />}
      {open === 'confirm' && (
        <Confirm title={<T k="kit.question" />} confirm={<T k="sites.delete" />} onConfirm={close} onCancel={close} />
      )}
    </Panel>
  );
}

const INTENTS: readonly Intent[] = ['none', 'primary', 'success', 'warning', 'danger'];

/** Callouts of every intent, and progress. */
export function Notes() {
  const t = useT();
  return (
    <Panel title={<T k="kit.notes" />}>
      <div className="kit-stack">
        {INTENTS.map((intent) => (
          <Callout key={intent} intent={intent} icon={null}>
            <T k="kit.note" />
          </Callout>
        ))}
        <ProgressBar value={0.6} aria-label={t('kit.busy')} />
      </div>
    </Panel>
  );
}
