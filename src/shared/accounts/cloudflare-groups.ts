import { z } from 'zod';
import { chosenId, line, message } from '../text.ts';

/** A group's name and the ids of its CDN accounts. */
export const CloudflareGroupInput = z.object({
  name: line(200).min(1, message('team.name_empty')),
  accounts: z
    .array(chosenId('cloudflare_group.ids_only'))
    .max(1000, message('error.too_long'))
    .transform((ids) => [...new Set(ids)]),
});
export type CloudflareGroupInput = z.infer<typeof CloudflareGroupInput>;

/** Fields of an edit: absent fields stay. */
export const CloudflareGroupChange = CloudflareGroupInput.partial();
export type CloudflareGroupChange = z.infer<typeof CloudflareGroupChange>;

/** A group with its accounts, by name. `can_edit`: the caller made it, or is an admin. */
export interface CloudflareGroupView {
  id: number;
  name: string;
  accounts: { id: number; name: string }[];
  can_edit: boolean;
}
