import { endChatOf } from '../../services/notices/telegram-link.ts';
import { endFeedOf } from '../../services/portfolio/expiry-feeds.ts';
import { changeUser, resetPassword, resetSecondFactor, signOutUser } from '../../services/access/user-changes.ts';
import { UserChange } from '../../shared/access/users.ts';
import { translate } from '../../shared/i18n/index.ts';
import { idOf, Nothing, route } from '../http/route.ts';

/** Routes that change users: for administrators, and for sessions only. */
export const users = {
  'PUT /api/users/:id': route({
    access: 'admin',
    sessionOnly: true,
    summary: 'Change the role of a user, or whether the user can sign in; not of the last administrator',
    body: UserChange,
    run: async ({ params, body, language, signed }) => {
      await changeUser(idOf(params), body, signed.still);
      return { message: translate(language, 'people.changed') };
    },
  }),
  'POST /api/users/:id/password': route({
    access: 'admin',
    sessionOnly: true,
    summary:
      'Give a user a generated password, which is told this once; sessions, API tokens, passkeys, the calendar feed and the link to Telegram end',
    body: Nothing,
    run: async ({ signed, params }) => ({ password: await resetPassword(signed, idOf(params), endChatOf, endFeedOf) }),
  }),
  'DELETE /api/users/:id/sessions': route({
    access: 'admin',
    sessionOnly: true,
    summary: 'End every session of a user',
    run: async ({ params }) => ({ ended: await signOutUser(idOf(params)) }),
  }),
  'DELETE /api/users/:id/second_factor': route({
    access: 'admin',
    sessionOnly: true,
    summary: 'Remove every second factor of a user',
    run: async ({ signed, params, language }) => {
      await resetSecondFactor(signed.actor, idOf(params), signed.still);
      return { message: translate(language, 'factor.removed') };
    },
  }),
};
