import { Button, Classes } from '@blueprintjs/core';
import { Popover } from '../kit/float/Popover.tsx';
import { ChevronDownIcon, MenuIcon, SearchIcon, SettingsIcon } from '../kit/icons.tsx';
import type { ReactElement } from 'react';
import { NavLink, useLocation } from 'react-router-dom';
import type { Key } from '../../src/shared/i18n/index.ts';
import { call } from '../kit/api.ts';
import { useT } from '../kit/language.ts';
import { GROUPS, ROUTES, routesFor, type Group, type Route } from './routes.ts';
import { beginLeaving, leave, useSession } from '../kit/session.ts';
import { Bell } from './Bell.tsx';
import { Brand } from './Brand.tsx';
import { LanguageButton, ThemeButton } from './Preferences.tsx';
import { T } from '../kit/T.tsx';
import { Tray } from './Tray.tsx';
import { useNarrow } from '../kit/useNarrow.ts';

const LOGOUT_PATIENCE_MS = 15_000;

async function logout(): Promise<void> {
  beginLeaving();
  // The token is removed even if the call fails or hangs: the user must not stay signed in.
  const signal = AbortSignal.timeout(LOGOUT_PATIENCE_MS);
  await call('POST /api/logout', { body: {}, signal }).catch(() => undefined);
  leave();
}

function LogoutButton({ inMenu = false }: { inMenu?: boolean }) {
  return (
    <Button
      variant="minimal"
      className={inMenu ? Classes.POPOVER_DISMISS : ''}
      alignText="start"
      fill={inMenu}
      text={<T k="nav.logout" />}
      onClick={() => void logout()}
    />
  );
}

/** The link to the settings: an icon in the bar, a line in the narrow menu. */
function SettingsLink() {
  const t = useT();
  const { pathname } = useLocation();
  const isCurrent = pathname === '/settings';
  const words = t('nav.settings');
  return (
    <NavLink
      to="/settings"
      title={words}
      aria-label={words}
      className={`${Classes.BUTTON} ${Classes.MINIMAL} ${isCurrent ? Classes.ACTIVE : ''}`}
    >
      <SettingsIcon />
    </NavLink>
  );
}

function Item({ route }: { route: Route }) {
  return (
    <li>
      <NavLink to={route.path} end className={`${Classes.MENU_ITEM} ${Classes.POPOVER_DISMISS}`}>
        <T k={route.title} />
      </NavLink>
    </li>
  );
}

interface DropdownProps {
  target: { text: ReactElement; icon?: ReactElement; isCurrent?: boolean };
  content: ReactElement;
}

function Dropdown({ target, content }: DropdownProps) {
  return (
    <Popover content={content} align="start">
      {({ active, ...button }) => (
        <Button
          {...button}
          variant="minimal"
          active={active || (target.isCurrent ?? false)}
          aria-current={target.isCurrent ? 'page' : undefined}
          icon={target.icon}
          endIcon={<ChevronDownIcon />}
          text={target.text}
        />
      )}
    </Popover>
  );
}

const DESKTOP: Record<Group, Key> = {
  sites: 'nav.sites',
  tools: 'nav.tools',
  accounts: 'nav.accounts',
  admin: 'nav.admin',
};
const HEADINGS: Record<Group, Key> = {
  sites: 'nav.heading_sites',
  tools: 'nav.heading_tools',
  accounts: 'nav.heading_accounts',
  admin: 'nav.heading_admin',
};

/** Whether a page is a screen, or one of a single thing below it. */
const isAt = (path: string, pathname: string): boolean => pathname === path || pathname.startsWith(`${path}/`);

/** Returns the groups that contain a screen for this user. */
function useGroups(): { group: Group; routes: Route[] }[] {
  const { user } = useSession();
  const routes = routesFor(user?.role);
  return GROUPS.map((group) => ({ group, routes: routes.filter((route) => route.group === group) })).filter(
    ({ routes }) => routes.length > 0,
  );
}

function WideMenu() {
  const { pathname } = useLocation();
  return (
    <ul className="nav-list">
      <li>
        <NavLink
          to="/"
          end
          className={`${Classes.BUTTON} ${Classes.MINIMAL} ${pathname === '/' ? Classes.ACTIVE : ''}`}
        >
          <T k="nav.main" />
        </NavLink>
      </li>
      {useGroups().map(({ group, routes }) => (
        <li key={group}>
          <Dropdown
            target={{ text: <T k={DESKTOP[group]} />, isCurrent: routes.some(({ path }) => isAt(path, pathname)) }}
            content={
              <ul className={Classes.MENU}>
                {routes.map((route) => (
                  <Item key={route.path} route={route} />
                ))}
              </ul>
            }
          />
        </li>
      ))}
    </ul>
  );
}

/** All groups in one dropdown, 250 px wide and at most 400 px high. */
function NarrowMenu({ onFind }: { onFind: () => void }) {
  const content = (
    <div className="narrow-menu">
      <ul className={Classes.MENU}>
        <Item route={routesFor(undefined)[0] as Route} />
      </ul>
      {useGroups().map(({ group, routes }) => (
        <section key={group}>
          <div className="narrow-heading" id={`menu-${group}`}>
            <T k={HEADINGS[group]} />
          </div>
          <ul className={Classes.MENU} aria-labelledby={`menu-${group}`}>
            {routes.map((route) => (
              <Item key={route.path} route={route} />
            ))}
          </ul>
        </section>
      ))}
      <ul className={Classes.MENU}>
        <Item route={ROUTES.find(({ path }) => path === '/settings') as Route} />
      </ul>
      <FindButton onFind={onFind} inMenu />
      <LogoutButton inMenu />
    </div>
  );
  return <Dropdown target={{ text: <T k="nav.menu" />, icon: <MenuIcon /> }} content={content} />;
}

const IS_MAC = navigator.userAgent.includes('Mac');

/** The button of the command palette; where there is no room for its name it is an icon, in the menu of a small window a line. */
function FindButton({ onFind, inMenu = false }: { onFind: () => void; inMenu?: boolean }) {
  const t = useT();
  const keys = IS_MAC ? '⌘ K' : 'Ctrl K';
  return (
    <Button
      variant="minimal"
      className={inMenu ? Classes.POPOVER_DISMISS : 'palette-button'}
      alignText="start"
      fill={inMenu}
      icon={<SearchIcon />}
      aria-keyshortcuts={IS_MAC ? 'Meta+K' : 'Control+K'}
      title={`${t('palette.title')} (${keys})`}
      text={
        <>
          <T k="palette.find" /> <kbd>{keys}</kbd>
        </>
      }
      onClick={onFind}
    />
  );
}

/** The bar at the top of every screen; `onFind` opens the command palette. */
export function NavBar({ onFind }: { onFind: () => void }) {
  const t = useT();
  const narrow = useNarrow();
  return (
    <header className={`${Classes.NAVBAR} navbar`}>
      <div className={Classes.NAVBAR_GROUP}>
        <span className="brand">
          <Brand />
        </span>
        <nav aria-label={t('nav.label')}>{narrow ? <NarrowMenu onFind={onFind} /> : <WideMenu />}</nav>
      </div>
      <div className={Classes.NAVBAR_GROUP}>
        {!narrow && <FindButton onFind={onFind} />}
        <Bell />
        <Tray />
        <LanguageButton />
        <ThemeButton />
        {!narrow && <SettingsLink />}
        {!narrow && <LogoutButton />}
      </div>
    </header>
  );
}
