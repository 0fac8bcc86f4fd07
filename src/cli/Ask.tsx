import { Box, render, Text, useApp, useInput } from 'ink';
import { useState } from 'react';

interface Prompt {
  text: string;
  hidden: boolean;
  onAnswer: (answer: string | null) => void;
}

/** One line of input. A hidden one shows nothing, not even how long it is. */
function Line({ text, hidden, onAnswer }: Prompt) {
  const { exit } = useApp();
  const [typed, setTyped] = useState('');
  useInput((input, key) => {
    if (key.return) {
      onAnswer(typed);
      exit();
    } else if (key.ctrl && input === 'c') {
      onAnswer(null);
      exit();
    } else if (key.backspace || key.delete) {
      setTyped(Array.from(typed).slice(0, -1).join(''));
    } else if (!key.ctrl && !key.meta) {
      setTyped(typed + input);
    }
  });
  return (
    <Box>
      <Text>
        {text} {hidden ? '' : typed}
      </Text>
    </Box>
  );
}

/** Asks on the terminal (stderr: stdout is for data). Ctrl-C ends the program with 130. */
export async function askLine(text: string, hidden = false): Promise<string> {
  let answer: string | null = null;
  const take = (typed: string | null): void => {
    answer = typed;
  };
  const { waitUntilExit } = render(<Line text={text} hidden={hidden} onAnswer={take} />, {
    stdout: process.stderr,
    exitOnCtrlC: false,
    patchConsole: false,
  });
  await waitUntilExit();
  return answer ?? process.exit(130);
}

/** Asks for a new secret twice, until both are the same. */
export async function askSecret(text: string, again: string, differ: string): Promise<string> {
  for (;;) {
    const secret = await askLine(text, true);
    if ((await askLine(again, true)) === secret) return secret;
    process.stderr.write(`${differ}\n`);
  }
}

/** Whether the answer is yes, in either language. */
export const askYes = async (question: string): Promise<boolean> =>
  /^(y|yes|д|да)$/i.test((await askLine(question)).trim());
