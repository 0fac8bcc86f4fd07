import { useState } from 'react';
import { ApiError, call, messageOf, refresh, type AnswerOf } from '../../kit/api.ts';
import { useT } from '../../kit/language.ts';
import { faultsOf, inputsOf, type Draft, type DraftRow, type Tally } from './dnsDraft.ts';
import { restoreOperation } from '../../operations/restore.ts';
import { toast } from '../../kit/toasts.tsx';
import { useDnsDraft, type DnsDraft, type DomainDns } from './useDnsDraft.ts';

export type DnsPlan = AnswerOf<'POST /api/domain_dns/:id/plan'>['data'];

/** The last save, and the operation whose restore brings the former records back. */
export interface Saved {
  operation: number;
  tally: Tally;
}

export interface DnsEditor extends DnsDraft {
  /** A call is under way: edits are refused, as its answer replaces the draft or shows what that would change. */
  busy: boolean;
  plan: DnsPlan | undefined;
  saved: Saved | undefined;
  /** The first line says what failed, the rest is the reason. */
  failure: string | undefined;
  /** Shows all faults. Returns whether there are none. */
  validate: () => boolean;
  /** Asks the server for a plan. Returns false, without a request, if a record has a fault. */
  review: () => Promise<boolean>;
  closePlan: () => void;
  /** `override` confirms a plan that is marked unsafe, because it leaves few records. */
  save: (override: boolean) => Promise<void>;
  restore: () => Promise<void>;
}

// The zone was changed elsewhere since it was read.
const isChangedMeanwhile = (error: unknown): boolean =>
  error instanceof ApiError && error.status === 409 && (error.code === 'zone_changed' || error.code === 'conflict');

const isEmpty = ({ name, content }: DraftRow): boolean => name.trim() === '' || content.trim() === '';

const bodyOf = ({ draft, base }: DnsDraft, override: boolean) => ({
  dns: inputsOf(draft),
  copyOnTransfer: draft.copyOnTransfer,
  copyOnTransferWas: base.copyOnTransfer,
  version: base.version,
  override,
});

/** Returns a function that sums up the faults of a draft; undefined if there are none. */
function useWrong(): (draft: Draft) => string | undefined {
  const t = useT();
  return ({ rows }) => {
    const faulty = rows.filter((row) => Object.keys(faultsOf(row)).length > 0);
    if (faulty.length === 0) return undefined;
    return faulty.some(isEmpty) ? t('dns_editor.required') : t('dns_editor.faults', { n: faulty.length });
  };
}

/** Returns a function that shows all faults of a draft and tells whether there are none; `onWrong` gets their sum. */
function useValidate(draft: Draft, touchAll: () => void, onWrong: (wrong: string | undefined) => void): () => boolean {
  const wrongOf = useWrong();
  return () => {
    const wrong = wrongOf(draft);
    touchAll();
    onWrong(wrong);
    return wrong === undefined;
  };
}

/** Runs calls and keeps the last failure; a call that is refused because the zone has changed runs `onChanged` instead. */
function useAttempt(onChanged: () => Promise<void>) {
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  const attempt = async (sentence: string, work: () => Promise<void>): Promise<void> => {
    setBusy(true);
    setFailure(undefined);
    try {
      await work().catch(async (error: unknown) => {
        if (!isChangedMeanwhile(error)) throw error;
        await onChanged();
      });
    } catch (error) {
      setFailure(`${sentence}\n${messageOf(error)}`);
    }
    setBusy(false);
  };
  return { busy, failure, setFailure, attempt };
}

/** Holds the state of the record editor and makes its calls. `kept` are edits of an earlier visit. */
export function useDnsEditor(id: number, first: DomainDns, kept?: Draft): DnsEditor {
  const t = useT();
  const { begin, rebaseOn, touchAll, ...edits } = useDnsDraft(first, kept);
  const [plan, setPlan] = useState<DnsPlan>();
  const [saved, setSaved] = useState<Saved>();
  const params = { id };
  const { busy, failure, setFailure, attempt } = useAttempt(async () => {
    setPlan(undefined);
    rebaseOn(await call('GET /api/domain_dns/:id', { params }));
  });
  const name = first.zone.name;
  const validate = useValidate(edits.draft, touchAll, setFailure);
  return {
    ...edits,
    busy,
    plan,
    saved,
    failure,
    edit: (edit) => {
      if (busy) return;
      setFailure(undefined);
      setSaved(undefined);
      edits.edit(edit);
    },
    validate,
    review: async () => {
      if (!validate()) return false;
      await attempt(t('dns_editor.plan_failed'), async () => {
        const { data } = await call('POST /api/domain_dns/:id/plan', { params, body: bodyOf(edits, false) });
        setPlan(data);
      });
      return true;
    },
    closePlan: () => setPlan(undefined),
    save: (override) =>
      attempt(t('dns_editor.save_failed'), async () => {
        const { operation, ...set } = await call('POST /api/domain_dns/:id', { params, body: bodyOf(edits, override) });
        begin(set);
        setPlan(undefined);
        setSaved(operation ? { operation: operation.id, tally: edits.tally } : undefined);
        toast.success(t('dns_editor.saved', { name }));
        await refresh('GET /api/domain_dns/:id', 'GET /api/domains/:id', 'GET /api/operations');
      }),
    restore: () =>
      attempt(t('dns_editor.restore_failed'), async () => {
        if (!saved) return;
        try {
          await restoreOperation(saved.operation);
          toast.success(t('dns_editor.restored', { name }));
        } finally {
          // A failed restore may have brought back a part.
          begin(await call('GET /api/domain_dns/:id', { params }));
          setSaved(undefined);
          await refresh('GET /api/domain_dns/:id');
        }
      }),
  };
}
