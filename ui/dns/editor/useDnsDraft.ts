import { useReducer, useState } from 'react';
import type { AnswerOf } from '../../kit/api.ts';
import {
  applyEdit,
  changeOf,
  editingOf,
  newKey,
  rebase,
  tallyOf,
  type Draft,
  type Edit,
  type Meanwhile,
  type Tally,
} from './dnsDraft.ts';

export type DomainDns = AnswerOf<'GET /api/domain_dns/:id'>;

/** The edits of a zone's records, before they are saved. */
export interface DnsDraft {
  /** The set as last read, against which edits are counted. */
  base: DomainDns;
  draft: Draft;
  tally: Tally;
  switchChanged: boolean;
  dirty: boolean;
  canUndo: boolean;
  meanwhile: readonly Meanwhile[];
  /** The key of the record that was just added. */
  fresh: string | undefined;
  isTouched: (key: string) => boolean;
  edit: (edit: Edit) => void;
  leave: (key: string) => void;
}

interface DnsDraftControl extends DnsDraft {
  /** Starts from a set without edits. */
  begin: (set: DomainDns) => void;
  /** Applies the edits to a set that was read later. */
  rebaseOn: (set: DomainDns) => void;
  /** Treats every record as touched, so that all faults are shown. */
  touchAll: () => void;
}

const CLICK_MS = 300;

/**
 * Holds the edits, and which records the user has left: the faults of the others are not shown yet. `kept` are edits of an earlier set,
 * which go on.
 */
export function useDnsDraft(first: DomainDns, kept?: Draft): DnsDraftControl {
  const [base, setBase] = useState(first);
  const [again] = useState(() => kept && rebase(kept, first));
  const [editing, dispatch] = useReducer(applyEdit, first, (set) => editingOf(set, again?.draft));
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set());
  const [allTouched, setAllTouched] = useState(false);
  const [fresh, setFresh] = useState<string>();
  const [meanwhile, setMeanwhile] = useState<readonly Meanwhile[]>(again?.meanwhile ?? []);
  const { draft, zone, past, made } = editing;
  const tally = tallyOf(draft, zone);
  const switchChanged = draft.copyOnTransfer !== base.copyOnTransfer;
  return {
    base,
    draft,
    tally,
    switchChanged,
    dirty: switchChanged || tally.added + tally.changed + tally.deleted > 0,
    canUndo: past.length > 0,
    meanwhile,
    fresh,
    isTouched: (key) => {
      const row = draft.rows.find((one) => one.key === key);
      return allTouched || (touched.has(key) && row !== undefined && changeOf(row, zone) !== 'none');
    },
    edit: (edit) => {
      if (edit.do === 'add') setFresh(newKey(made));
      dispatch(edit);
    },
    leave: (key) => {
      setFresh(undefined);
      // Delayed, so that the click that left the field still hits its target: a fault message moves everything below.
      setTimeout(() => setTouched((before) => (before.has(key) ? before : new Set([...before, key]))), CLICK_MS);
    },
    begin: (set) => {
      setBase(set);
      dispatch({ do: 'load', draft: editingOf(set).draft });
      setTouched(new Set());
      setAllTouched(false);
      setMeanwhile([]);
    },
    rebaseOn: (set) => {
      const next = rebase(draft, set);
      setBase(set);
      setMeanwhile(next.meanwhile);
      dispatch({ do: 'load', draft: next.draft });
    },
    touchAll: () => setAllTouched(true),
  };
}
