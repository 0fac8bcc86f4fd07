import {
  beginTotp,
  confirmTotp,
  factorPolicy,
  factorsOf,
  removeTotp,
  renewRecoveryCodes,
  setFactorPolicy,
} from '../../services/access/factors.ts';
import { addPasskey, beginPasskey, removePasskey } from '../../services/access/passkeys.ts';
import { confirmPassword } from '../../services/access/passwords.ts';
import { CodeInput, FactorPolicyInput, OwnPassword, PasskeyInput } from '../../shared/access/factors.ts';
import { translate } from '../../shared/i18n/index.ts';
import { idOf, route, type Call } from '../http/route.ts';

const PERSONAL = { sessionOnly: true, enrols: true } as const;

/** Asks for the own password: an open session alone must not change how its user signs in. */
const confirmed = ({ signed, body, address }: Call<typeof OwnPassword, undefined>): Promise<string> =>
  confirmPassword(signed, body.password, address, 'password');

/** The caller's second factor, and for whom one is required. */
export const secondFactor = {
  'GET /api/second_factor': route({
    ...PERSONAL,
    summary: "The caller's second factors",
    run: ({ actor }) => factorsOf(actor),
  }),
  'POST /api/second_factor/totp': route({
    ...PERSONAL,
    summary: 'Begin with an authenticator app: its secret is told this once, and used once a code confirms it',
    body: OwnPassword,
    run: async (call) => {
      await confirmed(call);
      return beginTotp(call.actor);
    },
  }),
  'POST /api/second_factor/totp/confirm': route({
    ...PERSONAL,
    summary: 'Take the app into use by one of its codes; recovery codes are told this once, null: the former ones stay',
    body: CodeInput,
    run: async ({ signed: { actor, still }, body, address }) => ({
      recovery_codes: await confirmTotp(actor, body.code, address, still),
    }),
  }),
  'POST /api/second_factor/totp/remove': route({
    ...PERSONAL,
    summary: 'Use the app no more',
    body: OwnPassword,
    run: async (call) => {
      await confirmed(call);
      await removeTotp(call.actor);
      return { message: translate(call.language, 'factor.removed') };
    },
  }),
  'POST /api/second_factor/recovery_codes': route({
    ...PERSONAL,
    summary: 'Make new recovery codes, which are told this once; the former ones end',
    body: OwnPassword,
    run: async (call) => {
      await confirmed(call);
      return { recovery_codes: await renewRecoveryCodes(call.actor) };
    },
  }),
  'POST /api/passkeys/options': route({
    ...PERSONAL,
    summary: 'Begin to add a passkey: a challenge for five minutes, and what the browser needs',
    body: OwnPassword,
    run: async (call) => {
      await confirmed(call);
      return beginPasskey(call.actor, call.origin);
    },
  }),
  'POST /api/passkeys': route({
    ...PERSONAL,
    summary: 'Add the passkey that the browser has made; recovery codes are told this once, null: the former ones stay',
    body: PasskeyInput,
    run: async ({ actor, body, origin }) => ({ recovery_codes: await addPasskey(actor, body, origin) }),
  }),
  'POST /api/passkeys/:id/remove': route({
    ...PERSONAL,
    summary: 'Remove a passkey',
    body: OwnPassword,
    run: async (call) => {
      const id = idOf(call.params);
      await confirmed(call);
      await removePasskey(call.actor, id);
      return { message: translate(call.language, 'factor.removed') };
    },
  }),
  'GET /api/second_factor/policy': route({
    access: 'admin',
    summary: 'For whom a second factor is required',
    run: async () => ({ second_factor: await factorPolicy() }),
  }),
  'PUT /api/second_factor/policy': route({
    access: 'admin',
    sessionOnly: true,
    summary: 'Set for whom a second factor is required: who has none can only add one from then on',
    body: FactorPolicyInput,
    run: async ({ actor, body }) => {
      await setFactorPolicy(actor, body.second_factor);
      return body;
    },
  }),
};
