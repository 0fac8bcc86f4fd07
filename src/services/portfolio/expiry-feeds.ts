import { transaction } from '../../../db/index.ts';
import { deleteRow, insertRow, updateRow } from '../../../db/rows.ts';
import { hashToken, randomToken } from '../../lib/token.ts';
import { notFound } from '../../shared/errors.ts';
import { expiryDay } from '../../shared/portfolio/expiry-day.ts';
import { expiryFeeds } from '../../shared/portfolio/tables.ts';
import { DAY_MS } from '../../shared/time.ts';
import type { StillMay } from '../access/scope.ts';
import { countWrongFeed } from '../access/throttle.ts';
import { findFeedOf, findFeedReader, listEndingDomains, type EndingDomain } from './expiry-rows.ts';

// Earlier expiries are left out of the calendar.
const PAST_DAYS = 90;
// Some clients give up on larger calendars; the rest ends years ahead.
const MOST_EVENTS = 20_000;
const TOKEN = /^[\w-]{43}$/;

/** A user's feed: since when its token is valid; null: there is none. The token itself is not kept. */
export interface ExpiryFeed {
  created_at: string | null;
}

/** Returns the state of a user's feed. */
export async function findExpiryFeed(userId: number): Promise<ExpiryFeed> {
  return { created_at: (await findFeedOf(userId))?.created_at ?? null };
}

/** Makes the token of a user's feed, or a new one, which ends the former, and returns it: only its hash is kept. Throws what `still` throws. */
export async function renewExpiryFeed(userId: number, still?: StillMay): Promise<ExpiryFeed & { token: string }> {
  const token = randomToken();
  const values = { token_hash: hashToken(token), created_at: new Date().toISOString() };
  await transaction(async () => {
    await still?.();
    const feed = await findFeedOf(userId);
    if (feed) await updateRow(expiryFeeds, feed.id, values);
    else await insertRow(expiryFeeds, { user_id: userId, ...values });
  });
  return { token, created_at: values.created_at };
}

/** Ends a user's feed: its token is refused from the next request on. Throws AppError `not_found` where there is none. */
export async function revokeExpiryFeed(userId: number): Promise<void> {
  await transaction(async () => {
    const feed = await findFeedOf(userId);
    if (!feed) throw notFound();
    await deleteRow(expiryFeeds, feed.id);
  });
}

/** Ends a user's feed, if there is one, where their password is set or their tokens are revoked. Inside a transaction. */
export async function endFeedOf({ id }: { id: number }): Promise<void> {
  const feed = await findFeedOf(id);
  if (feed) await deleteRow(expiryFeeds, feed.id);
}

/** A domain of a feed, with the day on which its registration ends. */
export type FeedDomain = EndingDomain & { day: string };

/**
 * Returns the own domains of the user whose feed has a token, by date. Throws AppError `not_found` alike for a token that never
 * was, one that was revoked, and that of a disabled user; `too_many` where a network tries many.
 */
export async function readExpiryFeed(token: string, address: string): Promise<FeedDomain[]> {
  const reader = TOKEN.test(token) ? await findFeedReader(hashToken(token)) : undefined;
  if (!reader) {
    countWrongFeed(address);
    throw notFound();
  }
  const since = new Date(Date.now() - PAST_DAYS * DAY_MS).toISOString();
  const domains = await listEndingDomains(reader.user_id, since, MOST_EVENTS);
  return domains.map((domain) => Object.assign(domain, { day: expiryDay(domain) }));
}
