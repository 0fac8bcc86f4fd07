import { pickFor } from '../../../services/transfers/choice.ts';
import { planTransfer, type TransferPlan } from '../../../services/transfers/transfers.ts';
import type { DomainDetail, DomainView } from '../../../shared/portfolio/domains.ts';
import type { Context, Opened } from '../../context.ts';
import type { Result } from '../../output.ts';
import { planResult } from '../../plan-result.ts';
import { domainNamed, eachFound } from '../../found/named.ts';
import { renderFor } from '../../render.ts';
import { quoted } from '../../terminal/quoted.ts';

/** The flags by which a person decides about a transfer. */
export interface RunFlags {
  force?: boolean;
  confirmSite?: string;
  dryRun?: boolean;
}

/** The main domain that moves and its reserve. */
export interface Pair extends Opened {
  source: DomainView;
  target: Pick<DomainView, 'id' | 'domain_name'>;
}

/** Opens the database and finds both domains; without a target's name, the reserve is picked. */
export async function openPair(context: Context, sourceName: string, targetName: string | undefined): Promise<Pair> {
  const opened = await context.open();
  const { actor } = opened;
  const names = targetName === undefined ? [sourceName] : [sourceName, targetName];
  const [source, target] = (await eachFound(names, (name) => domainNamed(actor, name))) as [
    DomainDetail,
    DomainDetail | undefined,
  ];
  return { ...opened, source, target: target ?? (await pickFor(source)) };
}

/** Returns the request of a transfer, as the services take it. */
export const asked = ({ source, target }: Pair, { force = false, confirmSite }: RunFlags) => ({
  sourceDomainId: source.id,
  targetDomainId: target.id,
  force,
  confirm_site: confirmSite,
});

/** Returns the plan of a transfer, with the readiness of the reserve. */
export async function lookAhead(context: Context, pair: Pair, flags: RunFlags): Promise<Result> {
  return planned(context, pair, flags, await planTransfer(pair.actor, asked(pair, flags)));
}

/** Returns the lines that show the reserve's page to a person, and the flag that confirms it; none if it is clear. */
function seenLines(context: Context, { seen, likeness }: TransferPlan['readiness']): string[] {
  if (!seen || !likeness || !['unclear', 'different'].includes(likeness.verdict)) return [];
  const { print, ...params } = seen;
  const seenLine = context.say(seen.title === '' ? 'transfer.seen_untitled' : 'transfer.seen', params);
  return [`    ${seenLine}`, `    --confirm-site=${print}`];
}

/** Returns the flags of what a person has decided, as they are typed again. */
const decisionsOf = ({ force, confirmSite }: RunFlags): string =>
  `${force ? ' --force' : ''}${confirmSite === undefined ? '' : ` --confirm-site=${quoted(confirmSite)}`}`;

/** The plan's result, with the readiness of the reserve. */
async function planned(
  context: Context,
  { source, target }: Pair,
  flags: RunFlags,
  found: TransferPlan,
): Promise<Result> {
  const { readiness, ...rest } = found;
  const warnings = rest.warnings.map(renderFor(context));
  const result = planResult(context, rest);
  const names = { source: source.domain_name, target: target.domain_name };
  const head = context.say('transfer.moving', names);
  const shown = warnings.map((warning) => `  ! ${warning}`);
  const text = [head, ...shown, ...seenLines(context, readiness), result.text ?? ''].join('\n');
  const isRefused = rest.failed.length > 0 || (readiness.list === 'blocked' && !flags.force);
  const next = isRefused ? {} : { next: `transfer run ${names.source} ${names.target}${decisionsOf(flags)}` };
  return { ...result, ...next, text, data: { ...result.data, ...names, readiness, warnings } };
}
