import { ENGINES } from '../../shared/engines.ts';
import { AppError } from '../../shared/errors.ts';
import { dateOf, dayOf } from '../../shared/positions/places.ts';
import { actorOf } from '../access/ownership.ts';
import { openSources } from '../accounts/search-accounts.ts';
import { startFetch } from './fetch.ts';
import { listPaidInVain } from './fetch-tasks.ts';
import { hasDue, listScheduled } from './schedule-rows.ts';
import { kindIn } from './settings.ts';
import { countSpent } from './spending-rows.ts';
import { hasUnknownTask } from './task-rows.ts';

/**
 * Queues the readings that are due by the settings of their projects, each as its project's owner: of the keywords that were not
 * read for so many days, and of no others, nor of those that were paid in that time without an answer. A project that has used up its cap of the day is left out, and all are while there is
 * no account.
 */
export async function startDueFetches(): Promise<void> {
  const today = dayOf(Date.now());
  const pick = await openSources();
  for (const { user_id, ...settings } of await listScheduled()) {
    const { project_id: projectId, every_days, daily_cap } = settings;
    if ((await countSpent(projectId, today)) >= daily_cap) continue;
    const before = dateOf(today - every_days + 1);
    for (const type of ENGINES) {
      const isByTasks = pick(settings.source) === 'arsenkin';
      const vain = isByTasks ? await listPaidInVain(projectId, type, dayOf(before)) : new Set<number>();
      if (!(await hasDue(projectId, kindIn(settings, type), before, [...vain]))) continue;
      // A task that may have been paid today is not sent again by the schedule, only by a person.
      if (await hasUnknownTask(projectId, type, today)) continue;
      try {
        const actor = await actorOf(user_id);
        const asked = { asked_by: 'automation', not_since: before } as const;
        await startFetch(actor, { projectId, keywordId: null, type }, false, asked);
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
      }
    }
  }
}
