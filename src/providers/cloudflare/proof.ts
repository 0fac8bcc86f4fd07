import { z } from 'zod';
import { ProviderError } from '../provider-error.ts';
import { isForbidden, take } from './answers.ts';

/** Whether a login works at all, which a refusal leaves open. */
export interface Proof {
  /** A call went through. */
  succeeded(): void;
  /** A call was refused. Throws `credentials`, in the words of the refusal, where the login is found to be wrong. */
  doubted(refusal: ProviderError): Promise<void>;
}

/** After so many refusals without a success between them the login is looked at; at the very first one, too. */
const REFUSALS = 3;

const Token = z.object({ status: z.string() });

/** What of a login its proof depends on. */
interface Login {
  email: string;
  account_id?: string | null;
}

type Ask = (place: string) => Promise<{ result?: unknown }>;

/** The proof of a login; `ask` makes a call and throws ProviderError. */
export function proofOf(login: Login, ask: Ask): Proof {
  let refusals = REFUSALS - 1;
  let looking: Promise<boolean> | undefined;

  const look = async (): Promise<boolean> => {
    try {
      await (login.email === '' ? verifyToken(login, ask) : ask('/user'));
      refusals = 0;
      return true;
    } catch (error) {
      // What comes with a code is Cloudflare's own no; the words of the refusal say more.
      const isWrong = error instanceof ProviderError && error.kind === 'credentials' && error.code !== undefined;
      if (isWrong || isForbidden(error)) return false;
      throw error;
    } finally {
      looking = undefined;
    }
  };
  return {
    succeeded: () => {
      refusals = 0;
    },
    doubted: async (refusal) => {
      refusals += 1;
      if (refusals < REFUSALS) return;
      looking ??= look();
      if (await looking) return;
      const { status, code } = refusal;
      throw new ProviderError('credentials', refusal.message, { status, code });
    },
  };
}

/** Throws ProviderError where the token is none, or has ended. One that an account owns is known there alone. */
async function verifyToken({ account_id }: Login, ask: Ask): Promise<void> {
  try {
    return mustBeActive(await ask('/user/tokens/verify'));
  } catch (error) {
    const isUnknown = error instanceof ProviderError && error.kind === 'credentials' && error.code !== undefined;
    if (!account_id || !(isUnknown || isForbidden(error))) throw error;
    return mustBeActive(await ask(`/accounts/${encodeURIComponent(account_id)}/tokens/verify`));
  }
}

function mustBeActive({ result }: { result?: unknown }): void {
  const { status } = take(Token, result);
  if (status !== 'active') throw new ProviderError('credentials', `the token is ${status}`);
}
