/** The search engines, in the order of their tabs. */
export const ENGINES = ['yandex', 'google'] as const;
export type Engine = (typeof ENGINES)[number];

/** The devices whose results are read. */
export const DEVICES = ['desktop', 'mobile'] as const;
export type Device = (typeof DEVICES)[number];

/** The services that read positions and indexation; the first that has an account is used where none is chosen. */
export const SOURCES = ['xmlriver', 'arsenkin'] as const;
export type Source = (typeof SOURCES)[number];
/** A source as it is chosen; `auto`: by the accounts that there are. */
export const SOURCE_CHOICES = ['auto', ...SOURCES] as const;
export type SourceChoice = (typeof SOURCE_CHOICES)[number];
