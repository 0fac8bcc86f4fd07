import { FormGroup, Switch } from '@blueprintjs/core';
import { zodResolver } from '@hookform/resolvers/zod';
import { useId } from 'react';
import { Controller, useForm, type UseFormReturn } from 'react-hook-form';
import type { z } from 'zod';
import { ProjectChange, ProjectInput, type ProjectView } from '../../src/shared/portfolio/projects.ts';
import { call } from '../kit/api.ts';
import { FormDialog } from '../kit/dialog/FormDialog.tsx';
import { changesIn } from '../kit/form/changesIn.ts';
import { TextField, useSubmit } from '../kit/form/Form.tsx';
import { useBegun } from '../kit/form/useBegun.ts';
import { useDraft } from '../kit/form/useDraft.ts';
import { refreshDomains } from '../operations/operations.ts';
import { T } from '../kit/T.tsx';
import { toast } from '../kit/toasts.tsx';
import { useT } from '../kit/language.ts';

interface ProjectProps {
  /** The project to edit; absent for a new one. */
  project?: Pick<ProjectView, 'id' | 'name' | 'last_reserve'> | undefined;
  onSaved?: (id: number) => void;
  onClose: () => void;
}

// The name is always there to be typed; of what was not touched nothing is sent.
const Values = ProjectInput.extend({ last_reserve: ProjectChange.shape.last_reserve });
type Values = z.infer<typeof Values>;

function LastReserve({ form }: { form: UseFormReturn<Values> }) {
  const helpId = useId();
  return (
    <Controller
      control={form.control}
      name="last_reserve"
      render={({ field: { ref, value, onChange } }) => (
        <FormGroup
          helperText={
            <span id={helpId}>
              <T k="auto_transfer.setting_help" />
            </span>
          }
        >
          <Switch
            inputRef={ref}
            checked={value === 'on'}
            aria-describedby={helpId}
            labelElement={<T k="auto_transfer.setting" />}
            onChange={(event) => onChange(event.currentTarget.checked ? 'on' : 'off')}
          />
        </FormGroup>
      )}
    />
  );
}

/** The name of a project; for an existing one also whether automatic transfer may use its last reserve. */
export function Project({ project, onSaved, onClose }: ProjectProps) {
  const t = useT();
  const { begun, wasOf, explain } = useBegun<Values>(
    { name: project?.name ?? '', ...(project && { last_reserve: project.last_reserve }) },
    ({ name }) => name,
  );
  const form = useForm<Values>({ defaultValues: begun, resolver: zodResolver(Values, undefined, { raw: true }) });
  useDraft(form, `project ${project?.id ?? 'new'}`);
  const submit = useSubmit(
    form,
    async (values) => {
      const changes = changesIn(begun, values);
      if (Object.keys(changes).length === 0) {
        onClose();
        return;
      }
      const saving = project
        ? call('PUT /api/projects/:id', { params: { id: project.id }, body: { ...changes, ...wasOf(changes) } })
        : call('POST /api/projects', { body: values });
      const { data } = await saving.catch(async (error: unknown) => {
        throw await explain(error);
      });
      await refreshDomains();
      toast.success(t(project ? 'projects.renamed' : 'projects.created', { name: data.name }), { place: 'project' });
      onClose();
      onSaved?.(data.id);
    },
    t(project ? 'projects.rename_failed' : 'projects.create_failed'),
  );
  return (
    <FormDialog
      width={400}
      title={<T k={project ? 'projects.rename' : 'projects.create'} />}
      action={<T k="projects.save" />}
      submit={submit}
      dirty={form.formState.isDirty}
      onClose={onClose}
    >
      {/* oxlint-disable-next-line jsx-a11y/no-autofocus -- the only field of a dialog that was opened by hand */}
      <TextField form={form} name="name" label={<T k="projects.name" />} autoComplete="off" autoFocus />
      {project && <LastReserve form={form} />}
    </FormDialog>
  );
}
