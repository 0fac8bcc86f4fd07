/** The settings of a user and of the installation. */
export const settings = {
  'nav.settings': 'Settings',
  'settings.appearance': 'Appearance',
  'settings.language': 'Language',
  'settings.of_browser': 'Language, theme and shortcuts are kept in this browser',
  'caps.title': 'Limits',
  'caps.positions': 'Paid requests of positions a day (UTC)',
  'caps.project': 'Project',
  'caps.cap': 'Limit',
  'caps.used': 'Used',
  'caps.left': 'Left',
  'caps.none': 'There are no projects',
  'caps.failed': 'Could not load the limits',
  'caps.edit': 'Change the limit',
};
