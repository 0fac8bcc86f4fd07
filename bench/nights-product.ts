import { doubtOf, isSuspicious, massOf, type TakenList } from '../src/shared/checks/list-doubt.ts';
import { isFetchDue, lookAfter } from '../src/shared/checks/list-schedule.ts';
import {
  chooseAlone,
  type MainFacts,
  type ProjectFacts,
  type ReserveFacts,
} from '../src/shared/transfers/transfer-pick.ts';
import { isWitnessed, largestWave, WITNESSES, type Observation } from '../src/shared/transfers/witnesses.ts';
import {
  DAY,
  MAIN,
  MINUTE,
  pick,
  PORTFOLIO,
  RESERVES,
  START,
  type Next,
  type Source,
  type Version,
} from './nights-lists.ts';

const FETCH_FAILS = 0.03;
const ALL = Array.from({ length: PORTFOLIO }, (_, id) => id);

/** The product during a night, as far as its own rules need it: the state that it keeps, and the jobs that change it. */
export class Product {
  private now = START;
  private list: Version;
  private taken: TakenList[];
  private fetchedAt: number;
  private attempted: number | null = null;
  private failures = 0;
  private looked: string;
  /** The version of the list that waits for a person. */
  private held: string | null = null;
  private readonly statuses: boolean[];
  private readonly baselines: readonly boolean[];
  private readonly since: number[];
  private readonly lastBlocked: number[];
  private readonly looks: Observation[];
  private flappedAt = 0;

  constructor(
    private readonly source: Source,
    private readonly next: Next,
  ) {
    const list = source(0);
    this.list = list;
    this.taken = [{ list_version: list.id, total: list.total, taken_at: new Date(START - 8 * DAY).toISOString() }];
    this.fetchedAt = START - MINUTE * pick(next, 0, 15);
    this.looked = list.id;
    const statuses = ALL.map((id) => list.listed.has(id));
    this.statuses = statuses;
    this.baselines = [...statuses];
    this.since = statuses.map((blocked) => (blocked ? START - 30 * DAY : 0));
    this.lastBlocked = statuses.map((blocked) => (blocked ? START : 0));
    this.looks = Array.from({ length: WITNESSES }, (_, i) => lookOf(statuses[MAIN]!, list, START - (30 - i) * DAY));
  }

  /** Runs a job at its time; returns whether the site moves. */
  run(job: string, now: number): boolean {
    this.now = now;
    const hasLooked = job === 'blocklist' ? this.watchList() : job === 'check' && this.look(ALL);
    // Automatic transfer runs after each check.
    return (hasLooked || job === 'auto_transfer') && this.moves();
  }

  /** Fetches the list if that is due, and looks if there is reason to; returns whether it has. */
  private watchList(): boolean {
    const before = this.fetchedAt;
    const suspected = this.statuses[MAIN]! && this.list.listed.has(MAIN) && !isWitnessed(this.mainFacts());
    const { attempted, failures, fetchedAt } = this;
    const facts = { attempted_at: attempted, failures, fetched_at: fetchedAt, conditional: true, suspected };
    if (isFetchDue(facts, this.now)) this.fetch();
    const changed = this.list.id !== this.looked;
    const what = lookAfter({ changed, confirmed: this.fetchedAt !== before, suspected });
    this.looked = this.list.id;
    if (what === null) return false;
    return this.look(what === 'all' ? ALL : [MAIN]);
  }

  private fetch(): void {
    this.attempted = this.now;
    if (this.next() < FETCH_FAILS) {
      this.failures += 1;
      return;
    }
    this.failures = 0;
    const found = this.source(this.now);
    if (found.id !== this.list.id) {
      if (doubtOf(found.total, this.taken, this.now)) return;
      this.list = found;
      const taken_at = new Date(this.now).toISOString();
      this.taken = [...this.taken, { list_version: found.id, total: found.total, taken_at }];
    }
    this.fetchedAt = this.now;
  }

