import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readZip } from '../../src/lib/zip.ts';
import { AppError } from '../../src/shared/errors.ts';
import { startChild } from '../support/child.ts';
import { CORPUS } from '../support/zip-corpus/corpus.ts';
import { SITE, zipOf } from '../support/zips.ts';

// Verdicts that need the file to be unpacked.
const LATE = new Set(['zip.size_lies', 'zip.entry_damaged']);

interface Outcome {
  verdict: string | string[];
  unpacked: string[];
  message: string;
}

async function read(bytes: Buffer): Promise<Outcome> {
  const unpacked: string[] = [];
  try {
    await readZip(bytes, ({ path }) => void unpacked.push(path));
    return { verdict: unpacked, unpacked, message: '' };
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'bad_archive') throw error;
    return { verdict: error.key, unpacked, message: error.message };
  }
}

describe('hostile archives', () => {
  it('are at least 45, each with its own name', () => {
    expect(CORPUS.length).toBeGreaterThanOrEqual(45);
    expect(new Set(CORPUS.map(({ name }) => name)).size).toBe(CORPUS.length);
  });

  it.each(CORPUS)('$name', async ({ make, verdict, name }) => {
    const outcome = await read(make());
    expect(outcome.verdict).toEqual(verdict);
    if (typeof verdict !== 'string') return;
    // Every other verdict comes from the name or the directory: nothing is unpacked for it.
    const isLate = LATE.has(verdict) || name.endsWith('by another name');
    expect(outcome.unpacked).toEqual(isLate ? ['index.html'] : []);
    expect(outcome.message).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    expect(outcome.message.length).toBeLessThan(250);
  });

  it('are refused with the name of the entry', async () => {
    const { message } = await read(zipOf({ 'index.html': 'x', 'css/aux.css': 'x' }));
    expect(message).toContain('«css/aux.css»');
  });
});

describe('a damaged archive', () => {
  const good = zipOf(SITE);
  const paths = Object.keys(SITE);

  it('is refused or read, wherever it is cut off', async () => {
    for (let length = 0; length < good.length; length++) {
      const { verdict } = await read(good.subarray(0, length));
      expect(typeof verdict, `${length} bytes`).toBe('string');
    }
  });

  it('is refused or read, whichever byte is changed', async () => {
    const verdicts: (string | string[])[] = [];
    for (let at = 0; at < good.length; at++) {
      for (const value of [0, 0xff, (good[at] ?? 0) ^ 1, (good[at] ?? 0) ^ 0x80]) {
        const bytes = Buffer.from(good);
        bytes[at] = value;
        verdicts.push((await read(bytes)).verdict);
      }
    }
    const taken = verdicts.filter((verdict) => typeof verdict !== 'string');
    // The changed byte was irrelevant (a file time, a flag) or made another name that is allowed.
    expect(new Set(taken.map((files) => files.length))).toEqual(new Set([paths.length]));
    expect(taken.length).toBeLessThan(verdicts.length / 2);
  });
});

it('reading any of the archives takes little memory', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'seo-admin-test-'));
  try {
    for (const [index, { make }] of CORPUS.entries()) writeFileSync(join(folder, String(index)), make());
    const told = JSON.parse(await startChild('test/children/zips.ts', [folder]).output());
    const { archives, file, ms, grown } = told;
    const slowest = CORPUS[Number(file)]?.name;
    console.log(
      `${archives} archives: the slowest "${slowest}" in ${Math.round(ms)} ms, memory grown by ${Math.round(grown)} MB`,
    );
    expect(archives).toBe(CORPUS.length);
    expect(grown).toBeLessThanOrEqual(64);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
