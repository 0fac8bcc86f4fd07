import { z } from 'zod';
import { UNSEEN } from '../invisible.ts';
import { line, message } from '../text.ts';

/** The two roles. Any other stored value counts as `user`. */
export const ROLES = ['admin', 'user'] as const;
export type Role = (typeof ROLES)[number];

/** A new password. Length counts, so there are no composition rules (NIST 800-63B). */
export const Password = z.string().min(10, message('user.password_short')).max(256, message('error.too_long'));

/** Telegram username as typed: a leading `@` or a t.me address is dropped. Empty or null, as answers have it, means none. */
export const Telegram = line(64)
  .nullable()
  .transform((value) => (value ?? '').replace(/^(?:https?:\/\/)?(?:t\.me\/)?@?/i, ''))
  .refine((value) => value === '' || /^[A-Za-z0-9_]{1,32}$/.test(value), message('user.telegram'));

// Each database takes other forms of a letter for the same one: of two logins that look alike only one can be there.
const Login = z
  .string()
  .overwrite((value) => value.normalize('NFKC'))
  .refine((value) => !UNSEEN.test(value), message('error.characters'))
  .pipe(line(64).min(1, message('user.login_empty')));

export const UserInput = z.object({
  login: Login,
  password: Password,
  telegram: Telegram.optional(),
  role: z.enum(ROLES).default('user'),
});
export type UserInput = z.infer<typeof UserInput>;

/** A new own password. `sign_out` ends the other sessions, `revoke_tokens` the API tokens and the feed, which otherwise stay. */
export const PasswordInput = z.object({
  current: z.string().max(1024, message('error.too_long')),
  password: Password,
  sign_out: z.boolean().default(true),
  revoke_tokens: z.boolean().default(false),
});
export type PasswordInput = z.infer<typeof PasswordInput>;

export const TelegramInput = z.object({ telegram: Telegram });

/** First run: the token comes from the fragment of the setup link. */
export const SetupInput = z.object({ token: z.string().max(128), login: Login, password: Password });

/** A user as every list and the session show it: never the password hash. */
export interface UserView {
  id: number;
  login: string;
  telegram: string | null;
  role: Role;
  active: boolean;
  created_at: string;
}

/** A user as administrators see it; `last_seen_at` is null for one who has never signed in, or not for 90 days. */
export interface UserListed extends UserView {
  second_factor: boolean;
  last_seen_at: string | null;
}

/** An administrator's edit of a user. Absent fields keep their value. */
export const UserChange = z.object({ role: z.enum(ROLES).optional(), active: z.boolean().optional() });
export type UserChange = z.infer<typeof UserChange>;

/** Payload of the token. The browser reads it for the menu only; the server asks the database. */
export interface TokenPayload {
  id: number;
  login: string;
  role: Role;
  telegram: string | null;
  iat: number;
  exp: number;
}
