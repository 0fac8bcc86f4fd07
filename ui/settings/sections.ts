import type { ComponentType, ReactNode } from 'react';
import type { Key } from '../../src/shared/i18n/index.ts';
import { later } from '../kit/Loading.tsx';

/** A part of the settings, with a tab of its own. For other users, an `admin` section does not exist. */
export interface Section {
  /** Its value in the URL: `/settings?section=appearance`. */
  id: string;
  title: Key;
  admin?: true;
  Content: ComponentType;
}

type SectionModule<Name extends string> = Record<Name, () => ReactNode>;

/** Returns a section that is loaded when first opened; `name` is its export. */
const section = <Name extends string>(load: () => Promise<SectionModule<Name>>, name: Name): ComponentType =>
  later(async () => (await load())[name]);

/** Every section, in the order of the tabs; the first one is open where the URL names none. */
export const SECTIONS: readonly Section[] = [
  {
    id: 'appearance',
    title: 'settings.appearance',
    Content: section(() => import('./Appearance.tsx'), 'Appearance'),
  },
  {
    id: 'security',
    title: 'security.title',
    Content: section(() => import('../people/Security.tsx'), 'Security'),
  },
  {
    id: 'tokens',
    title: 'tokens.title',
    Content: section(() => import('../people/Tokens.tsx'), 'Tokens'),
  },
  {
    id: 'notices',
    title: 'notices.title',
    Content: section(() => import('./Notices.tsx'), 'Notices'),
  },
  {
    id: 'telegram',
    title: 'telegram.title',
    Content: section(() => import('./Telegram.tsx'), 'Telegram'),
  },
  {
    id: 'users',
    title: 'users.list',
    admin: true,
    Content: section(() => import('../people/People.tsx'), 'People'),
  },
  {
    id: 'caps',
    title: 'caps.title',
    admin: true,
    Content: section(() => import('./Caps.tsx'), 'Caps'),
  },
  {
    id: 'schedule',
    title: 'schedule.title',
    admin: true,
    Content: section(() => import('./Schedule.tsx'), 'Schedule'),
  },
  {
    id: 'backups',
    title: 'backups.title',
    admin: true,
    Content: section(() => import('./Backups.tsx'), 'Backups'),
  },
];
