import { Devices } from './Devices.tsx';
import { Password } from './Password.tsx';
import { SecondFactor } from './SecondFactor.tsx';
import './people.css';

/** The own password, second factor and sessions. */
export function Security() {
  return (
    <div className="people-panels">
      <Password />
      <SecondFactor />
      <Devices />
    </div>
  );
}
