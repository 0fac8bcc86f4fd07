import { checkAgain, readTriage } from '../services/triage/triage.ts';
import { translate } from '../shared/i18n/index.ts';
import type { Started } from '../shared/operations.ts';
import { CheckAgainInput, renderTriage } from '../shared/triage/triage.ts';
import { route } from './http/route.ts';

export const triage = {
  'GET /api/triage': route({
    summary:
      "What of the caller's portfolio needs somebody, by cause and weight, with one act each; what was repaired within a day; thirty days of trends, null where nothing is known",
    run: async ({ actor, render }) => renderTriage(render, await readTriage(actor)),
  }),
  'POST /api/triage/check': route({
    summary: 'Check again what an item of the triage is about: one name, or all behind a cause that do not answer',
    body: CheckAgainInput,
    run: async ({ actor, body, language, idempotencyKey }) => {
      const { id } = await checkAgain(actor, body, idempotencyKey);
      return { message: translate(language, 'check.started'), operation: { id } } satisfies Started;
    },
  }),
};
