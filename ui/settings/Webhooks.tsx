import { Button, Callout, Intent, Switch } from '@blueprintjs/core';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import type { WebhookView } from '../../src/shared/notices/preferences.ts';
import { call, refresh, useCall } from '../kit/api.ts';
import { BusyButton } from '../kit/BusyButton.tsx';
import { CopyButton } from '../kit/CopyButton.tsx';
import { Remove } from '../kit/dialog/Remove.tsx';
import { Failure, TextField, useSubmit } from '../kit/form/Form.tsx';
import { allSent } from '../kit/form/inTurn.ts';
import { storeChoice } from '../kit/form/storeChoice.ts';
import { useDraft } from '../kit/form/useDraft.ts';
import { useT } from '../kit/language.ts';
import { Panel } from '../kit/Panel.tsx';
import { T } from '../kit/T.tsx';

const EMPTY = { name: '', url: '' };

/** Adds a webhook, and shows the secret that signs its calls once. */
function Add() {
  const t = useT();
  const [secret, setSecret] = useState<string>();
  const form = useForm({ defaultValues: EMPTY });
  useDraft(form, 'webhook new', [], 'page');
  const submit = useSubmit(
    form,
    async (values) => {
      const { data } = await call('POST /api/webhooks', {
        body: { ...values, levels: ['critical', 'warning'], active: true },
      });
      setSecret(data.secret);
      form.reset(EMPTY);
      await refresh('GET /api/webhooks');
    },
    t('notices.save_failed'),
  );
  return (
    <form onSubmit={submit.onSubmit} noValidate aria-busy={submit.busy} className="settings-form">
      <TextField form={form} name="name" label={<T k="notices.webhook_name" />} autoComplete="off" />
      <TextField
        form={form}
        name="url"
        label={<T k="notices.webhook_url" />}
        placeholder="https://hooks.example.com/…"
        autoComplete="off"
      />
      <Failure text={submit.failure} />
      {secret !== undefined && (
        <Callout intent={Intent.SUCCESS} role="alert">
          <p>
            <T k="notices.webhook_secret" />
          </p>
          <p>
            <code className="webhook-secret">{secret}</code>
          </p>
          <CopyButton text={secret} label={t('notices.copy_secret')} />
        </Callout>
      )}
      <BusyButton type="submit" busy={submit.busy} text={<T k="notices.webhook_add" />} />
    </form>
  );
}

function Webhook({ webhook }: { webhook: WebhookView }) {
  const t = useT();
  const [removing, setRemoving] = useState(false);
  const { id, active } = webhook;
  const toggle = async (): Promise<void> => {
    const isStored = await storeChoice({
      read: 'GET /api/webhooks',
      shown: (now) => now && { data: now.data.map((one) => (one.id === id ? { ...one, active: !active } : one)) },
      store: () => call('PUT /api/webhooks/:id', { params: { id }, body: { active: !active }, keepalive: true }),
      failed: t('notices.save_failed'),
    });
    if (isStored) await refresh('GET /api/webhooks');
  };
  return (
    <li className="webhook">
      <Switch
        checked={active}
        onChange={() => void toggle()}
        labelElement={
          <>
            {webhook.name} <span className="muted">{webhook.url}</span>
          </>
        }
      />
      <Button
        size="small"
        variant="minimal"
        text={<T k="sites.delete" />}
        aria-label={t('notices.webhook_delete', { name: webhook.name })}
        onClick={() => setRemoving(true)}
      />
      {removing && (
        <Remove
          title={<T k="notices.webhook_delete" name={webhook.name} />}
          failed={t('notices.save_failed')}
          lists={['GET /api/webhooks', 'GET /api/deliveries']}
          remove={() => call('DELETE /api/webhooks/:id', { params: { id } })}
          onClose={() => setRemoving(false)}
        />
      )}
    </li>
  );
}

/** The addresses that are called with notices. */
export function Webhooks() {
  const { data: answer } = useCall('GET /api/webhooks', {}, { after: allSent });
  return (
    <Panel title={<T k="notices.webhooks" />}>
      <ul className="bp6-list-unstyled">
        {answer?.data.map((webhook) => (
          <Webhook key={webhook.id} webhook={webhook} />
        ))}
      </ul>
      <Add />
    </Panel>
  );
}
