import { BanCircleIcon, ErrorIcon } from '../kit/icons.tsx';
import type { ProjectView } from '../../src/shared/portfolio/projects.ts';
import { useFormats, useT } from '../kit/language.ts';

/** Counts the blocked and the broken domains of a project. */
function Problems({ project }: { project: ProjectView }) {
  const t = useT();
  const formats = useFormats();
  const marks = [
    {
      count: project.blocked_count,
      icon: <BanCircleIcon size={12} />,
      text: t('projects.blocked', { n: project.blocked_count }),
    },
    {
      count: project.broken_count,
      icon: <ErrorIcon size={12} />,
      text: t('projects.broken', { n: project.broken_count }),
    },
  ].filter(({ count }) => count > 0);
  return marks.map(({ count, icon, text }) => (
    <span key={text} className="bad project-problem" title={text}>
      {icon}
      <span aria-hidden="true">{formats.number(count)}</span>
      <span className="visually-hidden">{text}</span>
    </span>
  ));
}

/** Counts the main and the reserve domains of a project. */
function Counts({ project }: { project: ProjectView }) {
  const t = useT();
  const formats = useFormats();
  const { main_count: main, transfer_count: transfer } = project;
  const text = t('projects.counts', { main, transfer });
  return (
    <span className="muted" title={text}>
      <span aria-hidden="true">
        {formats.number(main)} / {formats.number(transfer)}
      </span>
      <span className="visually-hidden">{text}</span>
    </span>
  );
}

/** Stands below the name of a project in the list. */
export const ProjectFacts = ({ project }: { project: ProjectView }) => (
  <span className="project-facts">
    <Counts project={project} />
    <Problems project={project} />
  </span>
);
