import { Callout } from '@blueprintjs/core';
import { useCall } from '../kit/api.ts';
import { T } from '../kit/T.tsx';

/** The call that tells every user whether anything is bought. */
export const STATE = 'GET /api/purchases/state';

/** Says that nothing is bought until caps are set. */
export const Simulated = () => (
  <Callout intent="warning" className="budget-note">
    <T k="purchases.banner" />
  </Callout>
);

/** Says that nothing is bought, where that is so: purchases are off, or no caps are set. */
export function PurchasesState() {
  const { data } = useCall(STATE, {}, { refetchInterval: () => 30_000 });
  if (!data) return null;
  const { state, simulates } = data.data;
  return (
    <>
      {state === 'off' && (
        <Callout intent="warning" className="budget-note">
          <T k="purchases.is_off" />
        </Callout>
      )}
      {simulates && <Simulated />}
    </>
  );
}
