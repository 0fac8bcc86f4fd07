import { Button, Callout } from '@blueprintjs/core';
import { useCallback, useMemo, useState } from 'react';
import { ENGINES } from '../../src/shared/engines.ts';
import { writeCsv } from '../../src/shared/csv.ts';
import type { ProjectPositions } from '../../src/shared/positions/positions.ts';
import { useCall } from '../kit/api.ts';
import { EmptyState } from '../kit/EmptyState.tsx';
import { useLanguage, useT } from '../kit/language.ts';
import { saveFile } from '../kit/saveFile.ts';
import { T } from '../kit/T.tsx';
import { useNarrow } from '../kit/useNarrow.ts';
import { AddKeywords } from './AddKeywords.tsx';
import { Summary } from './Distribution.tsx';
import { GridTools, LOOKS } from './GridTools.tsx';
import { filterRows, onlyDates, rowsOf, tableOf, type HeatRow } from './heat.ts';
import { HeatMap } from './HeatMap.tsx';
import { KeywordCards } from './KeywordCards.tsx';
import { KeywordChart } from './KeywordChart.tsx';
import { ProjectChart } from './ProjectChart.tsx';
import { seriesOf } from './series.ts';
import { comparedDates, filterOf, TWO, type ChangeView, type PositionView } from './view.ts';

interface ProjectGridProps {
  project: { id: number; name: string };
  positions: ProjectPositions;
  /** So many days are loaded. */
  days: number;
  view: PositionView;
  onView: ChangeView;
}

const NO_FILTER = { search: '', tag: '', band: '', fallen: '', rival: '' };

/** Returns the places of a keyword in the engine that is not shown; undefined: not loaded, or no keyword is chosen. */
function useOther({ project, positions, days }: ProjectGridProps, keywordId: number | undefined) {
  const engine = ENGINES.find((one) => one !== positions.engine) ?? 'google';
  const { data } = useCall(
    'GET /api/project_positions/:projectId/:engine',
    { params: { projectId: project.id, engine }, query: { days } },
    { enabled: keywordId !== undefined },
  );
  return useMemo(() => {
    const at = data?.data.keywords.findIndex(({ id }) => id === keywordId) ?? -1;
    return data && at >= 0 ? seriesOf(data.data, at) : undefined;
  }, [data, keywordId]);
}

/**
 * Returns what a view shows of the positions: those of its dates, as rows, and the rows that its filter leaves. `all` are the rows of
 * every date. Memoized: the heat map is drawn anew when its rows are other ones.
 */
function useRows(positions: ProjectPositions, view: PositionView) {
  const all = useMemo(() => rowsOf(positions), [positions]);
  const isTwo = view.days === TWO;
  const shown = useMemo(
    () => (isTwo ? onlyDates(positions, comparedDates(view, positions.dates)) : positions),
    [isTwo, positions, view],
  );
  const rows = useMemo(() => (shown === positions ? all : rowsOf(shown)), [all, positions, shown]);
  const filtered = useMemo(() => filterRows(rows, filterOf(view)), [rows, view]);
  return { all, shown, rows, filtered };
}

/** Returns a function that saves rows as a CSV file, in the style that spreadsheets expect in the language. */
function useSave({ dates, engine }: ProjectPositions, rows: readonly HeatRow[]): () => void {
  const t = useT();
  const language = useLanguage();
  return () => {
    const style =
      language === 'ru' ? ({ delimiter: ';', bom: true } as const) : ({ delimiter: ',', bom: false } as const);
    const text = writeCsv(tableOf(t('positions.keyword'), dates, rows), style);
    saveFile(`positions-${engine}-${dates.at(-1) ?? ''}.csv`, new Blob([text], { type: 'text/csv' }));
  };
}

/** A project's positions in an engine; without keywords, the form that adds them. */
export function ProjectGrid(props: ProjectGridProps) {
  const { project, positions, view } = props;
  const [adding, setAdding] = useState<number>();
  // While some are being added the list may be read anew: the form stays until it has no lines.
  if (positions.keywords.length === 0 || adding === project.id) {
    return (
      <EmptyState>
        <T k="positions.no_keywords_yet" />
        <AddKeywords
          key={project.id}
          isOnPage
          projectId={project.id}
          onDirty={(isDirty) => setAdding(isDirty ? project.id : undefined)}
        />
      </EmptyState>
    );
  }
  if (positions.dates.length === 0) {
    return (
      <EmptyState>
        <T k={view.days === '90' || view.days === TWO ? 'positions.none_yet' : 'positions.none_in_period'} />
      </EmptyState>
    );
  }
  return <Grid {...props} />;
}

function Grid(props: ProjectGridProps) {
  const { project, positions, view, onView } = props;
  const t = useT();
  const narrow = useNarrow();
  const { all, shown, rows, filtered } = useRows(positions, view);
  const { dates, events, engine } = shown;
  const chosen = all.find(({ id }) => String(id) === view.keyword);
  const other = useOther(props, chosen?.id);
  const choose = useCallback(
    (id: number | undefined) => onView({ keyword: id === undefined ? '' : String(id) }),
    [onView],
  );
  const save = useSave(shown, filtered);
  return (
    <>
      <Summary
        rows={rows}
        dates={dates}
        band={filterOf(view).band}
        onBand={(band) => onView({ band: band === null ? '' : String(band) })}
      />
      <GridTools rows={rows} dates={positions.dates} view={view} onView={onView} onSave={save} />
      {filtered.length === 0 && (
        <Callout>
          <T k="ui.nothing_found" /> <Button text={<T k="positions.show_all" />} onClick={() => onView(NO_FILTER)} />
        </Callout>
      )}
      {filtered.length > 0 && narrow && <KeywordCards rows={filtered} onChoose={choose} />}
      {filtered.length > 0 && !narrow && (
        <HeatMap
          label={t('positions.map_of', { project: project.name })}
          rows={filtered}
          dates={dates}
          events={events}
          look={LOOKS.find((one) => one === view.look) ?? 'heat'}
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
          dates={positions.dates}
          events={events}
          other={other}
          onClose={() => choose(undefined)}
        />
      )}
      <ProjectChart projectId={project.id} engine={engine} rows={all} dates={positions.dates} events={events} />
    </>
  );
}
