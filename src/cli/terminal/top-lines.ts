import type { Key, Params } from '../../shared/i18n/index.ts';
import type { OperationState } from '../../shared/operations.ts';
import type { TriageItem } from '../../shared/triage/triage.ts';
import { clockOf } from './pace.ts';

/** A work that is under way or waits; `title` is the name of its kind. */
export interface TopWork {
  id: number;
  kind: string;
  title: string;
  state: OperationState;
  done: number;
  total: number;
  failed: number;
  /** How much a second; null: not known yet. */
  rate: number | null;
  left_seconds: number | null;
  message: string;
}

/** Data of one screen of `top`. */
export interface Top {
  works: TopWork[];
  running: number;
  checks_per_second: number;
  problems: { total: number; names: number; all: number; items: readonly TriageItem[] };
}

type Say = (key: Key, params?: Params) => string;

const BAR = 16;
const WORKS = 12;
const PROBLEMS = 8;

function lineOf(say: Say, { id, title, state, done, total, failed, rate, left_seconds }: TopWork): string {
  if (state !== 'running') return `  ${id}  ${title}  ${say('cli.top_waits')}`;
  const share = total > 0 ? Math.min(1, done / total) : 0;
  const filled = Math.round(share * BAR);
  const bar = total > 0 ? `${'█'.repeat(filled)}${'░'.repeat(BAR - filled)} ${Math.floor(share * 100)} %  ` : '';
  const parts = [
    `  ${id}  ${title}  ${bar}${done}/${total > 0 ? total : '?'}`,
    ...(failed > 0 ? [`! ${failed}`] : []),
    ...(rate === null ? [] : [say('cli.top_rate', { rate })]),
    ...(left_seconds === null ? [] : [say('cli.top_left', { left: clockOf(left_seconds) })]),
  ];
  return parts.join('  ');
}

function problemOf({ title, cause, names, count, text }: TriageItem): string {
  const shown = names.map(({ unicode_name }) => unicode_name).join(', ');
  const rest = count > names.length ? ` +${count - names.length}` : '';
  return `  ${title ?? (cause ? `${cause.name}: ${shown}${rest}` : `${shown}${rest}`)}  ${text}`;
}

/** Returns what `top` shows as lines: the work with its rate and the time left, then what needs somebody. */
export function linesOfTop(say: Say, { works, running, checks_per_second, problems }: Top): string[] {
  const head = say('cli.top_head', { running, queued: works.length - running, rate: checks_per_second });
  const { total, names, all, items } = problems;
  const lead = total === 0 ? say('triage.calm', { of: all }) : say('triage.lead', { n: total, names, of: all });
  const shown = works.slice(0, WORKS).map((work) => lineOf(say, work));
  return [
    head,
    ...(shown.length > 0 ? shown : [`  ${say('cli.top_idle')}`]),
    '',
    lead,
    ...items.slice(0, PROBLEMS).map(problemOf),
  ];
}
