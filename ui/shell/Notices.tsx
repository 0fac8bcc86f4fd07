import { Button, Classes } from '@blueprintjs/core';
import { useLayoutEffect, useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import type { NoticeView } from '../../src/shared/notices/notices.ts';
import { call, refresh, useCall } from '../kit/api.ts';
import { useFormats, useT } from '../kit/language.ts';
import { Message, T } from '../kit/T.tsx';
import { toastFailure } from '../kit/toasts.tsx';

const MORE = 50;
/** The most that the calls return at once. */
const MOST = 500;

/** A button for what is not shown yet. */
function More({ shown, all, onMore }: { shown: number; all: number; onMore: (limit: number) => void }) {
  if (all <= shown) return null;
  const text = <T k="notice.more" n={String(all - shown)} />;
  if (shown >= MOST) return <p className="muted">{text}</p>;
  return <Button size="small" variant="minimal" text={text} onClick={() => onMore(Math.min(MOST, shown + MORE))} />;
}

/** The names of a notice as links. */
function Names({ id }: { id: number }) {
  const [limit, setLimit] = useState(MORE);
  const { data } = useCall('GET /api/notices/:id/subjects', { params: { id }, query: { limit } }, { keep: true });
  if (!data) return null;
  return (
    <>
      <ul className={Classes.LIST_UNSTYLED}>
        {data.data.map(({ id: subject, name, path }) => (
          <li key={subject}>
            <Link to={path} className={Classes.POPOVER_DISMISS}>
              <Message text={name} />
            </Link>
          </li>
        ))}
      </ul>
      <More shown={data.data.length} all={data.total} onMore={setLimit} />
    </>
  );
}

/** The title of a notice: it leads to its subject, or shows the names of several. */
function Title({ notice: { id, title, path, subjects } }: { notice: NoticeView }) {
  const [isOpen, setOpen] = useState(false);
  if (subjects < 2) {
    return (
      <Link to={path} className={Classes.POPOVER_DISMISS}>
        <Message text={title} />
      </Link>
    );
  }
  return (
    <>
      <button type="button" className="notice-names" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <Message text={title} />
      </button>
      {isOpen && <Names id={id} />}
    </>
  );
}

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
        <Title notice={notice} />
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

/** The notices that last and that the user has not acknowledged: the newest `first`, and further ones on demand. */
export function Notices({ first }: { first: number }) {
  const [limit, setLimit] = useState(first);
  const heading = useRef<HTMLHeadingElement>(null);
  // The pressed button may have gone, and the focus with it.
  useLayoutEffect(() => {
    if (document.activeElement === document.body) heading.current?.focus({ preventScroll: true });
  });
  const { data } = useCall('GET /api/notices', { query: { open: '1', limit } }, { keep: true });
  const { data: notices = [], waiting = 0 } = data ?? {};
  return (
    <>
      <h2 ref={heading} tabIndex={-1} className="bp6-heading">
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
      <More shown={notices.length} all={waiting} onMore={setLimit} />
      <p className="tray-all">
        <Link to="/settings?section=notices" className={Classes.POPOVER_DISMISS}>
          <T k="notices.settings" />
        </Link>
      </p>
    </>
  );
}
