// The languages are not mixed: an English text has no Cyrillic, a Russian one no English sentence except those of the specification.
import { expect, test } from 'vitest';
import { wordsOf } from '../../src/cli/help.ts';
import { buildProgram } from '../../src/cli/program.ts';
import { en as enHelp } from '../../src/cli/texts/en.ts';
import { ru as ruHelp } from '../../src/cli/texts/ru.ts';
import { en } from '../../src/shared/i18n/en.ts';
import { languageOf, translate } from '../../src/shared/i18n/index.ts';
import { ru } from '../../src/shared/i18n/ru.ts';
import { CYRILLIC, everyCommand, isVerbatim, sentenceFinder } from '../support/languages.ts';

const [russian, english] = await Promise.all([buildProgram(ruHelp, () => true), buildProgram(enHelp, () => true)]);
const sentenceIn = sentenceFinder(russian);

test('a request is answered in the language that it wants most', () => {
  const english = ['en', 'en-US,ru;q=0.9', 'de, en;q=0.5', 'ru;q=0.4, en ; q=0.6', 'EN'];
  const inRussian = ['', 'ru', 'de', 'en;q=0.1,ru', 'ru,en', 'en;q=0', 'den', 'en_US'];
  expect(english.map(languageOf)).toEqual(english.map(() => 'en'));
  expect(inRussian.map(languageOf)).toEqual(inRussian.map(() => 'ru'));
  expect(languageOf(undefined)).toBe('ru');
});

test('an English text holds no Cyrillic', () => {
  const wrong = [...Object.entries(en), ...Object.entries(enHelp)].filter(([, text]) => CYRILLIC.test(text));
  expect(wrong).toEqual([]);
});

test('a Russian text holds no English sentence, except those of the specification', () => {
  const wrong = [...Object.entries(ru), ...Object.entries(ruHelp)].flatMap(([key, text]) => {
    const sentence = key.endsWith('.examples') || isVerbatim(text) ? undefined : sentenceIn(text);
    return sentence === undefined ? [] : [{ key, text, sentence }];
  });
  expect(wrong).toEqual([]);
});

test('the help of every command is in one language', () => {
  for (const command of everyCommand(english)) {
    expect([wordsOf(command), CYRILLIC.exec(command.helpInformation())]).toEqual([wordsOf(command), null]);
  }
  const wrong = everyCommand(russian).flatMap((command) => {
    // Commands are the same in every language: examples, usage and the terms of lists are skipped.
    const lines = command
      .helpInformation()
      .split('\n')
      .filter((line) => !/^\s*\$|seo-admin /.test(line))
      .map((line) => line.replace(/^ {2}\S.*? {2,}/, ''));
    return lines.flatMap((line) => (sentenceIn(line) === undefined ? [] : [[wordsOf(command), line]]));
  });
  expect(wrong).toEqual([]);
  const bare = everyCommand(russian).filter((command) => !CYRILLIC.test(command.description()));
  // This description is the same in any language.
  expect(bare.map((command) => command.description())).toEqual(['TLS 1.3']);
});

test('an English sentence in a Russian text is found, a command does not count', () => {
  expect(sentenceIn('Ошибка: something went wrong')).toBe('something went wrong');
  expect(sentenceIn('Дальше: seo-admin blocklist update')).toBeUndefined();
});

const numbers = [
  0, 7, 999, 1000, 12_345, 1_234_567, -1000, 1234.5, 0.25, -0.5, 1_234_567.125, 1.0005, 2.34567, 1e20, 1e-7,
];
test.each(numbers)('the number %d is formatted as by Intl', (total) => {
  const params = { total, taken_at: '' };
  expect(translate('ru', 'cli.list_former', params)).toContain(` ${total.toLocaleString('ru-RU')},`);
  expect(translate('en', 'cli.list_former', params)).toContain(` ${total.toLocaleString('en-US')} `);
});

test.each([
  ['timeline.bought', { registrar: 'reg.ru', sum: '1199.00 RUB' }, 'за 1\u00A0199,00 RUB', 'for 1,199.00 RUB'],
  ['purchase.no_money', { name: 'a.com', balance: '0.5 USD' }, 'На счёте 0,50 USD', '0.50 USD'],
  [
    'cli.confirm_buy',
    { domain: 'a1.50.com', price: '249.00', currency: 'RUB' },
    'a1.50.com за 249,00 RUB',
    '249.00 RUB',
  ],
  ['search_account.works', { balance: '10000.5', currency: 'RUB' }, 'Баланс: 10\u00A0000,50 RUB', '10,000.50 RUB'],
  [
    'purchase.above_registrar',
    { name: 'a.ru', price: '249', currency: 'RUB', highest: '200.00' },
    'цены регистратора, 200,00',
    '200.00',
  ],
] as const)('the money of %s is written as its reader writes numbers', (key, params, russian, english) => {
  expect(translate('ru', key, params)).toContain(russian);
  expect(translate('en', key, params)).toContain(english);
});

test.each([
  ['transfer.target_expired', { domain: 'a.com', date: '2026-11-28' }, 'закончилась 28.11.2026', '2026-11-28'],
  ['why.registered', { day: '2026-02-01' }, '01.02.2026', '2026-02-01'],
  // A day that was written already, none, and a name that looks like one.
  ['transfer.target_expired', { domain: 'a.com', date: '28.11.2026' }, '28.11.2026', '28.11.2026'],
  ['why.registered', { day: '—' }, '—', '—'],
  ['error.no_such_project', { what: '2026-11-28' }, '2026-11-28', '2026-11-28'],
] as const)('the calendar day of %s is written in its reader’s way', (key, params, russian, english) => {
  expect(translate('ru', key, params)).toContain(russian);
  expect(translate('en', key, params)).toContain(english);
});

test('a number that names something is written as it is, so that it can be searched for and typed; one that counts is not', () => {
  expect(translate('en', 'schedule.queued', { id: 12_345, program: 'seo-admin' })).toContain(
    'seo-admin operation resume 12345',
  );
  expect(translate('ru', 'operations.title', { kind: 'Проверка', id: 12_345 })).toBe('Проверка №12345');
  expect(translate('ru', 'operations.title', { kind: 'Проверка', id: 12_345 })).not.toContain('\u00A0');
  expect(translate('ru', 'schedule.operation', { id: 1200 })).toBe('Операция #1200');
  expect(translate('ru', 'domain_page.wrong', { code: 1003 })).toBe('отвечает кодом 1003');
  expect(translate('en', 'protect.tls_action', { n: 1200 })).toBe('Disable for 1,200');
});
