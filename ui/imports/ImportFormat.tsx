import { HTMLTable } from '@blueprintjs/core';
import { IMPORT_FIELDS, type ImportField } from '../../src/shared/portfolio/imports.ts';
import { BusyButton } from '../kit/BusyButton.tsx';
import { DownloadIcon } from '../kit/icons.tsx';
import { useT } from '../kit/language.ts';
import { Panel } from '../kit/Panel.tsx';
import { saveFile } from '../kit/saveFile.ts';
import { T } from '../kit/T.tsx';

const EXAMPLES: Record<ImportField, string> = {
  domain_name: 'example.com',
  project: 'Main',
  type: 'main',
  transfer_type: 'auto',
  expired_at: '2027-02-14',
  registrars_id: 'reg.ru',
  file_path: '/var/www/example',
};

function saveExample(): void {
  const lines = [IMPORT_FIELDS.join(';'), IMPORT_FIELDS.map((field) => EXAMPLES[field]).join(';')];
  saveFile('domains.csv', new Blob([`\uFEFF${lines.join('\r\n')}\r\n`], { type: 'text/csv' }));
}

function FieldRow({ field }: { field: ImportField }) {
  return (
    <tr>
      <td>
        <T k={`import.field_${field}`} />
        {field === 'domain_name' && (
          <span className="muted">
            {' '}
            · <T k="import.format_needed" />
          </span>
        )}
      </td>
      <td>
        <code translate="no">{field}</code>
      </td>
      <td>
        <code translate="no">{EXAMPLES[field]}</code>
      </td>
    </tr>
  );
}

/** The format of a file to import: the known columns, the required one among them, and an example file. */
export function ImportFormat() {
  const t = useT();
  return (
    <Panel
      title={<T k="import.format_title" />}
      aside={
        <BusyButton
          busy={false}
          size="small"
          icon={<DownloadIcon />}
          text={<T k="import.format_example" />}
          onClick={saveExample}
        />
      }
    >
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls by keys */}
      <div className="import-format" tabIndex={0}>
        <HTMLTable compact aria-label={t('import.format_title')}>
          <thead>
            <tr>
              <th scope="col">
                <T k="import.format_column" />
              </th>
              <th scope="col">
                <T k="import.format_head" />
              </th>
              <th scope="col">
                <T k="import.format_value" />
              </th>
            </tr>
          </thead>
          <tbody>
            {IMPORT_FIELDS.map((field) => (
              <FieldRow key={field} field={field} />
            ))}
          </tbody>
        </HTMLTable>
        <p className="muted">
          <T k="import.format_note" />
        </p>
      </div>
    </Panel>
  );
}
