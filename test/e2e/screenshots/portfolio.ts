import { request, form, type TestServer } from '../../support/server.ts';
import { inDays, seedDomains, seedProjects, type Seed } from '../support/portfolio.ts';

const PROJECTS = ['Гороскопы', 'Дачный сезон', 'Кулинария', 'Путешествия', 'Ремонт'];
const WORDS = ['astro', 'dacha', 'vkus', 'puti', 'remont'];
const ENDS = ['mir.ru', 'portal.com', 'blog.net', 'klub.site', 'plus.online', 'info.info', 'zhurnal.org', 'pro.pro'];

/** Returns the fault of a domain of the portfolio, for some numbers. */
function fault(number: number): Partial<Seed> {
  if (number % 14 === 0) return { status: 'blocked' };
  if (number % 17 === 3) return { http_status_code: 503 };
  if (number % 19 === 5) return { http_status_code: null, http_error: 'dns_not_found' };
  // Expired, soon and later.
  return number % 9 === 7 ? { expired_at: inDays((number % 5) * 6 - 2) } : {};
}

function seedOf(project: number, index: number): Seed {
  const number = project * ENDS.length + index;
  return {
    domain_name: `${WORDS[project]}-${ENDS[index]}`,
    project_id: project + 1,
    type: index < 2 ? 'main' : 'transfer',
    transfer_type: index % 3 === 2 ? 'manual' : 'auto',
    created_at: inDays(-400 + number * 7),
    google_indexation: Number(index < 4),
    yandex_indexation: Number(index < 3),
    last_check_indexation: inDays(-1),
    ...fault(number),
  };
}

/** Returns eight domains per project, of which the first two are main ones. */
export const portfolio = (): Seed[] => PROJECTS.flatMap((_, project) => ENDS.map((_, index) => seedOf(project, index)));

/** Fills the installation with the portfolio and a blocklist that names some of it. */
export async function fill({ url, admin }: TestServer): Promise<void> {
  await seedProjects(admin.id, PROJECTS);
  await seedDomains(admin.id, portfolio());
  const listed = portfolio().flatMap(({ status, domain_name }) => (status === 'blocked' ? [domain_name] : []));
  const others = Array.from({ length: 180_000 }, (_, index) => `listed-${index}.example`);
  const list = new File([[...listed, ...others].join('\n')], 'domains.lst');
  await request({ url }, 'POST /api/blocklist', { token: admin.token, body: form({ blocklist_file: list }) });
}
