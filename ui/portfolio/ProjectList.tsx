import { BanCircleIcon, ErrorIcon } from '../kit/icons.tsx';
import { useState, type KeyboardEvent } from 'react';
import { Link } from 'react-router-dom';
import type { ProjectView } from '../../src/shared/portfolio/projects.ts';
import { useFormats, useT } from '../kit/language.ts';
import { EmptyState } from '../kit/EmptyState.tsx';
import { SearchField } from '../kit/form/SearchField.tsx';
import { T } from '../kit/T.tsx';

/** Counts the blocked and the broken domains of a project. */
export function ProjectProblems({ project }: { project: ProjectView }) {
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

/** Moves the focus with ↑ and ↓ through the links of the list; ↑ on the first link leads to the search field. */
function onArrow(event: KeyboardEvent<HTMLElement>): void {
  if (event.code !== 'ArrowDown' && event.code !== 'ArrowUp') return;
  const stops = [...event.currentTarget.querySelectorAll<HTMLElement>('input, a')];
  const at = stops.indexOf(event.target as HTMLElement);
  stops[at + (event.code === 'ArrowDown' ? 1 : -1)]?.focus();
  event.preventDefault();
}

interface ProjectListProps {
  projects: readonly ProjectView[];
  /** The id of the open project. */
  chosen: number | undefined;
}

/** The projects as links, with a search field above. */
export function ProjectList({ projects, chosen }: ProjectListProps) {
  const t = useT();
  const [search, setSearch] = useState('');
  const wanted = search.toLowerCase();
  const found = projects.filter(({ name }) => name.toLowerCase().includes(wanted));
  return (
    // Key presses bubble up from the links inside.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- see above
    <nav aria-label={t('projects.list')} className="project-list" onKeyDown={onArrow}>
      <SearchField slash label={t('projects.search')} value={search} onChange={setSearch} />
      <ul>
        {found.map((project) => (
          <li key={project.id}>
            <Link
              className="project-link"
              to={{ search: `project=${project.id}` }}
              aria-current={project.id === chosen ? 'true' : undefined}
            >
              <span className="project-name">{project.name}</span>
              <span className="project-facts">
                <Counts project={project} />
                <ProjectProblems project={project} />
              </span>
            </Link>
          </li>
        ))}
      </ul>
      {found.length === 0 && (
        <EmptyState>
          <T k="ui.nothing_found" />
        </EmptyState>
      )}
    </nav>
  );
}
