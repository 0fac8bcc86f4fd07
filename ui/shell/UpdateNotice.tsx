import { Button } from '@blueprintjs/core';
import { useState } from 'react';
import { useCall } from '../kit/api.ts';
import { CrossIcon } from '../kit/icons.tsx';
import { useT } from '../kit/language.ts';
import { keep, readKept } from '../kit/reader/storage.ts';
import { useSession } from '../kit/session.ts';
import { T } from '../kit/T.tsx';

const CLOSED = 'update-closed';
const EVERY_MS = 60_000;

/** Tells an administrator that the server runs an older version than is installed, or than its database knows; closed, it comes back with the next version. */
export function UpdateNotice() {
  const t = useT();
  const isAdmin = useSession().user?.role === 'admin';
  const [closed, setClosed] = useState(() => readKept(CLOSED));
  const { data } = useCall('GET /api/health', {}, { enabled: isAdmin, refetchInterval: () => isAdmin && EVERY_MS });
  if (!isAdmin || !data) return null;
  const { version, installed, newer } = data;
  const isOther = installed !== null && installed !== version;
  if (!isOther && newer.length === 0) return null;
  const update = [installed, ...newer].join(' ');
  if (closed === update) return null;
  const close = (): void => {
    keep(CLOSED, update);
    setClosed(update);
  };
  return (
    <div className="connection-bar closable">
      <span>
        {isOther ? <T k="ui.update_installed" installed={installed} version={version} /> : <T k="ui.update_database" />}
      </span>
      <Button size="small" variant="minimal" icon={<CrossIcon />} aria-label={t('ui.close')} onClick={close} />
    </div>
  );
}
