import { Button, Tab, Tabs } from '@blueprintjs/core';
import { useState } from 'react';
import { ENGINES, type Engine } from '../../src/shared/engines.ts';
import { useCall } from '../kit/api.ts';
import { BusyButton } from '../kit/BusyButton.tsx';
import { RefreshIcon } from '../kit/icons.tsx';
import { useT } from '../kit/language.ts';
import { Failed, Skeleton } from '../kit/table/DataTable.tsx';
import { T } from '../kit/T.tsx';
import { Cost } from './Cost.tsx';
import { Keywords } from './Keywords.tsx';
import { Outcome } from './Outcome.tsx';
import { ProjectGrid } from './ProjectGrid.tsx';
import { Settings } from './Settings.tsx';
import { useFetch } from './useFetch.ts';
import { PERIODS, type ChangeView, type PositionView } from './view.ts';

const LONGEST = 90;

type DialogName = 'keywords' | 'settings';

interface ProjectPanelProps {
  project: { id: number; name: string };
  view: PositionView;
  onView: ChangeView;
}

interface HeadProps {
  project: { id: number; name: string };
  engine: Engine;
  /** So many keywords it has; undefined while that is not known. */
  count: number | undefined;
  isBusy: boolean;
  onRefresh: () => void;
  onOpen: (dialog: DialogName) => void;
}

/** The name of a project with its number of keywords, and what can be done: refresh, keywords, settings. */
function Head({ project, engine, count, isBusy, onRefresh, onOpen }: HeadProps) {
  return (
    <div className="position-head">
      <span className="position-name">
        <h2 className="bp6-heading">{project.name}</h2>
        {count !== undefined && (
          <span className="muted">
            <T k="keywords.count" n={count} />
          </span>
        )}
      </span>
      <span className="position-acts">
        <Cost projectId={project.id} engine={engine} />
        <Button text={<T k="positions.keywords" />} onClick={() => onOpen('keywords')} />
        <Button text={<T k="positions.settings" />} onClick={() => onOpen('settings')} />
        <BusyButton
          intent="primary"
          icon={<RefreshIcon />}
          busy={isBusy}
          text={<T k="positions.refresh" />}
          onClick={onRefresh}
        />
      </span>
    </div>
  );
}

/** The positions of a project: refresh, keywords, settings, and what is known in an engine. */
export function ProjectPanel({ project, view, onView }: ProjectPanelProps) {
  const t = useT();
  const engine = ENGINES.find((one) => one === view.engine) ?? 'yandex';
  const [dialog, setDialog] = useState<DialogName>();
  const { isBusy, said, operationId, request } = useFetch(project.id, engine);
  const params = { projectId: project.id, engine };
  const days = PERIODS.includes(view.days) ? Number(view.days) : LONGEST;
  const { data, error, refetch } = useCall(
    'GET /api/project_positions/:projectId/:engine',
    { params, query: { days } },
    { keep: true },
  );
  return (
    <div className="position-panel">
      <Head
        project={project}
        engine={engine}
        count={data?.data.keywords.length}
        isBusy={isBusy}
        onRefresh={() => void request()}
        onOpen={setDialog}
      />
      <output className="visually-hidden">{said}</output>
      {operationId !== undefined && <Outcome key={operationId} operationId={operationId} />}
      <Tabs
        id="position-engines"
        selectedTabId={engine}
        renderActiveTabPanelOnly
        onChange={(next) => onView({ engine: String(next) })}
      >
        {ENGINES.map((one) => (
          <Tab
            key={one}
            id={one}
            title={<T k={`positions.${one}`} />}
            panel={
              <>
                {error && (
                  <Failed sentence="positions.load_failed" reason={error.message} retry={() => void refetch()} />
                )}
                {!error && data?.data.engine !== one && <Skeleton label={t('ui.loading')} />}
                {data?.data.engine === one && (
                  <ProjectGrid project={project} positions={data.data} days={days} view={view} onView={onView} />
                )}
              </>
            }
          />
        ))}
      </Tabs>
      {dialog === 'keywords' && <Keywords projectId={project.id} onClose={() => setDialog(undefined)} />}
      {dialog === 'settings' && <Settings projectId={project.id} onClose={() => setDialog(undefined)} />}
    </div>
  );
}
