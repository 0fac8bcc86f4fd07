/** Prompts for a line on stderr (stdout is for data); a `hidden` one echoes nothing. Ctrl-C ends the program with 130. */
export async function askLine(text: string, hidden = false): Promise<string> {
  // Ink takes 300 ms to load, and most runs prompt for nothing.
  const { promptLine } = await import('./Ask.tsx');
  return promptLine(text, hidden);
}

/** Prompts for a new secret twice, until both inputs are equal. */
export async function askSecret(text: string, again: string, differ: string): Promise<string> {
  for (;;) {
    const secret = await askLine(text, true);
    if ((await askLine(again, true)) === secret) return secret;
    process.stderr.write(`${differ}\n`);
  }
}

/** Returns whether the answer is yes, in either language. */
export const askYes = async (question: string): Promise<boolean> =>
  /^(y|yes|д|да)$/i.test((await askLine(question)).trim());
