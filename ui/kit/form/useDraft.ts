import { useEffect, useRef, useState } from 'react';
import type { FieldValues, Path, PathValue, UseFormReturn } from 'react-hook-form';
import { dropDraft, keepDraft, readDraft, watchDraft, type Draft } from '../reader/drafts.ts';
import { useT } from '../language.ts';
import { isLeavingNow, sessionNow, useSession } from '../session.ts';
import { toast } from '../toasts.tsx';
import { useUnsaved } from './useUnsaved.ts';

/**
 * The events that a draft survives. `session`: the server ends the session; `page`: also a visit to another page of the interface, and
 * a reload. A dialog asks instead before it closes.
 */
type Outlives = 'session' | 'page';

/** Returns what was typed under a name before the session ended or the page was left, at the first rendering. */
export function useTyped(name: string): Draft | undefined {
  const user = useSession().user?.id ?? 0;
  const [typed] = useState(() => readDraft(user, name));
  return typed;
}

/**
 * Keeps the result of `read` under a name where the session ends, or the page is left; undefined: nothing was typed. Secrets must not be
 * in it. The draft kept before is removed: its form has it again.
 */
export function useKept(name: string, read: () => Draft | undefined, outlives: Outlives = 'session'): void {
  const user = useSession().user?.id ?? 0;
  const last = useRef(read);
  useEffect(() => {
    last.current = read;
  });
  useEffect(() => {
    dropDraft(user, name);
    const unwatch = watchDraft(name, () => last.current());
    if (outlives === 'session') return unwatch;
    const keep = (): void => {
      // At the end of a session what is typed is kept already, or is to be forgotten.
      if (!isLeavingNow() && !sessionNow().isLeaving) keepDraft(user, name, last.current());
    };
    window.addEventListener('pagehide', keep);
    return () => {
      unwatch();
      window.removeEventListener('pagehide', keep);
      keep();
    };
  }, [user, name, outlives]);
}

/** The text of a field that is no form's, and what sets it, kept under a name where the session ends, or the page is left. */
export function useKeptText(name: string, outlives?: Outlives): [string, (text: string) => void] {
  const before = useTyped(name)?.['text'];
  const [text, setText] = useState(typeof before === 'string' ? before : '');
  useKept(name, () => (text === '' ? undefined : { text }), outlives);
  return [text, setText];
}

// A file can't be kept.
const isPlain = (value: unknown): boolean =>
  typeof value !== 'object' ||
  value === null ||
  (Array.isArray(value) && value.every((one) => typeof one !== 'object'));

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/**
 * Keeps what is typed into a form where the session ends, and fills it in again when the same user opens it in this tab. Not
 * kept are files and the fields of `secrets`. `name` tells the form of one thing from that of another. A field whose stored
 * value somebody has changed meanwhile stays as it is now, and a message says what had been typed into it. A form that is no dialog's
 * `outlives` the page: what is typed is there again when that is opened again, and the browser asks before the window closes.
 */
export function useDraft<Values extends FieldValues>(
  form: UseFormReturn<Values>,
  name: string,
  secrets: readonly Path<Values>[] = [],
  outlives: Outlives = 'session',
): void {
  const t = useT();
  const { dirtyFields, defaultValues, isDirty } = form.formState;
  useUnsaved(outlives === 'page' && isDirty);
  const before = useTyped(name);
  const read = (): Draft | undefined => {
    const typed = Object.entries(form.getValues()).filter(
      ([field, value]) =>
        (dirtyFields as Record<string, unknown>)[field] !== undefined &&
        !(secrets as readonly string[]).includes(field) &&
        isPlain(value),
    );
    const over = typed.map(([field]): [string, unknown] => [field, defaultValues?.[field]]);
    return typed.length > 0 ? { typed: Object.fromEntries(typed), over: Object.fromEntries(over) } : undefined;
  };
  useKept(name, read, outlives);
  useEffect(() => {
    const { typed = {}, over = {} } = (before ?? {}) as { typed?: Draft; over?: Draft };
    const left: string[] = [];
    for (const [field, value] of Object.entries(typed)) {
      const now: unknown = form.getValues()[field];
      if (!(field in form.getValues()) || isSame(now, value)) continue;
      if (isSame(now, over[field]))
        form.setValue(field as Path<Values>, value as PathValue<Values, Path<Values>>, { shouldDirty: true });
      else left.push(String(value));
    }
    if (left.length > 0) toast.error(t('ui.draft_stale', { texts: left.join(', ') }));
    // oxlint-disable-next-line react/exhaustive-deps -- once: what is typed from now on is newer
  }, [form, before]);
}
