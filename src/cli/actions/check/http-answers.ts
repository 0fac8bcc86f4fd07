import type { HealthChoices } from '../../../services/checks/check-targets.ts';
import type { HealthResult, HealthScheme } from '../../../shared/checks/health.ts';
import { columnsOf } from '../../output.ts';

/** How hosts are requested. */
export interface HttpFlags {
  scheme: HealthScheme;
  follow: boolean;
  timeout: number;
  concurrency?: number;
}

/** The fields of an answer. */
export const HTTP_COLUMNS = columnsOf<HealthResult>({
  domain: true,
  http_status_code: 'code',
  error: true,
  ms: true,
  redirects: { title: 'redirects', show: (value) => String((value as unknown[]).length) },
  tls_error: false,
  scheme: false,
  final_url: false,
});

/** Counts the hosts that answer with 2xx and those without an HTTP code. */
export const httpSummary = (items: Partial<HealthResult>[]) => ({
  total: items.length,
  ok: items.filter(({ http_status_code: code = 0 }) => code !== null && code >= 200 && code <= 299).length,
  no_answer: items.filter(({ http_status_code: code = null }) => code === null).length,
});

/** Returns what the flags choose; a default is left to the check. */
export const choicesOf = (flags: HttpFlags): HealthChoices => ({
  ...(flags.scheme === 'auto' ? {} : { scheme: flags.scheme }),
  ...(flags.follow ? {} : { follow: false }),
  ...(flags.timeout === 10 ? {} : { timeoutMs: flags.timeout * 1000 }),
  ...(flags.concurrency === undefined ? {} : { concurrency: flags.concurrency }),
});
