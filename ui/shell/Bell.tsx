import { Button } from '@blueprintjs/core';
import { Popover } from '../kit/float/Popover.tsx';
import { useCall } from '../kit/api.ts';
import { BellIcon } from '../kit/icons.tsx';
import { useT } from '../kit/language.ts';
import { useIsLive } from '../kit/live.ts';
import { later } from '../kit/Loading.tsx';
import { useSession } from '../kit/session.ts';

// News come as events; without them, and for what is older than those, the list is read.
const EVERY_MS = 15_000;
const EVERY_LIVE_MS = 60_000;
const SHOWN = 10;

const Notices = later(async () => (await import('./Notices.tsx')).Notices);

/** The notices that last and that the user has not acknowledged. */
export function Bell() {
  const t = useT();
  const { token } = useSession();
  const isLive = useIsLive();
  const input = { query: { open: '1', limit: SHOWN } };
  const { data } = useCall('GET /api/notices', input, {
    enabled: token !== '',
    keep: true,
    refetchInterval: () => (isLive ? EVERY_LIVE_MS : EVERY_MS),
  });
  const waiting = data?.waiting ?? 0;
  const tray = (
    <div className="tray">
      <Notices first={SHOWN} />
    </div>
  );
  return (
    <Popover content={tray} align="end">
      {(target) => (
        <Button
          {...target}
          variant="minimal"
          aria-label={waiting > 0 ? t('notices.waiting', { n: waiting }) : t('notices.title')}
          icon={<BellIcon />}
          text={waiting > 0 ? waiting : undefined}
        />
      )}
    </Popover>
  );
}
