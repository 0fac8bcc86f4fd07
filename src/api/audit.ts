import { z } from 'zod';
import { exportAudit, listAudit, verifyAudit } from '../services/audit/audit.ts';
import { canGiveBack, giveBack } from '../services/system/give-back.ts';
import { DOORS } from '../shared/audit/audit.ts';
import { Id, line } from '../shared/text.ts';
import { idOf, Nothing, route } from './http/route.ts';

const Time = z.iso.datetime().optional();

const Filters = z.object({
  user: line(64).optional(),
  door: z.enum(DOORS).optional(),
  object: line(64).optional(),
  object_id: Id.optional(),
  name: line(200).optional(),
  since: Time,
  until: Time,
});

const Selection = Filters.extend({
  limit: z.coerce.number().int().min(1).max(1_000).default(100),
  offset: z.coerce.number().int().min(0).max(1e9).default(0),
});

export const audit = {
  'GET /api/audit': route({
    access: 'admin',
    summary: 'Who has done what, through which door, the newest first: before and after without secrets',
    query: Selection,
    run: async ({ actor, query: { limit, offset, ...selection } }) => {
      const { data, total } = await listAudit(actor, selection, { limit, offset });
      return { data: data.map((entry) => Object.assign(entry, { can_give_back: canGiveBack(entry) })), total };
    },
  }),
  'GET /api/audit_export': route({
    access: 'admin',
    summary: 'The selected rows as CSV or JSON lines, the newest 20,000 at most, with a name for the file',
    query: Filters.extend({ format: z.enum(['csv', 'ndjson']).default('csv') }),
    run: async ({ actor, query: { format, ...selection } }) => ({
      filename: `log-${new Date().toISOString().slice(0, 10)}.${format}`,
      ...(await exportAudit(actor, selection, format)),
    }),
  }),
  'POST /api/audit/:id/give_back': route({
    access: 'admin',
    summary: 'Give an object the values back that it had before an edit; 409 where it has changed since',
    body: Nothing,
    run: async ({ actor, params }) => ({ data: await giveBack(actor, idOf(params)) }),
  }),
  'POST /api/audit/verify': route({
    access: 'admin',
    summary: 'Verify that no row of the audit was changed, is missing, or was added by other hands',
    body: Nothing,
    run: async ({ actor }) => ({ data: await verifyAudit(actor) }),
  }),
};
