import { z } from 'zod';
import { line, message } from '../text.ts';

/** Scopes of an API token, each including those before it; `admin` is for calls that only administrators may make. */
export const TOKEN_SCOPES = ['read', 'write', 'admin'] as const;
export type TokenScope = (typeof TOKEN_SCOPES)[number];

/** Begins every token, so that people and scanners for leaked secrets recognize one. */
export const TOKEN_PREFIX = 'sa_';

export const TOKEN_DAYS = { usual: 90, most: 365 } as const;

export const TokenInput = z.object({
  name: line(64).min(1, message('tokens.name_empty')),
  scope: z.enum(TOKEN_SCOPES).default('read'),
  /** After so many days it expires; null: it does not, which administrators alone may choose. */
  days: z
    .number()
    .int()
    .min(1, message('tokens.days_range'))
    .max(TOKEN_DAYS.most, message('tokens.days_range'))
    .nullable()
    .default(TOKEN_DAYS.usual),
});
export type TokenInput = z.infer<typeof TokenInput>;

/** A token as its owner sees it: never the token itself. */
export interface TokenView {
  id: number;
  login: string;
  name: string;
  scope: TokenScope;
  hint: string;
  created_at: string;
  expires_at: string | null;
  last_used_at: string | null;
}

/** Whether what a token may do includes a scope. */
export const includesScope = (has: TokenScope, needed: TokenScope): boolean =>
  TOKEN_SCOPES.indexOf(has) >= TOKEN_SCOPES.indexOf(needed);
