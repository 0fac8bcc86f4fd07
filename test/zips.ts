import { zipSync, type Zippable } from 'fflate';

/** What a template of the tests has in it. */
export const SITE: Record<string, string> = {
  'index.html':
    '<!doctype html><html><head><title>TITLE</title><meta name="description" content="DESCRIPTION"></head><body>BODY</body></html>',
  'robots.txt': 'Sitemap: https://SITE_URL/sitemap.xml\n',
  'css/site.css': 'body { margin: 0 }\n',
};

/** An ordinary ZIP of texts and bytes by path. */
export const zipOf = (files: Record<string, string | Uint8Array>): Buffer =>
  Buffer.from(
    zipSync(
      Object.fromEntries(
        Object.entries(files).map(([path, content]) => [
          path,
          typeof content === 'string' ? new TextEncoder().encode(content) : content,
        ]),
      ) as Zippable,
      { mtime: '2026-01-01' },
    ),
  );

/** A ZIP as a form sends it. */
export const zipFile = (bytes: Uint8Array = zipOf(SITE), name = 'site.zip', type = 'application/zip'): File =>
  new File([new Uint8Array(bytes)], name, { type });
