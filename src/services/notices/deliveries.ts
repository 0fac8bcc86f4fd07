// Sends what is due. The intent is stored before the call and its end after it, so that however many processes send, each sends once.
import { requestIdOf } from '../../lib/tracing/request-id.ts';
import { inSpan } from '../../lib/tracing/spans.ts';
import { acting, SYSTEM_ASKER } from '../../../db/acting.ts';
import { note } from '../../../db/audit.ts';
import { transaction } from '../../../db/index.ts';
import { storeEnd } from '../../lib/database-trouble.ts';
import { crashPoint } from '../../lib/crash-point.ts';
import { measuringCall } from '../../lib/measures.ts';
import { unseal } from '../../lib/secret.ts';
import type { NoticeChannel, NoticeContent, Sent } from '../../providers/provider.ts';
import type { PersonalChannel } from '../../shared/notices/notices.ts';
import { dueAt } from '../../shared/notices/preferences.ts';
import type { NoticeDeliveryRow, NoticeSubjectRow } from '../../shared/notices/tables.ts';
import { personalRoute, webhookChannel } from './channels.ts';
import { contentOf, replacedContent, testContent, type Content } from './content.ts';
import { claimDelivery, findWebhookRow, isAcknowledged, listDue, settleDelivery } from './delivery-rows.ts';
import { findPerson, subjectsFor, type Person } from './recipients.ts';
import { findNotice } from './rows.ts';
import { listSeenSubjects } from './seen-rows.ts';
import { SYSTEM } from '../access/scope.ts';

/** Puts what a notice says into a language. */
export type RenderContent = (content: Content, language: 'ru' | 'en') => NoticeContent;

// Longer than any call takes, so that nobody else sends what is being sent.
const LEASE_MS = 5 * 60_000;
const CALL_MS = 30_000;
const AT_ONCE = 50;
const FIRST_PAUSE_S = 15;
const LONGEST_PAUSE_S = 3_600;
// With these pauses the last try is a day after the first.
const MOST_ATTEMPTS = 30;

/** A delivery that can be sent now. */
interface Ready {
  channel: NoticeChannel;
  address: string;
  content: Content;
  language: 'ru' | 'en';
}

/** The end of a delivery that is not sent now: dropped for a reason, or due later (`wait`, in ms since the epoch). */
type Instead = { drop: string } | { wait: number };

/** Returns why a person is not told now, if so. */
async function hindrance(
  row: NoticeDeliveryRow,
  person: Person,
  level: 'critical' | 'warning' | 'info',
  now: number,
): Promise<Instead | null> {
  if (row.kind === 'escalated') {
    const seenBy = [person.id, ...(row.for_user_id === null ? [] : [row.for_user_id])];
    if (row.notice_id !== null && (await isAcknowledged(row.notice_id, seenBy))) return { drop: 'acknowledged' };
  } else if (!person.preferences.levels[row.channel as PersonalChannel].includes(level)) return { drop: 'not_wanted' };
  const due = dueAt(person.preferences, level, now);
  return due > now ? { wait: due } : null;
}

/** Returns the subjects that a delivery is about: the end of a notice is told of those alone that have not ended silently. */
const toldBy = ({ kind }: NoticeDeliveryRow, seen: NoticeSubjectRow[]): NoticeSubjectRow[] =>
  kind === 'closed' ? seen.filter(({ closed_at, silent }) => closed_at !== null && silent === 0) : seen;

async function toPerson(row: NoticeDeliveryRow, now: number): Promise<Ready | Instead> {
  const person = row.user_id === null ? undefined : await findPerson(row.user_id);
  if (!person) return { drop: 'no_right' };
  const route = personalRoute(row.channel as PersonalChannel);
  const address = row.address ?? (route ? await route.addressOf(person.id) : null);
  if (!route || address === null) return { drop: 'no_address' };
  const { language } = person.preferences;
  if (row.kind === 'test') return { channel: route.channel, address, language, content: testContent() };
  if (row.kind === 'replaced')
    return { channel: route.channel, address, language, content: replacedContent(person.login) };
  const notice = row.notice_id === null ? undefined : await findNotice(row.notice_id);
  if (!notice) return { drop: 'over' };
  const seen = toldBy(row, await subjectsFor(person, notice.id));
  if (seen.length === 0) return { drop: 'no_right' };
  // The end of a notice is told by a delivery of its own.
  if (row.kind !== 'closed' && notice.closed_at !== null && notice.open_subjects === 0) return { drop: 'over' };
  const instead = await hindrance(row, person, notice.level, now);
  if (instead) return instead;
  const first = row.for_user_id === null ? null : ((await findPerson(row.for_user_id))?.login ?? null);
  return { channel: route.channel, address, language, content: contentOf(notice, seen, row.kind, first) };
}

async function toWebhook(row: NoticeDeliveryRow): Promise<Ready | Instead> {
  const hook = row.webhook_id === null ? undefined : await findWebhookRow(row.webhook_id);
  const channel = webhookChannel();
  if (!hook || hook.active === 0 || !channel) return { drop: 'no_address' };
  const address = JSON.stringify({ url: hook.url, secret: unseal(`notice_webhooks.secret:${hook.id}`, hook.secret) });
  if (row.kind === 'test') return { channel, address, language: 'en', content: testContent() };
  const notice = row.notice_id === null ? undefined : await findNotice(row.notice_id);
  const seen = notice ? toldBy(row, await listSeenSubjects(SYSTEM, notice.id, true)) : [];
  if (!notice || seen.length === 0) return { drop: 'over' };
  return { channel, address, language: 'en', content: contentOf(notice, seen, row.kind, null) };
}

