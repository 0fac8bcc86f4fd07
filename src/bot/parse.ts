/** A command of a message: its name in lower case without the bot's name, and the rest. */
export interface Command {
  name: string;
  rest: string;
}

// Longer texts are no commands: nothing of theirs is read.
const LONGEST = 300;

/** Returns the command that a text is; null: it is none, or one for another bot. */
export function parseCommand(text: string, bot: string | null): Command | null {
  if (text.length > LONGEST) return null;
  const [, name = '', mention, rest = ''] =
    /^\/([a-z_]{1,32})(?:@(\w{1,64}))?(?:\s+([\s\S]*))?$/i.exec(text.trim()) ?? [];
  const isOurs = mention === undefined || bot === null || mention.toLowerCase() === bot.toLowerCase();
  return name === '' || !isOurs ? null : { name: name.toLowerCase(), rest: rest.trim() };
}

const UNITS: Record<string, number> = {
  m: 60_000,
  м: 60_000,
  h: 3_600_000,
  ч: 3_600_000,
  d: 86_400_000,
  д: 86_400_000,
};
const LONGEST_MUTE_MS = 30 * 86_400_000;

/** Returns the milliseconds of a text such as `2h`, `30m`, `1d`, `2 ч`; 0 for `off`; null: it is no such text, or longer than 30 days. */
export function parseMute(text: string): number | null {
  if (/^(?:off|выкл)$/i.test(text)) return 0;
  const [, count = '', unit = ''] = /^(\d{1,4})\s*([mhdмчд])$/i.exec(text) ?? [];
  const milliseconds = Number(count) * (UNITS[unit.toLowerCase()] ?? 0);
  return milliseconds > 0 && milliseconds <= LONGEST_MUTE_MS ? milliseconds : null;
}

/** Action of a button; `source` and `target` are ids of domains, `plan` is the beginning of the hash of the plan that was shown. */
export type Press =
  | { act: 'check'; domain: number }
  | { act: 'why'; domain: number }
  | { act: 'move'; domain: number }
  | { act: 'start'; source: number; target: number; plan: string }
  | { act: 'seen'; notice: number };

/** Characters of a plan's hash that a button carries: 96 bits of it. */
export const PLAN_LENGTH = 16;
const ID = '([1-9]\\d{0,14})';
const PRESSES: readonly [pattern: RegExp, make: (a: number, b: number, plan: string) => Press][] = [
  [new RegExp(`^check:${ID}$`), (domain) => ({ act: 'check', domain })],
  [new RegExp(`^why:${ID}$`), (domain) => ({ act: 'why', domain })],
  [new RegExp(`^move:${ID}$`), (domain) => ({ act: 'move', domain })],
  [new RegExp(`^ack:${ID}$`), (notice) => ({ act: 'seen', notice })],
  [
    new RegExp(`^start:${ID}:${ID}:([\\w-]{${PLAN_LENGTH}})$`),
    (source, target, plan) => ({ act: 'start', source, target, plan }),
  ],
];

/** Returns what the data of a button says; null: it is none of ours. */
export function parsePress(data: string): Press | null {
  for (const [pattern, make] of PRESSES) {
    const [, a, b, plan = ''] = pattern.exec(data) ?? [];
    if (a !== undefined) return make(Number(a), Number(b), plan);
  }
  return null;
}

/** The data of the button that starts a move; `hash` is that of its plan. */
export const startData = (source: number, target: number, hash: string): string =>
  `start:${source}:${target}:${hash.slice(0, PLAN_LENGTH)}`;
