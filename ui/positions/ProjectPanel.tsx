import { Button, Callout, HTMLSelect, Tab, Tabs } from '@blueprintjs/core';
import { useMemo, useState } from 'react';
import { Link } from 'react-router-dom';
import { ENGINES, type Engine } from '../../src/shared/engines.ts';
import { writeCsv } from '../../src/shared/csv.ts';
import type { ProjectPositions } from '../../src/shared/positions/positions.ts';
import { useCall } from '../kit/api.ts';
import { BusyButton } from '../kit/BusyButton.tsx';
import { EmptyState } from '../kit/EmptyState.tsx';
import { SearchField } from '../kit/form/SearchField.tsx';
import { DownloadIcon, RefreshIcon } from '../kit/icons.tsx';
import { useFormats, useLanguage, useT } from '../kit/language.ts';
import { Failed, Skeleton } from '../kit/table/DataTable.tsx';
import { saveFile } from '../kit/saveFile.ts';
import { T } from '../kit/T.tsx';
import { useKeys } from '../kit/useKeys.ts';
import { useNarrow } from '../kit/useNarrow.ts';
import { Summary } from './Distribution.tsx';
import { filterRows, rowsOf, tableOf } from './heat.ts';
import { HeatMap, type HeatLook } from './HeatMap.tsx';
import { KeywordCards } from './KeywordCards.tsx';
import { KeywordChart } from './KeywordChart.tsx';
import { AddKeywords, Keywords } from './Keywords.tsx';
import { Moves } from './Moves.tsx';
import { Outcome } from './Outcome.tsx';
import { Settings } from './Settings.tsx';
import { useFetch } from './useFetch.ts';

const LOOKS: readonly HeatLook[] = ['heat', 'change', 'plain'];
const PERIODS = ['7', '30', '90'] as const;

/** What is chosen of the screen, in its URL. */
export interface PositionView {
  engine: string;
  days: string;
  look: string;
  order: string;
  keyword: string;
}

interface ProjectPanelProps {
  project: { id: number; name: string };
  view: PositionView;
  onView: (change: Partial<PositionView>) => void;
}

/** The cost of a reading beside its button: requests at most, roubles, the balance. */
function Cost({ projectId, engine }: { projectId: number; engine: Engine }) {
  const formats = useFormats();
  const t = useT();
  const { data } = useCall('GET /api/position_cost/:projectId/:engine', { params: { projectId, engine } });
  if (!data) return null;
  const { source, requests, price, currency, balance, left_today, has_account } = data.data;
  const sumOf = (sum: string): string =>
    currency === 'limits' ? t('search_account.limits', { n: Number(sum) }) : formats.money(sum, currency);
  if (!has_account) {
    return (
      <Link to={`/${source}`}>
        <T k={source === 'arsenkin' ? 'positions.no_arsenkin_yet' : 'positions.no_account_yet'} />
      </Link>
    );
  }
  return (
    <span className={left_today < requests ? 'position-cost bad' : 'position-cost muted'}>
      <T k="positions.cost" n={requests} price={price === null ? '?' : sumOf(price)} />
      {balance !== null && (
        <>
          {', '}
          <T k="positions.balance" sum={sumOf(balance)} />
        </>
      )}
      {left_today < requests && (
        <>
          {', '}
          <T k="positions.left_today" n={left_today} />
        </>
      )}
    </span>
  );
}

/** The positions of a project: refresh, summary, heat map, the chart of a keyword, the moves of the portfolio. */
export function ProjectPanel({ project, view, onView }: ProjectPanelProps) {
  const t = useT();
  const engine = ENGINES.find((one) => one === view.engine) ?? 'yandex';
  const [dialog, setDialog] = useState<'keywords' | 'settings'>();
  const { isBusy, said, operationId, request } = useFetch(project.id, engine);
  const other = engine === 'yandex' ? 'google' : 'yandex';
  useKeys({ BracketLeft: () => onView({ engine: other }), BracketRight: () => onView({ engine: other }) });
  const params = { projectId: project.id, engine };
  const days = Number(view.days) || 30;
  const { data, error, refetch } = useCall(
    'GET /api/project_positions/:projectId/:engine',
    { params, query: { days } },
    { keep: true },
  );
  return (
    <div className="position-panel">
      <div className="position-head">
        <h2 className="bp6-heading">{project.name}</h2>
        <span className="position-acts">
          <Cost projectId={project.id} engine={engine} />
          <Button text={<T k="positions.keywords" />} onClick={() => setDialog('keywords')} />
          <Button text={<T k="positions.settings" />} onClick={() => setDialog('settings')} />
          <BusyButton
            intent="primary"
            icon={<RefreshIcon />}
            busy={isBusy}
            disabled={isBusy}
            text={<T k="positions.refresh" />}
            onClick={() => void request()}
          />
        </span>
      </div>
      <output className="visually-hidden">{said}</output>
      {operationId !== undefined && <Outcome operationId={operationId} />}
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
                {!data && !error && <Skeleton label={t('ui.loading')} />}
                {data && data.data.engine === one && (
                  <Positions project={project} positions={data.data} view={view} onView={onView} />
                )}
              </>
            }
          />
        ))}
      </Tabs>
      <Moves engine={engine} />
      {dialog === 'keywords' && <Keywords projectId={project.id} onClose={() => setDialog(undefined)} />}
      {dialog === 'settings' && <Settings projectId={project.id} onClose={() => setDialog(undefined)} />}
    </div>
  );
}

