import { z } from 'zod';
import { scopeOf, type Route } from './route.ts';

interface NamedRoute {
  method: string;
  path: string;
  route: Route;
}

const ERRORS = {
  400: 'Malformed or invalid input',
  401: 'No token provided',
  403: 'Failed to authenticate token, or a valid token without the right',
  404: 'Unknown, or not the caller’s',
  405: 'No such method here; see Allow',
  409: 'Conflict',
  413: 'Too large',
  415: 'Wrong content type',
  421: 'The server is not known by this name',
  422: 'Well-formed, but what it names can’t be used',
  429: 'Too many requests; see Retry-After',
  500: 'A fault of the server; the answer has its number',
  502: 'An outside service failed',
  503: 'Not now, or not configured',
};

const CONTENT = { json: 'application/json', events: 'text/event-stream', file: 'application/octet-stream' };

const errorContent = { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } };

interface ObjectSchema {
  properties?: Record<string, object>;
}

const shapeOf = (schema: z.ZodType): ObjectSchema =>
  z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as ObjectSchema;

function requestBody({ body, files }: Route): object | undefined {
  if (!body) return undefined;
  const schema = shapeOf(body);
  const content: Record<string, object> = { 'application/json': { schema } };
  if (files.length > 0) {
    const parts = Object.fromEntries(files.map((name) => [name, { type: 'string', format: 'binary' }]));
    content['multipart/form-data'] = { schema: { ...schema, properties: { ...schema.properties, ...parts } } };
  }
  return { content };
}

function parameters(path: string, { query }: Route): object[] {
  const inPath = [...path.matchAll(/[:*](\w+)/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    schema: /id$/i.test(name) ? { type: 'integer', minimum: 1 } : { type: 'string' },
  }));
  const properties: Record<string, object> = (query && shapeOf(query).properties) ?? {};
  return [
    ...inPath,
    ...Object.entries(properties).map(([name, schema]) => ({ name, in: 'query', required: false, schema })),
  ];
}

function operation(method: string, path: string, route: Route): object {
  const failures = Object.entries(ERRORS).map(([status, description]) => [
    status,
    { description, content: errorContent },
  ]);
  const body = requestBody(route);
  return {
    summary: route.summary,
    ...(route.access === 'anyone' ? { security: [] } : {}),
    'x-access': route.access,
    ...(route.access === 'anyone' ? {} : { 'x-token-scope': scopeOf(method, route) }),
    parameters: parameters(path, route),
    ...(body ? { requestBody: body } : {}),
    responses: {
      200: { description: 'Done', content: { [CONTENT[route.answer]]: {} } },
      ...Object.fromEntries(failures),
    },
  };
}

/** Builds the contract as OpenAPI 3.1, from the schemas that validate the requests. */
export function openApi(table: readonly NamedRoute[], version: string): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const { method, path, route } of table) {
    const key = path.replace(/[:*](\w+)/g, '{$1}');
    paths[key] = { ...paths[key], [method.toLowerCase()]: operation(method, path, route) };
  }
  return {
    openapi: '3.1.0',
    info: { title: 'seo-admin', version },
    servers: [{ url: '/' }],
    security: [{ token: [] }],
    paths,
    components: {
      securitySchemes: { token: { type: 'apiKey', in: 'header', name: 'Authorization' } },
      schemas: {
        Error: {
          type: 'object',
          required: ['error', 'code'],
          properties: {
            error: { type: 'string' },
            code: { type: 'string' },
            fields: { type: 'object', additionalProperties: { type: 'string' } },
          },
        },
      },
    },
  };
}
