import { BOUGHT } from '../domains.ts';
import { MISSED } from '../positions.ts';
import { blocksOf } from './blocks.ts';
import { checkRows, dayRows, outageRows } from './checks.ts';
import { logOf, type Logged } from './log.ts';
import { movesOf, type Move } from './moves.ts';
import { noticeRows } from './notices.ts';
import { outagesOf } from './outages.ts';
import { worksOf } from './people.ts';
import { purchaseRows, purchasesOf } from './purchases.ts';
import { routineOf } from './routine.ts';
import { iso, STORIED, type Domain, type Row } from './time.ts';
import { endOf, numbered, workRows, type Numbered } from './work.ts';

/** The past of a demo: the rows of tables, in the order in which they refer to each other, and the log. */
export interface Past {
  tables: Record<string, Row[]>;
  log: Logged[];
}

const isTold = ({ domain }: { domain: Domain }): boolean => domain.id <= STORIED;

/** Returns the work that made a move; undefined: it is too long ago. */
const workOf = (works: readonly Numbered[], { from, to, at }: Move): Numbered | undefined =>
  works.find(
    (work) =>
      work.kind === 'transfer' && work.state === 'succeeded' && work.subject === `${from.id} ${to.id}` && work.at < at,
  );

function historyRow({ move, work }: { move: Move; work: Numbered | undefined }): Row {
  const { from, to, at, isAuto, isDoubtful } = move;
  return {
    project_id: to.project_id,
    main_domain_id: from.id,
    transfer_domain_id: to.id,
    main_domain_name: from.domain_name,
    transfer_domain_name: to.domain_name,
    action: isAuto ? 'auto' : 'explicit',
    operation_id: work?.id ?? null,
    created_at: iso(at),
    outcome: isDoubtful ? 'done_with_warning' : 'done',
    warning: isDoubtful && work ? JSON.stringify(work.message) : null,
    redirect_seen_at: isDoubtful ? null : iso(at + 5_000),
  };
}

// The jobs whose last run an operation of the past stands for, by its kind.
const JOBS = [
  ['check', 'check'],
  ['expiry', 'expiry'],
  ['indexation', 'indexation'],
  ['positions', 'positions'],
] as const;

/** When jobs ran last. */
const jobRows = (works: readonly Numbered[]): Row[] =>
  JOBS.flatMap(([name, kind]) => {
    const work = works.findLast((one) => one.kind === kind && one.door === 'schedule');
    if (!work) return [];
    const times = { slot_at: iso(work.at), started_at: iso(work.at), ended_at: iso(work.at + 1_000) };
    return [{ name, rule: '', tries: 0, ...times, result: 'ok', operation_id: work.id }];
  });

/** Makes the past of a portfolio until `now`, the same each time: nothing of it is later, and it ends as the rows of the domains are. */
export function pastOf(domains: readonly Domain[], now: Date): Past {
  const outages = outagesOf(domains, now);
  const moves = movesOf(domains, now);
  const blocks = blocksOf(domains, moves, now);
  const purchases = purchasesOf(domains, now);
  const works = numbered([
    ...routineOf(domains, MISSED, now),
    ...worksOf(domains, moves, now),
    ...purchases.map(({ work }) => work),
  ]);
  const made = moves.map((move) => ({ move, work: workOf(works, move) }));
  const ledger = purchaseRows(purchases);
  const bought = BOUGHT.flatMap((index) => domains[index] ?? []);
  const checks = works.filter(({ kind }) => kind === 'check');
  const told = { works, moves: made, purchases: ledger.purchases, bought };
  return {
    tables: {
      ...workRows(works),
      check_runs: checks.map((work) => ({ operation_id: work.id, stored_at: iso(endOf(work)) })),
      checks: checkRows(domains, { outages, blocks }, now),
      check_days: dayRows(domains, outages, now),
      domain_outages: outageRows(outages),
      transfer_history: made.map(historyRow),
      ...ledger,
      ...noticeRows({ outages: outages.filter(isTold), blocks: blocks.filter(isTold), moves, works, bought }, now),
      schedule_runs: jobRows(works),
    },
    log: logOf(domains, told, now),
  };
}
