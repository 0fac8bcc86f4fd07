import { useEffect, useRef, useState } from 'react';
import type { FieldValues, Path, PathValue, UseFormReturn } from 'react-hook-form';
import { dropDraft, readDraft, watchDraft, type Draft } from '../reader/drafts.ts';
import { useT } from '../language.ts';
import { useSession } from '../session.ts';
import { toast } from '../toasts.tsx';

/** Returns what was typed under a name before the session ended, at the first rendering. */
export function useTyped(name: string): Draft | undefined {
  const user = useSession().user?.id ?? 0;
  const [typed] = useState(() => readDraft(user, name));
  return typed;
}

/**
 * Keeps what `read` returns under a name where the session ends; undefined: nothing was typed. Secrets must not be in it. What
 * was kept before is in its form again, and removed.
 */
export function useKept(name: string, read: () => Draft | undefined): void {
  const user = useSession().user?.id ?? 0;
  const last = useRef(read);
  useEffect(() => {
    last.current = read;
  });
  useEffect(() => {
    dropDraft(user, name);
    return watchDraft(name, () => last.current());
  }, [user, name]);
}

/** The text of a field that is no form's, and what sets it, kept under a name where the session ends. */
export function useKeptText(name: string): [string, (text: string) => void] {
  const before = useTyped(name)?.['text'];
  const [text, setText] = useState(typeof before === 'string' ? before : '');
  useKept(name, () => (text === '' ? undefined : { text }));
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
 * value somebody has changed meanwhile stays as it is now, and a message says what had been typed into it.
 */
export function useDraft<Values extends FieldValues>(
  form: UseFormReturn<Values>,
  name: string,
  secrets: readonly Path<Values>[] = [],
): void {
  const t = useT();
  const { dirtyFields, defaultValues } = form.formState;
  const before = useTyped(name);
  useKept(name, () => {
    const typed = Object.entries(form.getValues()).filter(
      ([field, value]) =>
        (dirtyFields as Record<string, unknown>)[field] !== undefined &&
        !(secrets as readonly string[]).includes(field) &&
        isPlain(value),
    );
    const over = typed.map(([field]): [string, unknown] => [field, defaultValues?.[field]]);
    return typed.length > 0 ? { typed: Object.fromEntries(typed), over: Object.fromEntries(over) } : undefined;
  });
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
