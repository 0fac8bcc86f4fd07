import type { Asked } from './asked.ts';
import { isRich } from './color.ts';
import { Interrupted } from './interrupt.ts';

/** Prompts for a line on stderr (stdout is for data); a `hidden` one echoes nothing. Throws `Interrupted` at Ctrl-C and Ctrl-D. */
export async function askLine(asked: Asked, text: string, hidden = false): Promise<string> {
  // Ink takes 300 ms to load, and most runs prompt for nothing.
  const ask = isRich(asked, 'stderr')
    ? (await import('./Ask.tsx')).promptLine
    : (await import('./plain-prompt.ts')).plainLine;
  const line = await ask(text, hidden);
  if (line === null) throw new Interrupted(130);
  return line;
}

/** Prompts for a new secret twice, until both inputs are equal. */
export async function askSecret(asked: Asked, text: string, again: string, differ: string): Promise<string> {
  for (;;) {
    const secret = await askLine(asked, text, true);
    if ((await askLine(asked, again, true)) === secret) return secret;
    process.stderr.write(`${differ}\n`);
  }
}

/** Returns whether the answer is yes, in either language. */
export const askYes = async (asked: Asked, question: string): Promise<boolean> =>
  /^(y|yes|д|да)$/i.test((await askLine(asked, question)).trim());
