import { z } from 'zod';
import { previewContent } from '../services/sites/domain-sites.ts';
import { findSite } from '../services/sites/sites.ts';
import { planDeploy, startDeploy } from '../services/sites/deploys.ts';
import { createPreview, findPreviewFile } from '../services/sites/site-previews.ts';
import { Hostname } from '../shared/portfolio/domains.ts';
import { translate } from '../shared/i18n/index.ts';
import { renderPlan } from '../shared/operations.ts';
import { MAX_HTML_BYTES } from '../shared/sites/sites.ts';
import { Id, OptionalId } from '../shared/text.ts';
import { placedAt } from './previews.ts';
import { idOf, Nothing, route, type FileAnswer, SITE_PREVIEWS } from './http/route.ts';

const PreviewInput = z.object({ template_id: Id, domain_name: Hostname, domain_id: OptionalId });

/**
 * An untrusted page must not act as one of ours: no scripts, no forms, no requests elsewhere. CORS is open because a sandboxed
 * page has no origin, so that its own files are cross-origin to it.
 */
const PREVIEW_HEADERS = {
  'Content-Security-Policy':
    "sandbox; default-src 'none'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; frame-ancestors 'self'",
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'Access-Control-Allow-Origin': '*',
};

export const sites = {
  'GET /api/domains/:id/site': route({
    summary: "Template, page, server and folder of a domain's site, and its live release; null where it has none",
    run: async ({ actor, params }) => ({ data: await findSite(actor, idOf(params)) }),
  }),
  'POST /api/domains/:id/deploy': route({
    summary: "Deploy what is kept of a domain's site",
    body: Nothing,
    run: async ({ actor, params, language, idempotencyKey: idem_key }) => {
      const { id, domain } = await startDeploy(actor, idOf(params), { idem_key });
      return { message: translate(language, 'site.deploying', { domain }), operation: { id } };
    },
  }),
  'POST /api/domains/:id/deploy/plan': route({
    summary: 'Plan of a deployment, found by looking; nothing is written',
    body: Nothing,
    run: async ({ actor, params, render }) => ({
      data: renderPlan(render, await planDeploy(actor, idOf(params))),
    }),
  }),
  'POST /api/site_previews': route({
    summary: "A site to be looked at for ten minutes: a template with a page's text, or with that of a domain's site",
    body: PreviewInput,
    files: ['html_file'],
    uploadLimit: 2 * MAX_HTML_BYTES,
    run: async ({ actor, body: { template_id, domain_name, domain_id }, files }) => {
      const content = await previewContent(actor, template_id, domain_id, files['html_file']);
      const { token, index } = await createPreview(content, domain_name);
      return { url: `${SITE_PREVIEWS}${token}/${index}` };
    },
  }),
  'GET /api/site_previews/:token/*path': route({
    access: 'anyone',
    summary: 'A file of a preview, by the address that it was given',
    answer: 'file',
    run: async ({ params: { token = '', path = '' } }): Promise<FileAnswer> => ({
      name: path,
      ...placedAt(`${SITE_PREVIEWS}${token}/`, findPreviewFile(token, path)),
      headers: PREVIEW_HEADERS,
    }),
  }),
};
