/** The audit: who has done what. */
export const audit = {
  'audit.empty': 'Журнал пуст',
  'audit.intact': 'Журнал цел, записей: {rows}. Последняя – {last}; с ней можно сверить позже (--known)',
  'audit.broken_missing': 'Журнал нарушен: записи {id} нет',
  'audit.broken_changed': 'Журнал нарушен: запись {id} изменена',
  'audit.broken_extra': 'Журнал нарушен: запись {id} добавлена в обход программы',
};
