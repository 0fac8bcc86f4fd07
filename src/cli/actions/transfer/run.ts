import { startTransfer } from '../../../services/transfers/transfers.ts';
import type { Context } from '../../context.ts';
import type { Result } from '../../output.ts';
import { runOperationHere } from '../../run-operation.ts';
import { confirm } from '../../secret.ts';
import { asked, lookAhead, openPair, type RunFlags } from './pair.ts';

/** `transfer run`: moves a site to its reserve. */
export async function run(context: Context, flags: RunFlags, sourceName: string, targetName: string): Promise<Result> {
  const pair = await openPair(context, sourceName, targetName);
  if (flags.dryRun) return lookAhead(context, pair, flags);
  const { config, actor, source, target } = pair;
  const names = { source: source.domain_name, target: target.domain_name };
  await confirm(context, context.say('cli.confirm_transfer', names));
  const start = () => startTransfer(actor, asked(pair, flags), { here: true });
  const result = await runOperationHere(context, { config, actor }, start);
  return result.failure ? result : { ...result, next: `transfer history ${names.target}` };
}
