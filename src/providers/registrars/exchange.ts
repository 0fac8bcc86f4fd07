import type { z } from 'zod';
import { redactorOf } from '../../lib/redactor.ts';
import { requestText, type TextAnswer, type TextRequest } from '../http.ts';
import { paceOf, type Pace } from '../pace.ts';
import {
  ProviderError,
  type ProviderErrorDetails,
  type ProviderErrorKind,
  type RefusalReason,
} from '../provider-error.ts';
import type { Call } from '../provider.ts';
import { publicAddress } from '../public-address.ts';
import { nameIn } from './values.ts';

const READ_MS = 20_000;
// A registry may take a minute to register a name.
const PAY_MS = 90_000;
const MAX_TEXT = 300;
const USUAL_PAUSE = 60;

/**
 * A registrar's service: its address, and how often a login may call it. `isTyped`: a person has typed the address, so it is not
 * called on a private network.
 */
export interface Service {
  id: string;
  url: string;
  isTyped?: true;
  pace: Pace;
  /** How often all logins together may call it, where it counts by address as well. */
  ofAll?: Pace;
}

/** The meaning of a service's error code: the kind of error, its reason, seconds to wait, and whether all logins of this address wait. */
export type Meaning = [kind: ProviderErrorKind, reason?: RefusalReason, retryAfter?: number, ofAll?: true];

type Ask = Pick<TextRequest, 'method' | 'body'> & {
  /** Added to the address; empty: the address itself. */
  path?: string;
  headers?: Record<string, string>;
  /** It may charge: it is given more time. */
  pays?: boolean;
  /** Its time, where it is another than usual. */
  timeoutMs?: number;
  /** An answer of the status 429 is returned: its text says how long to wait. */
  tellsWait?: boolean;
  /** It has a pace of its own beside that of all calls. */
  paced?: { name: string; pace: Pace };
};

/** The calls of one login, at the service's pace. */
export interface Exchange {
  /** Sends one request once. Throws for a server's failure and for a refusal by the number of calls; returns anything else. */
  send: (ask: Ask) => Promise<TextAnswer>;
  /** Makes an error with the service's own text, without secrets; `rate_limited` stops the login's calls for a while. */
  error: (kind: ProviderErrorKind, text: string, details?: ProviderErrorDetails) => ProviderError;
  /** Makes the error of a service's code. An unknown one is a refusal, unless the call may have charged: it proves nothing. */
  refusal: (meanings: Readonly<Record<string, Meaning>>, code: string, text: string, pays: boolean) => ProviderError;
  /** Throws `malformed` for an answer that is about another domain than the one asked for. */
  expectName: (answered: string | undefined, asked: string) => void;
  /** Reads a value by its shape. Throws `malformed`. */
  read: <Shape extends z.ZodType>(shape: Shape, value: unknown) => z.output<Shape>;
}

/** Throws for a server's failure, and for a refusal by the number of calls unless its text is to be read (`tellsWait`). */
function expectAnswer(
  { status, headers }: TextAnswer,
  { tellsWait }: Pick<Ask, 'tellsWait'>,
  error: Exchange['error'],
): void {
  if (status === 429 && !tellsWait) {
    const retryAfter = Number(headers.get('retry-after')) || USUAL_PAUSE;
    throw error('rate_limited', `HTTP ${status}`, { status, retryAfter });
  }
  if (status >= 500) throw error('unavailable', `HTTP ${status}`, { status });
}

/** Opens the exchange of a login, of which `secrets` never come into a message. */
export function exchangeOf(service: Service, login: string, secrets: readonly string[], call: Call): Exchange {
  const base = (call.url ?? service.url).replace(/\/+$/, '');
  const key = `${service.id} ${base} ${login}`;
  const queue = paceOf(key, call.pace ?? service.pace);
  const ofAll = service.ofAll && paceOf(`${service.id} ${base}`, call.pace ?? service.ofAll);
  const redactor = redactorOf(secrets);

  const error: Exchange['error'] = (kind, text, details) => {
    if (kind === 'rate_limited') queue.pause(details?.retryAfter ?? USUAL_PAUSE);
    const own = redactor.hide(text.replaceAll(/\s+/g, ' ').trim()).slice(0, MAX_TEXT);
    return new ProviderError(kind, `${service.id}: ${own}`, details);
  };

  const once = async ({ path = '', headers = {}, pays = false, method, body, ...ask }: Ask): Promise<TextAnswer> => {
    const { timeoutMs = pays ? PAY_MS : READ_MS } = ask;
    // The error of the URL parser would repeat the query.
    if (!URL.canParse(base + path)) throw error('unavailable', 'the address of the service is none', { unsent: true });
    const url = new URL(base + path);
    if (service.isTyped && call.url === undefined) await publicAddress(url.hostname);
    // The last step before the request: it may have waited for its turn.
    if (pays) await call.beforePaying?.();
    const answer = await requestText({
      service: service.id,
      method,
      body,
      url,
      headers,
      timeoutMs,
      signal: call.signal,
    });
    expectAnswer(answer, ask, error);
    return answer;
  };

  return {
    error,
    send({ paced, ...ask }) {
      const askOnce = (): Promise<TextAnswer> => once(ask);
      const run = (): Promise<TextAnswer> =>
        queue.run(ofAll ? () => ofAll.run(askOnce, call.signal) : askOnce, call.signal);
      return paced ? paceOf(`${key} ${paced.name}`, call.pace ?? paced.pace).run(run, call.signal) : run();
    },
    refusal(meanings, code, text, pays) {
      const [kind, reason, retryAfter, isOfAll] = meanings[code] ?? [pays ? 'malformed' : 'refused'];
      if (isOfAll) ofAll?.pause(retryAfter ?? USUAL_PAUSE);
      return error(kind, `${text} (${code})`, { code, reason, retryAfter });
    },
    expectName(answered, asked) {
      if (nameIn(answered ?? '') !== asked) throw error('malformed', `the answer is not about ${asked}`);
    },
    read(shape, value) {
      const parsed = shape.safeParse(value);
      if (!parsed.success) throw error('malformed', 'an answer that is not documented');
      return parsed.data;
    },
  };
}

/** Returns what is read of a domain; null, where the service refuses it as not in the account. */
export async function orAbsent<T>(read: Promise<T>): Promise<T | null> {
  try {
    return await read;
  } catch (error) {
    if (error instanceof ProviderError && error.reason === 'absent') return null;
    throw error;
  }
}

/** Parses JSON; undefined: it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
