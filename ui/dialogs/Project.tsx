import { zodResolver } from '@hookform/resolvers/zod';
import { useForm } from 'react-hook-form';
import { ProjectInput } from '../../src/shared/projects.ts';
import { call } from '../api.ts';
import { FormDialog } from '../components/FormDialog.tsx';
import { TextField, useSubmit } from '../components/Form.tsx';
import { refreshDomains } from '../components/operations.ts';
import { T } from '../components/T.tsx';
import { toast } from '../components/toasts.tsx';
import { useT } from '../language.ts';

interface ProjectProps {
  /** The project to rename; without one a new one is created. */
  project?: { id: number; name: string } | undefined;
  onSaved?: (id: number) => void;
  onClose: () => void;
}

/** One field: the name of a project. */
export function Project({ project, onSaved, onClose }: ProjectProps) {
  const t = useT();
  const form = useForm({
    defaultValues: { name: project?.name ?? '' },
    resolver: zodResolver(ProjectInput, undefined, { raw: true }),
  });
  const submit = useSubmit(
    form,
    async (body) => {
      const { data } = project
        ? await call('PUT /api/projects/:id', { params: { id: project.id }, body })
        : await call('POST /api/projects', { body });
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
    </FormDialog>
  );
}
