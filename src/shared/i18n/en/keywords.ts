/** Keywords and positions: what the server and the command line say. */
export const keywords = {
  'keyword.empty': 'Type a keyword',
  'keyword.taken': 'The project has this keyword already',
  'keyword.repeated': 'Repeated in this list',
  'keyword.many': 'At most {most} keywords are added at once',
  'keyword.deleted': 'Keyword deleted: {keyword}',
  'keyword.unknown': 'The project has no keyword {keyword}',
  'keyword.target_invalid': 'The address of the page must begin with http:// or https://',
  'keyword.tag_empty': 'A tag must not be empty',
  'keyword.tags_many': 'At most 20 tags',
  'keyword.frequency_bad': 'The frequency is a whole number from 0 to 1,000,000,000',
  'positions.region_invalid': 'A region is a number: lr of Yandex, a country or a place of Google',
  'positions.no_account': 'There is no account at XMLRiver or Arsenkin: add one to read positions',
  'positions.no_money': 'The XMLRiver account {name} has no money left',
  'positions.account_refused': 'XMLRiver does not accept the account {name}',
  'positions.some_open': 'Some keywords were not read',
  'positions.cap': 'The project has used up its requests of the day: {cap}',
  'positions.no_keywords': 'The project has no keywords',
  'positions.started': 'Reading positions: {project}',
  'positions.finished': 'Keywords read: {done}, not read: {failed}',
  'positions.open': 'Not read: {keywords}',
  'positions.requested': 'The request was sent. Reading the positions may take some time',
  'positions.saved': 'Settings of positions saved',
  'positions.no_xmlriver':
    'The project is read by XMLRiver, where there is no account: add one, or choose the other service',
  'positions.no_arsenkin':
    'The project is read by Arsenkin, where there is no account: add one, or choose the other service',
  'keywords.confirm_remove':
    'Delete {n} {n|keyword|keywords} with all positions? {days} paid {days|reading|readings} will be lost',
  'positions.confirm': 'Read the positions of {project}: up to {n} paid {n|request|requests}, {cost}?',
  'positions.needs_wait': '--fail-on-drop looks at what was read: give --wait as well',
};
