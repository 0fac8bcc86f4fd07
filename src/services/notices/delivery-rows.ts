import { execute, select } from '../../../db/index.ts';
import { eachParsed, memberOf } from '../../../db/sql.ts';
import type { DeliveryState } from '../../shared/notices/notices.ts';
import { noticeDeliveries, type NoticeDeliveryRow, type NoticeWebhookRow } from '../../shared/notices/tables.ts';

/** A delivery that is planned. */
export type NewDelivery = Pick<
  NoticeDeliveryRow,
  'notice_id' | 'kind' | 'channel' | 'user_id' | 'webhook_id' | 'due_at' | 'for_user_id'
> & { address?: string };

const PLANNED = ['notice_id', 'kind', 'channel', 'user_id', 'webhook_id', 'due_at', 'for_user_id', 'address'] as const;

/** Inserts deliveries that wait. */
export async function insertDeliveries(rows: readonly NewDelivery[], now: string): Promise<void> {
  if (rows.length === 0) return;
  const cells = PLANNED.map((name, at) => memberOf('value', at, noticeDeliveries.columns[name]));
  await execute(
    `INSERT INTO notice_deliveries (${PLANNED.join(', ')}, state, created_at, changed_at)
     SELECT ${cells.join(', ')}, 'queued', $now, $now FROM ${eachParsed('$rows')}`,
    { rows: JSON.stringify(rows.map((row) => PLANNED.map((name) => row[name] ?? null))), now },
  );
}

/** Returns for whom some notices wait to be passed on to somebody else. */
export const listPassingOn = (ids: readonly number[]): Promise<{ notice_id: number; user_id: number }[]> =>
  select(
    `SELECT DISTINCT notice_id, for_user_id AS user_id FROM notice_deliveries WHERE kind = 'escalated' AND state = 'queued'
       AND notice_id IN (SELECT CAST(value AS INTEGER) FROM json_each($ids))`,
    { ids: JSON.stringify(ids) },
  );

/** The statement of `listDue`. Its first condition is that of the index of what is open, which SQLite takes by these words alone. */
export const DUE = `SELECT * FROM notice_deliveries WHERE state IN ('queued', 'sending')
     AND ((state = 'queued' AND due_at <= $now) OR (state = 'sending' AND lease_until < $now))
     AND ($channel IS NULL OR channel = $channel)
   ORDER BY due_at, id LIMIT $limit`;

/** Returns deliveries of a channel, or of all (null), that are due, and those whose sender has not come back, the oldest first. */
export const listDue = (now: string, limit: number, channel: string | null): Promise<NoticeDeliveryRow[]> =>
  select(DUE, { now, limit, channel });

/** Makes the waiting deliveries of a user due: each send checks again whether to wait. Escalated ones keep their time. */
export const releaseDeliveries = (user_id: number, now: string): Promise<unknown> =>
  execute(
    `UPDATE notice_deliveries SET due_at = $now WHERE user_id = $user_id AND state = 'queued' AND attempts = 0
       AND kind <> 'escalated' AND due_at > $now`,
    { user_id, now },
  );

/** Returns how many tests a user has queued since a time, and the oldest of them. */
export async function countTests(user_id: number, since: string): Promise<{ n: number; oldest: string | null }> {
  const [row] = await select<{ n: number; oldest: string | null }>(
    `SELECT COUNT(*) AS n, MIN(created_at) AS oldest FROM notice_deliveries
     WHERE kind = 'test' AND user_id = $user_id AND created_at > $since`,
    { user_id, since },
  );
  return row ?? { n: 0, oldest: null };
}

/** Stores the intent to send: returns whether it is this process that sends. */
export const claimDelivery = async (
  { id, state, lease_until }: NoticeDeliveryRow,
  until: string,
  now: string,
): Promise<boolean> =>
  (await execute(
    `UPDATE notice_deliveries SET state = 'sending', attempts = attempts + 1, lease_until = $until, changed_at = $now
     WHERE id = $id AND state = $state AND lease_until IS NOT DISTINCT FROM $lease_until`,
    { id, state, lease_until, until, now },
  )) === 1;

/** Stores the end of a try, unless another process has taken the delivery over meanwhile (`lease_until`). */
export const settleDelivery = async (
  id: number,
  lease_until: string | null,
  end: { state: DeliveryState; due_at: string; error: string | null; ref: string | null; now: string },
): Promise<boolean> =>
  (await execute(
    `UPDATE notice_deliveries SET state = $state, due_at = $due_at, error = $error, ref = $ref, lease_until = NULL, changed_at = $now
     WHERE id = $id AND lease_until IS NOT DISTINCT FROM $lease_until AND state IN ('queued', 'sending')`,
    { id, lease_until, ...end },
  )) === 1;

/** Whether a notice was acknowledged for everybody, or by one of these users. */
export async function isAcknowledged(notice_id: number, users: readonly number[]): Promise<boolean> {
  const found = await select(
    `SELECT 1 FROM notices n WHERE n.id = $notice_id AND (n.acknowledged_at IS NOT NULL OR EXISTS (SELECT 1 FROM notice_acknowledgements a
       WHERE a.notice_id = n.id AND a.user_id IN (SELECT CAST(value AS INTEGER) FROM json_each($users))))`,
    { notice_id, users: JSON.stringify(users) },
  );
  return found.length > 0;
}

/** A delivery of the log, with the names of what it goes to. */
export type DeliveryView = Pick<
  NoticeDeliveryRow,
  'id' | 'notice_id' | 'kind' | 'channel' | 'state' | 'due_at' | 'attempts' | 'error' | 'created_at' | 'changed_at'
> & { login: string | null; webhook: string | null };

/** Returns the newest deliveries. */
export const listDeliveryViews = (
  state: DeliveryState | null,
  limit: number,
  offset: number,
): Promise<DeliveryView[]> =>
  select(
    `SELECT v.id, v.notice_id, v.kind, v.channel, v.state, v.due_at, v.attempts, v.error, v.created_at, v.changed_at, u.login,
       w.name AS webhook FROM notice_deliveries v LEFT JOIN users u ON u.id = v.user_id LEFT JOIN notice_webhooks w ON w.id = v.webhook_id
     WHERE $state IS NULL OR v.state = $state ORDER BY v.id DESC LIMIT $limit OFFSET $offset`,
    { state, limit, offset },
  );

/** Returns the webhooks that are called. */
export const listActiveWebhooks = (): Promise<NoticeWebhookRow[]> =>
  select('SELECT * FROM notice_webhooks WHERE active = 1 ORDER BY id');

/** Returns every webhook. */
export const listWebhookRows = (): Promise<NoticeWebhookRow[]> =>
  select('SELECT * FROM notice_webhooks ORDER BY name, id');

/** Returns a webhook; undefined: there is none. */
export async function findWebhookRow(id: number): Promise<NoticeWebhookRow | undefined> {
  const [row] = await select<NoticeWebhookRow>('SELECT * FROM notice_webhooks WHERE id = $id', { id });
  return row;
}
