import { config } from '../lib/config.ts';
import type { Actor } from '../services/access/scope.ts';
import { mustEnrol } from '../services/access/session.ts';
import { beginLink, endLink, type Begun, type ChatPerson } from '../services/notices/telegram-link.ts';
import { checkBlocklist } from '../services/checks/blocklist.ts';
import { checkNames } from '../services/checks/check-names.ts';
import { writePreferences } from '../services/notices/preferences.ts';
import { countEndingSoon, type LinkedUser } from '../services/notices/telegram-rows.ts';
import { currentOperations } from '../services/operations/operations.ts';
import { countDomains, findDomainByName } from '../services/portfolio/domain-lists.ts';
import type { Verdict } from '../shared/checks/blocklist.ts';
import type { HealthError } from '../shared/checks/health.ts';
import { AppError } from '../shared/errors.ts';
import { cleanHostname } from '../shared/hostname.ts';
import type { Message } from '../shared/i18n/index.ts';
import type { TelegramLine, TelegramReply } from '../shared/notices/telegram.ts';
import { toUnicode } from '../shared/portfolio/domain-name.ts';
import type { DomainDetail } from '../shared/portfolio/domains.ts';
import { domainButtons } from './domain-buttons.ts';
import { parseMute, type Command } from './parse.ts';
import { slowly } from './slow.ts';
import { showWhy } from './why.ts';

/** A reply, or work that makes it inside the transaction that notes the update. */
export type Outcome = TelegramReply | (() => Promise<TelegramReply>);

const said = (...lines: TelegramLine[]): TelegramReply => ({ lines });

/** Writes a code in two halves, as it is read aloud. */
const halves = (code: string): string => `${code.slice(0, 4)}-${code.slice(4)}`;

const REFUSALS: Record<Extract<Begun, { refusal: string }>['refusal'], Message['key']> = {
  no_username: 'telegram.no_username',
  unknown: 'telegram.unknown_name',
  expired: 'telegram.expired_link',
  linked: 'telegram.already',
};

const register = (person: ChatPerson, code: string | null) => async (): Promise<TelegramReply> => {
  const begun = await beginLink(person, code);
  if ('refusal' in begun) return said({ key: REFUSALS[begun.refusal], params: { username: person.username ?? '' } });
  return said(
    { key: 'telegram.your_code' },
    { text: halves(begun.code), style: 'code' },
    { key: 'telegram.code_rules' },
  );
};

const help = (linked: boolean): TelegramReply => said({ key: linked ? 'telegram.help' : 'telegram.help_stranger' });

async function status(actor: Actor): Promise<TelegramReply> {
  const [counts, operations] = [await countDomains(actor), await currentOperations(actor)];
  const running = operations.filter(({ state }) => state === 'running' || state === 'queued');
  const { all, blocked, broken, expired } = counts;
  return {
    lines: [
      { key: 'telegram.status_all', params: { n: all }, style: 'bold' },
      { key: 'telegram.status_blocked', params: { n: blocked } },
      { key: 'telegram.status_broken', params: { n: broken } },
      { key: 'telegram.status_expired', params: { n: expired } },
      { key: 'telegram.status_soon', params: { n: await countEndingSoon(actor) } },
      { key: 'telegram.status_running', params: { n: running.length } },
      ...running.slice(0, 5).map(({ message }): TelegramLine => message),
    ],
    buttons: [{ label: { key: 'telegram.open' }, path: '/' }],
  };
}

const FRESH_MS = 15_000;

/**
 * Returns the line about the block list: its verdict now, but `blocked` for a domain that is stored as blocked. A list that is gone or in
 * doubt must not free a domain.
 */
const blockLine = (domain: DomainDetail, verdict: Verdict['status']): TelegramLine => {
  if (domain.status === 'blocked' || verdict === 'blocked') return { key: 'telegram.domain_blocked' };
  return { key: verdict === 'free' ? 'telegram.domain_free' : 'telegram.domain_list_unknown' };
};

function domainLines(domain: DomainDetail, verdict: Verdict['status']): TelegramLine[] {
  const { unicode_name, project_name, http_status_code, http_error, last_http_check_at, expired_at } = domain;
  const time = last_http_check_at?.slice(0, 16).replace('T', ' ') ?? '';
  const http: TelegramLine =
    last_http_check_at === null
      ? { key: 'telegram.domain_unchecked' }
      : http_status_code === null
        ? {
            key: 'telegram.domain_no_answer',
            params: { time },
            also: http_error ? [{ key: `health.${http_error as HealthError}` }] : [],
          }
        : { key: 'telegram.domain_http', params: { code: String(http_status_code), time } };
  return [
    { text: unicode_name, style: 'bold' },
    ...(project_name
      ? [{ key: 'telegram.domain_project', params: { name: project_name } } satisfies TelegramLine]
      : []),
    blockLine(domain, verdict),
    http,
    ...(expired_at
      ? [{ key: 'telegram.domain_expires', params: { day: expired_at.slice(0, 10) } } satisfies TelegramLine]
      : []),
  ];
}

