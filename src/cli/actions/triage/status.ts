import { readTriage } from '../../../services/triage/triage.ts';
import { TRIAGE_KINDS, type TriageKind } from '../../../shared/triage/kinds.ts';
import { renderTriage, type Triage, type TriageItem } from '../../../shared/triage/triage.ts';
import type { Context } from '../../context.ts';
import { columnsOf, harmless, type Result } from '../../output.ts';
import { renderFor } from '../../render.ts';
import { quoted } from '../../terminal/quoted.ts';
import { clip, USUAL_TERMINAL, widthOf } from '../../terminal/fit.ts';

/** An item as a row: `names` are two at most of `count`, `command` is what to type next. */
interface StatusItem extends Pick<TriageItem, 'kind' | 'count' | 'text' | 'declined' | 'since'> {
  names: string[];
  title: string;
  command: string;
}

const COLUMNS = columnsOf<StatusItem>({
  kind: true,
  title: true,
  count: true,
  text: true,
  command: true,
  declined: false,
  since: true,
  names: false,
});

// A screen has 20 lines: the sentence, the heads of the kinds, these, and what was repaired.
const LINES = 11;

/** Returns the command that does what an item offers, or shows more of it. */
function commandFor(program: string, { act, kind, names: [first], count }: TriageItem): string {
  const name = first?.domain_name ?? '';
  const project = quoted(first?.project_name ?? '');
  const commands: Record<TriageItem['act']['kind'], string> = {
    // Which of the reserves that are not ready is taken, a person says.
    transfer: kind === 'no_reserve' ? `domain list --project ${project} --type transfer` : `transfer plan ${name}`,
    domain: `domain show ${name}`,
    buy: `autobuy run --project ${project}`,
    check: count === 1 ? `why ${name}` : 'check http --status broken',
    renew: count === 1 ? `domain renew ${name}` : 'domain list --status expired',
    list: 'domain list --status expired',
    purchase: 'purchases list',
    operation: `operation show ${act.kind === 'operation' ? act.id : ''}`,
  };
  return `${program} ${commands[act.kind]}`;
}

function rowOf(context: Context, item: TriageItem): StatusItem {
  const { kind, count, text, declined, since, cause } = item;
  const shown = item.names.map(({ unicode_name }) => unicode_name).join(', ');
  const rest = count - item.names.length;
  const more = rest > 0 ? ` ${context.say('triage.more', { n: rest })}` : '';
  const title = item.title ?? (cause ? `${cause.name}: ${shown}${more}` : `${shown}${more}`);
  const names = item.names.map(({ domain_name }) => domain_name);
  return { kind, names, title, count, text, command: commandFor(context.program, item), declined, since };
}

// A title has a part of the line, and what is left beside it and the command is the text's.
const TITLE_SHARE = 2.5;
const SHORTEST_TEXT = 12;

/** Returns an item as one line of a terminal; its text gives way to the command, and is left out where it would say nothing. */
function lineOf({ title, text, command }: StatusItem, width: number, room: number): string {
  const name = clip(title, width);
  const head = `  ${name}${' '.repeat(width - widthOf(name))}`;
  const left = room - widthOf(head) - widthOf(command) - 6;
  const words = left < SHORTEST_TEXT ? '' : `  ${clip(text, left)}`;
  return `${head}${words}  $ ${command}`;
}

/** Returns the triage as twenty lines at most, none wider than a terminal; into a pipe they are as long as they are. */
function linesOf(context: Context, { total, names, all, counts, repaired }: Triage, rows: StatusItem[]): string {
  const lead =
    total === 0 ? context.say('triage.calm', { of: all }) : context.say('triage.lead', { n: total, names, of: all });
  const room = process.stdout.isTTY ? process.stdout.columns || USUAL_TERMINAL : Infinity;
  const kinds = TRIAGE_KINDS.filter((kind) => counts[kind].items > 0);
  // Each kind has its share, so that no weightier one hides it.
  const each = Math.max(1, Math.floor(LINES / Math.max(1, kinds.length)));
  const linesOfKind = (kind: TriageKind): string[] => {
    const shown = rows.filter((row) => row.kind === kind).slice(0, each);
    const width = Math.min(room / TITLE_SHARE, Math.max(0, ...shown.map(({ title }) => widthOf(title))));
    const told = shown.map((row) => lineOf(row, Math.floor(width), room));
    return [`${context.say(`triage.kind_${kind}`)} · ${counts[kind].items}`, ...told];
  };
  const lines = kinds.flatMap(linesOfKind);
  return [lead, ...lines, context.say('triage.repaired', repaired.counts)].map(harmless).join('\n');
}

/** `status`: what needs somebody. Exit 3 where there is something of the kind that `--fail-on` names. */
export async function showStatus(context: Context, { failOn }: { failOn?: TriageKind | 'any' }): Promise<Result> {
  const { actor } = await context.open();
  const triage = renderTriage(renderFor(context), await readTriage(actor));
  const items = triage.items.map((item) => rowOf(context, item));
  const found = failOn === undefined ? 0 : failOn === 'any' ? triage.total : triage.counts[failOn].items;
  const summary = { total: triage.total, names: triage.names, all: triage.all, counts: triage.counts };
  const data = { repaired: triage.repaired };
  return { items, columns: COLUMNS, summary, data, text: linesOf(context, triage, items), exit: found > 0 ? 3 : 0 };
}
