import { Tab, Tabs } from '@blueprintjs/core';
import { Suspense } from 'react';
import { Loading } from '../kit/Loading.tsx';
import { Screen } from '../kit/Screen.tsx';
import { useSession } from '../kit/session.ts';
import { T } from '../kit/T.tsx';
import { useTabInSight } from '../kit/Chips.tsx';
import { useUrlState } from '../kit/useUrlState.ts';
import { SECTIONS } from './sections.ts';
import './settings.css';

const VIEW = { section: SECTIONS[0]?.id ?? '' };

/** The settings of the signed-in user and, for administrators, of the installation; each section is a tab. */
export function Settings() {
  const { user } = useSession();
  const [{ section }, setView] = useUrlState(VIEW);
  const sections = SECTIONS.filter(({ admin }) => !admin || user?.role === 'admin');
  const current = sections.some(({ id }) => id === section) ? section : VIEW.section;
  useTabInSight('settings', current);
  return (
    <Screen title="nav.settings">
      <Tabs
        id="settings"
        animate={false}
        className="settings"
        selectedTabId={current}
        renderActiveTabPanelOnly
        onChange={(next) => setView({ section: String(next) })}
      >
        {sections.map(({ id, title, Content }) => (
          <Tab
            key={id}
            id={id}
            title={<T k={title} />}
            panel={
              <Suspense fallback={<Loading />}>
                <Content />
              </Suspense>
            }
          />
        ))}
      </Tabs>
    </Screen>
  );
}