async function verdictOf(name: string): Promise<Verdict['status']> {
  const [found] = await checkBlocklist(config().blocklistDir, [name]);
  return found?.status ?? 'unknown';
}

/** Looks at a domain of the actor's anew, for fifteen seconds at most, and shows it. */
export async function lookAt(actor: Actor, name: string): Promise<TelegramReply> {
  const before = await findDomainByName(actor, name);
  await checkNames(
    async () => actor,
    [name],
    {},
    { onItem: () => undefined, signal: AbortSignal.timeout(FRESH_MS) },
  ).catch((error: unknown) => {
    if (!(error instanceof Error) || error.name !== 'TimeoutError') throw error;
  });
  const domain = await findDomainByName(actor, name);
  const stale = domain.last_http_check_at === before.last_http_check_at;
  return {
    lines: [
      ...domainLines(domain, await verdictOf(name)),
      ...(stale ? [{ key: 'telegram.domain_stale' } satisfies TelegramLine] : []),
    ],
    buttons: domainButtons(domain),
  };
}

function hostOf(typed: string): string | null {
  try {
    return cleanHostname(typed);
  } catch {
    return null;
  }
}

const VERDICTS = {
  blocked: 'telegram.name_blocked',
  free: 'telegram.name_free',
  unknown: 'telegram.name_unknown',
} as const;

async function check(actor: Actor, typed: string): Promise<TelegramReply> {
  const host = hostOf(typed);
  if (host === null) return said({ key: 'telegram.check_usage' });
  try {
    return await lookAt(actor, host);
  } catch (error) {
    if (!(error instanceof AppError) || error.kind !== 'not_found') throw error;
  }
  // Not his, or nobody's, which looks the same: the verdict that the screen of checks gives anybody.
  return said({ text: toUnicode(host), style: 'bold' }, { key: VERDICTS[await verdictOf(host)] });
}

/** Shows why a domain is red. A foreign name is answered as one that nobody has. */
async function why(actor: Actor, typed: string): Promise<TelegramReply> {
  const host = hostOf(typed);
  if (host === null) return said({ key: 'telegram.why_usage' });
  try {
    return await showWhy(actor, await findDomainByName(actor, host));
  } catch (error) {
    if (!(error instanceof AppError) || error.kind !== 'not_found') throw error;
    return said({ key: 'telegram.why_unknown', params: { name: toUnicode(host) } });
  }
}

function mute(link: LinkedUser, rest: string): Outcome {
  const milliseconds = parseMute(rest);
  if (milliseconds === null) return said({ key: 'telegram.mute_usage' });
  return async () => {
    const until = milliseconds === 0 ? null : new Date(Date.now() + milliseconds).toISOString();
    await writePreferences(link.user_id, { muted_until: until });
    if (until === null) return said({ key: 'telegram.unmuted' });
    return said({ key: 'telegram.muted', params: { until: until.slice(0, 16).replace('T', ' ') } });
  };
}

const START_CODE = /^[\w-]{1,64}$/;

/** Runs a command of a person whose chat may be linked. `actor` is null where it is not, its user is disabled, or has to add a second factor. */
export async function runCommand(
  { name, rest }: Command,
  person: ChatPerson,
  link: LinkedUser | undefined,
  actor: Actor | null,
): Promise<Outcome> {
  if (name === 'start' && START_CODE.test(rest)) return register(person, rest);
  if (name === 'reg') return register(person, null);
  if (name === 'stop') {
    if (!link) return said({ key: 'telegram.nothing_linked' });
    return async () => {
      await endLink(link);
      return said({ key: 'telegram.stopped', params: { login: link.login } });
    };
  }
  if (name === 'start' || name === 'help') return help(actor !== null);
  if (link?.active && mustEnrol(link)) return said({ key: 'factor.must_add' });
  if (!actor || !link) return said({ key: 'telegram.not_linked_chat' });
  if (name === 'status') return status(actor);
  if (name === 'check') return slowly(() => check(actor, rest));
  if (name === 'why') return why(actor, rest);
  if (name === 'mute') return mute(link, rest);
  return said({ key: 'telegram.unknown_command' });
}
