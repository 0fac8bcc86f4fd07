import type { HealthError } from '../checks/health.ts';

/** One hop of a redirect check; the last one has no `redirectUrl`. */
export interface RedirectRow {
  url: string;
  redirectUrl: string | null;
  status: number;
}

/** Where a host leads. `loop`: it comes back to where it has been. `ms` is the time of all hops. */
export interface RedirectCheck {
  domain: string;
  redirect: RedirectRow[];
  error: HealthError | null;
  loop: boolean;
  final_url: string | null;
  ms: number;
}
