import { readFileSync } from 'node:fs';
import { Ajv, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';

interface Operation {
  responses: Record<string, { content?: Record<string, { schema: object }> }>;
}
interface Contract {
  paths: Record<string, Record<string, Operation>>;
}

const file = new URL('../providers/cloudflare-openapi.json', import.meta.url);
// `oneOf` never matches a membership, whose two schemas overlap.
// A missing right to create zones has the code 0, while the description has no codes below 1000.
const text = readFileSync(file, 'utf8')
  .replaceAll('"oneOf"', '"anyOf"')
  .replaceAll(/"minimum":\s*1000\b/g, '"minimum": 0');
const contract = JSON.parse(text) as Contract;

// Not strict: `nullable` and `example` are OpenAPI keywords, and strict mode warns of some formats and unions.
const ajv = new Ajv({ strict: false, allErrors: true });
addFormats.default(ajv);
ajv.addSchema(contract, 'cloudflare');

const paths = Object.keys(contract.paths)
  .toSorted((a, b) => a.split('{').length - b.split('{').length)
  .map((path) => ({ path, pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`) }));
const validators = new Map<string, ValidateFunction>();

const pointer = (...keys: string[]): string =>
  keys.map((key) => `/${encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1'))}`).join('');

function validatorOf(path: string, method: string, status: string): ValidateFunction {
  const at = `cloudflare#${pointer('paths', path, method, 'responses', status, 'content', 'application/json', 'schema')}`;
  const known = validators.get(at) ?? ajv.compile({ $ref: at });
  validators.set(at, known);
  return known;
}

/**
 * Returns the faults of an answer against Cloudflare's own description; an empty text where there are none. Refusals are checked
 * against the envelope of `GET /zones`, as some calls describe theirs as a success and a failure at once.
 */
export function faultOfAnswer(method: string, path: string, status: number, body: unknown): string {
  const known = paths.find(({ path: template, pattern }) => {
    return pattern.test(path) && contract.paths[template]?.[method.toLowerCase()] !== undefined;
  });
  if (!known) return `${method} ${path} is not described`;
  if (status === 204) return '';
  const validate =
    status < 300 ? validatorOf(known.path, method.toLowerCase(), '200') : validatorOf('/zones', 'get', '4XX');
  return validate(body) ? '' : `${method} ${path}: ${ajv.errorsText(validate.errors)}`;
}
