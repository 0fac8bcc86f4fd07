import { useUrlState } from '../kit/useUrlState.ts';
import { ProjectPanel } from '../positions/ProjectPanel.tsx';
import { VIEW } from '../positions/view.ts';
import '../positions/Positions.css';

/** The positions of a project as their own screen shows them; what is chosen of them stands in the URL. */
export function PositionsTab({ project }: { project: { id: number; name: string } }) {
  const [{ project: _chosen, ...view }, setView] = useUrlState(VIEW);
  return (
    <section className="panel domain-tab">
      <ProjectPanel project={project} view={view} onView={setView} />
    </section>
  );
}
