import { ProviderError } from '../../providers/provider-error.ts';
import type { BotState } from '../../shared/notices/telegram.ts';

const CONFLICT_MS = 30_000;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;

const isCode = (error: unknown, code: number): error is ProviderError =>
  error instanceof ProviderError && error.code === code;

/** Returns what a failure says about the bot. */
export function stateOf(error: unknown): BotState {
  if (error instanceof ProviderError && error.kind === 'credentials') return 'refused';
  return isCode(error, 409) ? 'conflict' : 'away';
}

const pauseAfter = (failures: number): number =>
  Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(failures - 1, 10)) * (0.75 + Math.random() / 2);

/** Returns after how long polling goes on after a failure; null: never, until the program starts anew. */
export function restAfter(error: unknown, failures: number): number | null {
  if (!(error instanceof ProviderError)) return pauseAfter(failures);
  if (error.kind === 'credentials') return null;
  if (error.kind === 'rate_limited') return (error.retryAfter ?? 1) * 1000;
  return isCode(error, 409) ? CONFLICT_MS : pauseAfter(failures);
}
