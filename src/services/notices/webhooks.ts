import { randomBytes } from 'node:crypto';
import { transaction } from '../../../db/index.ts';
import { deleteRow, insertRow, updateRow } from '../../../db/rows.ts';
import { seal } from '../../lib/secret.ts';
import { notFound } from '../../shared/errors.ts';
import type { WebhookChange, WebhookInput, WebhookView } from '../../shared/notices/preferences.ts';
import { noticeWebhooks, type NoticeWebhookRow } from '../../shared/notices/tables.ts';
import { findWebhookRow, listWebhookRows } from './delivery-rows.ts';

const toView = ({ id, name, url, levels, active, created_at }: NoticeWebhookRow): WebhookView => ({
  id,
  name,
  url,
  levels: JSON.parse(levels) as WebhookView['levels'],
  active: active === 1,
  created_at,
});

/** Returns every webhook, without secrets. */
export const listWebhooks = async (): Promise<WebhookView[]> => (await listWebhookRows()).map(toView);

/** Adds a webhook, and returns it with the secret that signs: it is told this once. */
export async function createWebhook(input: WebhookInput): Promise<{ id: number; secret: string }> {
  const secret = randomBytes(32).toString('base64url');
  const id = await transaction(async () => {
    const made = await insertRow(noticeWebhooks, {
      ...input,
      levels: JSON.stringify(input.levels),
      secret: '',
      created_at: new Date().toISOString(),
    });
    await updateRow(noticeWebhooks, made, { secret: seal(`notice_webhooks.secret:${made}`, secret) });
    return made;
  });
  return { id, secret };
}

/** Changes a webhook; what is absent stays. Throws AppError `not_found`. */
export async function updateWebhook(id: number, { levels, ...cells }: WebhookChange): Promise<void> {
  await transaction(async () => {
    if (!(await findWebhookRow(id))) throw notFound();
    await updateRow(noticeWebhooks, id, { ...cells, ...(levels && { levels: JSON.stringify(levels) }) });
  });
}

/** Deletes a webhook, with its deliveries. Throws AppError `not_found`. */
export async function deleteWebhook(id: number): Promise<void> {
  await transaction(async () => {
    if (!(await findWebhookRow(id))) throw notFound();
    await deleteRow(noticeWebhooks, id);
  });
}
