import { Tab, Tabs } from '@blueprintjs/core';
import { Suspense, type ReactNode } from 'react';
import { useT } from '../kit/language.ts';
import { later, Loading } from '../kit/Loading.tsx';
import { EmptyState } from '../kit/EmptyState.tsx';
import { T } from '../kit/T.tsx';
import { useTabInSight } from '../kit/Chips.tsx';
import { useUrlState } from '../kit/useUrlState.ts';
import type { Page } from './DomainPage.tsx';
import { History } from './History.tsx';

const DnsTab = later(async () => (await import('./DnsTab.tsx')).DnsTab);
const SiteTab = later(async () => (await import('./SiteTab.tsx')).SiteTab);
const RedirectTest = later(async () => (await import('../dns/Redirects.tsx')).RedirectTest);
const CheckTabs = later(async () => (await import('../checks/DomainChecks.tsx')).CheckTabs);
const PositionsOf = later(async () => (await import('../positions/DomainPositions.tsx')).PositionsOf);

const VIEW = { tab: 'history' };

/** A tab of its own file, loaded when it is opened. */
const Later = ({ children }: { children: ReactNode }) => (
  <section className="panel domain-tab">
    <Suspense fallback={<Loading />}>{children}</Suspense>
  </section>
);

function Positions({ domain: { id, domain_name, project_id } }: Page) {
  if (project_id !== null) return <PositionsOf domain={{ id, domain_name, project_id }} />;
  return (
    <EmptyState>
      <T k="positions.no_project" />
    </EmptyState>
  );
}

/** The tabs of a domain's page; the open one is in the URL. */
export function PageTabs({ page }: { page: Page }) {
  const t = useT();
  const [{ tab }, setView] = useUrlState(VIEW);
  const { domain } = page;
  const { id, unicode_name: name } = domain;
  const panels: Record<string, ReactNode> = {
    history: <History page={page} />,
    dns: <DnsTab domain={domain} />,
    redirects: <RedirectTest id={id} />,
    site: <SiteTab domain={domain} />,
    positions: <Positions {...page} />,
    checks: <CheckTabs id={id} title={t('checks.title', { name })} domain={domain} />,
  };
  const open = Object.hasOwn(panels, tab) ? tab : VIEW.tab;
  useTabInSight('domain-page', open);
  const titles = {
    history: <T k="domain_page.tab_history" />,
    dns: <T k="domain_page.dns" />,
    redirects: <T k="sites.redirects" />,
    site: <T k="domain_page.site" />,
    positions: <T k="domain_page.positions" />,
    checks: <T k="domain_page.checks" />,
  };
  return (
    <Tabs
      id="domain-page"
      className="domain-tabs"
      selectedTabId={open}
      renderActiveTabPanelOnly
      // A line that moves keeps the place that it had at another width.
      animate={false}
      onChange={(next) => setView({ tab: String(next) })}
    >
      {Object.entries(titles).map(([key, title]) => (
        <Tab
          key={key}
          id={key}
          title={title}
          panel={key === 'history' ? <>{panels[key]}</> : <Later>{panels[key]}</Later>}
        />
      ))}
    </Tabs>
  );
}
