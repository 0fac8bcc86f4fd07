// The texts of lists that could not be loaded are shown on their screens.
import { expect, it } from 'vitest';
import { breakCalls, isShown, startFailures } from './world.ts';

const visit = startFailures();

const LISTS: readonly [screen: string, call: string, text: string][] = [
  ['/?list=all', '**/api/user_domains**', 'Failed to fetch domains'],
  ['/cloudflare', '**/api/cloudflare_accounts**', 'Failed to fetch accounts'],
  ['/cloudflare-groups', '**/api/cloudflare_groups**', 'Не удалось загрузить список групп'],
  ['/servers', '**/api/servers**', 'Не удалось загрузить список серверов'],
  ['/dns', '**/api/cloudflare_accounts**', 'Failed to fetch Cloudflare accounts'],
  ['/dns', '**/api/servers**', 'Failed to fetch servers'],
  ['/templates', '**/api/templates**', 'Failed to fetch templates'],
  ['/registrars', '**/api/registrars**', 'Не удалось загрузить список регистраторов'],
  ['/xmlriver', '**/api/xmlriver**', 'Не удалось загрузить аккаунты'],
  ['/arsenkin', '**/api/arsenkin**', 'Не удалось загрузить аккаунты'],
  ['/projects', '**/api/user_projects**', 'Не удалось загрузить проекты'],
  ['/projects?project=1', '**/api/project_domains/**', 'Не удалось загрузить назначенные домены'],
  ['/projects?project=1', '**/api/project_unassigned_domains/**', 'Не удалось загрузить резервные домены'],
  ['/position?project=1', '**/api/position**', 'Произошла ошибка при загрузке данных'],
  ['/tables', '**/api/tables', 'Failed to fetch tables'],
  ['/tables?table=servers', '**/api/columns/servers', 'Failed to fetch columns'],
  ['/tables?table=servers', '**/api/tables/servers**', 'Failed to fetch rows'],
  ['/sites?transfer=1', '**/api/project_unassigned_domains/**', 'Не удалось загрузить список доменов для переноса'],
];

it.each(LISTS)('%s, where %s fails, shows "%s"', async (screen, call, text) => {
  const page = await visit(screen, (one) => breakCalls(one, call));
  await expect.poll(() => isShown(page, text)).toBe(true);
});
