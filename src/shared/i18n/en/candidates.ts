import type { candidates as ru } from '../ru/candidates.ts';

/** Names that may be bought, and the dialog with their template. */
export const candidates: Record<keyof typeof ru, string> = {
  'candidates.no_name': 'The template gives no name that can be registered: correct the template',
  'candidates.none_left':
    'No names are left to buy: of {tried} that were checked {held} are in the portfolio, {past} were in it, {related} are above or below a name of it, {blocked} are on the block list, {invalid} can’t be registered, {zone} are in zones that the registrar does not sell. Change the template',
  'candidates.sells_nothing': '{type} sells no free domains: choose another registrar',

  // The dialog of a project
  'auto_buy.button': 'Automatic buying',
  'auto_buy.title': 'Automatic buying in the project “{name}”',
  'auto_buy.load_failed': 'The data could not be loaded',
  'auto_buy.save_refused': 'The data could not be saved',
  'auto_buy.save_failed': 'Something went wrong while the data was being saved',
  'auto_buy.state': 'Buy reserve domains automatically',
  'auto_buy.template': 'Name template',
  'auto_buy.template_help': '{pick} is one of the values, {join} all of them in any order with a hyphen between',
  'auto_buy.registrar': 'Registrar',
  'auto_buy.group': 'Cloudflare group',
  'auto_buy.wanted': 'Reserves to keep',
  'auto_buy.wanted_help':
    'Those count that automatic transfer takes: not manual, not blocked, with more than a month left',
  'auto_buy.none': 'None chosen',
  'auto_buy.check': 'Check',
  'auto_buy.checked': 'Check of the template',
  'auto_buy.combinations': 'Combinations: {n}',
  'auto_buy.samples': 'Samples',
  'auto_buy.marks_failed': 'The samples could not be checked',
  'auto_buy.save': 'Save',
  'name_mark.new': 'May be for sale',
  'name_mark.held': 'In the portfolio',
  'name_mark.past': 'Was in the portfolio',
  'name_mark.related': 'Related to a name of the portfolio',
  'name_mark.blocked': 'On the block list',
  'name_mark.invalid': 'Can’t be registered',
};
