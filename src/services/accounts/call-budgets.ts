import { beforeClose, transaction } from '../../../db/index.ts';
import { isStorageTrouble } from '../../lib/database-trouble.ts';
import { giveCallsBack } from '../../providers/budget/budget.ts';
import {
  blocked,
  EMPTY_BOOK,
  grantFrom,
  settled,
  standOf,
  useLedger,
  type Ask,
  type Book,
  type Ledger,
} from '../../providers/budget/ledger.ts';
import { DAY_MS } from '../../shared/time.ts';
import { deleteCallBudgets, findCallBudget, listCallBudgets, upsertCallBudget } from './call-budget-rows.ts';

type Login = Pick<Ask, 'key' | 'service' | 'limit'>;
type Change<T> = (book: Book, now: number) => { book: Book; result: T };

// The last known books by login, and those of them that could not be written to the database.
const known = new Map<string, Book>();
const unwritten = new Map<string, Book>();

/** Adds what this process did to a book while it could not write. */
function merged(stored: Book, key: string): Book {
  const own = unwritten.get(key);
  if (!own) return stored;
  const ids = new Set(stored.slices.map(({ id }) => id));
  return {
    slices: [...stored.slices, ...own.slices.filter(({ id }) => !ids.has(id))],
    blockedUntil: Math.max(stored.blockedUntil, own.blockedUntil),
  };
}

async function store({ key, service, limit }: Login, isNew: boolean, book: Book, now: number): Promise<void> {
  if (isNew) await deleteCallBudgets(new Date(now - DAY_MS).toISOString());
  await upsertCallBudget({
    key,
    service,
    calls: limit.calls,
    seconds: Math.ceil(limit.seconds),
    slices: JSON.stringify(book.slices),
    blocked_until: book.blockedUntil === 0 ? null : new Date(book.blockedUntil).toISOString(),
    changed_at: new Date(now).toISOString(),
  });
}

/** Changes the book of a login by the database's clock, one process at a time. */
const inDatabase = <T>(login: Login, change: Change<T>): Promise<T> =>
  transaction(async () => {
    const row = await findCallBudget(login.key);
    const now = Date.parse(row.now);
    const stored: Book = {
      slices: row.slices === null ? [] : (JSON.parse(row.slices) as Book['slices']),
      blockedUntil: row.blocked_until === null ? 0 : Date.parse(row.blocked_until),
    };
    const before = merged(stored, login.key);
    const { book, result } = change(before, now);
    const isChanged = JSON.stringify(book) !== JSON.stringify(stored);
    if (isChanged) await store(login, row.slices === null, book, now);
    known.set(login.key, book);
    return result;
  });

/** Changes a book in the database; while that can't be written, what is known of it, so that a full disk stops no call. */
async function changed<T>(login: Login, change: Change<T>): Promise<T> {
  try {
    const result = await inDatabase(login, change);
    unwritten.delete(login.key);
    return result;
  } catch (error) {
    if (!isStorageTrouble(error)) throw error;
    const { book, result } = change(known.get(login.key) ?? EMPTY_BOOK, Date.now());
    known.set(login.key, book);
    unwritten.set(login.key, book);
    return result;
  }
}

/** The ledger of all processes of the installation: a row for each login, and a transaction for each slice of calls. */
const databaseLedger: Ledger = {
  take: (ask) =>
    changed(ask, (book, now) => {
      const { book: after, grant } = grantFrom(book, ask, now);
      return { book: after, result: grant };
    }),
  block: (login, ms) => changed(login, (book, now) => ({ book: blocked(book, ms, now), result: undefined })),
  settle: (ask) => changed(ask, (book, now) => ({ book: settled(book, ask, now), result: undefined })),
};

/** Has this process count its calls to outside services in the open database, together with all others. */
export function openBudgets(): void {
  useLedger(databaseLedger);
  beforeClose(giveCallsBack);
}

/** The logins of a service together: what the one with the fewest calls has left, and how long the longest refusal still lasts. */
export interface BudgetStand {
  service: string;
  left: number;
  blocked_ms: number;
}

/** Returns how the budgets of the whole installation stand, by service. No login is named. */
export async function listBudgetStands(): Promise<BudgetStand[]> {
  const stands = new Map<string, BudgetStand>();
  for (const { service, calls, seconds, slices, blocked_until, now } of await listCallBudgets()) {
    const book: Book = {
      slices: JSON.parse(slices) as Book['slices'],
      blockedUntil: blocked_until === null ? 0 : Date.parse(blocked_until),
    };
    const { left, blockedMs } = standOf(book, { calls, seconds }, Date.parse(now));
    const before = stands.get(service) ?? { service, left: Infinity, blocked_ms: 0 };
    stands.set(service, {
      service,
      left: Math.min(before.left, left),
      blocked_ms: Math.max(before.blocked_ms, blockedMs),
    });
  }
  return [...stands.values()];
}
