import type { ProjectView } from '../../src/shared/portfolio/projects.ts';
import { useCall } from '../kit/api.ts';
import { useT } from '../kit/language.ts';
import { useSession } from '../kit/session.ts';
import { Combobox } from '../kit/form/Combobox.tsx';
import { T } from '../kit/T.tsx';

interface ProjectFieldProps {
  value: number | null;
  onChange: (id: number | null) => void;
  error?: string | undefined;
}

/** The project of a domain; emptied, it means none. Admins also see the owner of each project. */
export function ProjectField({ value, onChange, error }: ProjectFieldProps) {
  const t = useT();
  const { user } = useSession();
  const { data, error: failure } = useCall('GET /api/user_projects');
  const projects = data?.data ?? [];
  const text = ({ name, user_login }: ProjectView): string =>
    user_login === user?.login ? name : `${name} (${user_login})`;
  // While its name is not known, a project is not none.
  const missing = failure ? 'projects.failed' : 'ui.loading';
  return (
    <Combobox
      label={<T k="domain_form.project" />}
      items={projects}
      value={projects.find(({ id }) => id === value) ?? null}
      onChange={(project) => onChange(project?.id ?? null)}
      text={text}
      placeholder={t(value === null || data ? 'domain_form.no_project' : missing)}
      error={error}
    />
  );
}
