import { z } from 'zod';
import { config } from '../lib/config.ts';
import { codeContent, subjectViewOf, viewOf } from '../services/notices/content.ts';
import { listDeliveries, sendTest } from '../services/notices/delivery-log.ts';
import { confirmEmail, removeEmail, sendEmailCode } from '../services/notices/email-address.ts';
import { acknowledgeNotice, listNotices, listNoticeSubjects } from '../services/notices/notices.ts';
import { readPreferences, writePreferences } from '../services/notices/preferences.ts';
import { createWebhook, deleteWebhook, listWebhooks, updateWebhook } from '../services/notices/webhooks.ts';
import { OwnPassword } from '../shared/access/factors.ts';
import type { Message, Render } from '../shared/i18n/index.ts';
import { LEVELS } from '../shared/notices/events.ts';
import { CHANNELS, DELIVERY_STATES, type NoticeSubjectView, type NoticeView } from '../shared/notices/notices.ts';
import { CodeInput, EmailInput, PreferencesInput, WebhookChange, WebhookInput } from '../shared/notices/preferences.ts';
import { idOf, Nothing, route } from './http/route.ts';

const Page = {
  limit: z.coerce.number().int().min(1).max(500).default(50),
  offset: z.coerce.number().int().min(0).max(1e9).default(0),
};

const shown = (render: Render, view: NoticeView<Message>): NoticeView => ({ ...view, title: render(view.title) });

export const notices = {
  'GET /api/notices': route({
    summary:
      'What has happened to domains and accounts that the caller sees, the newest first; `waiting`: how much of it lasts and is not acknowledged',
    query: z.object({ open: z.literal('1').optional(), level: z.enum(LEVELS).optional(), ...Page }),
    run: async ({ actor, render, query: { open, ...selection } }) => {
      const { notices: rows, waiting } = await listNotices(actor, { ...selection, open: open === '1' });
      return { data: rows.map((row) => shown(render, viewOf(row))), waiting };
    },
  }),
  'GET /api/notices/:id/subjects': route({
    summary: 'The names that a notice is about, as far as the caller sees them, what lasts first',
    query: z.object(Page),
    run: async ({ actor, params, render, query: { limit, offset } }) => {
      const { kind, subjects } = await listNoticeSubjects(actor, idOf(params));
      const page = subjects.slice(offset, offset + limit).map((row): NoticeSubjectView => {
        const { id, name, path, closed_at } = subjectViewOf(kind, row);
        return { id, name: render(name), path, closed_at };
      });
      return { data: page, total: subjects.length };
    },
  }),
  'POST /api/notices/:id/acknowledge': route({
    summary: 'Says that the caller has seen a notice: it is not escalated for him any more',
    body: Nothing,
    run: async ({ actor, params }) => {
      await acknowledgeNotice(actor, idOf(params));
      return { message: 'ok' };
    },
  }),
  'POST /api/notices/test': route({
    summary: 'Sends a test to the caller over a channel',
    body: z.object({ channel: z.enum(CHANNELS) }),
    run: async ({ actor, body }) => {
      await sendTest(actor.id, body.channel);
      return { message: 'ok' };
    },
  }),
  'GET /api/notice-preferences': route({
    summary: "The caller's notice settings: kinds, channels and times",
    run: async ({ actor }) => ({ data: await readPreferences(actor.id) }),
  }),
  'PUT /api/notice-preferences': route({
    summary: 'Sets what the caller is told; what is absent stays as it is',
    body: PreferencesInput,
    run: async ({ actor, body }) => ({ data: await writePreferences(actor.id, body) }),
  }),
  'POST /api/notice-preferences/email': route({
    summary:
      "Sends a code to an address of the caller's: until that is told it gets nothing; with the password where one is confirmed already",
    sessionOnly: true,
    body: EmailInput,
    run: async ({ signed, body, address, render }) => {
      await sendEmailCode(signed, body, address, (code) => {
        const { title, lines } = codeContent(code);
        const link = config().publicUrl;
        return { title: render(title), lines: lines.map(render), link, buttons: [] };
      });
      return { message: 'ok' };
    },
  }),
  'POST /api/notice-preferences/email/confirm': route({
    summary: "Confirms the caller's address by the code that was sent to it",
    sessionOnly: true,
    body: CodeInput,
    run: async ({ signed, body }) => ({ data: await confirmEmail(signed, body.code) }),
  }),
  'POST /api/notice-preferences/email/remove': route({
    summary: "Forgets the caller's address, by his password",
    sessionOnly: true,
    body: OwnPassword,
    run: async ({ signed, body, address }) => ({ data: await removeEmail(signed, body.password, address) }),
  }),
  'GET /api/deliveries': route({
    access: 'admin',
    summary: 'Deliveries of notices to people, newest first',
    query: z.object({ state: z.enum(DELIVERY_STATES).optional(), ...Page }),
    run: async ({ query }) => ({ data: await listDeliveries(query) }),
  }),
  'GET /api/webhooks': route({
    access: 'admin',
    summary: 'The addresses that are called with notices, without their secrets',
    run: async () => ({ data: await listWebhooks() }),
  }),
  'POST /api/webhooks': route({
    access: 'admin',
    summary: 'Adds an address that is called; the secret that signs the calls is told this once',
    body: WebhookInput,
    run: async ({ body }) => ({ data: await createWebhook(body) }),
  }),
  'PUT /api/webhooks/:id': route({
    access: 'admin',
    summary: 'Changes an address that is called; what is absent stays',
    body: WebhookChange,
    run: async ({ params, body }) => {
      await updateWebhook(idOf(params), body);
      return { message: 'ok' };
    },
  }),
  'DELETE /api/webhooks/:id': route({
    access: 'admin',
    summary: 'Removes an address that is called, with what was sent to it',
    run: async ({ params }) => {
      await deleteWebhook(idOf(params));
      return { message: 'ok' };
    },
  }),
};
