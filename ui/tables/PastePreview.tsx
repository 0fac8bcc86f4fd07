import { HTMLTable } from '@blueprintjs/core';
import { useRef, useState, type FormEvent } from 'react';
import { ApiError, messageOf } from '../kit/api.ts';
import { FormDialog } from '../kit/dialog/FormDialog.tsx';
import { useT } from '../kit/language.ts';
import { Message, T } from '../kit/T.tsx';
import type { PastePlan, RowChange } from './paste.ts';
import { isAway, type Edits, type Written } from './useEdits.ts';

// Nobody reads on; the counts are of all.
const MOST_SHOWN = 100;

interface PreviewProps {
  plan: PastePlan;
  /** Pasted rows above what is written at once. */
  beyond: number;
  edits: Edits;
  onClose: () => void;
}

/** The reason why a row was not written, by its columns where the server names them. */
function reasonOf(error: unknown): string {
  const fields = error instanceof ApiError ? Object.entries(error.fields) : [];
  return fields.length > 0 ? fields.map(([name, text]) => `${name}: ${text}`).join('; ') : messageOf(error);
}

/** Writes rows one after another, and keeps what became of each. */
function useRun({ plan, edits, onClose }: PreviewProps) {
  const t = useT();
  const [left, setLeft] = useState<readonly RowChange[]>(plan.changes);
  const [failed, setFailed] = useState<ReadonlyMap<number, string>>(new Map());
  const [done, setDone] = useState(0);
  const [busy, setBusy] = useState(false);
  const stopped = useRef(false);
  const run = async (): Promise<void> => {
    setBusy(true);
    stopped.current = false;
    const written: Written[] = [];
    const failures = new Map<number, string>();
    let rest = left;
    for (const change of left) {
      if (stopped.current) break;
      try {
        written.push(await edits.write(change.row, change.values));
        rest = rest.filter((one) => one !== change);
      } catch (error) {
        failures.set(change.row.id, reasonOf(error));
        if (isAway(error)) break;
      }
      setDone(written.length + failures.size);
    }
    setBusy(false);
    setLeft(rest);
    setFailed(failures);
    setDone(0);
    if (written.length > 0) edits.done(t('tables.pasted', { n: written.length }), written);
    if (rest.length === 0) onClose();
  };
  return { left, failed, done, busy, run, stop: () => (stopped.current = true) };
}

/** Shows what a paste would change and what it leaves, then writes it. */
export function PastePreview(props: PreviewProps) {
  const { plan, beyond, onClose } = props;
  const { left, failed, done, busy, run, stop } = useRun(props);
  const onSubmit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    if (!busy && left.length > 0) void run();
  };
  const cells = left.reduce((sum, row) => sum + row.cells.length, 0);
  return (
    <FormDialog
      width={720}
      title={<T k="tables.paste" />}
      action={<T k="tables.paste_write" n={left.length} />}
      disabled={left.length === 0}
      note={busy ? <T k="tables.paste_running" done={done} n={left.length} /> : undefined}
      cancel={busy ? <T k="tables.paste_stop" /> : undefined}
      submit={{ onSubmit, busy, failure: undefined }}
      onClose={onClose}
      onStop={stop}
    >
      <p>
        <T k="tables.paste_changes" cells={cells} n={left.length} />
        {plan.same > 0 && (
          <>
            {' '}
            <T k="tables.paste_same" n={plan.same} />
          </>
        )}
      </p>
      <Refused plan={plan} beyond={beyond} />
      {left.length > 0 && <Changes left={left} failed={failed} />}
    </FormDialog>
  );
}

function Refused({ plan, beyond }: { plan: PastePlan; beyond: number }) {
  if (plan.refused.length === 0 && beyond === 0) return null;
  return (
    <ul className="paste-refused">
      {plan.refused.map(({ column, reason, cells }) => (
        <li key={`${column} ${reason}`}>
          {column !== '' && <strong translate="no">{column}: </strong>}
          <T k="tables.paste_refused" n={cells} /> <T k={reason} />
        </li>
      ))}
      {beyond > 0 && (
        <li>
          <T k="tables.paste_beyond" n={beyond} />
        </li>
      )}
    </ul>
  );
}

function Changes({ left, failed }: { left: readonly RowChange[]; failed: ReadonlyMap<number, string> }) {
  const t = useT();
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls has to be reachable by keyboard
    <section className="paste-changes" aria-label={t('tables.paste')} tabIndex={0}>
      <HTMLTable compact translate="no">
        <tbody>
          {left.slice(0, MOST_SHOWN).map(({ row, cells }) => (
            <tr key={row.id}>
              <th scope="row">#{row.id}</th>
              <td>
                {cells.map(({ column, before, after }) => (
                  <div key={column}>
                    {column}: <del>{before || '–'}</del> → <ins>{after || '–'}</ins>
                  </div>
                ))}
                {failed.has(row.id) && (
                  <div className="cell-error" role="alert">
                    <Message text={failed.get(row.id) ?? ''} />
                  </div>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </HTMLTable>
    </section>
  );
}
