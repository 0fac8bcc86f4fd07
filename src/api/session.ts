import { beginPasskeySignIn } from '../services/access/passkey-sign-in.ts';
import { finishSecondStep, setUp, setupState, signIn, signInByPasskey } from '../services/access/session.ts';
import { signOut } from '../services/access/sign-out.ts';
import { createUser, listUsers } from '../services/access/users.ts';
import { claimName } from '../services/notices/telegram-link.ts';
import { LoginInput, PasskeySignIn } from '../shared/access/factors.ts';
import { SetupInput, TelegramInput, UserInput } from '../shared/access/users.ts';
import { translate } from '../shared/i18n/index.ts';
import { Nothing, route } from './http/route.ts';

export const session = {
  'POST /api/login': route({
    access: 'anyone',
    summary: 'Sign in; with a second factor, 401 `second_factor_required` has the challenge for a second call',
    body: LoginInput,
    run: async ({ server, body, address, agent, origin }) => {
      const { login = '', password = '', former, challenge, code, assertion } = body;
      const from = { address, agent, origin, former };
      if (challenge === undefined) return { token: await signIn(server.key, login, password, from) };
      return { token: await finishSecondStep(server.key, { challenge, code, assertion }, from) };
    },
  }),
  'POST /api/passkey_login/options': route({
    access: 'anyone',
    summary: 'Begin to sign in by a passkey alone: a challenge for five minutes, and what the browser needs',
    body: Nothing,
    run: async ({ server, origin }) => beginPasskeySignIn(server.key, origin),
  }),
  'POST /api/passkey_login': route({
    access: 'anyone',
    summary: 'Sign in by a passkey alone, whose authenticator has verified its user',
    body: PasskeySignIn,
    run: async ({ server, body, address, agent, origin }) => ({
      token: await signInByPasskey(server.key, body, { address, agent, origin }),
    }),
  }),
  'POST /api/logout': route({
    sessionOnly: true,
    enrols: true,
    summary: 'End the session: its token is refused from then on',
    body: Nothing,
    run: async ({ signed, language }) => {
      await signOut(signed.session);
      return { message: translate(language, 'session.ended') };
    },
  }),
  'GET /api/session': route({
    enrols: true,
    summary: 'The signed-in user, fresh from the database',
    run: async ({ signed }) => signed.user,
  }),
  'GET /api/setup': route({
    access: 'anyone',
    summary: 'Whether the first administrator is still to be made; 404 afterwards',
    run: setupState,
  }),
  'POST /api/setup': route({
    access: 'anyone',
    summary: 'Make the first administrator with the one-time link of the terminal',
    body: SetupInput,
    run: async ({ server, body, address, agent }) => ({ token: await setUp(server.key, body, address, agent) }),
  }),
  'PUT /api/update_telegram': route({
    summary: "Set the caller's Telegram name; with a code and a link to the bot, as POST /api/telegram gives them",
    body: TelegramInput,
    run: ({ actor, body }) => claimName(actor, body.telegram),
  }),
  'GET /api/users': route({ access: 'admin', summary: 'All users', run: async () => ({ data: await listUsers() }) }),
  'POST /api/users': route({
    access: 'admin',
    sessionOnly: true,
    summary: 'Create a user',
    body: UserInput,
    run: async ({ body, signed }) => ({ id: await createUser(body, signed.still) }),
  }),
};
