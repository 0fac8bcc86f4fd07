import { Box, render, Text, useInput } from 'ink';

interface Screen {
  lines: readonly string[];
  onQuit: (exit: 0 | 130) => void;
}

// A terminal that tells no size has this one.
const USUAL = { columns: 80, rows: 24 };

/** Lines that are cut at the edge of the terminal. `q` and Ctrl-C end it. */
export function TopScreen({ lines, onQuit }: Screen) {
  useInput(
    (input, key) => {
      if (key.ctrl && input === 'c') onQuit(130);
      else if (['q', 'Q', 'й', 'Й'].includes(input) || key.escape) onQuit(0);
    },
    { isActive: process.stdin.isTTY },
  );
  return (
    <Box flexDirection="column" width={process.stdout.columns || USUAL.columns}>
      {lines.map((line, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- a line has nothing but its place
        <Text key={index} wrap="truncate-end" bold={index === 0}>
          {line === '' ? ' ' : line}
        </Text>
      ))}
    </Box>
  );
}

// The other screen of a terminal, so that what stood there before comes back.
const ENTER = '\u001B[?1049h\u001B[H';
const LEAVE = '\u001B[?1049l';

/** A screen of its own on stdout. `over` resolves when a person has ended it, by the exit code that `ended` returns; `end` gives the terminal back. */
export interface TopView {
  show: (lines: readonly string[]) => void;
  ended: () => 0 | 130 | null;
  over: Promise<void>;
  end: () => Promise<void>;
}

/** Draws on the other screen of the terminal until `end`. */
export function drawTop(): TopView {
  let ended: 0 | 130 | null = null;
  let quit = (_exit: 0 | 130): void => undefined;
  const over = new Promise<void>((resolve) => {
    quit = (exit) => {
      ended = exit;
      resolve();
    };
  });
  process.stdout.write(ENTER);
  const view = (lines: readonly string[]) => <TopScreen lines={lines.slice(0, room())} onQuit={quit} />;
  const { rerender, unmount, waitUntilExit } = render(view([]), { patchConsole: false, exitOnCtrlC: false });
  return {
    show: (lines) => rerender(view(lines)),
    ended: () => ended,
    over,
    end: async () => {
      unmount();
      await waitUntilExit();
      process.stdout.write(LEAVE);
    },
  };
}

// Lines that fit: a view higher than the terminal would be drawn by Ink again below itself.
const room = (): number => Math.max(3, (process.stdout.rows || USUAL.rows) - 1);
