import { createHash } from 'node:crypto';
import { z } from 'zod';
import {
  findExpiryFeed,
  readExpiryFeed,
  renewExpiryFeed,
  revokeExpiryFeed,
  type FeedDomain,
} from '../services/portfolio/expiry-feeds.ts';
import { translate, type Language } from '../shared/i18n/index.ts';
import { expiryDay } from '../shared/portfolio/expiry-day.ts';
import { icalendarOf, type DayEvent } from '../shared/portfolio/ical.ts';
import { Nothing, route, type FileAnswer } from './http/route.ts';

const PATH = '/api/expiry.ics';

/** Says that the date is in doubt, and which one else waits for a decision. */
function doubtOf(language: Language, { domain_name, suspect_date }: FeedDomain): string {
  if (suspect_date === null) return '';
  const day = expiryDay({ domain_name, expired_at: suspect_date });
  return translate(language, 'feed.doubt_other', { day });
}

function eventOf(language: Language, domain: FeedDomain): DayEvent {
  const { id, domain_name, unicode_name, updated_at, day, registrar, project_name } = domain;
  const name = translate(language, 'feed.event', { name: unicode_name });
  const doubt = doubtOf(language, domain);
  const lines = [
    doubt,
    domain_name === unicode_name ? '' : domain_name,
    registrar === null ? '' : `${translate(language, 'list.registrar')}: ${registrar}`,
    project_name === null ? '' : `${translate(language, 'list.project')}: ${project_name}`,
  ];
  return {
    uid: `domain-${id}-expiry@seo-admin`,
    changed_at: updated_at,
    day,
    title: doubt === '' ? name : `${name}: ${translate(language, 'list.doubt')}`,
    text: lines.filter((line) => line !== '').join('\n'),
  };
}

export const expiryFeeds = {
  'GET /api/expiry_feed': route({
    summary: "Since when the token of the caller's feed of expiries is valid; null: there is none",
    run: ({ actor }) => findExpiryFeed(actor.id),
  }),
  'POST /api/expiry_feed': route({
    summary:
      "Make the caller's feed of expiries, or a new token for it, which ends the former; the address is told once",
    sessionOnly: true,
    body: Nothing,
    run: async ({ actor, signed }) => {
      const { token, created_at } = await renewExpiryFeed(actor.id, signed.still);
      return { url: `${PATH}?token=${token}`, created_at };
    },
  }),
  'DELETE /api/expiry_feed': route({
    summary: "End the caller's feed of expiries: its address is refused from then on",
    sessionOnly: true,
    run: async ({ actor, language }) => {
      await revokeExpiryFeed(actor.id);
      return { message: translate(language, 'feed.revoked') };
    },
  }),
  'GET /api/expiry.ics': route({
    access: 'anyone',
    summary: 'The expiries of the own domains of the user whose token is given, as iCalendar (RFC 5545)',
    // A missing or malformed token gets the same answer as a wrong one.
    query: z.object({ token: z.string().catch('') }),
    answer: 'file',
    run: async ({ address, language, query: { token } }): Promise<FileAnswer> => {
      const domains = await readExpiryFeed(token, address);
      const events = domains.map((domain) => eventOf(language, domain));
      const content = Buffer.from(icalendarOf(translate(language, 'feed.name'), events));
      const etag = `W/"${createHash('sha256').update(content).digest('base64url')}"`;
      return { name: 'expiry.ics', type: 'text/calendar; charset=utf-8', content, etag };
    },
  }),
};
