import {
  createCloudflareGroup,
  listCloudflareGroups,
  updateCloudflareGroup,
} from '../services/accounts/cloudflare-groups.ts';
import { deleteTeamRow } from '../services/accounts/team.ts';
import { CloudflareGroupChange, CloudflareGroupInput } from '../shared/accounts/cloudflare-groups.ts';
import { translate } from '../shared/i18n/index.ts';
import { idOf, route } from './http/route.ts';

export const cloudflareGroups = {
  'GET /api/cloudflare_groups': route({
    summary: "The team's groups of CDN accounts",
    run: ({ actor }) => listCloudflareGroups(actor),
  }),
  'POST /api/cloudflare_groups': route({
    summary: 'Add a group of CDN accounts',
    body: CloudflareGroupInput,
    run: ({ actor, body }) => createCloudflareGroup(actor, body),
  }),
  'PUT /api/cloudflare_groups/:id': route({
    summary: 'Edit a group; what is absent stays',
    body: CloudflareGroupChange,
    run: ({ actor, params, body }) => updateCloudflareGroup(actor, idOf(params), body),
  }),
  'DELETE /api/cloudflare_groups/:id': route({
    summary: 'Delete a group; its accounts stay',
    run: async ({ actor, params, language }) => {
      await deleteTeamRow(actor, 'cloudflare_groups', idOf(params));
      return { message: translate(language, 'cloudflare_group.deleted') };
    },
  }),
};
