import { transaction } from '../../../db/index.ts';
import { AppError } from '../../shared/errors.ts';
import type { DeliveryState, PersonalChannel } from '../../shared/notices/notices.ts';
import { personalRoute } from './channels.ts';
import { countTests, insertDeliveries, listDeliveryViews, type DeliveryView } from './delivery-rows.ts';

const TESTS = 5;
const TESTS_MS = 60 * 60_000;

/** Returns the newest deliveries, or those of a state. */
export const listDeliveries = (page: {
  state?: DeliveryState | undefined;
  limit: number;
  offset: number;
}): Promise<DeliveryView[]> => listDeliveryViews(page.state ?? null, page.limit, page.offset);

/** Queues a test to a user, five an hour. Throws AppError `refused` where the channel does not reach him, and `too_many`. */
export async function sendTest(user_id: number, channel: PersonalChannel): Promise<void> {
  const address = (await personalRoute(channel)?.addressOf(user_id)) ?? null;
  if (address === null) {
    throw new AppError('refused', 'notices.not_reached', {}, { fields: { channel: 'notices.not_reached' } });
  }
  const time = Date.now();
  const now = new Date(time).toISOString();
  const row = {
    notice_id: null,
    kind: 'test',
    channel,
    user_id,
    webhook_id: null,
    due_at: now,
    for_user_id: null,
  } as const;
  await transaction(async () => {
    const { n, oldest } = await countTests(user_id, new Date(time - TESTS_MS).toISOString());
    if (n >= TESTS) {
      const left = Date.parse(oldest ?? now) + TESTS_MS - time;
      const params = { minutes: Math.max(1, Math.ceil(left / 60_000)) };
      throw new AppError('too_many', 'notices.too_many_tests', params, { retryAfter: Math.ceil(left / 1_000) });
    }
    await insertDeliveries([row], now);
  });
}
