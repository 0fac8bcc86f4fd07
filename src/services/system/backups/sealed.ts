import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { withDraft } from '../../../lib/disk.ts';
import { openSealedKey } from '../../../lib/sealed-key.ts';
import { isSealedFile, sealFile, unsealFile, type Written } from './sealed-file.ts';
import { AppError } from '../../../shared/errors.ts';
import { digestFile, keyCopy, manifestFile, readManifest, type Manifest } from './files.ts';

/** The JSON that is sealed together with a backup: its manifest, and the installation's key as text; null: there is none. */
interface Preface {
  manifest: Manifest;
  key: string | null;
}

/** Seals a backup of the schedule and the installation's key into one file. Throws AppError `not_found` for a backup without its manifest. */
export async function sealBackup(file: string, to: string, keyFile: string, passphrase: string): Promise<Written> {
  const manifest = await readManifest(file);
  if (!manifest) throw new AppError('not_found', 'backup.not_found', { file: manifestFile(file) });
  const key = existsSync(keyFile) ? await readFile(keyFile, 'utf8') : null;
  const preface: Preface = { manifest, key };
  return sealFile(file, to, preface, passphrase);
}

/** Returns the text of the sealed key beside a backup. Throws AppError `refused` for a wrong passphrase and for a damaged one. */
export async function openKeyBeside(sealed: string, passphrase: string): Promise<string> {
  const text = await openSealedKey(await readFile(sealed, 'utf8'), passphrase);
  if (text === null) throw new AppError('refused', 'backup.passphrase_wrong', { key: sealed });
  return text;
}

/**
 * Calls `work` with a backup: with the file itself, or, where it is sealed, with what is in it, opened in a draft of `place` with its sum, manifest and
 * key beside it; all of that is removed afterwards. Throws AppError `refused` where the passphrase is not given or does not open it.
 */
export async function withOpened<T>(
  file: string,
  place: string,
  passphrase: () => Promise<string>,
  work: (file: string) => Promise<T>,
): Promise<T> {
  if (!(await isSealedFile(file))) return work(file);
  return withDraft(place, async (draft) => {
    const opened = await unsealFile(file, draft, await passphrase());
    if (!opened) throw new AppError('refused', 'backup.unsealed_wrong', { file }, { code: 'backup_damaged' });
    const { manifest, key } = opened.preface as Preface;
    await writeFile(digestFile(draft), `${manifest.sha256}  x\n`, { mode: 0o600 });
    await writeFile(manifestFile(draft), JSON.stringify(manifest), { mode: 0o600 });
    if (key !== null) await writeFile(keyCopy(draft), key, { mode: 0o600 });
    return work(draft);
  });
}
