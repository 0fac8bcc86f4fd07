import { useEffect, useRef, useState } from 'react';
import { MOST_NAMED } from '../../../src/shared/portfolio/domain-selection.ts';
import { domainFilter, type DomainView } from '../../../src/shared/portfolio/domains.ts';
import type { Selection } from '../../kit/table/DataTable.tsx';
import { queryOf, type DomainsView } from '../DomainFilters.tsx';
import type { ChosenBody } from './usePlan.ts';

type Row = Pick<DomainView, 'id' | 'domain_name'>;

/** Names by id: those that are chosen, or, with `all`, those that are not. */
interface Marked {
  /** The filter under which they were marked: another one begins anew. */
  filter: string;
  all: boolean;
  names: ReadonlyMap<number, string>;
}

export interface ChosenDomains {
  selection: Selection<Row>;
  count: number;
  /** All of the filter, but for those that were given free. */
  isAll: boolean;
  /** The ids, for what takes only some; empty where a filter chooses. */
  ids: readonly number[];
  /** So many can't be named one by one. */
  isTooMany: boolean;
  body: ChosenBody;
  chooseAll: () => void;
}

/** Returns the filter of a view as a selection takes it. */
function filterOf(view: DomainsView): NonNullable<ChosenBody['filter']> {
  const { sort: _sort, status, ...filter } = queryOf(view);
  const known = domainFilter(status);
  return { ...filter, ...(known !== 'all' && { status: known }) };
}

/** Keeps which domains of a list are chosen: one by one, or all that the filter finds. Nothing is chosen under another filter. */
export function useChosen(view: DomainsView, total: number): ChosenDomains {
  const chosenBy = filterOf(view);
  const filter = JSON.stringify(chosenBy);
  const [kept, setMarked] = useState<Marked>({ filter, all: false, names: new Map() });
  const latest = useRef(filter);
  useEffect(() => {
    latest.current = filter;
  }, [filter]);
  const begun: Marked = { filter, all: false, names: new Map() };
  const { all, names } = kept.filter === filter ? kept : begun;
  const change = (next: (marked: Marked) => Marked): void => {
    // A range that was loaded for a former filter comes too late.
    if (latest.current === filter) setMarked((now) => next(now.filter === filter ? now : begun));
  };
  const put = (rows: readonly Row[], on: boolean): void =>
    change((marked) => {
      const after = new Map(marked.names);
      for (const { id, domain_name } of rows) {
        if (on === marked.all) after.delete(id);
        else after.set(id, domain_name);
      }
      return { ...marked, names: after };
    });
  const listed = [...names.values()];
  return {
    selection: {
      has: (id) => names.has(id) !== all,
      put,
      clear: () => change(() => begun),
    },
    count: all ? Math.max(0, total - names.size) : names.size,
    isAll: all,
    ids: all ? [] : [...names.keys()],
    isTooMany: names.size > MOST_NAMED,
    body: all ? { filter: chosenBy, ...(listed.length > 0 && { except: listed }) } : { names: listed },
    chooseAll: () => change(() => ({ filter, all: true, names: new Map() })),
  };
}
