import { Controller, useForm, type UseFormReturn } from 'react-hook-form';
import { useQuery } from '@tanstack/react-query';
import type { TableColumn, TableInfo, TableRow } from '../../src/shared/system/table-editor.ts';
import { call, queries, refresh } from '../kit/api.ts';
import { FormDialog } from '../kit/dialog/FormDialog.tsx';
import { TextField, useSubmit } from '../kit/form/Form.tsx';
import { MultiCombobox } from '../kit/form/MultiCombobox.tsx';
import { SelectField } from '../kit/form/SelectField.tsx';
import { useDraft } from '../kit/form/useDraft.ts';
import { useT } from '../kit/language.ts';
import { T } from '../kit/T.tsx';
import { toast, toastFailure } from '../kit/toasts.tsx';
import { bodyOf, pick, valuesOf, type FormValues } from './fields.ts';
import { nameOf, partOf } from './parts.ts';

// Tables that others refer to are short; a longer one is chosen from by number on its own screen.
const MOST_CHOICES = 1_000;

interface FieldProps {
  form: UseFormReturn<FormValues>;
  column: TableColumn;
}

/** Loads the rows that a column may refer to. */
function useChoices(table: string): { id: number; name: string }[] {
  const { data } = useQuery({
    queryKey: ['GET /api/tables/:table', { table, choices: true }],
    queryFn: ({ signal }) => partOf(table, { limit: MOST_CHOICES }, signal),
  });
  return data?.data.map((row) => ({ id: row.id, name: nameOf(row) })) ?? [];
}

function ReferenceField({ form, column: { name, references } }: FieldProps) {
  const rows = useChoices(references ?? '');
  const options = rows.map((row) => ({ value: String(row.id), label: row.name }));
  const chosen = form.watch(name);
  // Until the rows are there, the one that is chosen has to be among them.
  const rest = typeof chosen === 'string' && chosen !== '' && !options.some(({ value }) => value === chosen);
  return (
    <SelectField
      form={form}
      name={name}
      label={name}
      options={[{ value: '', label: '–' }, ...(rest ? [{ value: chosen, label: `#${chosen}` }] : []), ...options]}
    />
  );
}

function ReferencesField({ form, column: { name, references } }: FieldProps) {
  const items = useChoices(references ?? '');
  return (
    <Controller
      control={form.control}
      name={name}
      render={({ field, fieldState }) => (
        <MultiCombobox
          label={name}
          items={items}
          ids={field.value as number[]}
          onChange={field.onChange}
          error={fieldState.error?.message}
        />
      )}
    />
  );
}

function ColumnField({ form, column }: FieldProps) {
  const { name, kind, references, options, nullable } = column;
  if (references !== null) {
    return kind === 'json' ? (
      <ReferencesField form={form} column={column} />
    ) : (
      <ReferenceField form={form} column={column} />
    );
  }
  if (options) {
    const empty = nullable ? [{ value: '', label: '–' }] : [];
    const choices = options.map((value) => ({ value, label: value }));
    return <SelectField form={form} name={name} label={name} options={[...empty, ...choices]} />;
  }
  const help = kind === 'secret' ? 'tables.keeps_secret' : kind === 'json' ? 'tables.list_help' : undefined;
  return (
    <TextField
      form={form}
      name={name}
      label={name}
      help={help && <T k={help} />}
      autoComplete={kind === 'secret' ? 'new-password' : 'off'}
      type={kind === 'secret' ? 'password' : 'text'}
      inputMode={kind === 'integer' ? 'numeric' : undefined}
      spellCheck={false}
    />
  );
}

/** Names a row as it was read: an edit is refused where somebody has changed it since. */
const versionOf = ({ id, updated_at }: TableRow): Partial<TableRow> => ({ id, ...(updated_at && { updated_at }) });

/** Whether a column of a row did not come back. */
const isLost = (column: string, before: TableRow | null, after: TableRow): boolean =>
  column !== 'updated_at' && JSON.stringify(before?.[column]) !== JSON.stringify(after[column]);

interface RowFormProps {
  table: TableInfo;
  columns: readonly TableColumn[];
  /** The row to edit; null: a new one. */
  row: TableRow | null;
  onClose: () => void;
}

/** The form of a row: the columns that can be written. Only what was changed is sent, and a change can be undone. */
export function RowForm({ table: { name }, columns, row, onClose }: RowFormProps) {
  const t = useT();
  const written = columns.filter((column) => (row ? column.edits : column.adds));
  const first = (column: TableColumn): string => (row === null ? (column.options?.[0] ?? '') : '');
  const values = valuesOf(written, row);
  const start = Object.fromEntries(written.map((column) => [column.name, values[column.name] || first(column)]));
  const form = useForm<FormValues>({ defaultValues: start });
  const secrets = new Set(written.filter(({ kind }) => kind === 'secret').map((column) => column.name));
  useDraft(form, `row ${name} ${row?.id ?? 'new'}`, [...secrets]);
  const store = (body: object) =>
    call('POST /api/tables/:table', { params: { table: name }, body: body as Record<string, unknown> });
  const undo = async (saved: TableRow, changed: readonly string[]): Promise<void> => {
    try {
      const given = changed.filter((column) => !secrets.has(column));
      const back = await store({ ...pick(row, given), was: pick(saved, given), ...versionOf(saved) });
      await queries.invalidateQueries();
      const lost = columns
        .map((column) => column.name)
        .filter((column) => isLost(column, row, back) || (secrets.has(column) && changed.includes(column)));
      if (lost.length === 0) toast.success(t('tables.undone'));
      else toast.info(t('tables.undone_but', { columns: lost.join(', ') }));
    } catch (error) {
      toastFailure(t('tables.edit_failed'), error);
    }
  };
  const submit = useSubmit(
    form,
    async (given) => {
      const body = bodyOf(written, given, row);
      const was = pick(row, Object.keys(body));
      const saved = await store({ ...body, ...(row && { was, ...versionOf(row) }) }).catch((error: unknown) => {
        // The row may have been changed or deleted by somebody else: the list shows it as it is now.
        void refresh('GET /api/tables/:table');
        throw error;
      });
      await queries.invalidateQueries();
      const changed = Object.keys(body);
      const action = { text: t('tables.undo'), run: () => void undo(saved, changed) };
      const canUndo = row !== null && changed.some((column) => !secrets.has(column));
      toast.success(t('tables.saved', { table: name, id: saved.id }), canUndo ? { action } : {});
      onClose();
    },
    t(row ? 'tables.edit_failed' : 'tables.add_failed'),
  );
  return (
    <FormDialog
      width={560}
      title={row ? <T k="tables.edit_title" table={name} id={row.id} /> : <T k="tables.add_title" table={name} />}
      action={<T k="team.save" />}
      submit={submit}
      dirty={form.formState.isDirty}
      onClose={onClose}
    >
      {written.map((column) => (
        <ColumnField key={column.name} form={form} column={column} />
      ))}
    </FormDialog>
  );
}
