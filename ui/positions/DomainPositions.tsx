import { Tab, Tabs } from '@blueprintjs/core';
import { useMemo, useState } from 'react';
import { ENGINES, type Engine } from '../../src/shared/engines.ts';
import type { KeywordView } from '../../src/shared/positions/keywords.ts';
import type { PositionGrid } from '../../src/shared/positions/positions.ts';
import { useCall } from '../kit/api.ts';
import { BusyButton } from '../kit/BusyButton.tsx';
import { InfoDialog } from '../kit/dialog/InfoDialog.tsx';
import { EmptyState } from '../kit/EmptyState.tsx';
import { RefreshIcon } from '../kit/icons.tsx';
import { useT } from '../kit/language.ts';
import { Failed, Skeleton } from '../kit/table/DataTable.tsx';
import { T } from '../kit/T.tsx';
import { useNarrow } from '../kit/useNarrow.ts';
import { Cost } from './Cost.tsx';
import { rowsOf } from './heat.ts';
import { HeatMap } from './HeatMap.tsx';
import { KeywordCards } from './KeywordCards.tsx';
import { KeywordChart } from './KeywordChart.tsx';
import { Outcome } from './Outcome.tsx';
import { seriesOf } from './series.ts';
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

type Grid = PositionGrid & { keywords: string[] };

const NO_DETAILS = {
  region: '',
  device: 'desktop',
  depths: [],
  pages: [],
  found: [],
  rivals: [],
  events: [],
} as const;

interface GridProps extends OfDomain {
  engine: Engine;
  grid: Grid;
  /** The same of the other engine. */
  other: Grid | undefined;
  known: readonly KeywordView[];
}

/** The places of a domain as a heat map or as cards, and the history of a keyword. */
function DomainGrid({ domain, engine, grid, other, known }: GridProps) {
  const narrow = useNarrow();
  const [chosen, setChosen] = useState<number>();
  const rows = useMemo(() => {
    const ids = new Map(known.map((keyword) => [keyword.value, keyword]));
    const keywords = grid.keywords.flatMap((value) => ids.get(value) ?? []);
    const at = keywords.map(({ value }) => grid.keywords.indexOf(value));
    const values = grid.values.map((day) => at.map((index) => day[index] ?? null));
    const { depths, pages, found, rivals, events, ...kind } = NO_DETAILS;
    return rowsOf({
      ...kind,
      engine,
      keywords,
      dates: grid.dates,
      values,
      depths: [...depths],
      pages: [...pages],
      found: [...found],
      rivals: [...rivals],
      events: [...events],
    });
  }, [engine, grid, known]);
  const row = rows.find(({ id }) => id === chosen);
  const otherAt = other?.keywords.indexOf(row?.value ?? '') ?? -1;
  return (
    <>
      {narrow ? (
        <KeywordCards rows={rows} onChoose={setChosen} />
      ) : (
        <HeatMap
          isNewestFirst
          label={domain.domain_name}
          rows={rows}
          dates={grid.dates}
          events={NO_DETAILS.events}
          look="heat"
          chosen={chosen}
          onChoose={setChosen}
        />
      )}
      {row && (
        <KeywordChart
          key={row.id}
          projectId={domain.project_id}
          engine={engine}
          row={row}
          dates={grid.dates}
          events={NO_DETAILS.events}
          other={other && otherAt >= 0 ? seriesOf(other, otherAt) : undefined}
          onClose={() => setChosen(undefined)}
        />
      )}
    </>
  );
}

/** The positions of a domain in an engine. */
function OfEngine({ domain, engine }: OfDomain & { engine: Engine }) {
  const t = useT();
  const otherEngine = engine === 'yandex' ? 'google' : 'yandex';
  const { data, error, refetch } = useCall('GET /api/position/:domainId/:engine', {
    params: { domainId: domain.id, engine },
  });
  const { data: other } = useCall('GET /api/position/:domainId/:engine', {
    params: { domainId: domain.id, engine: otherEngine },
  });
  const { data: known, error: unknown } = useCall('GET /api/keywords/:projectId', {
    params: { projectId: domain.project_id },
  });
  const fault = error ?? unknown;
  if (fault) return <Failed sentence="positions.load_failed" reason={fault.message} retry={() => void refetch()} />;
  const grid = data?.[engine];
  if (!grid || !known) return <Skeleton label={t('ui.loading')} />;
  if (grid.dates.length === 0 || grid.keywords.length === 0) {
    return (
      <EmptyState>
        <T k="positions.none_yet" />
      </EmptyState>
    );
  }
  return <DomainGrid domain={domain} engine={engine} grid={grid} other={other?.[otherEngine]} known={known} />;
}

/** The positions of a domain: a tab for each engine, and the button that reads those of its project with its cost. */
export function PositionsOf({ domain }: OfDomain) {
  const [engine, setEngine] = useState<Engine>('yandex');
  const { isBusy, said, operationId, request } = useFetch(domain.project_id, engine);
  return (
    // Key presses bubble up from the tabs and the grid: the keys of a page are off while a dialog is open.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- see above
    <div
      className="position-panel"
      tabIndex={-1}
      onKeyDown={(event) => {
        const { code, currentTarget } = event;
        if (code !== 'BracketLeft' && code !== 'BracketRight') return;
        event.preventDefault();
        // The grid goes, and with it the focus, without which Esc would not close the dialog.
        currentTarget.focus({ preventScroll: true });
        setEngine(engine === 'yandex' ? 'google' : 'yandex');
      }}
    >
      <span className="position-acts">
        <BusyButton
          icon={<RefreshIcon />}
          busy={isBusy}
          text={<T k="positions.refresh" />}
          onClick={() => void request()}
        />
        <Cost projectId={domain.project_id} engine={engine} />
      </span>
      <output className="visually-hidden">{said}</output>
      {operationId !== undefined && <Outcome key={operationId} operationId={operationId} />}
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
    </div>
  );
}

/** The positions of a domain for the keywords of its project, in a dialog. */
export function DomainPositions({ id, onClose }: DomainPositionsProps) {
  const t = useT();
  const { data, error, refetch } = useCall('GET /api/domains/:id', { params: { id } });
  const domain = data?.data;
  const { domain_name = '', unicode_name = '', project_id = null } = domain ?? {};
  return (
    <InfoDialog
      title={domain ? <T k="positions.of_domain" name={unicode_name} /> : <T k="sites.positions" />}
      width={1100}
      onClose={onClose}
    >
      {error && <Failed sentence="positions.load_failed" reason={error.message} retry={() => void refetch()} />}
      {!domain && !error && <Skeleton label={t('ui.loading')} />}
      {domain && project_id === null && (
        <EmptyState>
          <T k="positions.no_project" />
        </EmptyState>
      )}
      {project_id !== null && <PositionsOf domain={{ id, domain_name, project_id }} />}
    </InfoDialog>
  );
}
