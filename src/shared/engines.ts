/** The search engines, in the order of their tabs. */
export const ENGINES = ['yandex', 'google'] as const;
export type Engine = (typeof ENGINES)[number];

/** The devices whose results are read. */
export const DEVICES = ['desktop', 'mobile'] as const;
export type Device = (typeof DEVICES)[number];
