// Ctrl-C and Ctrl-D.
const STOP = new Set(['\u0003', '\u0004']);
const LINE_END = /[\r\n]/;
const BACKSPACE = /[\u007F\b]/;
// Escape sequences of arrows and the like, and other characters that are no text.
// oxlint-disable-next-line no-control-regex
const NO_TEXT = /\u001B(?:[[O][\d;]*)?[A-Za-z~]|[\u0000-\u0002\u0005-\u0007\t\v\f\u000E-\u001F]/g;

/**
 * Prompts on stderr without escape sequences, and returns the typed line; a `hidden` one echoes nothing. Null at Ctrl-C, Ctrl-D
 * and the end of the terminal.
 */
export async function plainLine(text: string, hidden: boolean): Promise<string | null> {
  const { stdin, stderr } = process;
  const typed: string[] = [];
  const echo = (shown: string): void => void (hidden || stderr.write(shown));
  stdin.setEncoding('utf8').setRawMode(true);
  stderr.write(`${text} `);
  const line = await new Promise<string | null>((resolve) => {
    stdin.once('end', () => resolve(null));
    stdin.on('data', (input: string) => {
      for (const key of input.replace(NO_TEXT, '')) {
        if (STOP.has(key)) return resolve(null);
        if (LINE_END.test(key)) return resolve(typed.join(''));
        if (!BACKSPACE.test(key)) {
          typed.push(key);
          echo(key);
        } else if (typed.pop() !== undefined) echo('\b \b');
      }
    });
  });
  stdin.removeAllListeners('data').removeAllListeners('end').setRawMode(false).pause();
  stderr.write('\n');
  return line;
}
