import type { bulk as ru } from '../ru/bulk.ts';

/** Work on many domains: the selection, its bar, plans and results. */
export const bulk: Record<keyof typeof ru, string> = {
  'bulk.many_names': 'No more than 10,000 names at once: take a filter',
  'bulk.names_or_filter': 'Give either names or a filter',
  'bulk.no_fields': 'Choose what to change',
  'bulk.changed': 'The selection has changed meanwhile: it has {n} {n|domain|domains} now. Look at the plan again',
  'bulk.moving': 'Is being moved',
  'bulk.busy': 'Another operation works on it',
  'bulk.edited': '{n} {n|domain|domains} changed',
  'bulk.deleted': '{n} {n|domain|domains} deleted',
  'bulk.nothing_back': 'Nothing to give back: all of it has been changed again',
};
