/**
 * Where the screens of the kinds of accounts are, in the order of the menu: what the frame of the interface needs of a kind before the
 * kind's declaration is loaded.
 */
export const ACCOUNT_SCREENS = {
  cloudflare: { path: '/cloudflare', title: 'nav.cloudflare' },
  server: { path: '/servers', title: 'nav.servers' },
  registrar: { path: '/registrars', title: 'nav.registrars' },
  xmlriver: { path: '/xmlriver', title: 'nav.xmlriver' },
  arsenkin: { path: '/arsenkin', title: 'nav.arsenkin' },
} as const;

export type AccountNoun = keyof typeof ACCOUNT_SCREENS;
