import { HTMLSelect } from '@blueprintjs/core';
import { useId } from 'react';
import { FACTOR_POLICIES, type FactorPolicy } from '../../src/shared/access/factors.ts';
import { call, refresh, useCall } from '../kit/api.ts';
import { allSent } from '../kit/form/inTurn.ts';
import { storeChoice } from '../kit/form/storeChoice.ts';
import { useT } from '../kit/language.ts';
import { Panel } from '../kit/Panel.tsx';
import { T } from '../kit/T.tsx';
import { toast } from '../kit/toasts.tsx';
import { UserList } from '../users/UserList.tsx';
import './people.css';

const POLICY = 'GET /api/second_factor/policy';

/** For whom a second factor is required; a choice is shown at once. */
function Policy() {
  const t = useT();
  const id = useId();
  const { data } = useCall(POLICY, {}, { after: allSent });
  const set = async (second_factor: FactorPolicy): Promise<void> => {
    const isStored = await storeChoice({
      read: POLICY,
      shown: (now) => now && { ...now, second_factor },
      store: () => call('PUT /api/second_factor/policy', { body: { second_factor }, keepalive: true }),
      failed: t('people.failed'),
    });
    if (isStored) toast.success(t('people.changed'));
    await refresh(POLICY, 'GET /api/second_factor');
  };
  return (
    <Panel title={<T k="people.policy" />}>
      <div className="settings-fields">
        <label htmlFor={id}>
          <T k="people.policy_label" />
        </label>
        <HTMLSelect
          id={id}
          disabled={!data}
          value={data?.second_factor ?? 'optional'}
          onChange={({ currentTarget }) => void set(currentTarget.value as FactorPolicy)}
          options={FACTOR_POLICIES.map((value) => ({ value, label: t(`people.policy_${value}`) }))}
        />
      </div>
    </Panel>
  );
}

/** The users, and what is required of them. */
export function People() {
  return (
    <div className="people-panels">
      <Policy />
      <UserList />
    </div>
  );
}
