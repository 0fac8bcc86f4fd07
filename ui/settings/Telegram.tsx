import { Button, Callout, Intent } from '@blueprintjs/core';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import type { TelegramClaim, TelegramView } from '../../src/shared/notices/telegram.ts';
import { call, refresh, useCall } from '../kit/api.ts';
import { BusyButton } from '../kit/BusyButton.tsx';
import { CopyButton } from '../kit/CopyButton.tsx';
import { Failure, TextField, useSubmit } from '../kit/form/Form.tsx';
import { useT } from '../kit/language.ts';
import { Loading } from '../kit/Loading.tsx';
import { Panel } from '../kit/Panel.tsx';
import { T } from '../kit/T.tsx';
import { DateTime } from '../kit/table/DateTime.tsx';
import { PasswordDialog } from '../people/PasswordDialog.tsx';
import { toast, toastFailure } from '../kit/toasts.tsx';

// A chat that wants to be linked shows up by itself.
const LOOK_MS = 4_000;

const nameOf = ({ name, username }: { name: string; username: string | null }): string =>
  username === null ? name : `${name} (@${username})`;

/** Runs a call from a button; a failure is a toast. */
function useAct(): { busy: boolean; act: (work: () => Promise<void>, failed: string) => void } {
  const [busy, setBusy] = useState(false);
  const act = (work: () => Promise<void>, failed: string): void => {
    setBusy(true);
    work()
      .catch((error: unknown) => toastFailure(failed, error))
      .finally(() => setBusy(false));
  };
  return { busy, act };
}

/** The code from the chat and, where another chat is linked, the password. */
function Confirmation({ view, onDone }: { view: TelegramView; onDone: () => void }) {
  const t = useT();
  const form = useForm({ defaultValues: { code: '', password: '' } });
  const submit = useSubmit(
    form,
    async ({ code, password }) => {
      await call('POST /api/telegram/confirm', { body: { code, ...(view.link && { password }) } });
      onDone();
      await refresh('GET /api/telegram');
      toast.success(t('telegram.confirmed'));
    },
    t('telegram.confirm_failed'),
  );
  return (
    <form className="settings-form" onSubmit={submit.onSubmit} noValidate aria-busy={submit.busy}>
      {view.pending.map((chat) => (
        <p key={chat.telegram_id}>
          <T k="telegram.pending" />: <b>{nameOf(chat)}</b>, ID {chat.telegram_id}, <DateTime iso={chat.created_at} />
        </p>
      ))}
      <TextField
        form={form}
        name="code"
        label={<T k="telegram.code" />}
        placeholder="ABCD-2345"
        autoComplete="one-time-code"
        autoCapitalize="characters"
      />
      {view.link && (
        <TextField
          form={form}
          name="password"
          label={<T k="telegram.password" />}
          type="password"
          autoComplete="current-password"
        />
      )}
      <Failure text={submit.failure} />
      <BusyButton type="submit" intent="primary" busy={submit.busy} text={<T k="telegram.confirm" />} />
    </form>
  );
}

/** How to get to the bot: its link, and the command for whoever can't open it here. */
function WayToBot({ claim }: { claim: TelegramClaim }) {
  return (
    <>
      <p>
        <T k="telegram.link_text" />
      </p>
      {claim.link !== null && (
        <p>
          <a href={claim.link} target="_blank" rel="noreferrer">
            <T k="telegram.open_bot" />
          </a>
        </p>
      )}
      <p>
        <T k="telegram.send_to_bot" /> <CopyButton text={`/start ${claim.code}`} label={'/start …'} />
      </p>
    </>
  );
}

function Linked({ link }: { link: NonNullable<TelegramView['link']> }) {
  const t = useT();
  const { busy, act } = useAct();
  const [isUnlinking, setUnlinking] = useState(false);
  const unlink = async (password: string): Promise<void> => {
    await call('POST /api/telegram/unlink', { body: { password } });
    setUnlinking(false);
    await refresh('GET /api/telegram');
    toast.success(t('telegram.unlink_done'));
  };
  const test = async (): Promise<void> => {
    await call('POST /api/telegram/test', { body: {} });
    toast.success(t('telegram.test_sent'));
  };
  return (
    <>
      <p>
        <b>{nameOf(link)}</b>, ID {link.telegram_id}. <T k="telegram.linked_at" /> <DateTime iso={link.linked_at} />
      </p>
      {link.muted_until !== null && (
        <p>
          <T k="telegram.muted_until" /> <DateTime iso={link.muted_until} />
        </p>
      )}
      {link.gone_at !== null && (
        <Callout intent={Intent.WARNING} compact>
          <T k="telegram.gone" />
        </Callout>
      )}
      <div className="settings-buttons">
        <BusyButton
          busy={busy}
          text={<T k="telegram.send_test" />}
          onClick={() => act(test, t('telegram.test_failed'))}
        />
        <Button variant="minimal" intent="danger" text={<T k="telegram.unlink" />} onClick={() => setUnlinking(true)} />
      </div>
      {isUnlinking && (
        <PasswordDialog
          title="telegram.unlink_title"
          action="telegram.unlink"
          danger
          run={unlink}
          onClose={() => setUnlinking(false)}
        />
      )}
    </>
  );
}

/** The linked chat of the signed-in user, and how to link one. */
export function Telegram() {
  const t = useT();
  const [claim, setClaim] = useState<TelegramClaim>();
  const { busy, act } = useAct();
  const { data: view } = useCall('GET /api/telegram', {}, { refetchInterval: () => LOOK_MS });
  if (!view) return <Loading />;
  const { state } = view.bot;
  const isOff = state === 'off' || state === 'refused';
  const begin = async (): Promise<void> => setClaim(await call('POST /api/telegram', { body: {} }));
  const isLinking = claim !== undefined || view.pending.length > 0;
  return (
    <Panel title={<T k="telegram.title" />}>
      <div className="settings-fields">
        {state !== 'on' && (
          <Callout intent={state === 'starting' ? Intent.NONE : Intent.WARNING} compact>
            <T k={`telegram.state_${state}`} />
          </Callout>
        )}
        {view.demo_url !== null && (
          <Callout intent={Intent.PRIMARY} compact>
            <T k="demo.telegram" />{' '}
            <a href={view.demo_url} target="_blank" rel="noreferrer">
              <T k="demo.telegram_open" />
            </a>
          </Callout>
        )}
        {view.link ? (
          <Linked link={view.link} />
        ) : (
          <p className="muted">
            <T k="telegram.none" />
          </p>
        )}
        {claim && <WayToBot claim={claim} />}
        {isLinking && <Confirmation view={view} onDone={() => setClaim(undefined)} />}
        {!isLinking && !isOff && (
          <Button
            {...(!view.link && { intent: 'primary' })}
            disabled={busy}
            text={<T k={view.link ? 'telegram.begin_again' : 'telegram.begin'} />}
            onClick={() => act(begin, t('telegram.confirm_failed'))}
          />
        )}
      </div>
    </Panel>
  );
}
