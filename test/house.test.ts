// The layout of the code, as src/README.md draws it; lint has no rules for these.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { ACCOUNT_TEXTS, textOf } from '../src/shared/accounts/kind.ts';
import { KINDS } from '../src/shared/accounts/kinds.ts';
import { en } from '../src/shared/i18n/en.ts';
import { ru, type Key } from '../src/shared/i18n/ru.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const FLOORS = ['bench', 'bin', 'db', 'src', 'test', 'ui'];
const MOST_FILES = 30;

const files = FLOORS.flatMap((floor) =>
  readdirSync(join(ROOT, floor), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)).replaceAll(sep, '/')),
);
const code = files.filter((file) => /\.tsx?$/.test(file));
const text = new Map(code.map((file) => [file, readFileSync(join(ROOT, file), 'utf8')]));

/** The folders that each folder imports from. */
function importsByFolder(): Map<string, Set<string>> {
  const known = new Set(files);
  const edges = new Map<string, Set<string>>();
  for (const [file, source] of text) {
    const from = dirname(file);
    for (const [, specifier = ''] of source.matchAll(/(?:\bfrom\s+|\bimport\s+|\bimport\(\s*)'(\.[^']+)'/g)) {
      const target = normalize(join(from, specifier)).replaceAll(sep, '/');
      const to = dirname(target);
      if (known.has(target) && to !== from) edges.set(from, (edges.get(from) ?? new Set()).add(to));
    }
  }
  return edges;
}

/**
 * The ancestors of two folders directly below their common folder; null where one folder contains the other. `src/` is dropped, so
 * that its floors are siblings.
 */
function rooms(from: string, to: string): [string, string] | null {
  const [a, b] = [from, to].map((path) => path.replace(/^src\//, '').split('/')) as [string[], string[]];
  if (from === 'src' || to === 'src') return null;
  let depth = 0;
  while (depth < a.length && depth < b.length && a[depth] === b[depth]) depth += 1;
  return depth === a.length || depth === b.length
    ? null
    : [a.slice(0, depth + 1).join('/'), b.slice(0, depth + 1).join('/')];
}

/** Returns the folders of a cycle among the edges; null where there is none. */
function circleIn(edges: ReadonlyMap<string, ReadonlySet<string>>): string[] | null {
  const done = new Set<string>();
  const walk = (folder: string, path: string[]): string[] | null => {
    if (path.includes(folder)) return [...path.slice(path.indexOf(folder)), folder];
    if (done.has(folder)) return null;
    for (const next of edges.get(folder) ?? []) {
      const circle = walk(next, [...path, folder]);
      if (circle) return circle;
    }
    done.add(folder);
    return null;
  };
  for (const folder of edges.keys()) {
    const circle = walk(folder, []);
    if (circle) return circle;
  }
  return null;
}

describe('a folder', () => {
  it('holds thirty files at most', () => {
    const count = new Map<string, number>();
    for (const file of files.filter((file) => !file.endsWith('.png'))) {
      count.set(dirname(file), (count.get(dirname(file)) ?? 0) + 1);
    }
    expect([...count].filter(([, number]) => number > MOST_FILES)).toEqual([]);
  });

  it('is on no import cycle with the folders beside it', () => {
    const between = new Map<string, Set<string>>();
    for (const [from, targets] of importsByFolder()) {
      for (const to of targets) {
        const [a, b] = rooms(from, to) ?? [];
        if (a !== undefined && b !== undefined) between.set(a, (between.get(a) ?? new Set()).add(b));
      }
    }
    expect(between.size).toBeGreaterThan(20);
    expect(circleIn(between)).toBeNull();
  });

  it('is found on a cycle where there is one', () => {
    const edges = new Map([
      ['a', new Set(['b'])],
      ['b', new Set(['c'])],
      ['c', new Set(['b'])],
    ]);
    expect(circleIn(edges)).toEqual(['b', 'c', 'b']);
  });
});

// Block comments, and lines of comment; `*` and `//` are dropped.
const COMMENTS = /\/\*[\s\S]*?\*\/|(?:^|\n)[ \t]*\/\/[^\n]*(?:\n[ \t]*\/\/[^\n]*)*/g;
const RIDDLE = /(?:^|[.:] )(?:What(?:ever)?|Whoever|One that) [^.]*/g;

const riddlesIn = (source: string): string[] =>
  [...source.matchAll(COMMENTS)].flatMap(([comment]) => {
    const words = comment.replace(/^\s*(?:\/\*+|\*\/|\*|\/\/)/gm, '').replace(/\s+/g, ' ');
    return [...words.trim().matchAll(RIDDLE)].map(([sentence]) => sentence);
  });

describe('a comment', () => {
  it('begins no sentence with What, Whoever or One that', () => {
    expect(code.flatMap((file) => riddlesIn(text.get(file) ?? '').map((riddle) => `${file}: ${riddle}`))).toEqual([]);
  });

  it('is found where it does', () => {
    const [first, second] = ['What', 'Whoever'];
    const source = `/** ${first} a user sees. */\nconst a = 'What is this';\n  // It is small. ${second}\n  // reads it, knows.\n`;
    expect(riddlesIn(source)).toEqual(['What a user sees', '. Whoever reads it, knows']);
  });
});

describe('a key of the catalogues', () => {
  const keys = Object.keys(ru) as Key[];
  const sources = [...text].filter(([file]) => /^(?:src|ui|db)\//.test(file) && !file.includes('/i18n/'));
  const written = sources.map(([, source]) => source).join('\n');

  it('stands in both languages', () => {
    expect(Object.keys(en).toSorted()).toEqual(keys.toSorted());
  });

  it('belongs to one area', () => {
    const areas = code.filter((file) => file.startsWith('src/shared/i18n/ru/'));
    const all = areas.flatMap((file) =>
      [...(text.get(file) ?? '').matchAll(/^ {2}'([a-z_]+\.[^']+)':/gm)].map(([, key]) => key),
    );
    expect(all.length).toBeGreaterThan(1_000);
    expect(all.filter((key, index) => all.indexOf(key) !== index)).toEqual([]);
    expect(all).toHaveLength(keys.length);
  });

  it('is used', () => {
    const literals = new Set([...written.matchAll(/['"`]([a-z_]+\.[\w.]+)['"`]/g)].map(([, key]) => key));
    for (const kind of KINDS) for (const name of ACCOUNT_TEXTS) literals.add(textOf(kind, name));
    // `health.${error}`: any word may stand in the gap.
    const patterns = [...written.matchAll(/`([a-z_]+\.[^`\s]*\$\{[^`\n]*)`/g)].map(
      ([, template = '']) =>
        new RegExp(
          `^${template
            .replace(/\$\{[^}]*\}/g, '\0')
            .replaceAll('.', '\\.')
            .replaceAll('\0', '\\w+')}$`,
        ),
    );
    const isUsed = (key: string): boolean => literals.has(key) || patterns.some((pattern) => pattern.test(key));
    expect(keys.filter((key) => !isUsed(key))).toEqual([]);
    expect(isUsed('operations.no_such_key')).toBe(false);
  });
});
