import { PASSWORD } from '../../support/server.ts';
import { ADMINS, foreignIds, NOT_FOUND, type Decision, type Probe } from './matrix-probes.ts';

const OWN: Decision = { none: 'it is about the caller alone' };

// A path names a list of the interface, which every user sees in his own way.
const ofOwnList = (body?: object): Probe[] => [
  { relation: 'own view of a list', path: ['sites'], body, status: 200, own: true },
  { relation: 'no list', path: ['users'], body, ...NOT_FOUND },
];

/** The decisions of calls about people. Sessions and tokens of others are tried by id in `authorization.test.ts`. */
export const peopleDecisions: Record<string, Decision> = {
  'PUT /api/password': OWN,
  'GET /api/sessions': OWN,
  'DELETE /api/sessions': OWN,
  // The first session of the installation is not the attacker's.
  'DELETE /api/sessions/:id': () => foreignIds({ 'foreign session': 1 }),
  'GET /api/second_factor': OWN,
  'POST /api/second_factor/totp': OWN,
  'POST /api/second_factor/totp/confirm': OWN,
  'POST /api/second_factor/totp/remove': OWN,
  'POST /api/second_factor/recovery_codes': OWN,
  'POST /api/passkeys/options': OWN,
  'POST /api/passkeys': OWN,
  'POST /api/passkeys/:id/remove': () => foreignIds({}, { password: PASSWORD }),
  'GET /api/second_factor/policy': ADMINS,
  'PUT /api/second_factor/policy': ADMINS,
  'PUT /api/users/:id': ADMINS,
  'POST /api/users/:id/password': ADMINS,
  'DELETE /api/users/:id/sessions': ADMINS,
  'DELETE /api/users/:id/second_factor': ADMINS,
  'GET /api/tokens': OWN,
  'POST /api/tokens': OWN,
  'DELETE /api/tokens/:id': () => foreignIds({}),
  'GET /api/list_settings/:list': () => ofOwnList(),
  'PUT /api/list_settings/:list': () => ofOwnList({ density: 'compact' }),
  'POST /api/list_views': OWN,
  // Views of others are tried by id in test/api/people/list-views.test.ts.
  'POST /api/list_views/:id': () => foreignIds({}, { name: 'mine' }),
  'DELETE /api/list_views/:id': () => foreignIds({}),
};
