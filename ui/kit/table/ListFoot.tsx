import { Button } from '@blueprintjs/core';
import { useIsFetching, useQueryClient } from '@tanstack/react-query';
import { memo, useEffect, useState, type RefObject } from 'react';
import { RefreshIcon } from '../icons.tsx';
import { useFormats, useT } from '../language.ts';
import { T } from '../T.tsx';
import type { RowsSource } from './useRows.ts';

interface Sight {
  first: number;
  last: number;
}

/** Follows which rows are in sight; rows are of one height, so it is counted. */
function useSight(region: RefObject<HTMLElement | null>, { row, head, total }: Rows): Sight | undefined {
  const [sight, see] = useState<Sight>();
  useEffect(() => {
    const list = region.current;
    if (!list) return undefined;
    const follow = (): void => {
      const first = Math.min(total, Math.floor(list.scrollTop / row) + 1);
      const last = Math.min(total, Math.floor((list.scrollTop + list.clientHeight - head + 1) / row));
      see((before) => (before?.first === first && before.last === last ? before : { first, last }));
    };
    follow();
    list.addEventListener('scroll', follow, { passive: true });
    const sizes = new ResizeObserver(follow);
    sizes.observe(list);
    return () => {
      list.removeEventListener('scroll', follow);
      sizes.disconnect();
    };
  }, [region, row, head, total]);
  return sight;
}

interface Rows {
  /** Pixels. */
  row: number;
  head: number;
  total: number;
}

function FreshnessView({ source, label }: { source: RowsSource<unknown>; label: string }) {
  const t = useT();
  const formats = useFormats();
  const cache = useQueryClient();
  const isFetching = useIsFetching({ queryKey: source.key }) > 0;
  const at = cache.getQueryState([...source.key, { page: 0 }])?.dataUpdatedAt ?? 0;
  return (
    <span className="freshness">
      {at > 0 && <T k="views.read_at" time={formats.time(new Date(at).toISOString())} />}
      <Button
        variant="minimal"
        size="small"
        icon={<RefreshIcon size={12} />}
        aria-label={t('views.refresh', { list: label })}
        aria-busy={isFetching}
        onClick={() => void cache.invalidateQueries({ queryKey: source.key })}
      />
    </span>
  );
}

/** When what is shown was read, with a button that reads it anew; drawn anew only when that has changed, not as the list scrolls. */
const Freshness = memo(FreshnessView);

interface ListFootProps extends Rows {
  region: RefObject<HTMLElement | null>;
  source: RowsSource<unknown>;
  label: string;
  /** Says how old the rows are, and reads them anew. */
  isMain: boolean;
}

/** At the foot of a list: which rows are in sight, how many are below, and how old they are. */
export function ListFoot({ region, source, label, isMain, ...rows }: ListFootProps) {
  const { number } = useFormats();
  const sight = useSight(region, rows);
  const below = rows.total - (sight?.last ?? rows.total);
  if (!sight || (!isMain && below === 0 && sight.first === 1)) return null;
  return (
    <div className="list-foot">
      <span>
        <T k="views.in_sight" first={number(sight.first)} last={number(sight.last)} total={number(rows.total)} />
        {below > 0 && (
          <>
            {' · '}
            <T k="views.below" n={below} count={number(below)} />
          </>
        )}
      </span>
      {isMain && <Freshness source={source} label={label} />}
    </div>
  );
}
