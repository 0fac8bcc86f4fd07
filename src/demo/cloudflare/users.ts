import { createHash } from 'node:crypto';
import type { Call, Routes } from './call.ts';
import { page, refuse } from './reply.ts';
import type { Account } from './state.ts';

const ACCOUNT_PAGES = { least: 5, usual: 20, most: 50 };

const idOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 32);

const accountsOf = ({ store, login }: Call): Account[] =>
  store.state.accounts.filter((account) => login.accounts.includes(account.id));

const toView = ({ id, name, type, created_on }: Account) => ({ id, name, type, created_on, settings: {} });

function refuseToken({ login }: Call): void {
  if (login.token !== undefined) refuse(403, 9109, 'Unauthorized to access requested resource');
}

/** The caller's user, tokens, accounts and memberships. */
export const users: Routes<Call> = {
  'GET /user': {
    run: (call) => {
      refuseToken(call);
      const { email } = call.login;
      return { result: { id: idOf(email), email, suspended: false, two_factor_authentication_enabled: true } };
    },
  },
  'GET /user/tokens/verify': {
    run: ({ login }) => {
      if (login.token === undefined || login.account_owned) refuse(401, 1000, 'Invalid API Token');
      return { result: { id: idOf(login.token), status: 'active' } };
    },
  },
  'GET /accounts/:account/tokens/verify': {
    run: ({ login, params }) => {
      const isOwn = login.account_owned && login.accounts.includes(params['account'] ?? '');
      if (login.token === undefined || !isOwn) refuse(401, 1000, 'Invalid API Token');
      return { result: { id: idOf(login.token ?? ''), status: 'active' } };
    },
  },
  'GET /accounts': {
    run: (call) => {
      if (call.login.account_owned) refuse(403, 9109, 'Unauthorized to access requested resource');
      return page(accountsOf(call).map(toView), call.query, ACCOUNT_PAGES);
    },
  },
  'GET /accounts/:account': {
    run: (call) => {
      const account = accountsOf(call).find(({ id }) => id === call.params['account']);
      return { result: toView(account ?? refuse(404, 7003, 'Could not route to that account')) };
    },
  },
  'GET /memberships': {
    run: (call) => {
      refuseToken(call);
      const memberships = accountsOf(call).map((account) => ({
        id: idOf(`${call.login.email} ${account.id}`),
        status: 'accepted',
        roles: ['Super Administrator - All Privileges'],
        account: { id: account.id, name: account.name, created_on: account.created_on, settings: {} },
      }));
      return page(memberships, call.query, ACCOUNT_PAGES);
    },
  },
};
