import { Suspense, useEffect, useRef, useState } from 'react';
import { Outlet, useLocation } from 'react-router-dom';
import { queries } from '../kit/api.ts';
import { ROUTES } from './routes.ts';
import { useAhead } from './ahead.ts';
import { NotFound } from './NotFound.tsx';
import { useSession } from '../kit/session.ts';
import { setTheme, useTheme } from '../kit/theme.ts';
import { ErrorBoundary } from '../kit/ErrorBoundary.tsx';
import { ConnectionBar } from './ConnectionBar.tsx';
import { NavBar } from './NavBar.tsx';
import { T } from '../kit/T.tsx';
import { useDemo } from './DemoStrip.tsx';
import { useGoKeys } from './goKeys.ts';
import { useListKeys } from './listKeys.ts';
import { useTour } from './tour/tour.ts';
import { useKeys } from '../kit/useKeys.ts';
import { later, Loading } from '../kit/Loading.tsx';

const Palette = later(async () => (await import('./Palette.tsx')).Palette);
const Tour = later(async () => (await import('./tour/Tour.tsx')).Tour);
const Keys = later(async () => (await import('./Keys.tsx')).Keys);

type ShellDialog = 'none' | 'palette' | 'keys';

/** The keys that work on every screen, and what they open. */
function ShellKeys({ opened, open }: { opened: ShellDialog; open: (dialog: ShellDialog) => void }) {
  const theme = useTheme();
  useGoKeys();
  useListKeys();
  useKeys({
    'Ctrl+KeyK': () => open('palette'),
    'Shift+Slash': () => open('keys'),
    Slash: () => document.querySelector<HTMLElement>('main input[type="search"]')?.focus(),
    KeyR: () => void queries.invalidateQueries({ refetchType: 'active' }),
    KeyT: () => setTheme(theme === 'dark' ? 'light' : 'dark'),
  });
  const close = (): void => open('none');
  return (
    <ErrorBoundary key={opened}>
      <Suspense fallback={<Loading />}>
        {opened === 'palette' && <Palette onClose={close} onHelp={() => open('keys')} />}
        {opened === 'keys' && <Keys onClose={close} />}
      </Suspense>
    </ErrorBoundary>
  );
}

/** The tour of a demo, while it is open. Stands before the content: one Shift+Tab away from where it has led. */
function DemoTour() {
  const { isOpen } = useTour();
  if (!useDemo() || !isOpen) return null;
  return (
    <ErrorBoundary>
      <Suspense fallback={null}>
        <Tour />
      </Suspense>
    </ErrorBoundary>
  );
}

/** Moves the focus to the content when another screen opens, like a page load. */
function useFocusOnChange(path: string): React.RefObject<HTMLElement | null> {
  const main = useRef<HTMLElement>(null);
  const before = useRef(path);
  useEffect(() => {
    if (before.current === path) return;
    before.current = path;
    main.current?.focus();
    window.scrollTo(0, 0);
  }, [path]);
  return main;
}

/** Leaves for the sign-in, which is a page of its own and leads back. */
function ToSignIn({ from }: { from: string }) {
  useEffect(() => {
    window.location.replace(from === '/' ? '/login' : `/login?next=${encodeURIComponent(from)}`);
  }, [from]);
  return <Loading />;
}

const toList = (): void => document.querySelector<HTMLElement>('main .rows')?.focus();

/** The frame around every screen after signing in; without a token it redirects to the sign-in, which leads back. */
export function Shell() {
  const { token, user } = useSession();
  const { pathname, search } = useLocation();
  const main = useFocusOnChange(pathname);
  useAhead();
  const [opened, open] = useState<ShellDialog>('none');
  if (token === '') return <ToSignIn from={pathname + search} />;
  const isHidden = ROUTES.some((route) => route.path === pathname && route.admin && user?.role !== 'admin');
  return (
    <>
      <a className="skip-link" href="#main">
        <T k="ui.skip" />
      </a>
      {pathname === '/' && (
        <a className="skip-link" href="#triage">
          <T k="triage.skip" />
        </a>
      )}
      {/* A style shows it where there is a list: its filters and tools are some twenty stops of Tab. */}
      <button type="button" className="skip-link skip-to-list" onClick={toList}>
        <T k="ui.skip_to_list" />
      </button>
      <NavBar onFind={() => open('palette')} />
      <ShellKeys opened={opened} open={open} />
      <DemoTour />
      <main id="main" tabIndex={-1} ref={main}>
        <ErrorBoundary key={pathname} isPage>
          <Suspense fallback={<Loading />}>{isHidden ? <NotFound /> : <Outlet />}</Suspense>
        </ErrorBoundary>
      </main>
      <ConnectionBar />
    </>
  );
}
