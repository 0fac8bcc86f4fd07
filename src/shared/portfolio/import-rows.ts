import { DomainInput, Expiry, type DomainType, type TransferType } from './domains.ts';
import { AppError } from '../errors.ts';
import { cleanHostname } from '../hostname.ts';
import { isKey, type Key } from '../i18n/index.ts';
import { namesBeside, valueOf, type ImportTable } from './import-columns.ts';
import { IMPORT_FIELDS, type ImportField, type RowMessage, type SourceRow } from './imports.ts';
import { ProjectInput } from './projects.ts';

// Values in lower case: those of our own exports, and words that people write.
const TYPES: Record<string, DomainType> = {
  main: 'main',
  основной: 'main',
  основная: 'main',
  transfer: 'transfer',
  reserve: 'transfer',
  резервный: 'transfer',
  резерв: 'transfer',
};
const TRANSFER_TYPES: Record<string, TransferType> = {
  auto: 'auto',
  automatic: 'auto',
  automatically: 'auto',
  авто: 'auto',
  автоматически: 'auto',
  автоматический: 'auto',
  manual: 'manual',
  manually: 'manual',
  вручную: 'manual',
  ручной: 'manual',
};

/** Values of a row besides its name; an empty cell gives no value. */
export interface Given {
  project?: string;
  type?: DomainType;
  transfer_type?: TransferType;
  expired_at?: string;
  registrars_id?: string;
  file_path?: string;
}

/** A parsed row of a file: its clean name and values, messages about faults, and what is told of it though it has none. */
export interface Draft extends SourceRow {
  domain_name: string | null;
  given: Given;
  messages: RowMessage[];
  notes: RowMessage[];
}

const DAY = /^(\d{4})[-./](\d{1,2})[-./](\d{1,2})$|^(\d{1,2})\.(\d{1,2})\.(\d{4})$/;
const CLOCK = /^(\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?$/i;

/** Parses `05.11.2026` or `2026-11-05`, with or without a time, to ISO in UTC. Null for anything else, such as the ambiguous `03/04/25`. */
export function readDate(text: string): string | null {
  const [day = '', clock, ...rest] = text.trim().split(/\s+|(?<=\d)[Tt](?=\d)/);
  const date = DAY.exec(day);
  if (!date || rest.length > 0) return null;
  const two = (value: string | undefined): string => (value ?? '0').padStart(2, '0');
  const iso = `${date[1] ?? date[6]}-${two(date[2] ?? date[5])}-${two(date[3] ?? date[4])}`;
  const midnight = Expiry.safeParse(iso);
  if (clock === undefined || !midnight.success) return midnight.data ?? null;
  const time = CLOCK.exec(clock);
  if (!time) return null;
  const zone = (time[4] ?? 'Z').toUpperCase().replace(/^([+-]\d{2})(\d{2})$/, '$1:$2');
  return Expiry.safeParse(`${iso}T${two(time[1])}:${time[2]}:${two(time[3])}${zone}`).data ?? null;
}

type Read<T> = { value: T } | { key: Key };

const chosen = <T>(choices: Record<string, T>, text: string, key: Key): Read<T> => {
  const word = text.toLowerCase();
  const value = Object.hasOwn(choices, word) ? choices[word] : undefined;
  return value === undefined ? { key } : { value };
};

const issueOf = (error: { issues: { message: string }[] }): Key => {
  const text = error.issues[0]?.message ?? '';
  return isKey(text) ? text : 'error.invalid_value';
};

const READERS: { [F in keyof Given]-?: (text: string) => Read<NonNullable<Given[F]>> } = {
  project: (text) => {
    const parsed = ProjectInput.shape.name.safeParse(text);
    return parsed.success ? { value: parsed.data } : { key: issueOf(parsed.error) };
  },
  type: (text) => chosen(TYPES, text, 'import.bad_type'),
  transfer_type: (text) => chosen(TRANSFER_TYPES, text, 'import.bad_mode'),
  expired_at: (text) => {
    const value = readDate(text);
    return value === null ? { key: 'import.bad_date' } : { value };
  },
  // Which registrar it is, staging finds out.
  registrars_id: (text) => ({ value: text }),
  file_path: (text) => {
    const parsed = DomainInput.shape.file_path.safeParse(text);
    return parsed.success ? { value: parsed.data ?? '' } : { key: issueOf(parsed.error) };
  },
};
/** The fields besides the name, in the order of display. */
export const GIVEN = Object.keys(READERS) as (keyof Given)[];

/** Shortens a value for a message to 80 characters. */
export const shown = (text: string): string => (text.length > 80 ? `${text.slice(0, 80)}…` : text);

function readHost(text: string): Read<string> {
  if (text === '') return { key: 'name.empty' };
  try {
    return { value: cleanHostname(text) };
  } catch (error) {
    if (error instanceof AppError) return { key: 'import.bad_host' };
    throw error;
  }
}

/** Tells of names that stand beside that of a row, and are not taken. */
const noteOf = (names: readonly string[]): RowMessage => ({
  field: 'domain_name',
  key: 'import.beside',
  params: { value: shown(names.join(', ')), n: names.length },
});

function readRow(row: SourceRow, columns: Record<ImportField, number>): Draft {
  const given: Given = {};
  const messages: RowMessage[] = [];
  const cell = (field: ImportField): string => valueOf(row.cells[columns[field]]);
  const refuse = (field: ImportField, key: Key): void => {
    messages.push({ field, key, params: { value: shown(cell(field)) } });
  };
  const host: Read<string> =
    columns.domain_name === -1 ? { key: 'import.no_domain_column' } : readHost(cell('domain_name'));
  if ('key' in host) refuse('domain_name', host.key);
  for (const field of GIVEN) {
    const text = cell(field);
    if (text === '') continue;
    const read = READERS[field](text);
    if ('key' in read) refuse(field, read.key);
    else Object.assign(given, { [field]: read.value });
  }
  return { ...row, domain_name: 'value' in host ? host.value : null, given, messages, notes: [] };
}

/** Parses the rows of a table, each by itself. Faults of a row become its messages; nothing is thrown for them. */
export function readRows({ rows, mapping, isUntitled }: Pick<ImportTable, 'rows' | 'mapping' | 'isUntitled'>): Draft[] {
  const columns = Object.fromEntries(IMPORT_FIELDS.map((field) => [field, mapping.indexOf(field)]));
  const drafts = rows.map((row) => readRow(row, columns as Record<ImportField, number>));
  if (!isUntitled) return drafts;
  const own = new Set(drafts.map(({ domain_name }) => domain_name));
  for (const draft of drafts) {
    const beside = namesBeside(draft, mapping).filter((name) => !own.has(cleanHostname(name)));
    if (beside.length > 0) draft.notes.push(noteOf(beside));
  }
  return drafts;
}
