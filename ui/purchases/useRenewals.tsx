import { Button } from '@blueprintjs/core';
import { lazy, Suspense, useState, type ReactNode } from 'react';
import { MOST_RENEWED } from '../../src/shared/purchases/renewal-sums.ts';
import { RefreshIcon } from '../kit/icons.tsx';
import { Loading } from '../kit/Loading.tsx';
import { T } from '../kit/T.tsx';
import type { Selection } from '../kit/table/DataTable.tsx';
import { setSelection } from '../kit/table/setSelection.ts';

import './Renew.css';

const Renew = lazy(async () => ({ default: (await import('./Renew.tsx')).Renew }));

export interface Renewals {
  /** For the list, while domains are chosen: the columns stay as they are before. */
  selection: { selection?: Selection<{ id: number }> };
  /** Begins the choice, then renews what is chosen; with its dialog. */
  bar: ReactNode;
}

/** Lets a person choose domains of a list and renew them at once. */
export function useRenewals(): Renewals {
  const [ids, setIds] = useState<ReadonlySet<number>>();
  const [renewed, setRenewed] = useState<readonly number[]>();
  const leave = (): void => setIds(undefined);
  if (!ids) {
    const bar = (
      <Button
        size="small"
        icon={<RefreshIcon />}
        text={<T k="renewal.several" />}
        data-begins-choice
        onClick={() => setIds(new Set<number>())}
      />
    );
    return { selection: {}, bar };
  }
  const isMany = ids.size > MOST_RENEWED;
  const bar = (
    <span className="renewal-bar">
      <output>
        <T k="renewal.chosen" n={ids.size} />
        {isMany && (
          <>
            . <T k="renewal.most" n={MOST_RENEWED} />
          </>
        )}
      </output>
      <Button
        size="small"
        intent="primary"
        disabled={ids.size === 0 || isMany}
        text={<T k="renewal.renew_chosen" />}
        onClick={() => setRenewed([...ids])}
      />
      <Button size="small" text={<T k="ui.cancel" />} onClick={leave} />
      <Suspense fallback={<Loading />}>
        {renewed && <Renew ids={renewed} onStarted={leave} onClose={() => setRenewed(undefined)} />}
      </Suspense>
    </span>
  );
  return { selection: { selection: setSelection(ids, setIds) }, bar };
}
