import { lazy, Suspense, useEffect, useRef, useState, type ReactNode } from 'react';
import { useNavigate } from 'react-router-dom';
import { isFinal } from '../../src/shared/operations.ts';
import type { TriageItem } from '../../src/shared/triage/triage.ts';
import { call, refresh } from '../kit/api.ts';
import { useUrlDialog } from '../kit/dialog/useUrlDialog.ts';
import { useT } from '../kit/language.ts';
import { Loading } from '../kit/Loading.tsx';
import { toast, toastFailure } from '../kit/toasts.tsx';
import { useOperations } from '../operations/operations.ts';
import { transferPath } from '../operations/transferPath.ts';
import { useTransferDialog } from '../transfers/useTransferDialog.ts';

const Renew = lazy(async () => ({ default: (await import('../purchases/Renew.tsx')).Renew }));
const BuyReserve = lazy(async () => ({ default: (await import('../portfolio/BuyReserve.tsx')).BuyReserve }));

/** A dialog that is open; it is not in the URL, as it may be about many names. */
type Opened = { kind: 'renew'; ids: readonly number[] } | { kind: 'buy'; project: { id: number; name: string } };

const ASKING = 0;

/** Starts checks, and knows which of them have not ended: by the key of an item. */
function useChecks() {
  const t = useT();
  const operations = useOperations();
  const [started, setStarted] = useState<ReadonlyMap<string, number>>(new Map());
  const set = (key: string, id: number | undefined): void =>
    setStarted((before) => {
      const after = new Map(before);
      if (id === undefined) after.delete(key);
      else after.set(key, id);
      return after;
    });
  const check = async (key: string): Promise<void> => {
    set(key, ASKING);
    try {
      const { message, operation } = await call('POST /api/triage/check', { body: { key } });
      toast.success(message);
      await refresh('GET /api/operations');
      set(key, operation.id);
    } catch (error) {
      set(key, undefined);
      toastFailure(t('triage.check_failed'), error);
      // The problem may have ended meanwhile.
      void refresh('GET /api/triage');
    }
  };
  const isRunning = (key: string): boolean => {
    const id = started.get(key);
    return id === ASKING || operations.some((one) => one.id === id && !isFinal(one.state));
  };
  const under_way = operations.flatMap(({ id, state }) => (isFinal(state) ? [] : [id])).join();
  return { check, isRunning, under_way };
}

/**
 * Returns the function that runs the act of an item, whether it runs, and its dialogs. The screen has to mount the dialogs of domains.
 * Work that begins or ends changes what is to be done: the triage is read anew.
 */
export function useTriageActs(): {
  act: (item: TriageItem) => void;
  isRunning: (key: string) => boolean;
  dialogs: ReactNode;
} {
  const navigate = useNavigate();
  const transfer = useTransferDialog();
  const domain = useUrlDialog('domain');
  const operation = useUrlDialog('operation');
  const [opened, open] = useState<Opened>();
  const { check, isRunning, under_way } = useChecks();
  const seen = useRef(under_way);
  useEffect(() => {
    if (seen.current === under_way) return;
    seen.current = under_way;
    void refresh('GET /api/triage');
  }, [under_way]);
  const act = ({ act, names }: TriageItem): void => {
    if (act.kind === 'transfer') transfer.open(act.id, act.target_id);
    else if (act.kind === 'domain') domain.open(act.id);
    else if (act.kind === 'operation' && act.of === 'transfer') void navigate(transferPath(act.id));
    else if (act.kind === 'operation') operation.open(act.id);
    else if (act.kind === 'check') void check(act.key);
    else if (act.kind === 'renew') open({ kind: 'renew', ids: act.ids });
    else if (act.kind === 'buy')
      open({ kind: 'buy', project: { id: act.project_id, name: names[0]?.project_name ?? '' } });
    else if (act.kind === 'purchase') void navigate(`/purchases?state=${act.state}`);
    else void navigate(`/sites?status=${act.list}`);
  };
  const close = (): void => open(undefined);
  const dialogs = (
    <Suspense fallback={<Loading />}>
      {opened?.kind === 'renew' && <Renew ids={opened.ids} onClose={close} />}
      {opened?.kind === 'buy' && <BuyReserve project={opened.project} onClose={close} />}
    </Suspense>
  );
  return { act, isRunning, dialogs };
}
