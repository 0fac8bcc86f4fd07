import { Button } from '@blueprintjs/core';
import { useIsFetching, useQueryClient } from '@tanstack/react-query';
import { memo, useEffect, useState, type RefObject } from 'react';
import { RefreshIcon } from '../icons.tsx';
import { useFormats, useT } from '../language.ts';
import { T } from '../T.tsx';
import type { RowsSource } from './useRows.ts';

/** A list that scrolls, whose rows are of one height. */
export interface Box {
  region: RefObject<HTMLElement | null>;
  /** Pixels of a row, and of the head of the table. */
  row: number;
  head: number;
}

interface Sight {
  /** Numbers of rows, from 1. */
  first: number;
  last: number;
}

/** Follows which rows of a list are in sight; they are counted, nothing is measured. Undefined until it is drawn, or without a box. */
export function useSight(box: Box | undefined, total: number): Sight | undefined {
  const [sight, see] = useState<Sight>();
  const { region, row = 1, head = 0 } = box ?? {};
  useEffect(() => {
    const list = region?.current;
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

interface ListFootProps {
  box: Box;
  total: number;
  source: RowsSource<unknown>;
  label: string;
  /** Says how old the rows are, and reads them anew. */
  isMain: boolean;
}

/** At the foot of a list: which rows are in sight, how many are below, and how old they are. */
export function ListFoot({ box, total, source, label, isMain }: ListFootProps) {
  const { number } = useFormats();
  const sight = useSight(box, total);
  const below = total - (sight?.last ?? total);
  if (!sight || (!isMain && below === 0 && sight.first === 1)) return null;
  return (
    <div className="list-foot">
      <span>
        <T k="views.in_sight" first={number(sight.first)} last={number(sight.last)} total={number(total)} />
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
