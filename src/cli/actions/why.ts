import { diagnose, findDiagnosis } from '../../services/why/why.ts';
import type { DomainDetail } from '../../shared/portfolio/domains.ts';
import { renderDiagnosis, type Act, type Diagnosis, type Step, type StepState } from '../../shared/why/diagnosis.ts';
import type { Context } from '../context.ts';
import { columnsOf, harmless, type Result } from '../output.ts';
import { renderFor } from '../render.ts';
import { widthOf } from '../terminal/fit.ts';
import { quoted } from '../terminal/quoted.ts';
import { domainNamed } from '../found/named.ts';

interface Flags {
  stored?: boolean;
  failOnBroken?: boolean;
}

const COLUMNS = columnsOf<Step>({ layer: true, state: true, message: true, act: true });

const SIGNS: Record<StepState, string> = { ok: '✓', broken: '✕', unknown: '?', none: '–', not_asked: '·' };

/** Counts the layers by what was found: those that are broken, and those of which nothing is known. */
const summaryOf = (steps: readonly Pick<Step, 'state'>[]) => {
  const count = (wanted: StepState): number => steps.filter(({ state }) => state === wanted).length;
  return { total: steps.length, ok: count('ok'), broken: count('broken'), unknown: count('unknown') };
};

/** Returns the command that does what an act offers; null: a person has to do it elsewhere. */
function commandFor(program: string, act: Act, domain: DomainDetail): string | null {
  const { domain_name: name, cloudflare_account_name: account, server_name: server } = domain;
  const [toAccount, toServer] = [quoted(account ?? 'ACCOUNT'), quoted(server ?? 'SERVER')];
  const set = `dns set ${name} --account ${toAccount} --server ${toServer}`;
  const commands: Record<Act, string> = {
    renew: `domain renew ${name}`,
    registration: `check expiry ${name}`,
    name_servers: `${set} --update-ns`,
    dns: set,
    account: `cloudflare test ${toAccount}`,
    server: `server test ${toServer}`,
    domain: `site deploy ${name}`,
    transfer: `transfer plan ${name}`,
    redirects: `check redirects ${name}`,
  };
  if (act === 'server' && server === null) return null;
  if (act === 'account' && account === null) return null;
  return `${program} ${commands[act]}`;
}

/** Returns the ladder as lines for people: a sign, the layer, its sentence. */
function linesOf(context: Context, { steps, message }: Diagnosis, command: string | null): string {
  const names = steps.map(({ layer }) => context.say(`why.layer_${layer}`));
  const width = Math.max(...names.map(widthOf));
  const rows = steps.map(({ state, message }, index) => {
    const name = names[index] ?? '';
    const text = message ?? context.say(`why.state_${state}`);
    return `${SIGNS[state]} ${name}${' '.repeat(width - widthOf(name))}  ${text}`;
  });
  const mend = command === null ? [] : [context.say('why.mend', { command })];
  return [...rows, '', message, ...mend].map(harmless).join('\n');
}

/** `why NAME`: asks now, or shows the last answer with `--stored`. Exit 3 with `--fail-on-broken` where a layer is broken. */
export async function askWhy(
  context: Context,
  { stored = false, failOnBroken = false }: Flags,
  name: string,
): Promise<Result> {
  const { actor } = await context.open();
  const domain = await domainNamed(actor, name);
  const found = await (stored ? findDiagnosis(actor, domain.id) : diagnose(actor, domain.id));
  if (found === null) {
    const text = context.say('why.never');
    return { items: [], columns: COLUMNS, summary: summaryOf([]), data: { diagnosis: null }, text };
  }
  const diagnosis = renderDiagnosis(renderFor(context), found);
  const { steps, ...rest } = diagnosis;
  const command = diagnosis.act && commandFor(context.program, diagnosis.act, domain);
  const exit = failOnBroken && diagnosis.broken !== null ? 3 : 0;
  const data = { diagnosis: { ...rest, command } };
  const text = linesOf(context, diagnosis, command);
  return { items: steps, columns: COLUMNS, summary: summaryOf(steps), data, text, exit };
}
