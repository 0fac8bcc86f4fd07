import { z } from 'zod';
import type { CloudflareAccountRow } from './tables.ts';
import { line, message } from '../text.ts';

/**
 * The form of a CDN account. `api_key` is an account's global key, which needs the e-mail, or an API token, which goes
 * without one. `cf_account_id` is the account at the CDN for new zones; empty: the only one that the login sees.
 */
export const CloudflareAccountInput = z.object({
  name: line(200).min(1, message('team.name_empty')),
  email: line(254)
    .refine((email) => email === '' || /^[^\s@]+@[^\s@]+$/.test(email), message('cloudflare_account.email_invalid'))
    .optional(),
  api_key: line(500).min(1, message('cloudflare_account.key_empty')),
  cf_account_id: line(32)
    .regex(/^([0-9a-f]{32})?$/, message('cloudflare_account.id_invalid'))
    .optional(),
});
export type CloudflareAccountInput = z.infer<typeof CloudflareAccountInput>;

/** Fields of an edit: absent fields stay, and so does a key that comes as the mask. */
export const CloudflareAccountChange = CloudflareAccountInput.partial();
export type CloudflareAccountChange = z.infer<typeof CloudflareAccountChange>;

/** A login to test before it is saved. */
export const CloudflareLogin = CloudflareAccountInput.omit({ name: true });
export type CloudflareLogin = z.infer<typeof CloudflareLogin>;

/**
 * A CDN account in a list; `Text` is Message in services and text at the doors. `api_key` is the mask for everybody but its creator and admins, who alone may edit it
 * (`can_edit`). `domains` counts those of the portfolio that use it, `zones` those at the CDN; `check_error` is the error of
 * the last test, null if there was none or the account was never tested.
 */
export interface CloudflareAccountView<Text = string> extends Pick<
  CloudflareAccountRow,
  'id' | 'name' | 'email' | 'api_key' | 'ns_1' | 'ns_2' | 'created_at' | 'zones' | 'checked_at' | 'cf_account_id'
> {
  check_error: Text | null;
  /** The accounts at the CDN that the login was last seen to reach. */
  cf_accounts: { id: string; name: string }[];
  domains: number;
  groups: { id: number; name: string }[];
  can_edit: boolean;
}
