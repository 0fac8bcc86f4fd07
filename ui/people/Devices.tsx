import { Tag } from '@blueprintjs/core';
import { useState } from 'react';
import type { DeviceView } from '../../src/shared/access/devices.ts';
import { call, refresh, useCall } from '../kit/api.ts';
import { BusyButton } from '../kit/BusyButton.tsx';
import { useT } from '../kit/language.ts';
import { Panel } from '../kit/Panel.tsx';
import { T } from '../kit/T.tsx';
import { DateTime } from '../kit/table/DateTime.tsx';
import { toast, toastFailure } from '../kit/toasts.tsx';

function useDeviceName(): (device: DeviceView) => string {
  const t = useT();
  return ({ browser, system }) => [browser, system].filter((name) => name !== null).join(', ') || t('devices.unknown');
}

function Device({ device }: { device: DeviceView }) {
  const t = useT();
  const name = useDeviceName()(device);
  const [busy, setBusy] = useState(false);
  const end = async (): Promise<void> => {
    setBusy(true);
    try {
      const { message } = await call('DELETE /api/sessions/:id', { params: { id: device.id } });
      await refresh('GET /api/sessions');
      toast.success(message);
    } catch (error) {
      toastFailure(t('devices.failed'), error);
      setBusy(false);
    }
  };
  return (
    <li>
      <div>
        <strong>{name}</strong>{' '}
        {device.current && (
          <Tag minimal>
            <T k="devices.this" />
          </Tag>
        )}
        <div className="muted">
          {device.address} · <T k="devices.created" /> <DateTime iso={device.created_at} /> · <T k="devices.seen" />{' '}
          <DateTime iso={device.last_seen_at} />
        </div>
      </div>
      {!device.current && (
        <BusyButton
          size="small"
          busy={busy}
          text={<T k="devices.end" />}
          aria-label={t('sites.action_on', { action: t('devices.end'), name: `${name}, ${device.address}` })}
          onClick={() => void end()}
        />
      )}
    </li>
  );
}

/** The sessions of the user, each of which can be ended. */
export function Devices() {
  const t = useT();
  const { data } = useCall('GET /api/sessions');
  const [busy, setBusy] = useState(false);
  const devices = data?.data ?? [];
  const endOthers = async (): Promise<void> => {
    setBusy(true);
    try {
      await call('DELETE /api/sessions');
      await refresh('GET /api/sessions');
      toast.success(t('security.signed_out'));
    } catch (error) {
      toastFailure(t('devices.failed'), error);
    }
    setBusy(false);
  };
  return (
    <Panel
      title={<T k="devices.title" />}
      aside={
        devices.length > 1 && (
          <BusyButton size="small" busy={busy} text={<T k="devices.end_others" />} onClick={() => void endOthers()} />
        )
      }
    >
      <ul className="people-list">
        {devices.map((device) => (
          <Device key={device.id} device={device} />
        ))}
      </ul>
    </Panel>
  );
}
