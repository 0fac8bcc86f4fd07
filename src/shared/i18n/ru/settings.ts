/** The settings of a user and of the installation. */
export const settings = {
  'nav.settings': 'Настройки',
  'settings.appearance': 'Внешний вид',
  'settings.language': 'Язык',
  'settings.of_browser': 'Язык, тема и клавиши хранятся в этом браузере',
};
