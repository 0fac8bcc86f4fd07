import { Button, Callout, Card, Radio, RadioGroup } from '@blueprintjs/core';
import { DownloadIcon } from '../kit/icons.tsx';
import { writeCsv } from '../../src/shared/csv.ts';
import type { Key } from '../../src/shared/i18n/index.ts';
import {
  IMPORT_MODES,
  type ImportAction,
  type ImportCounts,
  type ImportMode,
  type ImportPreview,
  type MessageGroup,
} from '../../src/shared/portfolio/imports.ts';
import { useFormats, useT } from '../kit/language.ts';
import { BusyButton } from '../kit/BusyButton.tsx';
import { Failure } from '../kit/form/Form.tsx';
import { FIELD_LABELS } from './ImportColumns.tsx';
import { ImportRows } from './ImportRows.tsx';
import { saveFile } from '../kit/saveFile.ts';
import { T } from '../kit/T.tsx';
import type { Importing } from './useImport.ts';

const COUNTS: readonly { action: ImportAction; label: Key; look: string }[] = [
  { action: 'create', label: 'import.count_create', look: 'good' },
  { action: 'update', label: 'import.count_update', look: '' },
  { action: 'skip', label: 'import.count_skip', look: '' },
  { action: 'error', label: 'import.count_error', look: 'bad' },
];
const MODES: Record<ImportMode, Key> = {
  skip: 'import.mode_skip',
  fill: 'import.mode_fill',
  overwrite: 'import.mode_overwrite',
};

function Counts({ counts }: { counts: ImportCounts }) {
  const t = useT();
  const formats = useFormats();
  return (
    <section aria-label={t('import.counts')} aria-live="polite" className="counters">
      {COUNTS.map(({ action, label, look }) => (
        <Card key={action} compact className="import-count">
          <span className={`counter-number ${counts[action] > 0 ? look : ''}`}>{formats.number(counts[action])}</span>
          <span>
            <T k={label} />
          </span>
        </Card>
      ))}
    </section>
  );
}

const SHOWN_LINES = 20;

const linesOf = ({ lines, count }: MessageGroup): string =>
  lines.slice(0, SHOWN_LINES).join(', ') + (count > SHOWN_LINES ? '…' : '');

/** Lists errors and notes, each once for all rows that share it. */
export function ImportGroups({ groups, title }: { groups: readonly MessageGroup[]; title: Key }) {
  if (groups.length === 0) return null;
  return (
    <section>
      <h3 className="bp6-heading section-title">
        <T k={title} />
      </h3>
      <ul className="import-groups">
        {groups.map((group) => (
          <li key={`${group.action} ${group.message.field} ${group.message.key}`}>
            <T k={group.message.key} {...group.message.params} />
            <div className="muted">
              <T k="import.group_lines" count={group.count} lines={linesOf(group)} />
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Downloads the rows with errors as in the file, each with its error, to be corrected and imported separately. */
export function DownloadErrors({ preview }: { preview: ImportPreview }) {
  const t = useT();
  const rows = preview.rows.filter(({ action }) => action === 'error');
  if (rows.length === 0) return null;
  const header = preview.columns.map(({ name }, index) => {
    const field = preview.mapping[index];
    return name || (field ? t(FIELD_LABELS[field]) : t('import.column', { n: index + 1 }));
  });
  const save = (): void => {
    const lines = rows.map(({ line, cells, messages }) =>
      header
        .map((_, index) => cells[index] ?? '')
        .concat(String(line), messages.map(({ key, params }) => t(key, params)).join('; ')),
    );
    const text = writeCsv([[...header, t('import.line_column'), t('import.error_column')], ...lines], {
      delimiter: ';',
      bom: true,
    });
    saveFile('import-errors.csv', new Blob([text], { type: 'text/csv' }));
  };
  return <Button icon={<DownloadIcon />} text={<T k="import.download_errors" />} onClick={save} />;
}

/** The handling of domains that the portfolio already has. */
function Mode({ settings, check }: Importing) {
  return (
    <RadioGroup
      inline
      name="mode"
      label={<T k="import.known_title" />}
      selectedValue={settings.mode}
      onChange={(event) => {
        const mode = IMPORT_MODES.find((known) => known === event.currentTarget.value);
        if (mode) void check({ mode });
      }}
    >
      {IMPORT_MODES.map((mode) => (
        <Radio key={mode} value={mode} labelElement={<T k={MODES[mode]} />} />
      ))}
    </RadioGroup>
  );
}

/** Step 3: the result of the import, row by row; nothing is written yet. */
export function ImportCheck({ preview, ...importing }: Importing & { preview: ImportPreview }) {
  const { run, goTo, commit, busy, failure } = importing;
  const { counts, groups, new_projects: projects } = preview;
  const count = counts.create + counts.update;
  return (
    <>
      <Mode preview={preview} {...importing} />
      <Counts counts={counts} />
      {projects.length > 0 && (
        <p className="import-projects">
          <T
            k="import.new_projects"
            n={projects.length}
            names={projects.slice(0, SHOWN_LINES).join(', ') + (projects.length > SHOWN_LINES ? '…' : '')}
          />
        </p>
      )}
      <ImportGroups title="import.problems" groups={groups.filter(({ action }) => action === 'error')} />
      <DownloadErrors preview={preview} />
      <ImportGroups title="import.skipped" groups={groups.filter(({ action }) => action !== 'error')} />
      <h3 className="bp6-heading section-title">
        <T k="import.rows" />
      </h3>
      <ImportRows rows={preview.rows} run={run} />
      {count === 0 && (
        <Callout compact className="import-note">
          <T k="import.nothing" />
        </Callout>
      )}
      <Failure text={failure} />
      <div className="import-buttons">
        <Button text={<T k="import.back" />} onClick={() => goTo('columns')} />
        <BusyButton
          intent="primary"
          busy={busy}
          disabled={count === 0}
          text={<T k="import.run" count={count} />}
          onClick={() => void commit()}
        />
      </div>
    </>
  );
}
