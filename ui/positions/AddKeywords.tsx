import { Button, TextArea } from '@blueprintjs/core';
import { useEffect, useRef, useState } from 'react';
import { MOST_KEYWORDS } from '../../src/shared/positions/keywords.ts';
import { ApiError, call, messageOf, refresh, type Call } from '../kit/api.ts';
import { BusyButton } from '../kit/BusyButton.tsx';
import { Field, submitOnKeys } from '../kit/form/Form.tsx';
import { useT } from '../kit/language.ts';
import { useKeptText } from '../kit/form/useDraft.ts';
import { T } from '../kit/T.tsx';
import { toast } from '../kit/toasts.tsx';
import { linesOf } from './heat.ts';

/** The calls that show keywords, or count them. */
export const KEYWORD_LISTS: readonly Call[] = [
  'GET /api/keywords/:projectId',
  'GET /api/project_positions/:projectId/:engine',
  'GET /api/position_cost/:projectId/:engine',
  'GET /api/position/:domainId/:engine',
  'GET /api/user_projects',
];

/** Refetches all that shows keywords. */
export const refreshKeywords = (): Promise<void> => refresh(...KEYWORD_LISTS);

interface AddKeywordsProps {
  projectId: number;
  /** Told whether there are lines that were not added. */
  onDirty?: (isDirty: boolean) => void;
  /** The form stands on a page: its lines are there again when that is opened again. */
  isOnPage?: boolean;
}

interface Refused {
  line: string;
  reason: string;
}

/** Adds lines, a call for each, until it is cancelled. Returns those that were not added; a reason is empty where none was tried. */
async function addLines(
  projectId: number,
  lines: readonly string[],
  isCancelled: () => boolean,
  onDone: (done: number) => void,
): Promise<Refused[]> {
  const refused: Refused[] = [];
  for (const [index, line] of lines.entries()) {
    if (isCancelled()) return [...refused, ...lines.slice(index).map((rest) => ({ line: rest, reason: '' }))];
    try {
      await call('POST /api/keywords', { body: { keyword: line, project_id: projectId } });
    } catch (error) {
      refused.push({ line, reason: (error instanceof ApiError && error.fields['keyword']) || messageOf(error) });
    }
    onDone(index + 1);
  }
  return refused;
}

/**
 * The lines that are typed, and how far adding them is; `progress` is undefined while none are added. It ends with the component: lines
 * not tried yet are left.
 */
function useAdding({ projectId, onDirty, isOnPage = false }: AddKeywordsProps) {
  const t = useT();
  const [text, setText] = useKeptText(`keywords ${projectId}`, isOnPage ? 'page' : 'session');
  const [progress, setProgress] = useState<{ done: number; all: number }>();
  const [reasons, setReasons] = useState<readonly string[]>([]);
  const [said, setSaid] = useState('');
  const isCancelled = useRef(false);
  const { lines, repeated } = linesOf(text);
  // In the same event: a key that closes the dialog may follow at once.
  const change = (next: string): void => {
    setText(next);
    onDirty?.(linesOf(next).lines.length > 0);
  };
  useEffect(() => {
    // Lines of a former session are told as well.
    if (lines.length > 0) onDirty?.(true);
    return () => {
      isCancelled.current = true;
    };
    // oxlint-disable-next-line react/exhaustive-deps -- once: the lines that follow are told as they are typed
  }, []);

  const add = async (): Promise<void> => {
    isCancelled.current = false;
    setReasons([]);
    setSaid('');
    setProgress({ done: 0, all: lines.length });
    const refused = await addLines(
      projectId,
      lines,
      () => isCancelled.current,
      (done) => setProgress({ done, all: lines.length }),
    );
    const added = lines.length - refused.length;
    setProgress(undefined);
    change(refused.map(({ line }) => line).join('\n'));
    const told = refused.filter(({ reason }) => reason !== '');
    setReasons(told.map(({ line, reason }) => `${line}: ${reason}`));
    const sentences = [
      ...(added > 0 ? [t('keywords.added', { n: added })] : []),
      ...(told.length > 0 ? [t('keywords.add_failed', { n: told.length, m: lines.length })] : []),
    ];
    setSaid(sentences.join('. '));
    if (added > 0) toast.success(t('keywords.added', { n: added }));
    await refreshKeywords();
  };
  const cancel = (): void => {
    isCancelled.current = true;
  };
  return { text, lines, repeated, progress, said, reasons, change, add, cancel };
}

/** How many lines are typed, whether they are too many, and how many of them say the same. */
function LineCount({ n, repeated }: { n: number; repeated: number }) {
  return (
    <>
      <T k="keywords.count" n={n} />
      {n > MOST_KEYWORDS && (
        <>
          {'. '}
          <T k="keyword.many" most={MOST_KEYWORDS} />
        </>
      )}
      {repeated > 0 && (
        <>
          {', '}
          <T k="keywords.repeated" n={repeated} />
        </>
      )}
    </>
  );
}

/** Adds keywords, one a line, a call for each. Lines that could not be added stay, with their reasons. */
export function AddKeywords(props: AddKeywordsProps) {
  const { text, lines, repeated, progress, said, reasons, ...acts } = useAdding(props);
  const isDirty = lines.length > 0;
  return (
    // Key presses bubble up from the field inside.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- see above
    <form
      className="keyword-form"
      onKeyDown={submitOnKeys}
      onSubmit={(event) => {
        event.preventDefault();
        if (!progress && isDirty && lines.length <= MOST_KEYWORDS) void acts.add();
      }}
    >
      <Field label={<T k="keywords.label" />} help={<LineCount n={lines.length} repeated={repeated} />}>
        {(control) => (
          <TextArea
            {...control}
            fill
            rows={6}
            value={text}
            readOnly={progress !== undefined}
            onChange={(event) => acts.change(event.currentTarget.value)}
          />
        )}
      </Field>
      <div className="position-acts">
        <BusyButton
          type="submit"
          intent="primary"
          busy={progress !== undefined}
          disabled={!isDirty || lines.length > MOST_KEYWORDS}
          text={progress ? `${progress.done}/${progress.all}` : <T k="keywords.add" />}
        />
        {progress && <Button text={<T k="ui.cancel" />} onClick={acts.cancel} />}
      </div>
      <output className={reasons.length > 0 ? 'bad' : ''}>{said}</output>
      {reasons.length > 0 && (
        <ul className="keyword-reasons">
          {reasons.map((reason) => (
            <li key={reason}>{reason}</li>
          ))}
        </ul>
      )}
    </form>
  );
}
