import { Button } from '@blueprintjs/core';
import { useEffect, useState } from 'react';
import { useFormats } from '../kit/language.ts';
import { heardAt, useLine } from '../kit/live.ts';
import { T } from '../kit/T.tsx';
import { reconnect } from './events.ts';
import { reloadPage } from '../kit/session.ts';
import { UpdateNotice } from './UpdateNotice.tsx';
import { useNewVersion } from './version.ts';

// A server that starts anew is away for a moment, which is not worth saying.
const PATIENCE_MS = 1000;

/** Whether something has been so for a second. */
function useLasting(is: boolean): boolean {
  const [lasts, setLasts] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLasts(is), is ? PATIENCE_MS : 0);
    return () => clearTimeout(timer);
  }, [is]);
  return is && lasts;
}

/** A quiet bar while the server does not answer, with the age of what is shown, when it has another version, or is to be started anew. */
export function ConnectionBar() {
  const line = useLine();
  const formats = useFormats();
  const isLost = useLasting(line === 'lost');
  const isNew = useNewVersion();
  const time = formats.time(new Date(heardAt()).toISOString());
  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- an output holds phrases
    <div role="status" className="connection">
      {isLost ? (
        <div className="connection-bar">
          <T k="ui.line_lost" time={time} />
          <Button size="small" text={<T k="ui.line_retry" />} onClick={reconnect} />
        </div>
      ) : line === 'slow' ? (
        <div className="connection-bar">
          <T k="ui.line_slow" time={time} />
        </div>
      ) : isNew ? (
        <div className="connection-bar">
          <T k="ui.new_version" />
          <Button size="small" text={<T k="ui.reload" />} onClick={reloadPage} />
        </div>
      ) : (
        <UpdateNotice />
      )}
    </div>
  );
}
