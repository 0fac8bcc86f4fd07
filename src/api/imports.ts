import { z } from 'zod';
import { ExportFields, ExportStyle, exportDomains } from '../services/portfolio/domain-export.ts';
import { listImports, undoImport } from '../services/portfolio/import-history.ts';
import { commitImport, previewImport, type ImportFile } from '../services/portfolio/imports.ts';
import { DomainQuery } from '../shared/portfolio/domain-selection.ts';
import { domainFilter } from '../shared/portfolio/domains.ts';
import { Paging } from '../shared/lists.ts';
import { AppError } from '../shared/errors.ts';
import { ImportOptions, MAX_IMPORT_BYTES } from '../shared/portfolio/imports.ts';
import { idOf, Nothing, route, type UploadedFile } from './http/route.ts';

/** A table or a list as text, or in multipart as the file `csv_file`; and the options for reading it. */
const ImportInput = ImportOptions.extend({ text: z.string().optional() });
const CSV_FILE = ['csv_file'];

function fileOf(text: string | undefined, file: UploadedFile | undefined): ImportFile {
  if (file) return { name: file.name, path: file.path };
  if (text?.trim()) return { name: '', bytes: Buffer.from(text) };
  throw new AppError('invalid', 'import.no_file', {}, { fields: { text: 'error.required' } });
}

const Selected = ExportStyle.extend({
  ...DomainQuery.shape,
  ...Paging.pick({ search: true, sort: true }).shape,
  fields: ExportFields.optional(),
});

export const imports = {
  'POST /api/imports/preview': route({
    summary: 'Preview of an import; writes nothing',
    body: ImportInput,
    files: CSV_FILE,
    limit: MAX_IMPORT_BYTES,
    run: ({ actor, body: { text, ...options }, files }) =>
      previewImport(actor, fileOf(text, files['csv_file']), options),
  }),
  'POST /api/imports': route({
    summary: 'Import domains from a file or a text',
    body: ImportInput,
    files: CSV_FILE,
    limit: MAX_IMPORT_BYTES,
    run: ({ actor, body: { text, ...options }, files }) =>
      commitImport(actor, fileOf(text, files['csv_file']), options),
  }),
  'GET /api/imports': route({
    summary: "The caller's imports, newest first",
    query: Paging.pick({ limit: true, offset: true }),
    run: ({ actor, query }) => listImports(actor, query),
  }),
  'POST /api/imports/:id/undo': route({
    summary: 'Undo an import; what was changed since stays',
    body: Nothing,
    run: ({ actor, params }) => undoImport(actor, idOf(params)),
  }),
  'GET /api/domains_export': route({
    summary: "The caller's domains as CSV, with a name for the file. With `fields` it has those columns",
    query: Selected,
    run: async ({ actor, query: { delimiter, bom, status, fields, ...selection } }) => ({
      filename: `domains-${new Date().toISOString().slice(0, 10)}.csv`,
      csv: await exportDomains(actor, { ...selection, status: domainFilter(status) }, { delimiter, bom }, fields),
    }),
  }),
};
