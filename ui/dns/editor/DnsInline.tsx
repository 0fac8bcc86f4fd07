import { useRef, useState, type KeyboardEvent } from 'react';
import { diffRecords, unsafeDiff } from '../../../src/shared/dns/dns-diff.ts';
import { BusyButton } from '../../kit/BusyButton.tsx';
import { Failure } from '../../kit/form/Form.tsx';
import { T } from '../../kit/T.tsx';
import { keyName } from '../../kit/useKeys.ts';
import { DnsReview } from './DnsReview.tsx';
import { faultsOf, inputsOf } from './dnsDraft.ts';
import { EditsLine } from './EditorBars.tsx';
import { Records } from './EditorRecords.tsx';
import { useKeptEdits, useTypedEdits } from './keptDrafts.ts';
import { UnsafeQuestion } from './UnsafeQuestion.tsx';
import type { DomainDns } from './useDnsDraft.ts';
import { useDnsEditor, type DnsEditor as Editor } from './useDnsEditor.ts';
import './DnsEditor.css';
import './DnsInline.css';

// From so many records on only those in sight are drawn, in a box of their own.
const BOXED_FROM = 200;

/** Returns what saving would change, as the server counts it; undefined while a record has a fault. */
function planOf({ base, draft }: Editor) {
  if (draft.rows.some((row) => Object.keys(faultsOf(row)).length > 0)) return undefined;
  const wanted = inputsOf(draft);
  const diff = diffRecords(base.zone.name, base.dns, wanted);
  return { ...diff, unsafe: unsafeDiff(base.dns, wanted, diff), total: base.dns.length, version: base.version };
}

/** The changes that saving would make, beside the records while they are edited. */
function Consequence({ editor }: { editor: Editor }) {
  const { base, draft, switchChanged } = editor;
  const plan = planOf(editor);
  return (
    <div className="dns-consequence">
      {plan ? (
        <DnsReview
          plan={plan}
          zone={base.zone.name}
          copyOnTransfer={switchChanged ? draft.copyOnTransfer : undefined}
        />
      ) : (
        <p className="muted">
          <T k="dns_editor.plan_faulty" />
        </p>
      )}
    </div>
  );
}

function Bar({ editor, onSave }: { editor: Editor; onSave: () => void }) {
  const { tally, switchChanged, busy, failure } = editor;
  const n = tally.added + tally.changed + tally.deleted + (switchChanged ? 1 : 0);
  return (
    <div className="dns-inline-bar">
      <Failure text={failure} />
      <EditsLine editor={editor}>
        <BusyButton intent="primary" busy={busy} text={<T k="dns_editor.save" n={n} />} onClick={onSave} />
      </EditsLine>
    </div>
  );
}

/**
 * The records of a zone as fields, what saving would change beside them, and its button. A zone that has changed since it was read is not written over: the
 * edits are applied to it anew. Edits that were not saved are there again after another tab or page.
 */
export function DnsInline({ id, first }: { id: number; first: DomainDns }) {
  const editor = useDnsEditor(id, first, useTypedEdits(id, 'page'));
  const [isAsking, ask] = useState(false);
  const place = useRef<HTMLDivElement>(null);
  const { dirty, busy, draft, failure } = editor;
  useKeptEdits(id, 'page', draft, dirty);
  const plan = planOf(editor);
  const save = (): void => {
    if (!editor.validate()) {
      // The faults are rendered one frame later.
      requestAnimationFrame(() => place.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
    } else if (plan?.unsafe) ask(true);
    else void editor.save(false);
  };
  const onKey = (event: KeyboardEvent): void => {
    const act = { 'Ctrl+KeyS': save, 'Ctrl+Enter': save, 'Ctrl+KeyZ': () => editor.edit({ do: 'undo' }) }[
      keyName(event)
    ];
    if (!act || isAsking) return;
    event.preventDefault();
    if (!busy && dirty) act();
  };
  const isBoxed = draft.rows.length > BOXED_FROM;
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- the keys come from the fields inside
    <div
      ref={place}
      className={`dns-inline${isBoxed ? ' dns-boxed' : ''}${dirty ? ' dns-dirty' : ''}`}
      aria-busy={busy}
      onKeyDown={onKey}
    >
      <Records editor={editor} />
      {dirty && <Consequence editor={editor} />}
      {(dirty || failure !== undefined) && <Bar editor={editor} onSave={save} />}
      {isAsking && plan && (
        <UnsafeQuestion editor={editor} n={plan.deletes.length} total={plan.total} onClose={() => ask(false)} />
      )}
    </div>
  );
}
