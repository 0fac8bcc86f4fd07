import type { Actor } from '../services/access/scope.ts';
import { acknowledgeNotice } from '../services/notices/notices.ts';
import { findDomain } from '../services/portfolio/domain-lists.ts';
import { planAutoTransfer } from '../services/transfers/automatic.ts';
import { findTransfer, planTransfer, startTransfer } from '../services/transfers/transfers.ts';
import { planLines } from '../shared/dns/plan-words.ts';
import { AppError } from '../shared/errors.ts';
import { translate, type Language } from '../shared/i18n/index.ts';
import type { TelegramLine, TelegramReply } from '../shared/notices/telegram.ts';
import { toUnicode } from '../shared/portfolio/domain-name.ts';
import { lookAt, type Outcome } from './commands.ts';
import { PLAN_LENGTH, parsePress, startData } from './parse.ts';
import { slowly } from './slow.ts';
import { askWhy } from './why.ts';

// A plan that was shown longer ago is shown again.
const PLAN_SECONDS = 10 * 60;
const MOST_LINES = 30;
const SIGNS = { create: '+', change: '±', delete: '−' } as const;

const said = (...lines: TelegramLine[]): TelegramReply => ({ lines });

/** Shows what a move of a blocked main domain to the best reserve would change, with the button that starts it. */
async function showMove(actor: Actor, id: number, language: Language): Promise<TelegramReply> {
  const domain = await findDomain(actor, id);
  if (domain.project_id === null) return said({ key: 'telegram.move_no_project' });
  const { choices } = await planAutoTransfer(actor, { project: domain.project_id, use_last_reserve: false });
  const choice = choices.find(({ main }) => main.id === id);
  if (!choice) return said({ key: 'telegram.move_not_blocked', params: { name: domain.unicode_name } });
  if (!choice.target)
    return said({ key: 'telegram.move_nowhere', params: { name: domain.unicode_name } }, choice.reason);
  const { target } = choice;
  const plan = await planTransfer(actor, { sourceDomainId: id, targetDomainId: target.id, force: false });
  const names = { source: domain.unicode_name, target: toUnicode(target.domain_name) };
  if (plan.hash === '')
    return said({ key: 'telegram.move_no_plan', params: names }, ...plan.failed.map(({ error }) => error));
  const acts = planLines((key, params) => translate(language, key, params), plan.acts).map(
    ({ sign, what }) => `${SIGNS[sign]} ${what}`,
  );
  return {
    lines: [
      { key: 'telegram.move_plan', params: names, style: 'bold' },
      ...acts.slice(0, MOST_LINES).map((text) => ({ text })),
      ...(acts.length > MOST_LINES ? [{ text: '…' }] : []),
      ...plan.failed.map(({ error }) => error),
      ...plan.warnings,
      { key: 'telegram.move_ask' },
    ],
    buttons: [{ label: { key: 'telegram.move_start', params: names }, data: startData(id, target.id, plan.hash) }],
  };
}

const started = (id: number): TelegramReply => ({
  lines: [{ key: 'telegram.move_started', params: { id: String(id) } }],
  buttons: [{ label: { key: 'telegram.open' }, path: `/operations?operation=${id}` }],
});

/** Says that a plan no longer holds, and offers the present one. */
const stale = (source: number): TelegramReply => ({
  lines: [{ key: 'operation.plan_stale' }],
  buttons: [{ label: { key: 'telegram.move_again' }, data: `move:${source}` }],
});

/**
 * Starts the move whose plan was shown, if it is still the same. A press that is told again after the move has started finds that
 * move: by then no plan holds any more.
 */
async function startMove(
  actor: Actor,
  { source, target, plan }: { source: number; target: number; plan: string },
  { update_id, shownAt }: Pressed,
): Promise<TelegramReply> {
  const pair = { sourceDomainId: source, targetDomainId: target, force: false };
  const idem_key = `telegram ${update_id}`;
  const known = await findTransfer(actor, pair, idem_key);
  if (known !== null) return started(known);
  if (Date.now() / 1000 - shownAt > PLAN_SECONDS) return stale(source);
  const now = await planTransfer(actor, pair);
  if (now.hash === '' || now.hash.slice(0, PLAN_LENGTH) !== plan) return stale(source);
  try {
    return started((await startTransfer(actor, { ...pair, plan: now.hash }, { idem_key })).id);
  } catch (error) {
    if (error instanceof AppError && error.code === 'plan_stale') return stale(source);
    throw error;
  }
}

/** The update of a press, when (Unix seconds) the message with the button was sent, and in which language its chat reads. */
export interface Pressed {
  update_id: number;
  shownAt: number;
  language: Language;
}

/** Does what a button says, in the name of the linked user. */
export async function pressButton(data: string, actor: Actor, pressed: Pressed): Promise<Outcome> {
  const press = parsePress(data);
  if (press?.act === 'check')
    return slowly(async () => lookAt(actor, (await findDomain(actor, press.domain)).domain_name));
  if (press?.act === 'why') return slowly(() => askWhy(actor, press.domain));
  if (press?.act === 'move') return slowly(() => showMove(actor, press.domain, pressed.language));
  if (press?.act === 'start') return slowly(() => startMove(actor, press, pressed));
  if (press?.act === 'seen') {
    return async () => {
      await acknowledgeNotice(actor, press.notice);
      return said({ key: 'telegram.seen' });
    };
  }
  return said({ key: 'telegram.old_button' });
}
