import type { triage as ru } from '../ru/triage.ts';

/** What of the portfolio needs somebody, on the dashboard. */
export const triage: Record<keyof typeof ru, string> = {
  'triage.no_project': 'The domain has no project, and so no reserves',
  'triage.no_reserves': 'The project has no reserve',
  'triage.none_ready': '{n} {n|reserve|reserves}, none is ready',
  'triage.target_manual': '→ {target} is ready, mode Manually',
  'triage.target_auto': '→ {target} is ready, mode Automatically',
  'triage.all_of': '{n} {n|name|names}, all of them',
  'triage.part_of': '{n} of {of}',
  'triage.answers': 'Answers {code}',
  'triage.no_answer': 'Does not answer',
  'triage.layer': 'Broken: {layer}',
  'triage.ended_on': 'Ended on {day}',
  'triage.ends_on': 'Until {day}',
  'triage.ended_some': 'Ended already: {n}',
  'triage.purchase_register': 'Purchase of {name}',
  'triage.purchase_renew': 'Renewal of {name}',
  'triage.approval': 'Waits for approval',
  'triage.order_open': 'How the order ended is not known',
  'triage.operation': '{name} #{id}',
  'triage.operation_other': 'Operation #{id}',

  'triage.unknown_key': 'There is no such item',

  // The command `status`
  'triage.lead': '{n} {n|item waits|items wait} for a decision. Names in trouble: {names} of {of}',
  'triage.calm': 'Nothing waits for a decision. Names: {of}',
  'triage.kind_no_reserve': 'Blocked, no reserve is ready',
  'triage.kind_blocked': 'Blocked, a reserve is ready',
  'triage.kind_cause': 'One cause',
  'triage.kind_down': 'Do not answer',
  'triage.kind_ends': 'End soon',
  'triage.kind_purchase': 'Purchases that wait',
  'triage.kind_operation': 'Operations that wait',
  'triage.more': 'and {n} more',
  'triage.repaired': 'Within a day: answer again {up}, unblocked {unblocked}, moved {moved}',
};
