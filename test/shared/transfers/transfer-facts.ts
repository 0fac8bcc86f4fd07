// Facts for the tests of the choice of a reserve: a project, its main domains and its reserves, as good as can be but for a change.
import {
  chooseAlone,
  chooseAsked,
  pickReserve,
  type Choice,
  type MainFacts,
  type ProjectFacts,
  type ReserveFacts,
} from '../../../src/shared/transfers/transfer-pick.ts';
import type { Observation } from '../../../src/shared/transfers/witnesses.ts';

/** The time of every choice. */
export const NOW = Date.parse('2026-11-20T12:00:00.000Z');
/** Returns the time some days after `NOW`. */
export const inDays = (days: number): string => new Date(NOW + days * 86_400_000).toISOString();
/** Returns the time some minutes before `NOW`. */
export const at = (minutes: number): string => new Date(NOW - minutes * 60_000).toISOString();

/** An observation some minutes ago that says blocked. */
export const seen = (minutes: number, change: Partial<Observation> = {}): Observation => ({
  verdict: 'blocked',
  entry: 'main-1.example',
  list_version: 'v1',
  list_fetched_at: at(minutes),
  ...change,
});
/** Three observations, enough for a move. */
export const WITNESSED = [seen(0), seen(30), seen(60)];

/** A main domain that is blocked. */
export const main = (change: Partial<MainFacts> = {}): MainFacts => ({
  id: 1,
  domain_name: `main-${change.id ?? 1}.example`,
  type: 'main',
  transfer_type: 'auto',
  status: 'blocked',
  listed: 'blocked',
  busy: false,
  observations: [0, 30, 60].map((minutes) => seen(minutes, { entry: `main-${change.id ?? 1}.example` })),
  flapped: false,
  tried: 0,
  called_off: false,
  came_from: [],
  server_id: null,
  cloudflare_account_id: 1,
  zone: `main-${change.id ?? 1}.example`,
  ...change,
});
/** A reserve that is ready. */
export const reserve = (id: number, change: Partial<ReserveFacts> = {}): ReserveFacts => ({
  id,
  domain_name: `reserve-${id}.example`,
  type: 'transfer',
  transfer_type: 'auto',
  status: 'available',
  listed: 'free',
  busy: false,
  failed: false,
  blocked_lately: false,
  expired_at: inDays(100),
  http_status_code: 200,
  http_error: null,
  zone: `reserve-${id}.example`,
  ...change,
});
/** A project with a main domain and two reserves. */
export const project = (change: Partial<ProjectFacts> = {}): ProjectFacts => ({
  last_reserve: 'off',
  moving: false,
  moved: { project: 0, overall: 0 },
  mains: [main()],
  reserves: [reserve(11), reserve(12)],
  ...change,
});

/** The id of the reserve that is picked, or null. */
export const picked = (...reserves: ReserveFacts[]): number | null =>
  pickReserve(main(), reserves, NOW).pick?.id ?? null;
const short = (choices: Choice[]) =>
  choices.map(({ main: { id }, decision, target, reason }) => [id, decision, target?.id ?? null, reason.key]);
/** The choices of an automatic run. */
export const alone = (change: Partial<ProjectFacts> = {}) => short(chooseAlone(project(change), NOW));
/** The choices of a requested run. */
export const asked = (change: Partial<ProjectFacts> = {}, last = false) =>
  short(chooseAsked(project(change), NOW, last));
