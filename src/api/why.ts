import { diagnose, findDiagnosis } from '../services/why/why.ts';
import { domainCertificates } from '../services/why/certificates.ts';
import { renderDiagnosis } from '../shared/why/diagnosis.ts';
import { idOf, Nothing, route } from './http/route.ts';

export const why = {
  'GET /api/domains/:id/why': route({
    summary: 'The last diagnosis of a domain, layer by layer; null: nobody has asked yet',
    run: async ({ actor, params, render }) => {
      const found = await findDiagnosis(actor, idOf(params));
      return { data: found && renderDiagnosis(render, found) };
    },
  }),
  'POST /api/domains/:id/why': route({
    summary:
      'Ask now why a domain is red: from its registrar to the search engines, up to the first broken layer; takes 28 s at most',
    body: Nothing,
    run: async ({ actor, params, render }) => ({ data: renderDiagnosis(render, await diagnose(actor, idOf(params))) }),
  }),
  'GET /api/domains/:id/certificates': route({
    summary: 'The certificates of a domain at the edge and at its server, as they were last seen, with the days left',
    run: async ({ actor, params }) => ({ data: await domainCertificates(actor, idOf(params)) }),
  }),
};
