import type { HealthError } from '../checks/health.ts';

/** One hop of a redirect check; the last one has no `redirectUrl`. */
export interface RedirectRow {
  url: string;
  redirectUrl: string | null;
  status: number;
}

/** The redirects of a host. `loop`: an address came twice. `ms` is the time of all hops. */
export interface RedirectCheck {
  domain: string;
  redirect: RedirectRow[];
  error: HealthError | null;
  loop: boolean;
  final_url: string | null;
  ms: number;
}
