import { plannedInWords } from '../services/operations.ts';
import { findSite } from '../services/sites.ts';
import { planDeploy, startDeploy } from '../services/deploys.ts';
import { translate } from '../shared/i18n/index.ts';
import { idOf, Nothing, route } from './route.ts';

export const sites = {
  'GET /api/domains/:id/site': route({
    summary: "What a domain's site is made of, and which release of it is live; null where it has none",
    run: async ({ actor, params }) => ({ data: await findSite(actor, idOf(params)) }),
  }),
  'POST /api/domains/:id/deploy': route({
    summary: "Deploy what is kept of a domain's site",
    body: Nothing,
    run: async ({ server, actor, params, language, idempotencyKey: idem_key }) => {
      const { id, domain } = await startDeploy(server.config, actor, idOf(params), { idem_key });
      return { message: translate(language, 'site.deploying', { domain }), operation: { id } };
    },
  }),
  'POST /api/domains/:id/deploy/plan': route({
    summary: 'What deploying would change, found by looking; nothing is written',
    body: Nothing,
    run: async ({ server, actor, params, language }) => ({
      data: plannedInWords(await planDeploy(server.config, actor, idOf(params)), language),
    }),
  }),
};