function Positions({ project, positions, view, onView }: ProjectPanelProps & { positions: ProjectPositions }) {
  const t = useT();
  const language = useLanguage();
  const narrow = useNarrow();
  const [search, setSearch] = useState('');
  const [band, setBand] = useState<number | null>(null);
  const [hasFallen, setFallen] = useState(false);
  const rows = useMemo(() => rowsOf(positions), [positions]);
  const shown = useMemo(() => filterRows(rows, { search, band, hasFallen }), [rows, search, band, hasFallen]);
  const { dates, events, engine } = positions;
  const chosen = rows.find(({ id }) => String(id) === view.keyword);
  const look = LOOKS.find((one) => one === view.look) ?? 'heat';
  const choose = (id: number): void => onView({ keyword: String(id) });
  if (rows.length === 0) {
    return (
      <EmptyState>
        <T k="positions.no_keywords_yet" />
        <AddKeywords projectId={project.id} />
      </EmptyState>
    );
  }
  if (dates.length === 0) {
    return (
      <EmptyState>
        <T k="positions.none_yet" />
      </EmptyState>
    );
  }
  const save = (): void => {
    const style =
      language === 'ru' ? ({ delimiter: ';', bom: true } as const) : ({ delimiter: ',', bom: false } as const);
    const text = writeCsv(tableOf(t('positions.keyword'), dates, shown), style);
    saveFile(`positions-${engine}-${dates.at(-1) ?? ''}.csv`, new Blob([text], { type: 'text/csv' }));
  };
  return (
    <>
      <Summary rows={rows} dates={dates} band={band} onBand={setBand} />
      <div className="position-tools">
        <SearchField slash label={t('positions.search')} value={search} onChange={setSearch} />
        <Button
          active={hasFallen}
          aria-pressed={hasFallen}
          text={<T k="positions.fallen" />}
          onClick={() => setFallen(!hasFallen)}
        />
        <HTMLSelect
          aria-label={t('positions.look')}
          value={look}
          options={LOOKS.map((one) => ({ value: one, label: t(`positions.look_${one}`) }))}
          onChange={(event) => onView({ look: event.currentTarget.value })}
        />
        <HTMLSelect
          aria-label={t('positions.period')}
          value={view.days}
          options={PERIODS.map((one) => ({ value: one, label: t('positions.days', { n: Number(one) }) }))}
          onChange={(event) => onView({ days: event.currentTarget.value })}
        />
        <Button
          active={view.order !== 'old'}
          aria-pressed={view.order !== 'old'}
          text={<T k="positions.newest_first" />}
          onClick={() => onView({ order: view.order === 'old' ? 'new' : 'old' })}
        />
        <Button icon={<DownloadIcon />} text="CSV" onClick={save} />
      </div>
      {shown.length === 0 && (
        <Callout>
          <T k="ui.nothing_found" />
        </Callout>
      )}
      {shown.length > 0 && narrow && <KeywordCards rows={shown} onChoose={choose} />}
      {shown.length > 0 && !narrow && (
        <HeatMap
          label={t('positions.map_of', { project: project.name })}
          rows={shown}
          dates={dates}
          events={events}
          look={look}
          isNewestFirst={view.order !== 'old'}
          chosen={chosen?.id}
          onChoose={choose}
        />
      )}
      {chosen && (
        <KeywordChart
          key={chosen.id}
          projectId={project.id}
          engine={engine}
          row={chosen}
          positions={positions}
          onClose={() => onView({ keyword: '' })}
        />
      )}
    </>
  );
}
