import { id, integer, machine, optional, reference, table, text, time, type Row } from '../table.ts';

/**
 * The attachments table: a domain attached to a main domain, to which a rule forwards it. `main_id` is the row that had the main
 * domain's name, and `main_claim` its claim, when `name_claim` was given; triggers set all three.
 */
export const attachments = table(
  'attachments',
  machine('what an operation has attached, whose start and end are noted'),
  {
    id: id(),
    domain_name: text(),
    forward_to: text(),
    cloudflare_account_id: optional(reference('cloudflare_accounts', 'SET NULL')),
    created_at: time(),
    main_id: optional(reference('domains', 'SET NULL')),
    main_claim: optional(integer()),
    /** Order in which the name was taken, comparable with those of domains. */
    name_claim: optional(integer()),
  },
);
export type AttachmentRow = Row<typeof attachments>;

/** The zone_levels table: the security level of a zone before Under Attack mode replaced it. */
export const zoneLevels = table('zone_levels', machine('what an operation has replaced and will give back'), {
  id: id(),
  zone_id: text(),
  security_level: text(),
  changed_at: time(),
});
export type ZoneLevelRow = Row<typeof zoneLevels>;
