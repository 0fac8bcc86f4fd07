import { endDevice, endOtherDevices, listDevices } from '../../services/access/devices.ts';
import { changePassword } from '../../services/access/passwords.ts';
import { endFeedOf } from '../../services/portfolio/expiry-feeds.ts';
import { createToken, listTokens, revokeToken } from '../../services/access/tokens.ts';
import { TokenInput } from '../../shared/access/tokens.ts';
import { PasswordInput } from '../../shared/access/users.ts';
import { translate } from '../../shared/i18n/index.ts';
import { idOf, route } from '../http/route.ts';

/** The caller's own password, sessions and tokens. */
export const people = {
  'PUT /api/password': route({
    sessionOnly: true,
    enrols: true,
    summary: "Change the caller's password, by the current one; `ended` counts the sessions that were signed out",
    body: PasswordInput,
    run: ({ signed, body, address }) => changePassword(signed, body, address, endFeedOf),
  }),
  'GET /api/sessions': route({
    sessionOnly: true,
    enrols: true,
    summary: "The caller's sessions, the one last used first",
    run: async ({ signed }) => ({ data: await listDevices(signed) }),
  }),
  'DELETE /api/sessions': route({
    sessionOnly: true,
    enrols: true,
    summary: "End the caller's other sessions",
    run: async ({ signed }) => ({ ended: await endOtherDevices(signed) }),
  }),
  'DELETE /api/sessions/:id': route({
    sessionOnly: true,
    enrols: true,
    summary: "End one of the caller's sessions",
    run: async ({ signed, params, language }) => {
      await endDevice(signed, idOf(params));
      return { message: translate(language, 'security.signed_out') };
    },
  }),
  'GET /api/tokens': route({
    sessionOnly: true,
    summary: "The caller's API tokens, without the tokens themselves",
    run: async ({ actor }) => ({ data: await listTokens(actor) }),
  }),
  'POST /api/tokens': route({
    sessionOnly: true,
    summary: 'Make an API token, which is told this once',
    body: TokenInput,
    run: async ({ actor, body, signed }) => {
      const { token, view } = await createToken(actor, body, signed.still);
      return { token, data: view };
    },
  }),
  'DELETE /api/tokens/:id': route({
    sessionOnly: true,
    summary: 'Revoke an API token: it is refused from then on',
    run: async ({ actor, params, language }) => {
      await revokeToken(actor, idOf(params));
      return { message: translate(language, 'tokens.revoked') };
    },
  }),
};
