import { foreignIds, type Decision } from './matrix-probes.ts';

const OWN: Decision = { none: 'it is about the caller alone' };

/** The decisions of calls about people. Sessions and tokens of others are tried by id in `authorization.test.ts`. */
export const peopleDecisions: Record<string, Decision> = {
  'PUT /api/password': OWN,
  'GET /api/sessions': OWN,
  'DELETE /api/sessions': OWN,
  // The first session of the installation is not the attacker's.
  'DELETE /api/sessions/:id': () => foreignIds({ 'foreign session': 1 }),
  'GET /api/tokens': OWN,
  'POST /api/tokens': OWN,
  'DELETE /api/tokens/:id': () => foreignIds({}),
};
