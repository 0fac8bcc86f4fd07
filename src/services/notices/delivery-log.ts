import { transaction } from '../../../db/index.ts';
import { AppError } from '../../shared/errors.ts';
import type { DeliveryState, PersonalChannel } from '../../shared/notices/notices.ts';
import { personalRoute } from './channels.ts';
import { insertDeliveries, listDeliveryViews, type DeliveryView } from './delivery-rows.ts';

/** Returns the newest deliveries, or those of a state. */
export const listDeliveries = (page: {
  state?: DeliveryState | undefined;
  limit: number;
  offset: number;
}): Promise<DeliveryView[]> => listDeliveryViews(page.state ?? null, page.limit, page.offset);

/** Queues a test to a user. Throws AppError `refused` where the channel does not reach him. */
export async function sendTest(user_id: number, channel: PersonalChannel): Promise<void> {
  const address = (await personalRoute(channel)?.addressOf(user_id)) ?? null;
  if (address === null) {
    throw new AppError('refused', 'notices.not_reached', {}, { fields: { channel: 'notices.not_reached' } });
  }
  const now = new Date().toISOString();
  const row = {
    notice_id: null,
    kind: 'test',
    channel,
    user_id,
    webhook_id: null,
    due_at: now,
    for_user_id: null,
  } as const;
  await transaction(() => insertDeliveries([row], now));
}