  /** The blocklist step of a check. Returns true: it has looked. */
  private look(ids: readonly number[]): true {
    if (massOf(this.changeBy(ids))) {
      this.held = this.list.id;
      return true;
    }
    if (ids === ALL) this.held = null;
    for (const id of ids) {
      const isBlocked = this.list.listed.has(id);
      if (isBlocked && !this.statuses[id]) this.since[id] = this.now;
      this.statuses[id] = isBlocked;
      if (isBlocked) this.lastBlocked[id] = this.now;
      else if (id === MAIN && this.lastBlocked[id]! > this.now - DAY) this.flappedAt = this.now;
      // The looks at the others are never read.
      if (id === MAIN) {
        this.looks.shift();
        this.looks.push(lookOf(isBlocked, this.list, this.fetchedAt));
      }
    }
    return true;
  }

  /** Returns how many domains a look at some would block and free, since the night began and since the last look. */
  private changeBy(ids: readonly number[]): Parameters<typeof massOf>[0] {
    const freed = { freed: 0, freed_since: 0, freed_now: 0 };
    const change = { total: PORTFOLIO, blocked_before: 0, blocked_since: 0, blocked: 0, blocked_now: 0, ...freed };
    for (const id of ALL) {
      const [before, status] = [this.baselines[id], this.statuses[id]!];
      const after = ids === ALL || ids.includes(id) ? this.list.listed.has(id) : status;
      if (before) change.blocked_before += 1;
      if (!before && after) {
        change.blocked += 1;
        if (!status) change.blocked_now += 1;
      }
      if (before && !after) change.freed += 1;
      if (status && !after) change.freed_now += 1;
      // A name that has changed was blocked at some time.
      if (!before && !status && this.since[id]! <= START) continue;
      change.blocked_since += 1;
      if (!after) change.freed_since += 1;
    }
    return change;
  }

  /** Runs automatic transfer; returns whether the site moves. */
  private moves(): boolean {
    if (!this.statuses[MAIN] || this.held !== null) return false;
    const turned = this.since.filter((at, id) => this.statuses[id] && at > START);
    const isMany = isSuspicious(turned.length, PORTFOLIO);
    if (isMany && isSuspicious(largestWave(turned.map((at) => new Date(at).toISOString())), PORTFOLIO)) return false;
    const project: ProjectFacts = {
      last_reserve: 'on',
      moving: false,
      moved: { project: 0, overall: 0 },
      mains: [this.mainFacts()],
      reserves: RESERVES.map((id) => this.reserveFacts(id)),
    };
    return chooseAlone(project, this.now).some(({ decision }) => decision === 'started');
  }

  private mainFacts(): MainFacts {
    return {
      ...this.factsOf(MAIN, 'main'),
      observations: this.looks.toReversed(),
      flapped: this.flappedAt > this.now - DAY,
      tried: 0,
      called_off: false,
      came_from: [],
      server_id: null,
      cloudflare_account_id: 1,
    };
  }

  private reserveFacts(id: number): ReserveFacts {
    return {
      ...this.factsOf(id, 'transfer'),
      failed: false,
      blocked_lately: this.lastBlocked[id]! > this.now - DAY,
      expired_at: null,
      http_status_code: 200,
      http_error: null,
    };
  }

  private factsOf<Type extends 'main' | 'transfer'>(id: number, type: Type) {
    return {
      id,
      domain_name: nameOf(id),
      type,
      transfer_type: 'auto' as const,
      status: this.statuses[id] ? ('blocked' as const) : ('available' as const),
      zone: nameOf(id),
      listed: this.list.listed.has(id) ? ('blocked' as const) : ('free' as const),
      busy: false,
    };
  }
}

const nameOf = (id: number): string => `name-${id}.example`;

const lookOf = (blocked: boolean, { id: list_version }: Version, fetched: number): Observation => ({
  verdict: blocked ? 'blocked' : 'available',
  entry: blocked ? nameOf(MAIN) : null,
  list_version,
  list_fetched_at: new Date(fetched).toISOString(),
});
