import { z } from 'zod';
import { factsOf, isRegistrarType } from '../accounts/registrar-types.ts';
import type { Message } from '../i18n/index.ts';
import { checkTemplate, DEFAULT_TEMPLATE, MAX_TEMPLATE, parseTemplate } from '../names/name-template.ts';
import { Id } from '../text.ts';

const MOST_RESERVES = 20;

// A field left empty in the form, and null, stand for none.
const Chosen = z
  .union([Id, z.literal('').transform(() => null)])
  .nullable()
  .optional();

/** A template, validated by `checkTemplate`; its first error is the field's. */
export const AutoBuyTemplate = z
  .string({ error: 'template.empty' })
  .trim()
  .max(MAX_TEMPLATE, 'error.too_long')
  .superRefine((template, context) => {
    const [message] = checkTemplate(template).errors;
    if (message) context.addIssue({ code: 'custom', message });
  });

/**
 * Settings of a project as a caller gives them. Absent fields keep their stored value; in new settings they get the default, and the
 * template is required.
 */
export const AutoBuyInput = z.object({
  project_id: Id,
  template: AutoBuyTemplate.optional(),
  registrars_id: Chosen,
  cloudflare_groups_id: Chosen,
  state: z.enum(['on', 'off'], { error: 'auto_buy.state_unknown' }).optional(),
  wanted_reserves: z
    .number({ error: 'auto_buy.wanted_invalid' })
    .int('auto_buy.wanted_invalid')
    .min(0, 'auto_buy.wanted_invalid')
    .max(MOST_RESERVES, 'auto_buy.wanted_invalid')
    .optional(),
});
export type AutoBuyInput = z.infer<typeof AutoBuyInput>;

/** The settings of a project. */
export interface AutoBuyView {
  project_id: number;
  template: string;
  registrars_id: number | null;
  cloudflare_groups_id: number | null;
  state: 'on' | 'off';
  wanted_reserves: number;
}

/** The settings of a project that never saved any. */
export const defaultAutoBuy = (project_id: number): AutoBuyView => ({
  project_id,
  template: DEFAULT_TEMPLATE,
  registrars_id: null,
  cloudflare_groups_id: null,
  state: 'on',
  wanted_reserves: 1,
});

/** Returns the top-level domains that a valid template can end in, each once; null: it makes them of several groups. */
export function zonesOf(template: string): string[] | null {
  const last = parseTemplate(template).at(-1);
  if (!last) return [];
  const texts = last.kind === 'text' ? [last.text] : last.kind === 'pick' ? last.options : null;
  if (!texts) return null;
  const zones = texts.map((text) => /\.([^.]+)$/.exec(`.${text}`)?.[1] ?? '');
  return [...new Set(zones.map((zone) => zone.toLowerCase()))];
}

/** Why a type of registrar can't buy the names of a template; null: it can. */
export function unsuited(type: string, template: string): Message | null {
  if (!isRegistrarType(type)) return { key: 'registrars.type_unknown' };
  const { sells, excludes } = factsOf(type);
  if (!sells) return { key: 'auto_buy.sells_nothing', params: { type } };
  const zones = zonesOf(template) ?? [];
  const foreign = zones.filter((zone) => excludes.includes(zone));
  const isNone = zones.length > 0 && foreign.length === zones.length;
  return isNone
    ? { key: 'auto_buy.zone_excluded', params: { type, zones: zones.map((zone) => `.${zone}`).join(', ') } }
    : null;
}
