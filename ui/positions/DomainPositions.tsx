import { Tab, Tabs } from '@blueprintjs/core';
import { useState } from 'react';
import { ENGINES, type Engine } from '../../src/shared/engines.ts';
import { useCall } from '../kit/api.ts';
import { BusyButton } from '../kit/BusyButton.tsx';
import { InfoDialog } from '../kit/dialog/InfoDialog.tsx';
import { EmptyState } from '../kit/EmptyState.tsx';
import { RefreshIcon } from '../kit/icons.tsx';
import { useT } from '../kit/language.ts';
import { Failed, Skeleton } from '../kit/table/DataTable.tsx';
import { T } from '../kit/T.tsx';
import { rowsOf } from './heat.ts';
import { HeatMap } from './HeatMap.tsx';
import { Outcome } from './Outcome.tsx';
import { useFetch } from './useFetch.ts';
import './Positions.css';

interface DomainPositionsProps {
  /** Of a domain. */
  id: number;
  onClose: () => void;
}

interface OfDomain {
  domain: { id: number; domain_name: string; project_id: number };
}

/** The positions of a domain in an engine as a heat map. */
function OfEngine({ domain, engine }: OfDomain & { engine: Engine }) {
  const t = useT();
  const params = { domainId: domain.id, engine };
  const { data, error, refetch } = useCall('GET /api/position/:domainId/:engine', { params });
  const [chosen, setChosen] = useState<number>();
  if (error) return <Failed sentence="positions.load_failed" reason={error.message} retry={() => void refetch()} />;
  const grid = data?.[engine];
  if (!grid) return <Skeleton label={t('ui.loading')} />;
  if (grid.dates.length === 0 || grid.keywords.length === 0) {
    return (
      <EmptyState>
        <T k="positions.none_yet" />
      </EmptyState>
    );
  }
  const keywords = grid.keywords.map((value, index) => ({
    id: index,
    value,
    tags: [],
    target_url: null,
    frequency: null,
  }));
  const rows = rowsOf({
    ...grid,
    engine,
    region: '',
    device: 'desktop',
    keywords,
    depths: [],
    pages: [],
    found: [],
    rivals: [],
    events: [],
  });
  return (
    <HeatMap
      isNewestFirst
      label={domain.domain_name}
      rows={rows}
      dates={grid.dates}
      events={[]}
      look="heat"
      chosen={chosen}
      onChoose={setChosen}
    />
  );
}

/** A tab for each engine, and the button that reads the positions of the project. */
function Engines({ domain }: OfDomain) {
  const [engine, setEngine] = useState<Engine>('yandex');
  const { isBusy, said, operationId, request } = useFetch(domain.project_id, engine);
  return (
    <>
      <BusyButton
        icon={<RefreshIcon />}
        busy={isBusy}
        disabled={isBusy}
        text={<T k="positions.refresh" />}
        onClick={() => void request()}
      />
      <output>{said}</output>
      {operationId !== undefined && <Outcome operationId={operationId} />}
      <Tabs
        id="domain-positions"
        selectedTabId={engine}
        renderActiveTabPanelOnly
        onChange={(next) => setEngine(next as Engine)}
      >
        {ENGINES.map((one) => (
          <Tab
            key={one}
            id={one}
            title={<T k={`positions.${one}`} />}
            panel={<OfEngine domain={domain} engine={one} />}
          />
        ))}
      </Tabs>
    </>
  );
}

/** The positions of a domain for the keywords of its project, in a dialog. */
export function DomainPositions({ id, onClose }: DomainPositionsProps) {
  const { data } = useCall('GET /api/domains/:id', { params: { id } });
  const domain = data?.data;
  const { domain_name = '', project_id = null } = domain ?? {};
  return (
    <InfoDialog title={<T k="positions.of_domain" name={domain_name} />} width={1100} onClose={onClose}>
      {domain && project_id === null && (
        <EmptyState>
          <T k="positions.no_project" />
        </EmptyState>
      )}
      {project_id !== null && <Engines domain={{ id, domain_name, project_id }} />}
    </InfoDialog>
  );
}
