import { z } from 'zod';
import { line, message } from '../text.ts';

/** For whom a second factor is required. */
export const FACTOR_POLICIES = ['optional', 'admins', 'all'] as const;
export type FactorPolicy = (typeof FACTOR_POLICIES)[number];

export const FactorPolicyInput = z.object({ second_factor: z.enum(FACTOR_POLICIES) });

/** Whether a policy, as stored, requires a second factor of a role. */
export const requiresFactor = (policy: string | null, role: string): boolean =>
  policy === 'all' || (policy === 'admins' && role === 'admin');

const secretText = z.string().min(1, message('error.required')).max(1024, message('error.too_long'));

/** The own password, which every change of the second factor asks for. */
export const OwnPassword = z.object({ password: secretText });

export const CodeInput = z.object({
  code: z.string().min(1, message('error.required')).max(64, message('error.too_long')),
});

/** A browser's answer for a passkey; the library checks all of it. */
const Credential = z.looseObject({
  id: z.string().max(2048),
  rawId: z.string().max(2048),
  type: z.literal('public-key'),
  response: z.record(z.string(), z.unknown()),
  clientExtensionResults: z.record(z.string(), z.unknown()).default({}),
});
export type Credential = z.infer<typeof Credential>;

const Challenge = z.string().max(128);

export const PasskeyInput = z.object({
  challenge: Challenge,
  name: line(64).min(1, message('tokens.name_empty')),
  response: Credential,
});
export type PasskeyInput = z.infer<typeof PasskeyInput>;

/** The second step of a sign-in. */
export interface SecondStep {
  challenge: string;
  code?: string | undefined;
  assertion?: Credential | undefined;
}

/**
 * A sign-in: login and password or, as its second step, the challenge of the first with a code or a passkey's answer. Any
 * strings are accepted: the caller must not learn which of the two is wrong. `former` is the token of a former session of that login, which
 * may be over: its tries are apart from those of others.
 */
export const LoginInput = z
  .object({
    login: z.string().optional(),
    password: z.string().optional(),
    former: z.string().optional(),
    challenge: Challenge.optional(),
    code: z.string().max(64).optional(),
    assertion: Credential.optional(),
  })
  .superRefine(({ login, password, challenge, code, assertion }, context) => {
    const needed = challenge === undefined ? { login, password } : { code: code ?? assertion };
    for (const [field, value] of Object.entries(needed)) {
      if (value === undefined) context.addIssue({ code: 'custom', path: [field], message: message('error.required') });
    }
  });

/** The end of a sign-in by a passkey alone. */
export const PasskeySignIn = z.object({ challenge: z.string().max(256), assertion: Credential });
export type PasskeySignIn = z.infer<typeof PasskeySignIn>;

/** A passkey as its owner sees it. */
export interface PasskeyView {
  id: number;
  name: string;
  created_at: string;
  last_used_at: string | null;
}

/** The second factors of a user. `recovery_codes` are how many are left; `required`: the last one can't be removed. */
export interface FactorState {
  totp: boolean;
  passkeys: PasskeyView[];
  recovery_codes: number;
  required: boolean;
}

/** Second factors that end a sign-in whose password was right. */
export type FactorKind = 'totp' | 'passkey' | 'recovery_code';
