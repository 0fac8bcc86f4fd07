import { Button, Callout, Checkbox, HTMLSelect, InputGroup } from '@blueprintjs/core';
import type { Key } from '../../src/shared/i18n/index.ts';
import {
  IMPORT_FIELDS,
  type ImportDelimiter,
  type ImportEncoding,
  type ImportField,
  type ImportPreview,
} from '../../src/shared/portfolio/imports.ts';
import { useT } from '../kit/language.ts';
import { BusyButton } from '../kit/BusyButton.tsx';
import { Failure, Field } from '../kit/form/Form.tsx';
import { T } from '../kit/T.tsx';
import type { Importing, ImportSettings } from './useImport.ts';

export const FIELD_LABELS: Record<ImportField, Key> = {
  domain_name: 'import.field_domain_name',
  project: 'import.field_project',
  type: 'import.field_type',
  transfer_type: 'import.field_transfer_type',
  expired_at: 'import.field_expired_at',
  registrars_id: 'import.field_registrars_id',
  file_path: 'import.field_file_path',
};
const DELIMITERS: Record<ImportDelimiter, Key> = {
  ',': 'import.delimiter_comma',
  ';': 'import.delimiter_semicolon',
  '\t': 'import.delimiter_tab',
};
const ENCODINGS: Record<ImportEncoding, string> = {
  'utf-8': 'UTF-8',
  'utf-16le': 'UTF-16',
  'utf-16be': 'UTF-16',
  'windows-1251': 'Windows-1251',
};

const isField = (word: string): word is ImportField => IMPORT_FIELDS.some((field) => field === word);

interface ColumnsProps {
  preview: ImportPreview;
  mapping: readonly (ImportField | null)[];
  onChange: (mapping: (ImportField | null)[]) => void;
}

/** The field of each column of the file. Assigning a field to a second column clears the first. */
function Columns({ preview, mapping, onChange }: ColumnsProps) {
  const t = useT();
  const put = (index: number, word: string): void => {
    const field = isField(word) ? word : null;
    onChange(mapping.map((held, at) => (at === index ? field : held === field ? null : held)));
  };
  return (
    <div className="import-columns">
      {preview.columns.map(({ name, samples }, index) => (
        <Field
          // oxlint-disable-next-line react/no-array-index-key -- a column is its place; names may be empty or alike
          key={index}
          label={name || t('import.column', { n: index + 1 })}
          help={<span className="import-samples">{samples.join(' · ') || t('import.column_empty')}</span>}
        >
          {(control) => (
            <HTMLSelect
              fill
              {...control}
              value={mapping[index] ?? ''}
              onChange={(event) => put(index, event.target.value)}
              options={[
                { value: '', label: t('import.field_none') },
                ...IMPORT_FIELDS.map((field) => ({ value: field, label: t(FIELD_LABELS[field]) })),
              ]}
            />
          )}
        </Field>
      ))}
    </div>
  );
}

/** The defaults for new rows. */
function Defaults({ settings, change }: Importing) {
  const t = useT();
  return (
    <>
      <h3 className="bp6-heading section-title">
        <T k="import.defaults_title" />
      </h3>
      <div className="import-columns">
        <Field label={<T k="import.field_type" />}>
          {(control) => (
            <HTMLSelect
              fill
              {...control}
              value={settings.type}
              onChange={(event) => change({ type: event.target.value === 'transfer' ? 'transfer' : 'main' })}
              options={[
                { value: 'main', label: t('list.type_main') },
                { value: 'transfer', label: t('list.type_transfer') },
              ]}
            />
          )}
        </Field>
        <Field label={<T k="import.field_transfer_type" />}>
          {(control) => (
            <HTMLSelect
              fill
              {...control}
              value={settings.transfer_type}
              onChange={(event) => change({ transfer_type: event.target.value === 'manual' ? 'manual' : 'auto' })}
              options={[
                { value: 'auto', label: t('list.mode_auto') },
                { value: 'manual', label: t('list.mode_manual') },
              ]}
            />
          )}
        </Field>
        <Field label={<T k="import.field_project" />}>
          {(control) => (
            <InputGroup
              fill
              {...control}
              placeholder={t('list.no_project')}
              value={settings.project}
              maxLength={200}
              onChange={(event) => change({ project: event.target.value })}
            />
          )}
        </Field>
      </div>
      <p className="muted">
        <T k="import.default_path" />
      </p>
      <Checkbox
        checked={settings.create_projects === 'on'}
        onChange={(event) => change({ create_projects: event.currentTarget.checked ? 'on' : 'off' })}
        label={t('import.create_projects')}
      />
    </>
  );
}

/** Step 2: the fields of the columns, and the defaults for rows without a value. */
export function ImportColumns({ preview, ...importing }: Importing & { preview: ImportPreview }) {
  const t = useT();
  const { settings, change, check, goTo, busy, failure } = importing;
  const mapping = settings.columns ?? preview.mapping;
  const hasDomain = mapping.includes('domain_name');
  // Columns that are as they were recognised are not chosen by hand: a pasted list is still read as one.
  const isFound = (columns: ImportSettings['columns']): boolean => String(columns) === String(preview.mapping);
  return (
    <>
      <p className="muted">
        <T k="import.read_as" encoding={ENCODINGS[preview.encoding]} delimiter={t(DELIMITERS[preview.delimiter])} />
      </p>
      <Checkbox
        checked={settings.header === 'auto' ? preview.header : settings.header === 'on'}
        onChange={(event) => void check({ header: event.currentTarget.checked ? 'on' : 'off', columns: undefined })}
        label={t('import.header')}
      />
      <Columns
        preview={preview}
        mapping={mapping}
        onChange={(columns) => change({ columns: isFound(columns) ? undefined : columns })}
      />
      <Defaults preview={preview} {...importing} />
      {!hasDomain && (
        <Callout intent="warning" compact role="alert">
          <T k="import.column_needed" />
        </Callout>
      )}
      <Failure text={failure} />
      <div className="import-buttons">
        <Button text={<T k="import.back" />} onClick={() => goTo('source')} />
        <BusyButton
          intent="primary"
          busy={busy}
          disabled={!hasDomain}
          text={<T k="import.next" />}
          onClick={() => void check({}, 'check')}
        />
      </div>
    </>
  );
}
