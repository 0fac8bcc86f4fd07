/** What of the portfolio needs somebody, on the dashboard. */
export const triage = {
  // What an item is about, and why it is here
  'triage.no_project': 'У домена нет проекта, поэтому нет и резервов',
  'triage.no_reserves': 'В проекте нет ни одного резерва',
  'triage.none_ready': '{n} {n|резерв|резерва|резервов}, ни один не готов',
  'triage.target_manual': '→ {target} готов, режим Manually',
  'triage.target_auto': '→ {target} готов, режим Automatically',
  'triage.all_of': '{n} {n|имя|имени|имён}, все до одного',
  'triage.part_of': '{n} из {of}',
  'triage.answers': 'Отвечает {code}',
  'triage.no_answer': 'Не отвечает',
  'triage.layer': 'Сломано: {layer}',
  'triage.ended_on': 'Истёк {day}',
  'triage.ends_on': 'До {day}',
  'triage.ended_some': 'Уже истекли: {n}',
  'triage.purchase_register': 'Покупка {name}',
  'triage.purchase_renew': 'Продление {name}',
  'triage.approval': 'Ждёт одобрения',
  'triage.order_open': 'Чем кончился заказ, неизвестно',
  'triage.operation': '{name} №{id}',
  'triage.operation_other': 'Операция №{id}',

  'triage.unknown_key': 'Такого дела нет',

  // The command `status`
  'triage.lead': '{n} {n|дело ждёт|дела ждут|дел ждут} решения. Имён с неполадками: {names} из {of}',
  'triage.calm': 'Ничего не ждёт решения. Имён: {of}',
  'triage.kind_no_reserve': 'Заблокированы, готового резерва нет',
  'triage.kind_blocked': 'Заблокированы, резерв готов',
  'triage.kind_cause': 'Одна причина',
  'triage.kind_down': 'Не отвечают',
  'triage.kind_ends': 'Истекают',
  'triage.kind_purchase': 'Покупки ждут решения',
  'triage.kind_operation': 'Операции ждут решения',
  'triage.more': 'и ещё {n}',
  'triage.repaired': 'За сутки: снова отвечают {up}, разблокированы {unblocked}, переехали {moved}',
} as const;
