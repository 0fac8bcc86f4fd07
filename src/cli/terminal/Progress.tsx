import { render, Text } from 'ink';
import type { Stand } from './show-progress.ts';

const WIDTH = 24;
const REDRAW_MS = 100;

/** One line: a bar, the percentage and the counts; only the count if the total is unknown. */
export function ProgressLine({ title, hint, stand }: { title: string; hint: string; stand: Stand | undefined }) {
  const { done = 0, total = null, failed = 0 } = stand ?? {};
  const share = total ? Math.min(done / total, 1) : 0;
  const filled = Math.round(share * WIDTH);
  const count = done.toLocaleString('ru-RU');
  return (
    <Text>
      {title} {total ? <Text color="green">{'█'.repeat(filled) + '░'.repeat(WIDTH - filled)}</Text> : null}{' '}
      {total ? `${Math.floor(share * 100)} %  ${count}/${total.toLocaleString('ru-RU')}` : count}
      {failed > 0 ? <Text color="red"> ! {failed}</Text> : null}
      <Text dimColor> {hint}</Text>
    </Text>
  );
}

/** Draws the state from `look` and `hint` on stderr, ten times a second, until `end`. */
export function drawProgress(
  title: string,
  hint: () => string,
  look: () => Stand | undefined,
): { end: () => Promise<void> } {
  const view = () => <ProgressLine title={title} hint={hint()} stand={look()} />;
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
