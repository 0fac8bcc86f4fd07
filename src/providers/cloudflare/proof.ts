import { z } from 'zod';
import { ProviderError } from '../provider-error.ts';
import { isForbidden, take } from './answers.ts';

/** Finds out, after refusals, whether the login itself is wrong. */
export interface Proof {
  /** Call after a successful call. */
  succeeded(): void;
  /** Call after a refusal. Throws `credentials`, with the refusal's message, if the login turns out to be wrong. */
  doubted(refusal: ProviderError): Promise<void>;
}

/** The login is verified after so many refusals without a success in between, and after the very first one. */
const REFUSALS = 3;

const Token = z.object({ status: z.string() });

/** The part of a login that the proof needs. */
interface Login {
  email: string;
  account_id?: string | null;
}

type Ask = (place: string) => Promise<{ result?: unknown }>;

/** Makes the proof of a login; `ask` makes a call and throws ProviderError. */
export function proofOf(login: Login, ask: Ask): Proof {
  let refusals = REFUSALS - 1;
  let isWrong = false;
  let looking: Promise<boolean> | undefined;

  const look = async (): Promise<boolean> => {
    try {
      await (login.email === '' ? verifyToken(login, ask) : ask('/user'));
      refusals = 0;
      return true;
    } catch (error) {
      // The message of the first refusal says more.
      if (isForbidden(error)) return false;
      throw error;
    } finally {
      looking = undefined;
    }
  };
  return {
    succeeded: () => {
      refusals = 0;
      isWrong = false;
    },
    doubted: async (refusal) => {
      refusals += 1;
      if (refusals < REFUSALS) return;
      // Once found wrong, it is not asked for again before a call has succeeded.
      if (!isWrong) {
        looking ??= look();
        if (await looking) return;
        isWrong = true;
      }
      const { status, code } = refusal;
      throw new ProviderError('credentials', refusal.message, { status, code });
    },
  };
}

/** Throws ProviderError if the token is invalid or not active. A token that an account owns is known only there. */
async function verifyToken({ account_id }: Login, ask: Ask): Promise<void> {
  try {
    return mustBeActive(await ask('/user/tokens/verify'));
  } catch (error) {
    if (!account_id || !isForbidden(error)) throw error;
    return mustBeActive(await ask(`/accounts/${encodeURIComponent(account_id)}/tokens/verify`));
  }
}

function mustBeActive({ result }: { result?: unknown }): void {
  const { status } = take(Token, result);
  if (status !== 'active') throw new ProviderError('credentials', `the token is ${status}`);
}
