import { Button } from '@blueprintjs/core';
import { Suspense, useEffect, useMemo, useRef, useState, type RefObject } from 'react';
import { ENGINES, type Engine } from '../../src/shared/engines.ts';
import type { PositionEvent } from '../../src/shared/positions/positions.ts';
import { useReturnFocus } from '../kit/dialog/dialogFocus.ts';
import { CrossIcon } from '../kit/icons.tsx';
import { useT } from '../kit/language.ts';
import { later, Loading } from '../kit/Loading.tsx';
import { Panel } from '../kit/Panel.tsx';
import { T } from '../kit/T.tsx';
import { hasRival, pageChanges, shortDay, type HeatRow } from './heat.ts';
import { useEventMarks } from './heatText.ts';
import { KeywordDomains } from './KeywordDomains.tsx';
import { PlaceTable } from './PlaceTable.tsx';
import { TwoDays } from './SearchResults.tsx';
import { onCommonDates, type Series } from './series.ts';
import { ViewButtons } from './ViewButtons.tsx';

const Chart = later(async () => (await import('./Chart.tsx')).Chart);

interface KeywordChartProps {
  projectId: number;
  engine: Engine;
  row: HeatRow;
  dates: readonly string[];
  events: readonly PositionEvent[];
  /** The places in the other engine; undefined: not loaded. */
  other: Series | undefined;
  onClose: () => void;
}

type View = 'chart' | 'table' | 'domains' | 'results';
const VIEWS: readonly View[] = ['chart', 'table', 'domains', 'results'];
const NONE: Series = { dates: [], values: [] };

/** The places of both engines as lines, with moves, blocks and changes of the page. */
function Places({ engine, row, dates, events, other = NONE }: KeywordChartProps) {
  const t = useT();
  const [isLog, setLog] = useState(false);
  const common = useMemo(
    () => onCommonDates([{ dates, values: row.cells.map(({ value }) => value) }, other]),
    [dates, row, other],
  );
  const lines = useMemo(() => {
    const names = [engine, ...ENGINES.filter((one) => one !== engine)];
    return names
      .map((name, index) => ({ name: t(`positions.${name}`), values: common.values[index] ?? [] }))
      .filter(({ values }, index) => index === 0 || values.some((value) => value !== null));
  }, [engine, common, t]);
  const ticks = useMemo(() => common.dates.map(shortDay), [common]);
  const eventMarks = useEventMarks(events, common.dates);
  const marks = useMemo(() => {
    const pages = pageChanges(row).map(({ at, url }) => ({
      at: common.dates.indexOf(dates[at] ?? ''),
      isBad: false,
      text: t('positions.event_page', { url }),
    }));
    return [...eventMarks, ...pages];
  }, [dates, common, eventMarks, row, t]);
  return (
    <Suspense fallback={<Loading />}>
      <Chart
        isPlaces
        isLog={isLog}
        label={t('positions.chart_of', { keyword: row.value, last: row.last ?? '—', best: row.best ?? '—' })}
        ticks={ticks}
        lines={lines}
        marks={marks}
      />
      <Button
        size="small"
        className="position-scale"
        active={isLog}
        aria-pressed={isLog}
        text={<T k="positions.log_scale" />}
        onClick={() => setLog(!isLog)}
      />
    </Suspense>
  );
}

// Inputs that end the hold of the scroll position.
const INPUTS = ['wheel', 'touchmove', 'keydown', 'pointerdown'] as const;
// The page around a keyword has loaded by then.
const SETTLED_MS = 5_000;

/**
 * Scrolls to the box of a keyword. Opened in the grid, it scrolls no further than needed, so that the grid stays in sight. Opened by a
 * link, it is put right below the bar at the top, so that the bar covers no row by half, and held there while its chart and the page
 * around it load, until the first input.
 */
function useShown(box: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const isByLink = document.activeElement === document.body;
    const show = (): void => {
      // Newer browsers return a promise, which an effect must not.
      box.current?.scrollIntoView({ block: isByLink ? 'start' : 'nearest' });
    };
    show();
    if (!isByLink) return undefined;
    const sizes = new ResizeObserver(show);
    const ending = new AbortController();
    const end = (): void => {
      sizes.disconnect();
      ending.abort();
    };
    sizes.observe(document.body);
    for (const input of INPUTS) window.addEventListener(input, end, { signal: ending.signal, passive: true });
    const timer = setTimeout(end, SETTLED_MS);
    return () => {
      clearTimeout(timer);
      end();
    };
  }, [box]);
}

/** The history of a keyword: a chart, a table, the domains that have a place, and the results of two days. Esc closes it. */
export function KeywordChart(props: KeywordChartProps) {
  const { projectId, engine, row, dates, onClose } = props;
  const t = useT();
  const box = useRef<HTMLDivElement>(null);
  const [view, setView] = useState<View>('chart');
  useReturnFocus();
  useShown(box);
  const page = row.cells.findLast(({ url }) => url !== null)?.url;
  return (
    // Key presses bubble up from the buttons inside.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- see above
    <div
      ref={box}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        // Else it would close the dialog around it, too.
        event.stopPropagation();
        onClose();
      }}
    >
      <Panel
        title={row.value}
        aside={
          <ViewButtons views={VIEWS} chosen={view} onChoose={setView}>
            <Button size="small" variant="minimal" icon={<CrossIcon />} aria-label={t('ui.close')} onClick={onClose} />
          </ViewButtons>
        }
      >
        {row.target_url !== null && (
          <p className={hasRival(row) ? 'bad' : 'muted'} translate="no">
            <T k="positions.wanted" url={row.target_url} />
            {hasRival(row) && page != null && (
              <>
                {'. '}
                <T k="positions.rival_is" url={page} />
              </>
            )}
          </p>
        )}
        {view === 'chart' && <Places {...props} />}
        {view === 'table' && <PlaceTable row={row} dates={dates} />}
        {view === 'domains' && <KeywordDomains projectId={projectId} engine={engine} keywordId={row.id} />}
        {view === 'results' && <TwoDays projectId={projectId} engine={engine} keywordId={row.id} dates={dates} />}
      </Panel>
    </div>
  );
}
