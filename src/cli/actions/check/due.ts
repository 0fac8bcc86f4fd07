import { listRegistrations, startExpiry } from '../../../services/checks/check-expiry.ts';
import { partGiven } from '../../../services/checks/check-targets.ts';
import { findOperation } from '../../../services/operations/operations.ts';
import type { Registration } from '../../../shared/checks/registration.ts';
import { AppError } from '../../../shared/errors.ts';
import type { Message } from '../../../shared/i18n/index.ts';
import { runHere, wholeAsJob } from '../../check-portfolio.ts';
import type { Context } from '../../context.ts';
import type { Result } from '../../output.ts';
import type { SelectionFlags } from '../../selection.ts';
import { watchInterrupt } from '../../terminal/interrupt.ts';

/** The stored registrations after a look-up, and the exit of a command that was interrupted or some of whose look-ups failed: 5, for the other checks are made. */
interface DueLookUp {
  registrations: Registration<Message>[];
  ended: Pick<Result, 'failure' | 'exit'>;
}

/** Looks up the domains of a check, which the flags have selected, that are due, unless another process does so. */
export async function lookUpDue(context: Context, flags: SelectionFlags, check: number): Promise<DueLookUp> {
  const { actor } = await context.open();
  const part = partGiven(await findOperation(actor, check));
  const selected = new Set((await listRegistrations(actor, part)).map(({ domain }) => domain));
  const interrupt = watchInterrupt();
  const title = context.say('cli.checking_expiry');
  const ended: DueLookUp['ended'] = {};
  try {
    const { failure } = await wholeAsJob(actor, 'expiry', flags, async () => {
      const { id } = await startExpiry(actor, { ...part, due: true }, true);
      return runHere(context, actor, { id, command: 'check all', title, interrupt });
    });
    if (failure?.code === 'interrupted') Object.assign(ended, { failure, exit: failure.exit });
    else if (failure && failure.code !== 'busy')
      Object.assign(ended, { failure: { ...failure, exit: 5, code: 'partial' }, exit: 5 });
  } catch (error) {
    if (!(error instanceof AppError && error.kind === 'busy')) throw error;
  }
  const all = await listRegistrations(actor, {});
  return { registrations: all.filter(({ domain }) => selected.has(domain)), ended };
}
