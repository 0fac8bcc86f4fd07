import type { Message } from '../../shared/i18n/index.ts';
import type { Choice } from '../../shared/transfers/transfer-pick.ts';

/** The moves that a person was shown and has agreed to: the reserve of each main domain, by their ids. */
export type ShownMoves = ReadonlyMap<number, number>;

/** Returns the moves among choices that are shown. */
export const movesIn = (choices: readonly Choice[]): ShownMoves =>
  new Map(choices.flatMap(({ main, target }) => (target ? [[main.id, target.id] as const] : [])));

/** Returns a choice that moves nothing, for a reason. */
export const asDeclined = (choice: Choice, reason: Message): Choice => ({
  ...choice,
  target: null,
  decision: 'declined',
  reason,
});

/**
 * Returns what becomes of a choice that would move otherwise than was shown: another reserve is declined, and a domain that was not in
 * the question waits. Null: it is as shown, or moves nothing.
 */
export function otherThanShown(shown: ShownMoves | undefined, choice: Choice): Choice | null {
  const { main, target } = choice;
  if (!shown || !target || shown.get(main.id) === target.id) return null;
  const reason: Message = { key: 'auto_transfer.other_reserve', params: { target: target.domain_name } };
  if (shown.has(main.id)) return asDeclined(choice, reason);
  return { ...choice, target: null, decision: 'waiting', reason: { key: 'auto_transfer.not_shown' } };
}
