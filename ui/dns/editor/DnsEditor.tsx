import { Classes, Dialog } from '@blueprintjs/core';
import { useEffect, useId, useRef, useState, type KeyboardEvent, type ReactNode, type RefObject } from 'react';
import { DialogHead } from '../../kit/dialog/DialogHead.tsx';
import { focusFirst, useReturnFocus } from '../../kit/dialog/dialogFocus.ts';
import { useAskedClose } from '../../kit/dialog/useAskedClose.tsx';
import { keyName } from '../../kit/useKeys.ts';
import { RecordsBar, ReviewBar } from './EditorBars.tsx';
import { Records } from './EditorRecords.tsx';
import { DnsReview } from './DnsReview.tsx';
import type { DomainDns } from './useDnsDraft.ts';
import { UnsafeQuestion } from './UnsafeQuestion.tsx';
import { useKeptEdits, useTypedEdits } from './keptDrafts.ts';
import { useDnsEditor, type DnsEditor as Editor } from './useDnsEditor.ts';
import './DnsEditor.css';

/** The step that is open: the review of a plan, or the records. */
function Step({ editor, onReview, onSave }: { editor: Editor; onReview: () => void; onSave: () => void }) {
  const { plan, base, draft, switchChanged } = editor;
  if (!plan) {
    return (
      <>
        <Records editor={editor} />
        <RecordsBar editor={editor} onReview={onReview} />
      </>
    );
  }
  return (
    <>
      <div className={`${Classes.DIALOG_BODY} dns-body`}>
        <DnsReview
          plan={plan}
          zone={base.zone.name}
          copyOnTransfer={switchChanged ? draft.copyOnTransfer : undefined}
        />
      </div>
      <ReviewBar editor={editor} onSave={onSave} />
    </>
  );
}

/** Keeps the focus in the dialog once it is open. Returns what is to be called when it has opened. */
function useHeldFocus(dialog: RefObject<HTMLElement | null>): () => void {
  const isOpen = useRef(false);
  useEffect(() => {
    // The focused element may have been removed with the step or the edit; without focus the keys would stop working.
    if (isOpen.current && document.activeElement === document.body) dialog.current?.focus();
  });
  return () => {
    isOpen.current = true;
  };
}

interface DnsEditorProps {
  id: number;
  first: DomainDns;
  title: ReactNode;
  onClose: () => void;
}

/**
 * Edits the records of a domain's zone: edits are reviewed as a plan, then saved, and a save can be restored. Enter
 * goes to the next record, Delete marks one as deleted, Ctrl+Z undoes an edit, Ctrl+S reviews; Esc asks first if
 * something is not saved.
 */
export function DnsEditor({ id, first, title, onClose }: DnsEditorProps) {
  const titleId = useId();
  useReturnFocus();
  const editor = useDnsEditor(id, first, useTypedEdits(id, 'dialog'));
  useKeptEdits(id, 'dialog', editor.draft, editor.dirty);
  const [isUnsafe, setUnsafe] = useState(false);
  const dialog = useRef<HTMLDivElement>(null);
  const holdFocus = useHeldFocus(dialog);
  const { plan, dirty, busy } = editor;
  const asked = useAskedClose(dirty, onClose, busy);
  const close = (): void => {
    if (busy) return;
    if (plan) editor.closePlan();
    else asked.close();
  };
  const review = async (): Promise<void> => {
    if (await editor.review()) return;
    // The faults are rendered one frame later.
    requestAnimationFrame(() => dialog.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
  };
  const save = (): void => {
    if (plan?.unsafe) setUnsafe(true);
    else void editor.save(false);
  };
  const onKey = (event: KeyboardEvent): void => {
    const key = keyName(event);
    const on = plan ? save : () => void review();
    const act = { 'Ctrl+KeyS': on, 'Ctrl+Enter': on, 'Ctrl+KeyZ': () => editor.edit({ do: 'undo' }) }[key];
    if (!act || isUnsafe || asked.isAsking) return;
    event.preventDefault();
    if (!busy && (dirty || key === 'Ctrl+KeyZ') && !(plan && key === 'Ctrl+KeyZ')) act();
  };
  return (
    <Dialog
      isOpen
      aria-labelledby={titleId}
      className="form-dialog dns-dialog"
      onOpening={focusFirst}
      onOpened={holdFocus}
      onClose={close}
      canOutsideClickClose={!dirty}
    >
      <DialogHead id={titleId} title={title} busy={busy} onClose={close} />
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- the keys come from the fields inside */}
      <div ref={dialog} tabIndex={-1} className="dns-editor" aria-busy={busy} onKeyDown={onKey}>
        <Step editor={editor} onReview={() => void review()} onSave={save} />
      </div>
      {asked.question}
      {isUnsafe && plan && (
        <UnsafeQuestion editor={editor} n={plan.deletes.length} total={plan.total} onClose={() => setUnsafe(false)} />
      )}
    </Dialog>
  );
}
