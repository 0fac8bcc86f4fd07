import { render, Text, useApp, useInput } from 'ink';
import { useRef, useState } from 'react';

interface Prompt {
  text: string;
  hidden: boolean;
  onAnswer: (answer: string | null) => void;
}

const LINE_END = /[\r\n]/;

/** A line of input. A hidden one echoes nothing, not even its length. Pasted text arrives in one piece. */
export function Line({ text, hidden, onAnswer }: Prompt) {
  const { exit } = useApp();
  const typed = useRef('');
  const [shown, setShown] = useState('');
  const answer = (line: string | null): void => {
    onAnswer(line);
    exit();
  };
  useInput((input, key) => {
    if (key.ctrl && (input === 'c' || input === 'd')) answer(null);
    else if (key.return || LINE_END.test(input)) answer(typed.current + (input.split(LINE_END)[0] ?? ''));
    else if (key.backspace || key.delete) typed.current = Array.from(typed.current).slice(0, -1).join('');
    else if (!key.ctrl && !key.meta) typed.current += input;
    setShown(typed.current);
  });
  return (
    <Text>
      {text} {hidden ? '' : shown}
    </Text>
  );
}

/** Draws a prompt on stderr and returns the typed line; null at Ctrl-C and Ctrl-D. */
export async function promptLine(text: string, hidden: boolean): Promise<string | null> {
  let answer: string | null = null;
  const onAnswer = (line: string | null): void => {
    answer = line;
  };
  // Before the prompt is seen: Ink does it later, and a Ctrl-C in between would be a signal to the whole command.
  process.stdin.setRawMode(true);
  const { waitUntilExit } = render(<Line text={text} hidden={hidden} onAnswer={onAnswer} />, {
    stdout: process.stderr,
    exitOnCtrlC: false,
    patchConsole: false,
  });
  await waitUntilExit();
  return answer;
}
