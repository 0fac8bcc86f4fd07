import { setTimeout as sleep } from 'node:timers/promises';
import type { Actor } from '../../../services/access/scope.ts';
import { currentOperations } from '../../../services/operations/operations.ts';
import { readTriage } from '../../../services/triage/triage.ts';
import { isKey } from '../../../shared/i18n/index.ts';
import { renderOperation } from '../../../shared/operations.ts';
import { renderTriage, type Triage } from '../../../shared/triage/triage.ts';
import type { Context } from '../../context.ts';
import { columnsOf, type Result } from '../../output.ts';
import { renderFor } from '../../render.ts';
import { isRich } from '../../terminal/color.ts';
import { watchInterrupt } from '../../terminal/interrupt.ts';
import { marked, paceOf, type Mark } from '../../terminal/pace.ts';
import { startTop } from '../../terminal/show-top.ts';
import { linesOfTop, type Top, type TopWork } from '../../terminal/top-lines.ts';

const LOOK_MS = 1_000;
// Rates are of the last seconds; what needs somebody changes more slowly, and costs more to find.
const PACE_MS = 10_000;
const TRIAGE_MS = 15_000;
const CHECKS = new Set(['check', 'expiry', 'indexation']);

const COLUMNS = columnsOf<TopWork>({
  id: true,
  kind: true,
  state: true,
  done: true,
  total: true,
  failed: true,
  rate: true,
  left_seconds: true,
  message: true,
  title: false,
});

/** Returns what looks at the work that is under way, again and again. */
function watchWork(context: Context, actor: Actor): () => Promise<Top> {
  const marks = new Map<number, Mark[]>();
  const render = renderFor(context);
  let triage: { at: number; found: Triage } | undefined;
  return async () => {
    const at = Date.now();
    const operations = (await currentOperations(actor)).map((view) => renderOperation(render, view));
    if (!triage || at - triage.at > TRIAGE_MS) triage = { at, found: renderTriage(render, await readTriage(actor)) };
    const under = operations.map(({ id, kind, state, done, total, failed, message }): TopWork => {
      const own = marked(marks.get(id) ?? [], { at, done }, PACE_MS);
      marks.set(id, own);
      const { rate, left } = paceOf(own, total === 0 ? null : total);
      const key = `operation.kind_${kind}`;
      const title = isKey(key) ? context.say(key) : kind;
      return { id, kind, title, state, done, total, failed, rate, left_seconds: left, message };
    });
    for (const id of marks.keys()) if (!under.some((work) => work.id === id)) marks.delete(id);
    const running = under.filter(({ state }) => state === 'running');
    const checks = running.filter(({ kind }) => CHECKS.has(kind)).reduce((sum, { rate }) => sum + (rate ?? 0), 0);
    const { total, names, all, items } = triage.found;
    return { works: under, running: running.length, checks_per_second: checks, problems: { total, names, all, items } };
  };
}

/** Looks twice, so that there is a rate, and returns what was seen. */
async function lookOnce(context: Context, look: () => Promise<Top>): Promise<Result> {
  await look();
  await sleep(LOOK_MS);
  const seen = await look();
  const { works, running, checks_per_second, problems } = seen;
  const { total, names, all } = problems;
  const summary = { running, queued: works.length - running, checks_per_second, problems: { total, names, all } };
  return { items: works, columns: COLUMNS, summary, text: linesOfTop(context.say, seen).join('\n') };
}

/** `top`: the work that is under way and what needs somebody, live on a terminal until `q` or Ctrl-C; once with `--once`, and where stdout is no terminal. */
export async function showTop(context: Context, { once = false }: { once?: boolean }): Promise<Result> {
  const { actor } = await context.open();
  const look = watchWork(context, actor);
  if (once || context.asked.format !== 'human' || !isRich(context.asked, 'stdout')) return lookOnce(context, look);
  const interrupt = watchInterrupt();
  const screen = await startTop();
  try {
    while (!interrupt.signal.aborted && screen.ended() === null) {
      screen.show([...linesOfTop(context.say, await look()), '', context.say('cli.top_quit')]);
      await Promise.race([sleep(LOOK_MS), interrupt.fired, screen.over]);
    }
  } finally {
    await screen.end();
  }
  return { text: '', data: {}, exit: interrupt.signal.aborted ? interrupt.exit() : (screen.ended() ?? 0) };
}
