import { isKey, type Key, type Language } from '../../src/shared/i18n/index.ts';
import { OBJECTS } from '../../src/shared/audit/objects.ts';
import { kindOf } from '../operations/OperationState.tsx';
import type { Entry } from './LogEntry.tsx';

type Translate = (key: Key) => string;

const wordOf = (t: Translate, object: string): string => {
  const key = `log.object_${object}`;
  return isKey(key) ? t(key) : object;
};

/** Returns the objects of the log by name, as options in the order of the reader's words. */
export const objectNames = (t: Translate, language: Language): { value: string; label: string }[] =>
  OBJECTS.map((value) => ({ value, label: wordOf(t, value) })).toSorted((a, b) =>
    a.label.localeCompare(b.label, language),
  );

/** Returns the words for the object of an entry, and its name (an operation's kind). Unknown identifiers stay as they are. */
export const nameOf = (
  t: Translate,
  { object, object_name }: Pick<Entry, 'object' | 'object_name'>,
): { object: string; name: string | null } => ({
  object: wordOf(t, object),
  name: object === 'operations' && object_name !== null ? kindOf(t, object_name) : object_name,
});
