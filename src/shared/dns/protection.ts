import { z } from 'zod';

/** A domain that a protection switch changes, through its CDN account. */
export interface AffectedDomain {
  domain_name: string;
  project_name: string | null;
  user_login: string | null;
  cloudflare_account_id: number;
}

/** Under Attack mode for all of the caller's domains. */
export const UnderAttackInput = z.object({ action: z.enum(['enable', 'disable']) });

/** TLS 1.3 for all of the caller's domains. */
export const TlsInput = z.object({ state: z.enum(['on', 'off']) });
