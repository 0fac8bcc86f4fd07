import { render, Text } from 'ink';
import { numeral, type Language } from '../../shared/i18n/index.ts';
import type { Stand } from './show-progress.ts';

const WIDTH = 24;
const REDRAW_MS = 100;

interface Line {
  title: string;
  hint: string;
  stand: Stand | undefined;
  language: Language;
}

/** One line: a bar, the percentage and the counts in the reader's language; only the count if the total is unknown. */
export function ProgressLine({ title, hint, stand, language }: Line) {
  const { done = 0, total = null, failed = 0 } = stand ?? {};
  const share = total ? Math.min(done / total, 1) : 0;
  const filled = Math.round(share * WIDTH);
  const count = numeral(language, done);
  return (
    <Text>
      {title} {total ? <Text color="green">{'█'.repeat(filled) + '░'.repeat(WIDTH - filled)}</Text> : null}{' '}
      {total ? `${Math.floor(share * 100)} %  ${count}/${numeral(language, total)}` : count}
      {failed > 0 ? <Text color="red"> ! {failed}</Text> : null}
      <Text dimColor> {hint}</Text>
    </Text>
  );
}

/** Draws the state from `look` and `hint` on stderr, ten times a second, until `end`. */
export function drawProgress(
  { title, language }: Pick<Line, 'title' | 'language'>,
  hint: () => string,
  look: () => Stand | undefined,
): { end: () => Promise<void> } {
  const view = () => <ProgressLine title={title} hint={hint()} stand={look()} language={language} />;
  const { rerender, clear, unmount, waitUntilExit } = render(view(), {
    stdout: process.stderr,
    patchConsole: false,
    exitOnCtrlC: false,
  });
  const timer = setInterval(() => rerender(view()), REDRAW_MS);
  return {
    end: async () => {
      clearInterval(timer);
      clear();
      unmount();
      await waitUntilExit();
    },
  };
}
