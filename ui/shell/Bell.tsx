import { Button, Classes } from '@blueprintjs/core';
import { Popover } from '../kit/float/Popover.tsx';
import { Link } from 'react-router-dom';
import type { NoticeView } from '../../src/shared/notices/notices.ts';
import { call, refresh, useCall } from '../kit/api.ts';
import { BellIcon } from '../kit/icons.tsx';
import { useFormats, useT } from '../kit/language.ts';
import { useIsLive } from '../kit/live.ts';
import { useSession } from '../kit/session.ts';
import { Message, T } from '../kit/T.tsx';
import { toastFailure } from '../kit/toasts.tsx';

// News come as events; without them, and for what is older than those, the list is read.
const EVERY_MS = 15_000;
const EVERY_LIVE_MS = 60_000;
const SHOWN = 10;

function Notice({ notice }: { notice: NoticeView }) {
  const t = useT();
  const formats = useFormats();
  const acknowledge = async (): Promise<void> => {
    try {
      await call('POST /api/notices/:id/acknowledge', { params: { id: notice.id }, body: {} });
      await refresh('GET /api/notices');
    } catch (error) {
      toastFailure(t('notices.acknowledge_failed'), error);
    }
  };
  return (
    <li className="operation">
      <div className="operation-text">
        <Link to={notice.path} className={Classes.POPOVER_DISMISS}>
          <Message text={notice.title} />
        </Link>
        <div className="muted">
          <T k={`notices.level_${notice.level}`} />
          {notice.cause !== '' && ` · ${notice.cause}`} · {formats.ago(notice.opened_at)}
        </div>
      </div>
      <Button
        size="small"
        variant="minimal"
        text={<T k="notice.acknowledge" />}
        aria-label={t('notices.acknowledge_of', { title: notice.title })}
        onClick={() => void acknowledge()}
      />
    </li>
  );
}

function Notices({ notices, waiting }: { notices: readonly NoticeView[]; waiting: number }) {
  return (
    <div className="tray">
      <h2 className="bp6-heading">
        <T k="notices.title" />
      </h2>
      {notices.length === 0 ? (
        <p className="muted">
          <T k="notices.none" />
        </p>
      ) : (
        <ul className={Classes.LIST_UNSTYLED}>
          {notices.map((notice) => (
            <Notice key={notice.id} notice={notice} />
          ))}
        </ul>
      )}
      {waiting > notices.length && (
        <p className="muted">
          <T k="notice.more" n={String(waiting - notices.length)} />
        </p>
      )}
      <p className="tray-all">
        <Link to="/settings?section=notices" className={Classes.POPOVER_DISMISS}>
          <T k="notices.settings" />
        </Link>
      </p>
    </div>
  );
}

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
  const { data: notices = [], waiting = 0 } = data ?? {};
  return (
    <Popover content={<Notices notices={notices} waiting={waiting} />} align="end">
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
