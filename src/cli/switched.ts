import type { BudgetView } from '../shared/purchases/purchases.ts';
import type { Context } from './context.ts';

/** Says who has switched purchases and when; null: nobody has. */
export function switchedText(
  { say }: Context,
  { switched_at, switched_by }: Pick<BudgetView, 'switched_at' | 'switched_by'>,
): string | null {
  if (switched_at === null) return null;
  const at = `${switched_at.slice(0, 16)}Z`;
  return switched_by === null
    ? say('purchases.switched_itself', { at })
    : say('purchases.switched_at', { login: switched_by, at });
}
