import { setTimeout as sleep } from 'node:timers/promises';
import { config } from '../../lib/config.ts';
import { messageFor } from '../../operations/failure.ts';
import { ProviderError } from '../../providers/provider-error.ts';
import type { SearchPage } from '../../providers/provider.ts';
import { xmlriver } from '../../providers/search/xmlriver.ts';
import type { Message } from '../../shared/i18n/index.ts';
import { listSearchAccounts, noteAccountError, searchCallOf, type SearchAccount } from '../accounts/search-accounts.ts';
import type { FetchRun } from './fetch-run.ts';
import type { Journal } from './fetch-store.ts';

const TRIES = 5;
const USUAL_PAUSE = 5;
// A service that asks for patience again and again is not waited for.
const MOST_WAITS = 20;
// So many tries in a row without an answer, of whatever queries: the service is away.
const MOST_SILENCE = 150;

/** Thrown where no query can be read any more; `told` is why. */
export class Stopped extends Error {
  readonly told: Message;
  constructor(told: Message) {
    super(told.key);
    this.told = told;
  }
}

/** Whether an account can't be used any more: its login is refused, or it has no money. */
const isSpent = (error: ProviderError): boolean =>
  error.kind === 'credentials' ||
  (error.kind === 'refused' && (error.reason === 'no_money' || error.reason === 'address'));

/** Whether another try may succeed without paying for the same answer twice: one that has come and can't be read was paid. */
const isTemporary = ({ kind, unanswered }: ProviderError): boolean =>
  kind === 'unavailable' || (kind === 'malformed' && unanswered);

/**
 * Whether a request that was sent may have been charged though it has failed: its answer was lost, or can't be read. An error
 * that the service tells, by its own code or by the status, is not charged.
 */
const mayBeCharged = (error: unknown): boolean =>
  !(error instanceof ProviderError) ||
  error.kind === 'malformed' ||
  (error.kind === 'unavailable' && !error.unsent && error.status === undefined && !/^\d+$/.test(String(error.code)));

/** The accounts of a run: the first one that works is used by all queries. */
export interface Accounts {
  /** Of calls: fires some time after that of the run. */
  signal: AbortSignal;
  current: () => SearchAccount;
  /** Goes on with the next account. */
  drop: (account: SearchAccount, error: ProviderError) => Promise<void>;
  /** Notes a try. Throws Stopped after many in a row without an answer. */
  tried: (failure: ProviderError | null) => void;
}

/** Opens the accounts of a run whose calls end with a signal. */
export async function openAccounts(signal: AbortSignal): Promise<Accounts> {
  const left = await listSearchAccounts('xmlriver');
  let why: Message = { key: 'positions.no_account' };
  let silence = 0;
  return {
    signal,
    current: () => {
      const [first] = left;
      if (!first) throw new Stopped(why);
      return first;
    },
    drop: async (account, error) => {
      const at = left.indexOf(account);
      if (at < 0) return;
      left.splice(at, 1);
      const params = { name: account.name };
      why =
        error.reason === 'no_money'
          ? { key: 'positions.no_money', params }
          : { key: 'positions.account_refused', params };
      await noteAccountError(account, error, why);
    },
    tried: (failure) => {
      silence = failure ? silence + 1 : 0;
      const told = messageFor(failure);
      if (silence >= MOST_SILENCE && told) throw new Stopped(told);
    },
  };
}

/** Returns the login of an account as the source takes it. */
export const loginOf = ({ login }: SearchAccount) => ({ login: login['login'] ?? '', key: login['key'] ?? '' });

/**
 * Waits as an error asks for, the longer the more tries there were. A pace of the configuration, which is a test's or the demo's,
 * shortens the pause.
 */
const pauseAfter = async ({ retryAfter }: ProviderError, times: number, signal: AbortSignal): Promise<void> => {
  const seconds = (retryAfter ?? USUAL_PAUSE) * times;
  const quick = config().searchPace ? 0.02 : 1;
  await sleep(seconds * 1000 * quick * (1 + Math.random() / 4), undefined, { signal });
};

/** Makes one request within the cap of the day. A request that may have been charged counts, even without an answer. */
async function readOnce(
  { input, signal }: FetchRun,
  keyword: string,
  page: number,
  account: SearchAccount,
  accounts: Accounts,
  journal: Journal,
): Promise<SearchPage> {
  const { engine, region, device } = input;
  journal.reserve();
  let isSent = false;
  // It may have waited for its turn: what was not sent before the work stops is not sent any more.
  const beforePaying = async (): Promise<void> => {
    signal.throwIfAborted();
    isSent = true;
  };
  try {
    const call = { ...searchCallOf('xmlriver', accounts.signal), beforePaying };
    return await xmlriver.readPage(loginOf(account), { engine, keyword, region, device }, page, call);
  } catch (error) {
    if (isSent && mayBeCharged(error)) await journal.lost(account.id);
    else journal.release();
    throw error;
  }
}

/** Reads a page, with other tries after temporary failures, and by other accounts. Throws Stopped, or ProviderError. */
export async function readPage(
  run: FetchRun,
  keyword: string,
  page: number,
  accounts: Accounts,
  journal: Journal,
): Promise<{ answer: SearchPage; account: SearchAccount }> {
  let tries = 0;
  let waits = 0;
  for (;;) {
    run.signal.throwIfAborted();
    const account = accounts.current();
    try {
      const answer = await readOnce(run, keyword, page, account, accounts, journal);
      accounts.tried(null);
      return { answer, account };
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      if (isSpent(error)) {
        await accounts.drop(account, error);
        continue;
      }
      const isLimited = error.kind === 'rate_limited';
      if (isLimited) waits += 1;
      else tries += 1;
      if (!isLimited && !isTemporary(error)) throw error;
      accounts.tried(error);
      if (tries >= TRIES || waits > MOST_WAITS) throw error;
      await pauseAfter(error, Math.max(1, isLimited ? 1 : tries), run.signal);
    }
  }
}
