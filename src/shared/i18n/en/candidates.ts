import type { candidates as ru } from '../ru/candidates.ts';

/** Names that may be bought. */
export const candidates: Record<keyof typeof ru, string> = {
  'candidates.no_name': 'The template gives no name that can be registered: correct the template',
  'candidates.none_left':
    'No names are left to buy: of {tried} that were checked {held} are in the portfolio, {past} were in it, {related} are above or below a name of it, {blocked} are on the block list, {invalid} can’t be registered, {zone} are in zones that the registrar does not sell. Change the template',
  'candidates.sells_nothing': '{type} sells no free domains: choose another registrar',
};
