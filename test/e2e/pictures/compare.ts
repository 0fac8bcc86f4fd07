import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import pixelmatch from 'pixelmatch';
import sharp from 'sharp';

/** The pictures to compare with; `PICTURES=new` takes them anew. */
export const FOLDER = fileURLToPath(new URL('screens/', import.meta.url));
/** Where the present look of what differs is put, with the differences. */
const FOUND = `${tmpdir()}/seo-admin-pictures/`;
// Half the size, in few colours: they are kept in the repository.
const SCALE = 2;
const PALETTE = { palette: true, colours: 64, compressionLevel: 9, effort: 10 } as const;

interface Raw {
  data: Buffer;
  width: number;
  height: number;
}

async function rawOf(picture: Buffer | string): Promise<Raw> {
  const { data, info } = await sharp(picture).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
}

async function small(picture: Buffer): Promise<Buffer> {
  const { width } = await sharp(picture).metadata();
  return sharp(picture)
    .resize({ width: Math.round(width / SCALE) })
    .png(PALETTE)
    .toBuffer();
}

/**
 * Returns the share of points of a screenshot that differ from the stored picture of this name, 1 where the size differs or there is
 * none. A screenshot that differs is put beside the temporary files, with the differences in red.
 */
export async function shareThatDiffers(screenshot: Buffer, name: string): Promise<number> {
  const file = `${FOLDER}${name}.png`;
  const picture = await small(screenshot);
  if (process.env['PICTURES'] === 'new') {
    writeFileSync(file, picture);
    return 0;
  }
  const now = await rawOf(picture);
  const before = existsSync(file) ? await rawOf(file) : null;
  const isComparable = before?.width === now.width && before.height === now.height;
  const differences = Buffer.alloc(now.data.length);
  const count = isComparable
    ? pixelmatch(before.data, now.data, differences, now.width, now.height, { threshold: 0.15 })
    : now.width * now.height;
  if (count > 0) {
    mkdirSync(FOUND, { recursive: true });
    writeFileSync(`${FOUND}${name}.png`, picture);
    const raw = { width: now.width, height: now.height, channels: 4 } as const;
    await sharp(differences, { raw }).png().toFile(`${FOUND}${name}-differences.png`);
  }
  return count / (now.width * now.height);
}
