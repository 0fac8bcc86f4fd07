import { createWriteStream } from 'node:fs';
import { once } from 'node:events';
import iconv from 'iconv-lite';
import { random } from '../test/support/random.ts';

const SYLLABLES = 'ka zi no vu bet slot pin win lot ro max play go bo ster mir lux top ra di on xi'.split(' ');
const CYRILLIC = 'ка зи но бет слот пин лото мир клуб топ ра ди'.split(' ');
const ZONES = ['com', 'ru', 'net', 'org', 'xyz', 'club', 'online', 'site', 'bet', 'top'];
const ORGANISATIONS = ['ФНС', 'Роскомнадзор', 'Мосгорсуд', 'Генпрокуратура', ''];

/**
 * Writes a dump in the format of z-i's (windows-1251, an `Updated:` line, six columns): 20 % of the rows with a URL, 30
 * % masks, 2 % Cyrillic, 1 % only addresses, and one name in eight a duplicate. About 107 bytes a row.
 */
export async function writeDump(path: string, rows: number, updated: Date): Promise<void> {
  const next = random(20_251_001);
  const pick = <Item>(items: Item[]): Item => items[Math.floor(next() * items.length)]!;
  const word = (syllables: string[]): string => pick(syllables) + pick(syllables) + pick(syllables);
  const file = createWriteStream(path);
  file.write(`Updated: ${updated.toISOString().slice(0, 19).replace('T', ' ')} +0000\n`);
  const recent: string[] = [];
  let distinct = 0;
  let part = '';
  for (let row = 0; row < rows; row++) {
    let name = `${word(SYLLABLES)}${Math.floor(next() * 9e6)}.${next() < 0.3 ? `${word(SYLLABLES)}.` : ''}${pick(ZONES)}`;
    if (next() < 0.02) name = `${word(CYRILLIC)}${row}.рф`;
    if (next() < 0.12 && recent.length > 0) name = pick(recent);
    else recent[distinct++ % 5000] = name;
    const kind = next();
    const domain = kind < 0.3 ? `*.${name}` : kind < 0.99 ? name : '';
    const url = kind >= 0.3 && kind < 0.5 ? `http://${name}/page;id=${row}` : '';
    part += `${address(next)} | ${address(next)};${domain};${url};${pick(ORGANISATIONS)};2-6-${row}/2025-08-${row % 28}-${Math.floor(next() * 1e7)}-АИ;2025-08-${String((row % 28) + 1).padStart(2, '0')}\n`;
    if (part.length < 1 << 20 && row < rows - 1) continue;
    if (!file.write(iconv.encode(part, 'windows-1251'))) await once(file, 'drain');
    part = '';
  }
  file.end();
  await once(file, 'close');
}

const address = (next: () => number): string => Array.from({ length: 4 }, () => Math.floor(next() * 254) + 1).join('.');
