import { Button, Callout } from '@blueprintjs/core';
import { useState } from 'react';
import { call, refresh, useCall } from '../kit/api.ts';
import { BusyButton } from '../kit/BusyButton.tsx';
import { CopyButton } from '../kit/CopyButton.tsx';
import { InfoDialog } from '../kit/dialog/InfoDialog.tsx';
import { useFormats, useT } from '../kit/language.ts';
import { Failed } from '../kit/table/DataTable.tsx';
import { T } from '../kit/T.tsx';
import { toast, toastFailure } from '../kit/toasts.tsx';
import './ExpiryFeed.css';

/** The address of a new feed, which is shown this once. */
function Address({ url }: { url: string }) {
  return (
    <Callout intent="success" className="feed-told">
      <p>
        <T k="feed.once" />
      </p>
      <code className="feed-address" translate="no">
        {url}
      </code>
      <CopyButton text={url} />
    </Callout>
  );
}

/** Makes, renews and ends the address of the caller's feed; `url` is the new one. */
function useFeedActs() {
  const t = useT();
  const [url, setUrl] = useState<string>();
  const [busy, setBusy] = useState<'renew' | 'revoke'>();
  const run = async (which: 'renew' | 'revoke', work: () => Promise<void>): Promise<void> => {
    setBusy(which);
    try {
      await work();
      await refresh('GET /api/expiry_feed');
    } catch (failure) {
      toastFailure(t('feed.failed'), failure);
    }
    setBusy(undefined);
  };
  const renew = async (): Promise<void> => {
    const made = await call('POST /api/expiry_feed', { body: {} });
    setUrl(window.location.origin + made.url);
  };
  const revoke = async (): Promise<void> => {
    const { message } = await call('DELETE /api/expiry_feed');
    setUrl(undefined);
    toast.success(message);
  };
  return { url, busy, renew: () => void run('renew', renew), revoke: () => void run('revoke', revoke) };
}

/** The caller's feed of expiries for a calendar: make, renew or end its address. */
export function ExpiryFeed({ onClose }: { onClose: () => void }) {
  const formats = useFormats();
  const { data, error, refetch } = useCall('GET /api/expiry_feed');
  const { url, busy, renew, revoke } = useFeedActs();
  const since = data?.created_at ?? null;
  return (
    <InfoDialog width={560} title={<T k="feed.title" />} onClose={onClose}>
      <p>
        <T k="feed.help" />
      </p>
      {error && <Failed sentence="feed.failed" reason={error.message} retry={() => void refetch()} />}
      <div aria-live="polite">{url !== undefined && <Address url={url} />}</div>
      {data && (
        <>
          <p className="muted">
            {since === null ? <T k="feed.none" /> : <T k="feed.since" at={formats.dateTime(since)} />}
          </p>
          <div className="feed-acts">
            <BusyButton
              intent={since === null ? 'primary' : 'none'}
              busy={busy === 'renew'}
              disabled={busy === 'revoke'}
              text={<T k={since === null ? 'feed.make' : 'feed.renew'} />}
              onClick={renew}
            />
            {since !== null && (
              <BusyButton
                intent="danger"
                busy={busy === 'revoke'}
                disabled={busy === 'renew'}
                text={<T k="feed.revoke" />}
                onClick={revoke}
              />
            )}
            <Button text={<T k="ui.close" />} onClick={onClose} />
          </div>
        </>
      )}
    </InfoDialog>
  );
}
