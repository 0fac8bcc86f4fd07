import { useReducer, useState } from 'react';
import { ApiError, call, messageOf, refresh, type AnswerOf } from '../../kit/api.ts';
import { useT } from '../../kit/language.ts';
import {
  applyEdit,
  changeOf,
  editingOf,
  faultsOf,
  inputsOf,
  newKey,
  rebase,
  tallyOf,
  type Draft,
  type DraftRow,
  type Edit,
  type Meanwhile,
  type Tally,
} from './dnsDraft.ts';
import { restoreOperation } from '../../operations/restore.ts';
import { toast } from '../../kit/toasts.tsx';

export type DomainDns = AnswerOf<'GET /api/domain_dns/:id'>;
export type DnsPlan = AnswerOf<'POST /api/domain_dns/:id/plan'>['data'];

/** The last save, and the operation whose restore brings the former records back. */
export interface Saved {
  operation: number;
  tally: Tally;
}

export interface DnsEditor {
  /** The set as last read, against which edits are counted. */
  base: DomainDns;
  draft: Draft;
  tally: Tally;
  switchChanged: boolean;
  dirty: boolean;
  canUndo: boolean;
  busy: boolean;
  plan: DnsPlan | undefined;
  meanwhile: readonly Meanwhile[];
  saved: Saved | undefined;
  /** The first line says what failed, the rest is the reason. */
  failure: string | undefined;
  /** The key of the record that was just added. */
  fresh: string | undefined;
  isTouched: (key: string) => boolean;
  edit: (edit: Edit) => void;
  leave: (key: string) => void;
  /** Asks the server for a plan. Returns false, without a request, if a record has a fault. */
  review: () => Promise<boolean>;
  closePlan: () => void;
  /** `override` confirms a plan that is marked unsafe, because it leaves few records. */
  save: (override: boolean) => Promise<void>;
  restore: () => Promise<void>;
}

const CLICK_MS = 300;

// The zone was changed elsewhere since it was read.
const isChangedMeanwhile = (error: unknown): boolean =>
  error instanceof ApiError && error.status === 409 && (error.code === 'zone_changed' || error.code === 'conflict');

const isEmpty = ({ name, content }: DraftRow): boolean => name.trim() === '' || content.trim() === '';

/** Holds the state of the record editor and makes its calls. */
export function useDnsEditor(id: number, first: DomainDns): DnsEditor {
  const t = useT();
  const [base, setBase] = useState(first);
  const [editing, dispatch] = useReducer(applyEdit, first, editingOf);
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set());
  const [allTouched, setAllTouched] = useState(false);
  const [fresh, setFresh] = useState<string>();
  const [busy, setBusy] = useState(false);
  const [plan, setPlan] = useState<DnsPlan>();
  const [meanwhile, setMeanwhile] = useState<readonly Meanwhile[]>([]);
  const [saved, setSaved] = useState<Saved>();
  const [failure, setFailure] = useState<string>();
  const { draft, zone, past, made } = editing;
  const params = { id };
  const tally = tallyOf(draft, zone);
  const switchChanged = draft.copyOnTransfer !== base.copyOnTransfer;
  const dirty = switchChanged || tally.added + tally.changed + tally.deleted > 0;

  const begin = (set: DomainDns): void => {
    setBase(set);
    dispatch({ do: 'load', draft: editingOf(set).draft });
    setTouched(new Set());
    setAllTouched(false);
    setMeanwhile([]);
  };
  const takeFresh = async (): Promise<void> => {
    const set = await call('GET /api/domain_dns/:id', { params });
    const next = rebase(draft, set);
    setBase(set);
    setMeanwhile(next.meanwhile);
    dispatch({ do: 'load', draft: next.draft });
  };
  /** Runs a call; if the zone has changed meanwhile, reads it again and rebases the edits. */
  const attempt = async (sentence: string, work: () => Promise<void>): Promise<void> => {
    setBusy(true);
    setFailure(undefined);
    try {
      await work().catch(async (error: unknown) => {
        if (!isChangedMeanwhile(error)) throw error;
        setPlan(undefined);
        await takeFresh();
      });
    } catch (error) {
      setFailure(`${sentence}\n${messageOf(error)}`);
    }
    setBusy(false);
  };
  const body = (override: boolean) => ({
    dns: inputsOf(draft),
    copyOnTransfer: draft.copyOnTransfer,
    version: base.version,
    override,
  });
  const whatIsWrong = (): string | undefined => {
    const faulty = draft.rows.filter((row) => Object.keys(faultsOf(row)).length > 0);
    if (faulty.length === 0) return undefined;
    return faulty.some(isEmpty) ? t('dns_editor.required') : t('dns_editor.faults', { n: faulty.length });
  };
  return {
    base,
    draft,
    tally,
    switchChanged,
    dirty,
    canUndo: past.length > 0,
    busy,
    plan,
    meanwhile,
    saved,
    failure,
    fresh,
    isTouched: (key) => {
      const row = draft.rows.find((one) => one.key === key);
      return allTouched || (touched.has(key) && row !== undefined && changeOf(row, zone) !== 'none');
    },
    edit: (edit) => {
      if (edit.do === 'add') setFresh(newKey(made));
      setFailure(undefined);
      setSaved(undefined);
      dispatch(edit);
    },
    leave: (key) => {
      setFresh(undefined);
      // Delayed, so that the click that left the field still hits its target: a fault message moves everything below.
      setTimeout(() => setTouched((before) => (before.has(key) ? before : new Set([...before, key]))), CLICK_MS);
    },
    review: async () => {
      const wrong = whatIsWrong();
      setAllTouched(true);
      setFailure(wrong);
      if (wrong !== undefined) return false;
      await attempt(t('dns_editor.plan_failed'), async () => {
        const { data } = await call('POST /api/domain_dns/:id/plan', { params, body: body(false) });
        setPlan(data);
      });
      return true;
    },
    closePlan: () => setPlan(undefined),
    save: (override) =>
      attempt(t('dns_editor.save_failed'), async () => {
        const { operation, ...set } = await call('POST /api/domain_dns/:id', { params, body: body(override) });
        begin(set);
        setPlan(undefined);
        setSaved(operation ? { operation: operation.id, tally } : undefined);
        toast.success(t('dns_editor.saved', { name: zone }));
        await refresh('GET /api/domain_dns/:id', 'GET /api/domains/:id', 'GET /api/operations');
      }),
    restore: () =>
      attempt(t('dns_editor.restore_failed'), async () => {
        if (!saved) return;
        try {
          await restoreOperation(saved.operation);
          toast.success(t('dns_editor.restored', { name: zone }));
        } finally {
          // A failed restore may have brought back a part.
          begin(await call('GET /api/domain_dns/:id', { params }));
          setSaved(undefined);
          await refresh('GET /api/domain_dns/:id');
        }
      }),
  };
}
