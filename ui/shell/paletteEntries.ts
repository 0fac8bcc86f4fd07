import { useEffect, useState } from 'react';
import type { Key } from '../../src/shared/i18n/index.ts';
import { textOf } from '../../src/shared/accounts/kind.ts';
import { KINDS } from '../../src/shared/accounts/kinds.ts';
import { startChecks } from '../checks/CheckButton.tsx';
import { domainPath } from '../domains/DomainLink.tsx';
import { useCall } from '../kit/api.ts';
import { useT } from '../kit/language.ts';
import { recentPlaces } from '../kit/recent.ts';
import { useSession } from '../kit/session.ts';
import { SECTIONS } from '../settings/sections.ts';
import { useDemo } from './DemoStrip.tsx';
import { goKeysOf } from './goKeys.ts';
import { routesFor } from './routes.ts';
import { openTour } from './tour/tour.ts';

/** The groups of the palette, in order. */
export const PALETTE_GROUPS = ['domains', 'projects', 'actions', 'screens', 'recent'] as const;
type Group = (typeof PALETTE_GROUPS)[number];

export const GROUP_TITLES: Record<Group, Key> = {
  domains: 'palette.domains',
  projects: 'palette.projects',
  actions: 'palette.actions',
  screens: 'palette.screens',
  recent: 'palette.recent',
};

/** A line of the palette: a place to go to, or something to do. */
export interface Entry {
  id: string;
  group: Group;
  name: string;
  /** Muted text behind the name. */
  detail?: string | undefined;
  /** Keys that do the same, as they are shown. */
  keys?: string | undefined;
  to?: string | undefined;
  run?: (() => unknown) | undefined;
}

const MOST_FOUND = 8;
const PAUSE_MS = 150;

/** Returns a text after it has stayed the same for a moment. */
function useSettled(text: string): string {
  const [settled, settle] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => settle(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}

interface Action {
  name: Key;
  /** The screen that it opens: several kinds of account are added by the same words. */
  detail?: Key;
  to?: string;
  run?: () => unknown;
  keys?: string;
}

const ACTIONS: readonly Action[] = [
  { name: 'palette.add_domain', to: '/sites?open=new' },
  { name: 'palette.import', to: '/import' },
  { name: 'palette.new_project', to: '/projects?open=new' },
  { name: 'palette.change_dns', to: '/dns' },
  { name: 'palette.check_names', to: '/check-site' },
  { name: 'palette.under_attack', to: '/?open=under_attack' },
  { name: 'palette.tls', to: '/?open=tls' },
  { name: 'palette.telegram', to: '/?open=telegram' },
];

/** Returns what can be done; `onHelp` shows the list of keys. */
function useActions(onHelp: () => void): Entry[] {
  const t = useT();
  const isDemo = useDemo();
  const all: Action[] = [
    { name: 'palette.check', run: () => startChecks(t) },
    ...ACTIONS,
    ...KINDS.map((kind) => ({
      name: textOf(kind, 'add'),
      detail: kind.screen.title,
      to: `${kind.screen.path}?open=new`,
    })),
    { name: 'palette.first_steps', to: '/?open=first_steps' },
    ...(isDemo ? [{ name: 'palette.tour' as const, run: openTour }] : []),
    { name: 'palette.keys', run: onHelp, keys: '?' },
  ];
  return all.map(({ name, detail, to, run, keys }) => ({
    id: `action ${name}`,
    group: 'actions',
    name: t(name),
    detail: detail && t(detail),
    keys,
    to,
    run,
  }));
}

/** Returns the screens and the sections of the settings that the user may open. */
function useScreens(): Entry[] {
  const t = useT();
  const role = useSession().user?.role;
  const screens = routesFor(role).map(({ path, title }) => ({
    id: `screen ${path}`,
    group: 'screens' as const,
    name: t(title),
    keys: goKeysOf(path),
    to: path,
  }));
  const sections = SECTIONS.filter(({ admin }) => !admin || role === 'admin').map(({ id, title }) => ({
    id: `section ${id}`,
    group: 'screens' as const,
    name: t(title),
    detail: t('nav.settings'),
    to: `/settings?section=${id}`,
  }));
  return [...screens, ...sections];
}

/** Returns the domains that the server finds by a text, and whether it is still looking. */
function useDomainsBy(typed: string): { found: Entry[]; isLooking: boolean } {
  const search = useSettled(typed);
  const { data, isFetching, isPlaceholderData } = useCall(
    'GET /api/domains',
    { query: { search, limit: MOST_FOUND } },
    { enabled: search !== '', keep: true },
  );
  const isLooking = typed !== '' && (isFetching || search !== typed);
  const isOld = search !== typed || isPlaceholderData;
  const known = typed === '' || search === '' ? [] : (data?.data ?? []);
  // Enter opens the first line: of an older answer only those stay that hold what is typed now.
  const holds = (name: string): boolean => name.toLowerCase().includes(typed.toLowerCase());
  const rows = isOld
    ? known.filter(({ domain_name, unicode_name }) => holds(domain_name) || holds(unicode_name))
    : known;
  const found = rows.map(({ id, domain_name, unicode_name, project_name }) => ({
    id: `domain ${id}`,
    group: 'domains' as const,
    name: unicode_name,
    detail: project_name ?? undefined,
    to: domainPath(domain_name),
  }));
  return { found, isLooking };
}

function useProjects(): Entry[] {
  const { data } = useCall('GET /api/user_projects');
  return (data?.data ?? []).map(({ id, name, user_login }) => ({
    id: `project ${id}`,
    group: 'projects',
    name,
    detail: user_login,
    to: `/projects?project=${id}`,
  }));
}

const wordsOf = (text: string): string[] => text.toLowerCase().split(/\s+/).filter(Boolean);

/** Returns the entries that hold all words in name and detail, those that begin with the first one in front. */
function matching(entries: readonly Entry[], words: readonly string[]): Entry[] {
  const textOfEntry = ({ name, detail = '' }: Entry): string => `${name} ${detail}`.toLowerCase();
  const hits = entries.filter((entry) => words.every((word) => textOfEntry(entry).includes(word)));
  const begins = ({ name }: Entry): boolean => name.toLowerCase().startsWith(words[0] ?? '');
  return [...hits.filter(begins), ...hits.filter((entry) => !begins(entry))].slice(0, MOST_FOUND);
}

/** Returns the lines of the palette for what is typed; without that the actions, the screens and what was opened lately. */
export function useEntries(typed: string, onHelp: () => void): { entries: Entry[]; isLooking: boolean } {
  const text = typed.trim();
  const user = useSession().user?.id ?? 0;
  const actions = useActions(onHelp);
  const screens = useScreens();
  const projects = useProjects();
  const { found, isLooking } = useDomainsBy(text);
  if (text === '') {
    const recent = recentPlaces.read(user).map(({ id, name, to }) => ({
      id: `recent ${id}`,
      group: 'recent' as const,
      name,
      to,
    }));
    return { entries: [...recent, ...actions, ...screens], isLooking: false };
  }
  const words = wordsOf(text);
  const entries = [found, ...[projects, actions, screens].map((group) => matching(group, words))].flat();
  return { entries, isLooking };
}
