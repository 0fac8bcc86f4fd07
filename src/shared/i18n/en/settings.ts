/** The settings of a user and of the installation. */
export const settings = {
  'nav.settings': 'Settings',
  'settings.appearance': 'Appearance',
  'settings.language': 'Language',
  'settings.of_browser': 'Language, theme and shortcuts are kept in this browser',
};
