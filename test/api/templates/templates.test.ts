// Templates over HTTP: the form and the rights.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { execute, select, transaction } from '../../../db/index.ts';
import { openTemplate } from '../../../src/services/sites/templates.ts';
import { dump } from '../../support/database.ts';
import { request } from '../../support/server.ts';
import { CORPUS } from '../../support/zip-corpus/corpus.ts';
import { SITE, zipFile, zipOf } from '../../support/zips.ts';
import { makeDomain } from '../calls.ts';
import { add, type Fields, get, other, owner, rowOf, send, server, useTemplates } from './world.ts';

useTemplates();

describe('a template', () => {
  it('is added, listed, edited and deleted', async () => {
    const bytes = zipOf(SITE);
    const { status, body } = await send('POST /api/templates', {
      name: ' Промо ',
      template_file: zipFile(bytes, 'промо.zip'),
    });
    expect(status).toBe(200);
    const { id } = body.data;
    expect(body.data).toEqual({
      id,
      name: 'Промо',
      file_name: 'промо.zip',
      file_path: expect.stringMatching(/^\/api\/template_files\/[\w.-]+$/),
      size: bytes.length,
      files: 3,
      placeholders: ['SITE_URL', 'TITLE', 'DESCRIPTION', 'BODY'],
      domains: 0,
      created_at: expect.any(String),
      updated_at: expect.any(String),
      can_edit: true,
    });
    expect(await rowOf(id, other)).toMatchObject({ name: 'Промо', can_edit: false });
    const renamed = await send(`POST /api/templates/${id}`, { name: 'Other' });
    expect(renamed.body.data).toMatchObject({ name: 'Other', file_name: 'промо.zip', size: bytes.length });
    const next = zipOf({ 'index.html': 'BODY' });
    const edited = await send(`POST /api/templates/${id}`, { template_file: zipFile(next, 'b.zip') });
    expect(edited.body.data).toMatchObject({ name: 'Other', file_name: 'b.zip', files: 1, placeholders: ['BODY'] });
    expect(await openTemplate(id)).toEqual([{ path: 'index.html', content: Buffer.from('BODY') }]);
    const gone = await request(server, `DELETE /api/templates/${id}`, { token: owner.token });
    expect(gone.body).toEqual({ message: 'Шаблон удалён: Other' });
    expect(await select('SELECT 1 FROM template_archives WHERE template_id = $id', { id })).toEqual([]);
  });

  it('is edited without a file by a form that sends an empty part for it, and not added by one', async () => {
    const [{ id }, nothing] = [await add('Kept'), new File([], '')];
    const edited = await send(`POST /api/templates/${id}`, { name: 'Named', template_file: nothing });
    expect([edited.status, edited.body.data]).toMatchObject([200, { name: 'Named', file_name: 'site.zip', files: 3 }]);
    const refused = await send('POST /api/templates', { name: 'None', template_file: nothing });
    expect([refused.status, refused.body.error]).toEqual([400, 'Template file is required']);
    expect(readdirSync(join(server.config.dataDir, 'tmp'))).toEqual([]);
  });

  it('is added by a form with a file that the call does not know', async () => {
    const fields = { name: 'with a preview', preview: zipFile(zipOf(SITE)), template_file: zipFile(zipOf(SITE)) };
    const { status, body } = await send('POST /api/templates', fields);
    expect([status, body.data.name]).toEqual([200, 'with a preview']);
  });

  it('lists its files and the placeholders in them', async () => {
    const { id } = await add('Tree', zipOf({ ...SITE, 'logo.png': new Uint8Array([0x89, 0x50, 0, 0xff]) }));
    const { body } = await get(`/api/templates/${id}`, other);
    expect(body.data).toMatchObject({ id, name: 'Tree', files: 4 });
    expect(body.data.entries).toEqual([
      { path: 'css/site.css', size: expect.any(Number), text: true, placeholders: [] },
      { path: 'index.html', size: expect.any(Number), text: true, placeholders: ['TITLE', 'DESCRIPTION', 'BODY'] },
      { path: 'logo.png', size: 4, text: false, placeholders: [] },
      { path: 'robots.txt', size: expect.any(Number), text: true, placeholders: ['SITE_URL'] },
    ]);
  });

  it.each<[string, string, Fields, object]>([
    [
      'no name',
      'Template name is required',
      { name: '  ', template_file: zipFile() },
      { name: 'Template name is required' },
    ],
    ['no file', 'Template file is required', { name: 'x' }, { template_file: 'Template file is required' }],
    ['neither', 'template_file', {}, { name: 'Template name is required', template_file: 'Template file is required' }],
    [
      'an empty name and no file',
      'template_file',
      { name: '' },
      { name: 'Template name is required', template_file: 'Template file is required' },
    ],
    [
      'another ending',
      'Only ZIP files are allowed',
      { name: 'x', template_file: zipFile(undefined, 'a.txt', 'text/plain') },
      { template_file: 'Only ZIP files are allowed' },
    ],
    [
      'another content',
      'Only ZIP files are allowed',
      { name: 'x', template_file: zipFile(Buffer.alloc(99, 'a')) },
      { template_file: 'Only ZIP files are allowed' },
    ],
    [
      'no page to begin with',
      '',
      { name: 'x', template_file: zipFile(zipOf({ 'a/b.html': 'x', 'c.html': 'x' })) },
      { template_file: expect.stringContaining('index.html') },
    ],
  ])('with %s is refused', async (_, error, fields, wrong) => {
    const before = await dump();
    const { status, body } = await send('POST /api/templates', fields);
    expect([status, body.fields]).toEqual([400, wrong]);
    expect(body.error).toContain(error === '' || error.includes('name') ? '' : error);
    expect(await dump()).toBe(before);
  });

  it('may have the type of a ZIP and any name', async () => {
    const file = zipFile(undefined, 'download', 'application/x-zip-compressed');
    expect((await send('POST /api/templates', { name: 'x', template_file: file })).status).toBe(200);
  });

  it('is not stored where its archive is refused; a refused edit keeps the old archive', async () => {
    const { id } = await add();
    const before = await dump();
    const refused = CORPUS.filter(({ verdict }) => typeof verdict === 'string');
    for (const [index, { name, make }] of refused.entries()) {
      const call = index % 2 === 0 ? 'POST /api/templates' : `POST /api/templates/${id}`;
      const { status, body } = await send(call, { name: 'hostile', template_file: zipFile(make()) });
      expect([name, status, Object.keys(body.fields)]).toEqual([name, 400, ['template_file']]);
    }
    expect(await dump()).toBe(before);
    expect(readdirSync(join(server.config.dataDir, 'tmp'))).toEqual([]);
  });

  it('is at most 20 MB', async () => {
    const { status } = await send('POST /api/templates', {
      name: 'x',
      template_file: zipFile(Buffer.alloc(21 * 1024 * 1024)),
    });
    expect(status).toBe(413);
  });

  it('can be edited and deleted only by its creator and by admins', async () => {
    const { id } = await add();
    for (const [call, fields] of [
      [`POST /api/templates/${id}`, { name: 'taken', template_file: zipFile() }],
      [`DELETE /api/templates/${id}`, {}],
    ] as const) {
      const { status, body } = await send(call, fields, other);
      expect([status, body.code]).toEqual([403, 'forbidden']);
    }
    expect((await send(`POST /api/templates/${id}`, { name: 'by an admin' }, server.admin)).status).toBe(200);
  });

  it('is not deleted while domains or sites use it', async () => {
    const { id } = await add('Used');
    const domain = await makeDomain(server, owner);
    const { domain_name } = (await get(`/api/domains/${domain}`)).body.data;
    await transaction(() =>
      execute(
        `INSERT INTO sites (domain_id, template_id, html_name, html, updated_at) VALUES ($domain, $id, 'a.html', '', '')`,
        { domain, id },
      ),
    );
    expect(await rowOf(id)).toMatchObject({ domains: 1 });
    const used = await request(server, `DELETE /api/templates/${id}`, { token: owner.token });
    expect([used.status, used.body.code]).toEqual([409, 'in_use']);
    expect(used.body.error).toContain(domain_name);
    await transaction(() => execute('UPDATE domains SET template_id = $id WHERE id = $domain', { id, domain }));
    expect(await rowOf(id)).toMatchObject({ domains: 1 });
    await request(server, `DELETE /api/domains/${domain}`, { token: owner.token });
    expect((await request(server, `DELETE /api/templates/${id}`, { token: owner.token })).status).toBe(200);
  });
});
