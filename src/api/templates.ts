import { readTemplateToken, templateTokens } from '../services/sites/template-tokens.ts';
import {
  archiveOf,
  createTemplate,
  findTemplate,
  listTemplates,
  scanTemplate,
  updateTemplate,
} from '../services/sites/templates.ts';
import { deleteTeamRow } from '../services/accounts/team.ts';
import { translate } from '../shared/i18n/index.ts';
import { MAX_TEMPLATE_BYTES, TemplateChange, TemplateInput } from '../shared/sites/templates.ts';
import { idOf, route, type FileAnswer, TEMPLATE_FILES } from './http/route.ts';

const TEMPLATE_FILE = ['template_file'];
// The limit of the file, plus room for the name and the multipart boundaries.
const uploadLimit = MAX_TEMPLATE_BYTES + 64 * 1024;

function linksFor(...login: Parameters<typeof templateTokens>): (id: number) => string {
  const tokenOf = templateTokens(...login);
  return (id) => TEMPLATE_FILES + tokenOf(id);
}

export const templates = {
  'GET /api/templates': route({
    summary:
      "The team's templates; file_path downloads the ZIP for ten minutes without a token, as long as the session or the API token lasts that asked for it",
    run: async ({ server, actor, signed }) => ({
      data: await listTemplates(actor, linksFor(server.key, signed)),
    }),
  }),
  'GET /api/templates/:id': route({
    summary: 'A template and the files in its ZIP',
    run: async ({ server, actor, signed, params }) => {
      const id = idOf(params);
      const template = await findTemplate(actor, id, linksFor(server.key, signed));
      return { data: { ...template, entries: (await scanTemplate(id)).entries } };
    },
  }),
  'POST /api/templates': route({
    summary: 'Add a template: a name and a ZIP from which a site can be made',
    body: TemplateInput,
    files: TEMPLATE_FILE,
    needs: { template_file: 'template.file_required' },
    uploadLimit,
    run: async ({ server, actor, signed, body, files }) => ({
      data: await createTemplate(actor, body, files['template_file'], linksFor(server.key, signed)),
    }),
  }),
  'POST /api/templates/:id': route({
    summary: 'Edit a template; what is absent stays, and so does the old ZIP where the new one is refused',
    body: TemplateChange,
    files: TEMPLATE_FILE,
    uploadLimit,
    run: async ({ server, actor, signed, params, body, files }) => {
      const linkOf = linksFor(server.key, signed);
      return { data: await updateTemplate(actor, idOf(params), body, files['template_file'], linkOf) };
    },
  }),
  'DELETE /api/templates/:id': route({
    summary: 'Delete a template that nothing uses',
    run: async ({ actor, params, language }) => {
      const { name } = await deleteTeamRow(actor, 'templates', idOf(params));
      return { message: translate(language, 'template.deleted', { name }) };
    },
  }),
  'GET /api/template_files/:token': route({
    access: 'anyone',
    summary: "A template's ZIP, by the link in file_path",
    answer: 'file',
    run: async ({ server, params }): Promise<FileAnswer> => {
      const { name, content } = await archiveOf(await readTemplateToken(server.key, params['token'] ?? ''));
      return { name, type: 'application/zip', content };
    },
  }),
};