const readyOf = (row: NoticeDeliveryRow, now: number): Promise<Ready | Instead> =>
  row.channel === 'webhook' ? toWebhook(row) : toPerson(row, now);

const iso = (time: number): string => new Date(time).toISOString();

/** Returns the pause before the next try, in seconds: it doubles, up to an hour. */
const pauseAfter = (attempts: number): number => Math.min(LONGEST_PAUSE_S, FIRST_PAUSE_S * 2 ** Math.min(attempts, 12));

/** Stores the end of a delivery, with a line of the audit where it was given up. */
async function settle(
  row: NoticeDeliveryRow,
  lease: string | null,
  end: {
    state: NoticeDeliveryRow['state'];
    due_at?: string;
    error?: string | null;
    ref?: string | null;
    gaveUp?: true;
  },
): Promise<void> {
  await acting(SYSTEM_ASKER, { name: 'schedule', call: 'notices', request_id: requestIdOf() }, () =>
    transaction(async () => {
      const isOurs = await settleDelivery(row.id, lease, {
        state: end.state,
        due_at: end.due_at ?? row.due_at,
        error: end.error ?? null,
        ref: end.ref ?? row.ref,
        now: iso(Date.now()),
      });
      if (!isOurs || !(end.gaveUp || ['failed', 'gone', 'unknown'].includes(end.state))) return;
      note({
        action: 'finish',
        object: 'notice_deliveries',
        id: row.id,
        name: row.channel,
        after: { state: end.state, error: end.error ?? null, attempts: row.attempts },
        outcome: 'failed',
      });
    }),
  );
}

/** Stores what a channel has answered. */
function settleAnswer(row: NoticeDeliveryRow, lease: string, sent: Sent, now: number): Promise<void> {
  if (sent.outcome === 'sent') return settle(row, lease, { state: 'sent', ref: sent.ref });
  if (sent.outcome !== 'later') return settle(row, lease, { state: sent.outcome, error: sent.reason });
  const next = now + Math.max(sent.seconds, pauseAfter(row.attempts)) * 1_000;
  const error = sent.reason ?? 'later';
  if (row.attempts >= MOST_ATTEMPTS) {
    return settle(row, lease, { state: 'dropped', error, gaveUp: true });
  }
  return settle(row, lease, { state: 'queued', due_at: iso(next), error });
}

async function call(
  { channel, address, language, content }: Ready,
  row: NoticeDeliveryRow,
  render: RenderContent,
): Promise<Sent> {
  try {
    const send = () =>
      channel.send(address, render(content, language), AbortSignal.timeout(CALL_MS), `delivery-${row.id}`);
    // Telegram's calls are measured where they are made.
    return await (row.channel === 'telegram' ? send() : measuringCall(row.channel, send));
  } catch {
    // A channel that throws may have sent: its message must not go into the log, where addresses would stand.
    return { outcome: 'later', seconds: 60, reason: 'channel_error' };
  }
}

/** Sends one delivery, unless another process does. Returns whether its channel is away, and takes no more now. */
async function deliver(row: NoticeDeliveryRow, render: RenderContent, ending?: AbortSignal): Promise<boolean> {
  const now = Date.now();
  if (row.state === 'sending' && row.channel !== 'webhook') {
    // The process died between intent and end, and the channel can't tell whether it arrived.
    await settle(row, row.lease_until, { state: 'unknown', error: 'interrupted' });
    return false;
  }
  const ready = await readyOf(row, now);
  if (!('channel' in ready)) {
    const end =
      'drop' in ready
        ? ({ state: 'dropped', error: ready.drop } as const)
        : ({ state: 'queued', due_at: iso(ready.wait), error: row.error } as const);
    await settle(row, row.lease_until, end);
    return false;
  }
  const lease = iso(now + LEASE_MS);
  crashPoint('notice:before-intent');
  if (!(await transaction(() => claimDelivery(row, lease, iso(now))))) return false;
  crashPoint('notice:after-intent');
  const sent = await call(ready, row, render);
  crashPoint('notice:after-call');
  const tried = { ...row, attempts: row.attempts + 1 };
  await storeEnd(() => settleAnswer(tried, lease, sent, now), now + LEASE_MS, ending);
  return sent.outcome === 'later';
}

/**
 * Sends what is due over a channel, or over all of them, webhook beside webhook, and returns how much was due. Where one takes no more its rest
 * is due still. `ending`: what is not begun waits.
 */
export async function deliverDue(
  render: RenderContent,
  { channel = null, ending }: { channel?: NoticeDeliveryRow['channel'] | null; ending?: AbortSignal } = {},
): Promise<number> {
  const due = await listDue(iso(Date.now()), AT_ONCE, channel);
  const targetOf = (row: NoticeDeliveryRow): string => `${row.channel}${row.webhook_id ?? ''}`;
  await Promise.all(
    [...new Set(due.map(targetOf))].map(async (target) => {
      for (const row of due.filter((one) => targetOf(one) === target)) {
        if (ending?.aborted) return;
        const isAway = await inSpan({ name: `notice ${row.channel}` }, () => deliver(row, render, ending));
        if (isAway) return;
      }
    }),
  );
  return due.length;
}
