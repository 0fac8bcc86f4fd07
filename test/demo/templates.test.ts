import { unzipSync } from 'fflate';
import { expect, it } from 'vitest';
import { readZip } from '../../src/lib/zip.ts';
import { TEMPLATES } from '../../src/demo/templates.ts';
import { describeArchive } from '../../src/services/sites/templates.ts';
import { PLACEHOLDERS } from '../../src/shared/sites/templates.ts';

it.each(TEMPLATES)('$name is a valid template with every placeholder', async ({ file_name, archive }) => {
  const files: Record<string, Uint8Array> = {};
  await readZip(archive, ({ path, content }) => void (files[path] = new Uint8Array(content)));
  // An independent unzip library reads the same files.
  expect({ ...unzipSync(archive) }).toEqual(files);
  expect(Object.keys(files).length).toBeGreaterThanOrEqual(3);
  expect(Object.keys(files).length).toBeLessThanOrEqual(8);
  const described = await describeArchive(file_name, archive);
  expect(described).toMatchObject({
    file_name,
    files: Object.keys(files).length,
    placeholders: JSON.stringify(PLACEHOLDERS),
  });
});
