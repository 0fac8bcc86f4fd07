import {
  createCloudflareAccount,
  listCloudflareAccounts,
  updateCloudflareAccount,
} from '../services/accounts/cloudflare-accounts.ts';
import {
  checkCloudflareLogin,
  testCloudflareAccount,
  type CloudflareCheck,
} from '../services/accounts/cloudflare-check.ts';
import { deleteTeamRow } from '../services/accounts/team.ts';
import { renderCheckError } from '../shared/accounts/check-error.ts';
import {
  CloudflareAccountChange,
  CloudflareAccountInput,
  CloudflareLogin,
} from '../shared/accounts/cloudflare-accounts.ts';
import { translate, type Render } from '../shared/i18n/index.ts';
import { idOf, Nothing, route } from './route.ts';

/** The result of a test of a login for the client; `code` is null if it passed. */
const testAnswer = (render: Render, { code, said, verified }: CloudflareCheck) => ({
  ok: code === null,
  code,
  message: render(said),
  kind: verified?.kind ?? null,
  zones: verified?.zones ?? null,
  accounts: verified?.accounts.map(({ id, name }) => ({ id, name })) ?? [],
  missing: verified?.missing ?? [],
  name_servers: verified?.zone?.name_servers ?? [],
});

export const cloudflareAccounts = {
  'GET /api/cloudflare_accounts': route({
    summary: "The team's CDN accounts; keys for their creator and admins alone",
    run: async ({ actor, secrets, render }) => ({
      data: (await listCloudflareAccounts(actor, secrets)).map((view) => renderCheckError(render, view)),
    }),
  }),
  'POST /api/cloudflare_accounts': route({
    summary: 'Add a CDN account',
    body: CloudflareAccountInput,
    run: async ({ server, actor, body, secrets, render }) => ({
      data: renderCheckError(render, await createCloudflareAccount(server.config, actor, body, secrets)),
    }),
  }),
  'POST /api/cloudflare_accounts/test': route({
    summary: 'Try a login at the CDN before it is saved, and say which permission is missing',
    body: CloudflareLogin,
    run: async ({ server, body, render }) => ({
      data: testAnswer(render, await checkCloudflareLogin(server.config, body)),
    }),
  }),
  'POST /api/cloudflare_accounts/:id/test': route({
    summary: 'Try the login of an account at the CDN, and keep what was found',
    body: Nothing,
    run: async ({ server, actor, params, render }) => ({
      data: testAnswer(render, await testCloudflareAccount(server.config, actor, idOf(params))),
    }),
  }),
  'POST /api/cloudflare_accounts/:id': route({
    summary: 'Edit a CDN account; what is absent stays',
    body: CloudflareAccountChange,
    run: async ({ server, actor, params, body, secrets, render }) => ({
      data: renderCheckError(render, await updateCloudflareAccount(server.config, actor, idOf(params), body, secrets)),
    }),
  }),
  'DELETE /api/cloudflare_accounts/:id': route({
    summary: 'Delete a CDN account that nothing uses',
    run: async ({ actor, params, language }) => {
      const { name } = await deleteTeamRow(actor, 'cloudflare_accounts', idOf(params));
      return { message: translate(language, 'cloudflare_account.deleted', { name }) };
    },
  }),
};
