import { ENGINES } from '../../shared/engines.ts';
import { AppError } from '../../shared/errors.ts';
import { dayOf } from '../../shared/positions/places.ts';
import { actorOf } from '../access/ownership.ts';
import { startFetch } from './fetch.ts';
import { listScheduled } from './schedule-rows.ts';
import { hasUnknownTask } from './task-rows.ts';

/**
 * Queues the readings that are due by the settings of their projects, each as its project's owner: those whose engine was read for
 * the last time so many days ago. A project without keywords is left out, and all are while there is no account.
 */
export async function startDueFetches(): Promise<void> {
  const today = dayOf(Date.now());
  for (const { project_id, user_id, every_days, ...last } of await listScheduled()) {
    const actor = await actorOf(user_id);
    for (const type of ENGINES) {
      const day = last[type];
      if (day !== null && day > today - every_days) continue;
      // What may have been paid today is sent once more by a person alone.
      if (await hasUnknownTask(project_id, type, today)) continue;
      try {
        await startFetch(actor, { projectId: project_id, keywordId: null, type }, false, { asked_by: 'automation' });
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
      }
    }
  }
}
