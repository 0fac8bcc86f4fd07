import type { timeline as ru } from '../ru/timeline.ts';

/** The timeline of a domain. */
export const timeline: Record<keyof typeof ru, string> = {
  'timeline.answered': 'Answered {code} in {ms} ms',
  'timeline.no_answer': 'No answer',
  'timeline.blocked': 'Blocked by RKN',
  'timeline.blocked_by': 'Blocked by RKN: entry {entry}',
  'timeline.unblocked': 'No longer blocked by RKN',
  'timeline.moved_away': 'The site moved to {transfer}',
  'timeline.became_main': 'Became the main domain in place of {main}',
  'timeline.moved_itself': 'Automatically',
  'timeline.redirect_unseen': 'The redirect is not seen from outside',
  'timeline.work': 'Work',
  'timeline.work_done': '{what}: done',
  'timeline.work_failed': '{what}: failed',
  'timeline.bought': 'Bought at {registrar} for {sum}',
  'timeline.renewed': 'Renewed at {registrar} for {sum}',
  'timeline.buying': 'Purchase at {registrar} for {sum}: {state}',
  'timeline.renewing': 'Renewal at {registrar} for {sum}: {state}',
  'timeline.indexed': '{engine}: in the index',
  'timeline.not_indexed': '{engine}: not in the index',
  'timeline.dropped': '{engine}: dropped from the index',
  'timeline.places': '{engine}: {rose} higher, {fell} lower; {top} in the first ten',
  'timeline.decided': 'Log: {action}',
  'timeline.decided_fields': 'Log: {action} ({fields})',
};
