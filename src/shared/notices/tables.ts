import {
  audited,
  flag,
  hash,
  id,
  integer,
  json,
  machine,
  optional,
  reference,
  secret,
  table,
  text,
  time,
  type Row,
} from '../table.ts';
import type { EventKind, Level } from './events.ts';
import type { Channel, DeliveryKind, DeliveryState } from './notices.ts';

/** The events table: the outbox. An event is grouped into a notice once, at `grouped_at`. */
export const events = table('events', machine('what has happened, written beside it'), {
  id: id(),
  kind: text<EventKind>(),
  level: text<Level>(),
  domain_id: optional(integer()),
  project_id: optional(integer()),
  user_id: optional(integer()),
  name: text(),
  cause: text(),
  params: json(),
  at: time(),
  grouped_at: optional(time()),
});
export type EventRow = Row<typeof events>;

/**
 * The notices table. `cause` is what its subjects have in common, such as `server:3`, and `cause_name` its name. `told_subjects` had the
 * notice when it was last told, at `told_at`.
 */
export const notices = table('notices', machine('made of events; who acknowledges one is noted in it'), {
  id: id(),
  kind: text<EventKind>(),
  level: text<Level>(),
  cause: text(),
  cause_name: text(),
  flapping: flag(),
  subjects: integer(),
  open_subjects: integer(),
  told_subjects: integer(),
  told_at: optional(time()),
  opened_at: time(),
  changed_at: time(),
  closed_at: optional(time()),
  acknowledged_at: optional(time()),
  acknowledged_by: optional(reference('users', 'SET NULL')),
});
export type NoticeRow = Row<typeof notices>;

/**
 * The notice_subjects table: what a notice is about; `subject` is `domain:5`, or the name where it is no domain. `silent`: its end is told to
 * nobody, since it is told anew in another notice, or has another name.
 */
export const noticeSubjects = table('notice_subjects', machine('made of events'), {
  id: id(),
  notice_id: reference('notices', 'CASCADE'),
  subject: text(),
  domain_id: optional(integer()),
  project_id: optional(integer()),
  user_id: optional(integer()),
  name: text(),
  params: json(),
  opened_at: time(),
  closed_at: optional(time()),
  silent: flag(),
});
export type NoticeSubjectRow = Row<typeof noticeSubjects>;

/** The notice_webhooks table: addresses that are called with notices. `secret` signs; `levels` is JSON. */
export const noticeWebhooks = table('notice_webhooks', audited('name'), {
  id: id(),
  name: text(),
  url: text(),
  secret: secret(),
  levels: json(),
  active: flag(),
  created_at: time(),
});
export type NoticeWebhookRow = Row<typeof noticeWebhooks>;

/** The notice_deliveries table: a notice on its way to a person over a channel, or to a webhook. `error` is a code, never a text of a service. */
export const noticeDeliveries = table('notice_deliveries', machine('the delivery log'), {
  id: id(),
  notice_id: optional(reference('notices', 'CASCADE')),
  kind: text<DeliveryKind>(),
  channel: text<Channel>(),
  user_id: optional(reference('users', 'CASCADE')),
  webhook_id: optional(reference('notice_webhooks', 'CASCADE')),
  state: text<DeliveryState>(),
  due_at: time(),
  attempts: integer(),
  error: optional(text()),
  ref: optional(text()),
  lease_until: optional(time()),
  created_at: time(),
  changed_at: time(),
  /** Of an escalated one: who was told first. */
  for_user_id: optional(integer()),
  /** Of what goes to an address that is the person's no more. */
  address: optional(text()),
});
export type NoticeDeliveryRow = Row<typeof noticeDeliveries>;

/** The notice_preferences table: what a user wants to be told, where and when. `levels` is JSON by channel. */
export const noticePreferences = table(
  'notice_preferences',
  audited(null, ['code_tries', 'code_expires_at']),
  {
    user_id: reference('users', 'CASCADE'),
    levels: json(),
    quiet_from: optional(text()),
    quiet_until: optional(text()),
    zone: text(),
    critical_always: flag(),
    language: text<'ru' | 'en'>(),
    escalate_to: optional(reference('users', 'SET NULL')),
    escalate_after: integer(),
    muted_until: optional(time()),
    every_project: flag(),
    email: optional(text()),
    email_confirmed_at: optional(time()),
    code_hash: optional(hash()),
    code_tries: integer(),
    code_expires_at: optional(time()),
    /** Replaces a confirmed address once its code is told. */
    email_next: optional(text()),
  },
  { key: ['user_id'] },
);
export type NoticePreferencesRow = Row<typeof noticePreferences>;

/** The notice_acknowledgements table: who has seen a notice. */
export const noticeAcknowledgements = table(
  'notice_acknowledgements',
  machine('kept with the notice'),
  {
    notice_id: reference('notices', 'CASCADE'),
    user_id: reference('users', 'CASCADE'),
    at: time(),
  },
  { key: ['notice_id', 'user_id'] },
);
export type NoticeAcknowledgementRow = Row<typeof noticeAcknowledgements>;
