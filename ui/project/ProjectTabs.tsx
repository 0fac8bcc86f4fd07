import { Tab, Tabs } from '@blueprintjs/core';
import { Suspense, type ReactNode } from 'react';
import { PROJECT_KINDS, type ProjectPage } from '../../src/shared/timeline/project-page.ts';
import { Events } from '../domain/Events.tsx';
import { Chips, useTabInSight } from '../kit/Chips.tsx';
import { useT } from '../kit/language.ts';
import { later, Loading } from '../kit/Loading.tsx';
import { T } from '../kit/T.tsx';
import { useUrlState } from '../kit/useUrlState.ts';
import { Tables } from '../portfolio/ProjectDetail.tsx';
import { DomainDialogs } from '../portfolio/DomainDialogs.tsx';
import { ProjectBeside } from './ProjectBeside.tsx';

const PositionsTab = later(async () => (await import('./PositionsTab.tsx')).PositionsTab);
const PurchasesTab = later(async () => (await import('./PurchasesTab.tsx')).PurchasesTab);

const VIEW = { tab: 'history', show: '', search: '', sort: '', reserve_sort: '' };

interface ProjectTabsProps {
  page: ProjectPage;
  onBuying: () => void;
}

/** The timeline of a project, with a filter in the URL. */
function History({ page, onBuying }: ProjectTabsProps) {
  const t = useT();
  const [{ show }, setView] = useUrlState(VIEW);
  const kind = PROJECT_KINDS.find((one) => one === show) ?? '';
  const chips = [
    { value: '' as const, label: <T k="domain_page.all" /> },
    ...PROJECT_KINDS.map((value) => ({ value, label: <T k={`domain_page.${value}`} /> })),
  ];
  return (
    <div className="domain-columns">
      <section className="panel domain-history" aria-label={t('domain_page.tab_history')}>
        <Chips
          label={t('domain_page.filter')}
          chips={chips}
          value={kind}
          onChange={(next) => setView({ show: next })}
        />
        <Events key={kind} of="GET /api/projects/:id/timeline" id={page.project.id} kind={kind} />
      </section>
      <ProjectBeside page={page} onBuying={onBuying} />
    </div>
  );
}

const Later = ({ children }: { children: ReactNode }) => <Suspense fallback={<Loading />}>{children}</Suspense>;

/** The tabs of a project's page; the open one is in the URL. */
export function ProjectTabs({ page, onBuying }: ProjectTabsProps) {
  const [{ tab, ...view }, setView] = useUrlState(VIEW);
  const { project } = page;
  const panels: Record<string, ReactNode> = {
    history: <History page={page} onBuying={onBuying} />,
    domains: <Tables project={project} view={view} onView={setView} />,
    positions: (
      <Later>
        <PositionsTab project={project} />
      </Later>
    ),
    purchases: (
      <Later>
        <PurchasesTab id={project.id} />
      </Later>
    ),
  };
  const open = Object.hasOwn(panels, tab) ? tab : VIEW.tab;
  useTabInSight('project-page', open);
  const titles = {
    history: <T k="domain_page.tab_history" />,
    domains: <T k="project_page.tab_domains" />,
    positions: <T k="domain_page.positions" />,
    purchases: <T k="domain_page.purchases" />,
  };
  return (
    <>
      <Tabs
        id="project-page"
        className="domain-tabs"
        selectedTabId={open}
        renderActiveTabPanelOnly
        animate={false}
        onChange={(next) => setView({ tab: String(next) })}
      >
        {Object.entries(titles).map(([key, title]) => (
          <Tab key={key} id={key} title={title} panel={<>{panels[key]}</>} />
        ))}
      </Tabs>
      {open !== 'domains' && <DomainDialogs place="project" />}
    </>
  );
}
