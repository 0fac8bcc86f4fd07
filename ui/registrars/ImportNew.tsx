import { Callout } from '@blueprintjs/core';
import { useState } from 'react';
import { Controller, useForm } from 'react-hook-form';
import { useNavigate } from 'react-router-dom';
import type { DomainType } from '../../src/shared/portfolio/domains.ts';
import type { ImportResult, MessageGroup } from '../../src/shared/portfolio/imports.ts';
import { useDomainChoices } from '../domains/domainForm.ts';
import { ProjectField } from '../domains/ProjectField.tsx';
import { call, refresh } from '../kit/api.ts';
import { FormDialog } from '../kit/dialog/FormDialog.tsx';
import { InfoDialog } from '../kit/dialog/InfoDialog.tsx';
import { useSubmit } from '../kit/form/Form.tsx';
import { SelectField } from '../kit/form/SelectField.tsx';
import { useT } from '../kit/language.ts';
import { T } from '../kit/T.tsx';
import { toast } from '../kit/toasts.tsx';
import { refreshDomains } from '../operations/operations.ts';
import { importOf, type RegistrarRow } from './registrarRows.ts';

interface ImportNewProps {
  registrar: { id: number; name: string };
  rows: readonly RegistrarRow[];
  /** Gets the names that were added. */
  onDone: (added: ReadonlySet<string>) => void;
  onClose: () => void;
}

const NAMED = 20;

/** The names that were refused for one reason. */
function Refused({ group: { message, count }, result }: { group: MessageGroup; result: ImportResult }) {
  const t = useT();
  const names = result.errors.flatMap(({ messages, domain_name }) =>
    messages.some(({ key }) => key === message.key) && domain_name !== null ? [domain_name] : [],
  );
  const shown = names.slice(0, NAMED).join(', ') + (count > NAMED ? '…' : '');
  return (
    <p>
      <T k="registrars.import_left" n={count} reason={t(message.key, message.params)} names={shown} />
    </p>
  );
}

/** Lists the names that an import has left out, each with its reason. */
function Result({ result, onClose }: { result: ImportResult; onClose: () => void }) {
  const left = result.groups.filter(({ action }) => action === 'error');
  return (
    <InfoDialog width={560} title={<T k="registrars.import_done" n={result.counts.create} />} onClose={onClose}>
      <Callout intent="warning" compact>
        {left.map((group) => (
          <Refused key={group.message.key} group={group} result={result} />
        ))}
      </Callout>
    </InfoDialog>
  );
}

/** Imports domains of a registrar that the portfolio lacks, with registrar and expiry; lists the refused names. */
export function ImportNew({ registrar, rows, onDone, onClose }: ImportNewProps) {
  const t = useT();
  const navigate = useNavigate();
  const { types } = useDomainChoices();
  const [result, setResult] = useState<ImportResult>();
  const form = useForm<{ project_id: number | null; type: DomainType }>({
    defaultValues: { project_id: null, type: 'main' },
  });
  const submit = useSubmit(
    form,
    async (values) => {
      const done = await call('POST /api/imports', { body: { ...values, text: importOf(rows, registrar.id) } });
      const refused = new Set(done.errors.map(({ domain_name }) => domain_name));
      onDone(new Set(rows.map(({ domain }) => domain).filter((name) => !refused.has(name))));
      await Promise.all([refreshDomains(), refresh('GET /api/imports', 'GET /api/registrars')]);
      if (done.counts.error > 0) setResult(done);
      else {
        // The import can be undone there.
        const action = { text: t('import.history'), run: () => void navigate('/import') };
        toast.success(t('registrars.import_done', { n: done.counts.create }), { action });
        onClose();
      }
    },
    t('registrars.import_failed'),
  );
  if (result) return <Result result={result} onClose={onClose} />;
  return (
    <FormDialog
      title={<T k="registrars.import_title" n={rows.length} name={registrar.name} />}
      action={<T k="registrars.import_action" />}
      submit={submit}
      onClose={onClose}
    >
      <p className="muted">
        <T k="registrars.import_help" />
      </p>
      <Controller
        control={form.control}
        name="project_id"
        render={({ field, fieldState }) => (
          <ProjectField value={field.value} onChange={field.onChange} error={fieldState.error?.message} />
        )}
      />
      <SelectField form={form} name="type" label={<T k="domain_form.type" />} options={types} />
    </FormDialog>
  );
}
