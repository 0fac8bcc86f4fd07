import { render, Text } from 'ink';
import { numeral, translate, type Language } from '../../shared/i18n/index.ts';
import { clockOf, marked, paceOf, type Mark, type Pace } from './pace.ts';
import type { Stand } from './show-progress.ts';

const WIDTH = 24;
const REDRAW_MS = 100;

interface Line {
  title: string;
  hint: string;
  stand: Stand | undefined;
  language: Language;
  pace?: Pace;
}

const PACE_MS = 10_000;

const paceText = (language: Language, { rate, left }: Pace): string =>
  [
    rate === null ? '' : `  ${translate(language, 'cli.top_rate', { rate })}`,
    left === null ? '' : `  ${translate(language, 'cli.top_left', { left: clockOf(left) })}`,
  ].join('');

/** One line: a bar, the percentage and the counts in the reader's language, the rate and the time left; only the count if the total is unknown. */
export function ProgressLine({ title, hint, stand, language, pace }: Line) {
  const { done = 0, total = null, failed = 0 } = stand ?? {};
  const share = total ? Math.min(done / total, 1) : 0;
  const filled = Math.round(share * WIDTH);
  const count = numeral(language, done);
  return (
    <Text>
      {title} {total ? <Text color="green">{'█'.repeat(filled) + '░'.repeat(WIDTH - filled)}</Text> : null}{' '}
      {total ? `${Math.floor(share * 100)} %  ${count}/${numeral(language, total)}` : count}
      {failed > 0 ? <Text color="red"> ! {failed}</Text> : null}
      {pace ? paceText(language, pace) : ''}
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
  let marks: Mark[] = [];
  const view = () => {
    const stand = look();
    if (stand) marks = marked(marks, { at: Date.now(), done: stand.done }, PACE_MS);
    const pace = paceOf(marks, stand?.total ?? null);
    return <ProgressLine title={title} hint={hint()} stand={stand} language={language} pace={pace} />;
  };
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
