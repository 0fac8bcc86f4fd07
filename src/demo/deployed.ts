import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { linkTo, pathsOf, releaseFolder } from '../services/portfolio/release-paths.ts';
import type { Release } from '../services/sites/releases.ts';
import { releaseOfSite, type SiteContent } from '../services/sites/sites.ts';
import { DEPLOYED, siteTemplate, type domainAt } from './domains.ts';
import { deployedAt } from './past/people.ts';
import { PROJECTS } from './team.ts';

type Domain = Pick<ReturnType<typeof domainAt>, 'id' | 'domain_name' | 'file_path' | 'project_id'>;

function contentOf({ project_id }: Domain, turn: number): SiteContent {
  const { name } = PROJECTS[(project_id ?? 1) - 1] ?? { name: '' };
  const html = `<!doctype html>
<html lang="ru">
  <head>
    <title>${name}: советы на каждый день</title>
    <meta name="description" content="Всё, что нужно знать: ${name.toLowerCase()} просто и по делу.">
  </head>
  <body>
    <h2>С чего начать</h2>
    <p>Здесь собрано главное. Новые статьи выходят каждую неделю.</p>
  </body>
</html>
`;
  return { template_id: siteTemplate(turn), html_name: 'index.html', html };
}

/** Writes a release as a deployment would: its own folder, and the link that is served. */
async function lay(root: string, filePath: string, { id, files, marker }: Release): Promise<void> {
  const paths = pathsOf(filePath);
  const folder = join(root, releaseFolder(paths, id));
  for (const { path, content } of [...files, marker]) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
  await symlink(linkTo(paths, id), join(root, paths.live));
}

/** Deploys sites for a few main domains: their rows, and their files under `root`, the servers' tree. The templates are stored already. */
export async function deploySites(
  root: string,
  domains: readonly Domain[],
  now: Date,
): Promise<Record<string, unknown>[]> {
  const rows: Record<string, unknown>[] = [];
  for (const [turn, index] of DEPLOYED.entries()) {
    const domain = domains[index];
    if (!domain) continue;
    const content = contentOf(domain, turn);
    const release = await releaseOfSite(content, domain.domain_name);
    await lay(root, domain.file_path, release);
    const at = new Date(deployedAt(turn, now)).toISOString();
    rows.push({ domain_id: domain.id, ...content, release: release.id, deployed_at: at, updated_at: at });
  }
  return rows;
}
