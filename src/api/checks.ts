import { z } from 'zod';
import {
  acceptBlocklist,
  blocklistStatus,
  checkBlocklist,
  rollBackBlocklist,
  updateBlocklist,
} from '../services/checks/blocklist.ts';
import { auditListDecisions } from '../services/checks/list-audit.ts';
import { CHECK_STEPS } from '../services/checks/check-targets.ts';
import { startExpiry } from '../services/checks/check-expiry.ts';
import { domainIndexation, startIndexCheck } from '../services/checks/check-index.ts';
import { startCheck, startListCheck } from '../services/checks/checks.ts';
import { ENGINES } from '../shared/engines.ts';
import { cleanHostname } from '../shared/hostname.ts';
import { translate } from '../shared/i18n/index.ts';
import type { Started } from '../shared/operations.ts';
import { Id } from '../shared/text.ts';
import { idOf, Nothing, route, type UploadedFile } from './http/route.ts';

const MAX_NAMES = 10_000;
const MAX_LIST_BYTES = 1024 * 1024 * 1024;

/** `list_version` is that of the list that the person has seen; without it, the list that is there. */
const Decision = z.object({ list_version: z.string().max(200).optional() });

const NamesInput = z.object({ domains: z.array(z.object({ domain: z.string().max(2000) })).max(MAX_NAMES) });

function asHost(text: string): string | null {
  try {
    return cleanHostname(text);
  } catch {
    return null;
  }
}

const IndexCheck = z.object({
  domain_ids: z.array(Id).min(1).max(1_000).optional(),
  engine: z.enum(ENGINES).optional(),
});

export const checks = {
  'POST /api/check_index': route({
    summary: 'Ask the search engines which main domains, or which of these, are in their index',
    body: IndexCheck,
    run: async ({ actor, body, language, idempotencyKey }) => {
      const { id } = await startIndexCheck(actor, body, false, { idem_key: idempotencyKey });
      return { message: translate(language, 'indexation.started'), operation: { id } } satisfies Started;
    },
  }),
  'GET /api/domain_indexation/:domainId': route({
    summary: 'Since when each engine has a domain in its index, or has not, the newest first',
    run: async ({ actor, params }) => ({ data: await domainIndexation(actor, idOf(params, 'domainId')) }),
  }),
  'POST /api/trigger_background_task': route({
    summary:
      "Check the caller's domains: HTTP and blocklist, and the expiry of registrations as an operation of its own",
    body: Nothing,
    run: async ({ actor, language, idempotencyKey }) => {
      const asked = { idem_key: idempotencyKey };
      const { id } = await startCheck(actor, { steps: [...CHECK_STEPS] }, false, asked);
      await startExpiry(actor, {}, false, asked);
      return { message: translate(language, 'check.started'), operation: { id } } satisfies Started;
    },
  }),
  'POST /api/check_domains': route({
    summary: 'Whether names are blocked, in the order asked, each in the spelling it came in',
    body: NamesInput,
    run: async ({ server, body }) => {
      const hosts = body.domains.map(({ domain }) => asHost(domain));
      const verdicts = await checkBlocklist(
        server.config.blocklistDir,
        hosts.map((host) => host ?? ''),
      );
      const allDomains = body.domains.map(({ domain }, index) => {
        const verdict = verdicts[index];
        return hosts[index] !== null && verdict
          ? { domain, ...verdict }
          : { domain, status: 'unknown' as const, reason: 'invalid' as const, entry: null, url_listed: false };
      });
      return { foundDomains: { allDomains } };
    },
  }),
  'GET /api/blocklist': route({
    summary: 'The loaded blocklist: source, age, entries; the list that waits for a person, and the former one',
    run: ({ server }) => blocklistStatus(server.config.blocklistDir),
  }),
  'POST /api/blocklist': route({
    access: 'admin',
    summary:
      'Load a blocklist file; a broken one is refused, one that differs much waits for a person, and the old one stays',
    body: Nothing,
    files: ['blocklist_file'],
    needs: { blocklist_file: 'error.required' },
    uploadLimit: MAX_LIST_BYTES,
    run: async ({ server, files }) => {
      const file = files['blocklist_file'] as UploadedFile;
      await updateBlocklist(server.config.blocklistDir, { file: file.path, source: file.name, apart: true });
      await auditListDecisions(server.config.blocklistDir);
      return blocklistStatus(server.config.blocklistDir);
    },
  }),
  'POST /api/blocklist/accept': route({
    access: 'admin',
    summary: 'Take the list over that waits for a person, and check the domains by it',
    body: Decision,
    run: async ({ server, actor, language, body }) => {
      await acceptBlocklist(server.config.blocklistDir, new Date(), body.list_version);
      await auditListDecisions(server.config.blocklistDir);
      const { id } = await startListCheck(actor, server.config.blocklistDir);
      return { message: translate(language, 'blocklist.accepted'), operation: { id } } satisfies Started;
    },
  }),
  'POST /api/blocklist/rollback': route({
    access: 'admin',
    summary: 'Go back to the former list, and check the domains by it; the one that it replaces is not taken again',
    body: Decision,
    run: async ({ server, actor, language, body }) => {
      await rollBackBlocklist(server.config.blocklistDir, new Date(), body.list_version);
      await auditListDecisions(server.config.blocklistDir);
      const { id } = await startListCheck(actor, server.config.blocklistDir);
      return { message: translate(language, 'blocklist.rolled_back'), operation: { id } } satisfies Started;
    },
  }),
};
