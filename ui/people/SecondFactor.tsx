import { Button } from '@blueprintjs/core';
import { useState } from 'react';
import type { FactorState, PasskeyView } from '../../src/shared/access/factors.ts';
import { useCall } from '../kit/api.ts';
import { useT } from '../kit/language.ts';
import { Panel } from '../kit/Panel.tsx';
import { T } from '../kit/T.tsx';
import { DateTime } from '../kit/table/DateTime.tsx';
import { SecondFactorDialogs, type DialogsProps, type Open } from './SecondFactorDialogs.tsx';

function Passkeys({ passkeys, onOpen }: { passkeys: PasskeyView[]; onOpen: DialogsProps['onOpen'] }) {
  const t = useT();
  return passkeys.map((passkey) => (
    <li key={passkey.id}>
      <div>
        <strong>{passkey.name}</strong>
        <div className="muted">
          <T k="factor.added" /> <DateTime iso={passkey.created_at} />
        </div>
      </div>
      <Button
        size="small"
        text={<T k="factor.remove" />}
        aria-label={t('sites.action_on', { action: t('factor.remove'), name: passkey.name })}
        onClick={() => onOpen({ kind: 'remove_passkey', passkey })}
      />
    </li>
  ));
}

function State({ state, onOpen }: { state: FactorState; onOpen: DialogsProps['onOpen'] }) {
  const { totp, passkeys, recovery_codes } = state;
  const isOn = totp || passkeys.length > 0;
  // Browsers know passkeys on pages with a name over TLS, and on localhost.
  const canPasskey = typeof PublicKeyCredential === 'function' && !/^[\d.]+$|^\[/.test(window.location.hostname);
  return (
    <>
      <ul className="people-list">
        <li>
          <div>
            <strong>
              <T k="factor.app" />
            </strong>
            <div className="muted">
              <T k={totp ? 'factor.on' : 'factor.off'} />
            </div>
          </div>
          <Button
            size="small"
            text={<T k={totp ? 'factor.remove_app' : 'factor.add_app'} />}
            onClick={() => onOpen({ kind: totp ? 'remove_app' : 'app' })}
          />
        </li>
        <Passkeys passkeys={passkeys} onOpen={onOpen} />
        <li>
          <div className="muted">
            <T k={canPasskey ? 'factor.passkeys_about' : 'factor.passkeys_impossible'} />
          </div>
          {canPasskey && (
            <Button size="small" text={<T k="factor.add_passkey" />} onClick={() => onOpen({ kind: 'passkey' })} />
          )}
        </li>
        {isOn && (
          <li>
            <T k="factor.codes_left" n={recovery_codes} />
            <Button size="small" text={<T k="factor.renew" />} onClick={() => onOpen({ kind: 'renew' })} />
          </li>
        )}
      </ul>
    </>
  );
}

/** The second factors of the user. */
export function SecondFactor() {
  const { data } = useCall('GET /api/second_factor');
  const [open, setOpen] = useState<Open>();
  return (
    <Panel title={<T k="factor.title" />}>
      {data && <State state={data} onOpen={setOpen} />}
      {open && <SecondFactorDialogs open={open} onOpen={setOpen} />}
    </Panel>
  );
}
