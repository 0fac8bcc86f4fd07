import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { render } from 'ink-testing-library';
import { expect, test, vi } from 'vitest';
import { Line } from '../../src/cli/terminal/Ask.tsx';
import { areTimes, clip, fitColumns } from '../../src/cli/terminal/fit.ts';
import { ProgressLine } from '../../src/cli/terminal/Progress.tsx';
import { BIN, makeAdminHome, makeHome } from './cli.ts';

test('progress shows a bar, the percentage, the counts and the failures', () => {
  const { lastFrame } = render(
    <ProgressLine title="Check" hint="Ctrl+C" stand={{ done: 50, total: 200, failed: 3 }} language="en" />,
  );
  expect(lastFrame()).toContain('██████░░░░░░░░░░░░░░░░░░ 25 %  50/200 ! 3 Ctrl+C');
});

test('progress without a total shows only the count', () => {
  const { lastFrame } = render(
    <ProgressLine title="List" hint="" stand={{ done: 7, total: null, failed: 0 }} language="ru" />,
  );
  expect(lastFrame()?.trim()).toBe('List  7');
});

test.each([
  ['en', '12,345/100,000'],
  ['ru', '12\u00A0345/100\u00A0000'],
] as const)('progress counts in the language of the reader: %s', (language, counts) => {
  const stand = { done: 12_345, total: 100_000, failed: 0 };
  const { lastFrame } = render(<ProgressLine title="" hint="" stand={stand} language={language} />);
  expect(lastFrame()).toContain(`12 %  ${counts}`);
});

test('a hidden prompt shows nothing of the typed or pasted text', async () => {
  const onAnswer = vi.fn<(answer: string | null) => void>();
  const { stdin, lastFrame } = render(<Line text="Password:" hidden onAnswer={onAnswer} />);
  await new Promise((next) => setTimeout(next, 50));
  stdin.write('secret');
  await new Promise((next) => setTimeout(next, 50));
  expect(lastFrame()?.trim()).toBe('Password:');
  stdin.write(' one\r');
  await vi.waitFor(() => expect(onAnswer).toHaveBeenCalledWith('secret one'), 60_000);
});

test('colours appear only on a terminal, and not if they are disabled', () => {
  const home = makeHome();
  // oxlint-disable-next-line no-control-regex
  const ESCAPE = /\u001B/;
  const onTerminal = (env: Record<string, string>, ...flags: string[]): string => {
    const command = [process.execPath, BIN, 'check', 'blocked', 'a.ru', ...flags].join(' ');
    const { NO_COLOR: _noColor, CI: _ci, FORCE_COLOR: _force, ...rest } = process.env;
    const all = { ...rest, TERM: 'xterm-256color', SEO_ADMIN_DATA_DIR: home.dir, ...env };
    return spawnSync('script', ['-qec', command, '/dev/null'], { env: all, encoding: 'utf8', input: '' }).stdout;
  };
  expect(onTerminal({})).toMatch(ESCAPE);
  expect(onTerminal({ NO_COLOR: '1' })).not.toMatch(ESCAPE);
  expect(onTerminal({ CI: '1' })).not.toMatch(ESCAPE);
  expect(onTerminal({ TERM: 'dumb' })).not.toMatch(ESCAPE);
  expect(onTerminal({}, '--no-color')).not.toMatch(ESCAPE);
  home.remove();
});

test('a time loses its year before a short text is cut, and its hours where no text can be', () => {
  vi.useFakeTimers({ now: new Date('2026-11-28T00:00:00Z'), toFake: ['Date'] });
  const text = { width: 20, isEmpty: false, isName: false, isTime: false };
  const time = { ...text, width: 16, isTime: true };
  expect(fitColumns([{ ...text, isName: true }, time, text, { ...text, isEmpty: true }], 70)).toEqual([20, 16, 20, 0]);
  expect(fitColumns([{ ...text, isName: true }, time, text, { ...text }], 77)).toEqual([20, 11, 20, 20]);
  expect(fitColumns([{ ...text, isName: true }, time, text, { ...text }], 70)).toEqual([20, 11, 16, 17]);
  expect(fitColumns([{ ...text, isName: true }, time, text, { ...text }], 50)).toEqual([16, 11, 8, 9]);
  expect(fitColumns([{ ...text, isName: true }, time, time, { ...time }], 53)).toEqual([17, 10, 10, 10]);
  expect(['2026-11-27 12:00', '2027-05-20 12:00', '2025-11-27 12:00'].map((at) => clip(at, 12))).toEqual([
    '11-27 12:00',
    '05-20 12:00',
    '2025-11-27',
  ]);
  expect(clip('2026-11-27 12:00', 10)).toBe('2026-11-27');
  vi.useRealTimers();
  expect(areTimes(['2026-11-27 12:00', '', '2026-11-27'])).toBe(true);
  expect([areTimes(['', '']), areTimes(['2026-11-27 12:00', 'never'])]).toEqual([false, false]);
});

test.each([
  ['NO_COLOR', { NO_COLOR: '1' }, []],
  ['CI', { CI: '1' }, []],
  ['TERM=dumb', { TERM: 'dumb' }, []],
  ['--no-color', {}, ['--no-color']],
  ['a terminal that draws', {}, []],
])('Ctrl-C at a prompt ends with 130, the document and the command: %s', async (name, env, flags) => {
  const home = await makeAdminHome();
  const words = ['user', 'create', '--login', 'zoe', '--lang', 'en', '--json', ...flags];
  const { NO_COLOR: _noColor, CI: _ci, FORCE_COLOR: _force, ...rest } = process.env;
  const child = spawn('script', ['-qec', [process.execPath, BIN, ...words].join(' '), '/dev/null'], {
    env: { ...rest, TERM: 'xterm-256color', SEO_ADMIN_DATA_DIR: home.dir, ...env },
  });
  let shown = '';
  for await (const chunk of child.stdout.setEncoding('utf8')) {
    const before = shown;
    shown += String(chunk);
    // The terminal is narrow until its width is told: words may be cut anywhere.
    const asks = (text: string): boolean => text.replace(/\s/g, '').includes('more):');
    if (asks(shown) && !asks(before)) child.stdin.write('\u0003');
  }
  const exit = child.exitCode ?? ((await once(child, 'close')) as [number])[0];
  expect(exit).toBe(130);
  expect(shown).toContain(`seo-admin ${words.join(' ')}`);
  expect(JSON.parse(shown.slice(shown.indexOf('{"')))).toMatchObject({ ok: false, exit: 130 });
  // oxlint-disable-next-line no-control-regex
  expect(/\u001B/.test(shown)).toBe(name === 'a terminal that draws');
  home.remove();
});
