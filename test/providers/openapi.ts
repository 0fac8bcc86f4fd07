// Validates requests against Cloudflare's own description.
import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import type { JournalEntry } from '../../src/demo/cloudflare/faults.ts';

interface Parameter {
  in: 'path' | 'query';
  name: string;
  required?: boolean;
  schema: object;
}
interface Operation {
  parameters?: Parameter[];
  requestBody?: { required?: boolean; content: Record<string, { schema: object }> };
}
interface Contract {
  paths: Record<string, Record<string, Operation>>;
}

const text = readFileSync(new URL('cloudflare-openapi.json', import.meta.url), 'utf8');
// References point into the document itself: it gets an id, so that a part of it can be compiled alone.
const contract = JSON.parse(text.replaceAll('"#/', '"cloudflare#/')) as Contract;

// Not strict: `nullable` and `example` are OpenAPI keywords. Path and query are text and are coerced to the described types.
const bodies = addFormats.default(new Ajv({ strict: false, allErrors: true }));
const texts = addFormats.default(new Ajv({ strict: false, allErrors: true, coerceTypes: true }));
bodies.addSchema(contract, 'cloudflare');
texts.addSchema(contract, 'cloudflare');

const NAMES = /\{(\w+)\}/g;
// Where two paths match, the one with fewer parameters is meant.
const routes = Object.keys(contract.paths)
  .toSorted((a, b) => (a.match(NAMES)?.length ?? 0) - (b.match(NAMES)?.length ?? 0))
  .map((path) => ({
    path,
    names: Array.from(path.matchAll(NAMES), ([, name = '']) => name),
    pattern: new RegExp(`^${path.replaceAll(NAMES, '([^/]+)')}$`),
  }));

/** Returns the faults of a request against the description; an empty text where there are none. */
export function faultOfRequest({
  method,
  path,
  query,
  body,
}: Pick<JournalEntry, 'method' | 'path' | 'query' | 'body'>) {
  for (const route of routes) {
    const values = route.pattern.exec(path)?.slice(1);
    const operation = contract.paths[route.path]?.[method.toLowerCase()];
    if (values === undefined || operation === undefined) continue;
    const inPath = Object.fromEntries(route.names.map((name, index) => [name, values[index]]));
    const faults = [
      faultOfTexts(operation, 'path', inPath),
      faultOfTexts(operation, 'query', query),
      faultOfBody(operation, body),
      ...records(path, body).map((record) => faultOfBody(contract.paths[RECORDS]?.['post'], record)),
    ];
    const fault = faults.find((text) => text !== '');
    return fault === undefined ? '' : `${method} ${path}: ${fault}`;
  }
  return `${method} ${path} is not described`;
}

const RECORDS = '/zones/{zone_id}/dns_records';

// A batch is described loosely: each record that it writes completely has to be valid as a single creation.
function records(path: string, body: unknown): unknown[] {
  if (!path.endsWith('/dns_records/batch')) return [];
  const { puts = [], posts = [] } = body as { puts?: unknown[]; posts?: unknown[] };
  return [...puts, ...posts];
}

function faultOfTexts({ parameters = [] }: Operation, where: Parameter['in'], values: object): string {
  const described = parameters.filter((parameter) => parameter.in === where);
  const schema = {
    type: 'object',
    properties: Object.fromEntries(described.map(({ name, schema }) => [name, schema])),
    required: described.filter(({ required }) => required).map(({ name }) => name),
    additionalProperties: false,
  };
  return texts.validate(schema, { ...values }) ? '' : `${where}: ${texts.errorsText()}`;
}

function faultOfBody(operation: Operation | undefined, body: unknown): string {
  const { required = false, content } = operation?.requestBody ?? {};
  const schema = content?.['application/json']?.schema;
  if (body === undefined) return required ? 'a body is required' : '';
  if (schema === undefined) return 'a body is not described';
  return bodies.validate(schema, body) ? '' : `body: ${bodies.errorsText()}`;
}
