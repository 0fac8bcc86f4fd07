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
// Two shapes of a membership overlap, so that no answer is exactly one of them.
// A missing right to make zones has the code 0, where the description knows none below 1000.
const text = readFileSync(file, 'utf8')
  .replaceAll('"oneOf"', '"anyOf"')
  .replaceAll(/"minimum":\s*1000\b/g, '"minimum": 0');
const contract = JSON.parse(text) as Contract;

// `nullable` and `example` are OpenAPI's own; the description has formats and unions that strict mode warns of.
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
 * What is wrong with an answer by Cloudflare's own description; an empty text where nothing is. Refusals are looked at by
 * the envelope of `GET /zones`: those of some calls are described as a success and a failure at once.
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
