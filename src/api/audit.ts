import { z } from 'zod';
import { listAudit, verifyAudit } from '../services/audit/audit.ts';
import { DOORS } from '../shared/audit/audit.ts';
import { Id, line } from '../shared/text.ts';
import { Nothing, route } from './http/route.ts';

const Time = z.iso.datetime().optional();

const Selection = z.object({
  user: line(64).optional(),
  door: z.enum(DOORS).optional(),
  object: line(64).optional(),
  object_id: Id.optional(),
  name: line(200).optional(),
  since: Time,
  until: Time,
  limit: z.coerce.number().int().min(1).max(1_000).default(100),
  offset: z.coerce.number().int().min(0).max(1e9).default(0),
});

export const audit = {
  'GET /api/audit': route({
    access: 'admin',
    summary: 'Who has done what, through which door, the newest first: before and after without secrets',
    query: Selection,
    run: ({ actor, query: { limit, offset, ...selection } }) => listAudit(actor, selection, { limit, offset }),
  }),
  'POST /api/audit/verify': route({
    access: 'admin',
    summary: 'Verify that no row of the audit was changed, is missing, or was added by other hands',
    body: Nothing,
    run: async ({ actor }) => ({ data: await verifyAudit(actor) }),
  }),
};
