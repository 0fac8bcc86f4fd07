import { Callout } from '@blueprintjs/core';
import { useCall } from '../kit/api.ts';
import { T } from '../kit/T.tsx';
import { Devices } from './Devices.tsx';
import { Password } from './Password.tsx';
import { SecondFactor } from './SecondFactor.tsx';
import './people.css';

/** Says to users who can open nothing else why that is so, and what opens the rest. */
function MustAdd() {
  const { data } = useCall('GET /api/second_factor');
  if (!data?.required || data.totp || data.passkeys.length > 0) return null;
  return (
    <Callout intent="warning">
      <T k="factor.must_add_here" />
    </Callout>
  );
}

/** The own password, second factor and sessions. */
export function Security() {
  return (
    <div className="people-panels">
      <MustAdd />
      <Password />
      <SecondFactor />
      <Devices />
    </div>
  );
}
