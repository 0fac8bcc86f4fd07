import { teamRowNamed } from '../../services/accounts/team.ts';
import { AutoBuyInput, type AutoBuyView } from '../../shared/purchases/auto-buy.ts';
import { projectNamed } from '../../services/portfolio/projects.ts';
import { readAutoBuy, storeAutoBuy } from '../../services/purchases/auto-buy.ts';
import type { Context } from '../context.ts';
import type { Result } from '../output.ts';
import { parseInput } from '../parse.ts';

interface Flags {
  project: string;
  template?: string;
  registrar?: string;
  group?: string;
  state?: 'on' | 'off';
  reserves?: string;
}

const FIELDS = ['project_id', 'state', 'template', 'registrars_id', 'cloudflare_groups_id', 'wanted_reserves'] as const;

const textOf = (settings: AutoBuyView): string =>
  FIELDS.map((field) => `${field}: ${settings[field] ?? '-'}`).join('\n');

/** `autobuy show`. */
export async function show(context: Context, { project }: Flags): Promise<Result> {
  const { actor } = await context.open();
  const { id } = await projectNamed(actor, project);
  const settings = await readAutoBuy(actor, id);
  return { data: settings, text: textOf(settings) };
}

/** `autobuy set`: what is not given stays as it is. */
export async function set(context: Context, flags: Flags): Promise<Result> {
  const { actor } = await context.open();
  const { id } = await projectNamed(actor, flags.project);
  const { template, registrar, group, state, reserves } = flags;
  const input = parseInput(AutoBuyInput, {
    ...(await readAutoBuy(actor, id)),
    ...(template !== undefined && { template }),
    ...(registrar !== undefined && { registrars_id: (await teamRowNamed('registrars', registrar)).id }),
    ...(group !== undefined && { cloudflare_groups_id: (await teamRowNamed('cloudflare_groups', group)).id }),
    ...(state !== undefined && { state }),
    ...(reserves !== undefined && { wanted_reserves: Number(reserves) }),
  });
  const settings = await storeAutoBuy(actor, input);
  return { data: settings, text: context.say('auto_buy.saved') };
}
