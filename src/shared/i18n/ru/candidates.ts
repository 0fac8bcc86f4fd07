/** Names that may be bought, and the dialog with their template. */
export const candidates = {
  'candidates.no_name': 'Шаблон не даёт ни одного имени, которое можно зарегистрировать: исправьте шаблон',
  'candidates.none_left':
    'Имён для покупки не осталось: из {tried} проверенных {held} уже в портфеле, {past} были в нём раньше, {related} связаны с чужими именами, {blocked} в реестре блокировок, {invalid} нельзя зарегистрировать, {zone} в зонах, которые регистратор не продаёт. Измените шаблон',
  'candidates.sells_nothing': '{type} не продаёт свободные домены: выберите другого регистратора',

  // The dialog of a project
  'auto_buy.button': 'Автопокупка',
  'auto_buy.title': 'Автопокупка в проекте «{name}»',
  'auto_buy.load_failed': 'Ошибка при загрузке данных',
  'auto_buy.save_refused': 'Ошибка при сохранении данных',
  'auto_buy.save_failed': 'Произошла ошибка при сохранении данных',
  'auto_buy.state': 'Покупать резервные домены автоматически',
  'auto_buy.template': 'Шаблон имени',
  'auto_buy.template_help': '{pick} – одно из значений, {join} – все значения в любом порядке через дефис',
  'auto_buy.registrar': 'Регистратор',
  'auto_buy.group': 'Группа Cloudflare',
  'auto_buy.wanted': 'Сколько резервов держать',
  'auto_buy.wanted_help': 'Считаются те, что возьмёт автоперенос: не ручные, не заблокированные, срок больше месяца',
  'auto_buy.none': 'Не выбрано',
  'auto_buy.check': 'Проверить',
  'auto_buy.checked': 'Проверка шаблона',
  'auto_buy.combinations': 'Комбинаций: {n}',
  'auto_buy.samples': 'Примеры',
  'auto_buy.marks_failed': 'Не удалось проверить примеры',
  'auto_buy.save': 'Сохранить',
  'name_mark.new': 'Можно искать в продаже',
  'name_mark.held': 'Уже в портфеле',
  'name_mark.past': 'Был в портфеле',
  'name_mark.related': 'Связан с именем из портфеля',
  'name_mark.blocked': 'В реестре блокировок',
  'name_mark.invalid': 'Нельзя зарегистрировать',
};
