/** The settings of a user and of the installation. */
export const settings = {
  'nav.settings': 'Настройки',
  'settings.appearance': 'Внешний вид',
  'settings.language': 'Язык',
  'settings.of_browser': 'Язык, тема и клавиши хранятся в этом браузере',
  'caps.title': 'Лимиты',
  'caps.positions': 'Платные запросы позиций за день (UTC)',
  'caps.project': 'Проект',
  'caps.cap': 'Лимит',
  'caps.used': 'Использовано',
  'caps.left': 'Осталось',
  'caps.none': 'Проектов нет',
  'caps.failed': 'Не удалось загрузить лимиты',
  'caps.edit': 'Изменить лимит',
};
