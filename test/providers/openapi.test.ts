import { expect, test } from 'vitest';
import { faultOfRequest } from './openapi.ts';

const request = { method: 'GET', path: '/zones', query: {}, body: undefined };

test.for([
  [{ ...request, query: { page: '2', per_page: '50' } }, /^$/],
  [{ ...request, path: `/zones/${'a'.repeat(32)}/settings/ech` }, /^$/],
  [{ ...request, path: '/zones/a/b/c' }, 'GET /zones/a/b/c is not described'],
  [{ ...request, method: 'DELETE' }, 'DELETE /zones is not described'],
  [{ ...request, path: `/zones/${'a'.repeat(33)}` }, /path: .*32/],
  [{ ...request, query: { per_page: '51' } }, /query: .*50/],
  [{ ...request, query: { nmae: 'a' } }, /query: .*additional/],
  [{ ...request, method: 'POST' }, /a body is required/],
  [{ ...request, method: 'POST', body: { name: 'example.com' } }, /body: .*account/],
  [{ ...request, body: {} }, /a body is not described/],
  [
    { ...request, method: 'POST', path: '/zones/a/dns_records/batch', body: { puts: [{ id: 'a', type: 'X' }] } },
    /body: .*name/,
  ],
] as const)('%o', ([request, fault]) => {
  expect(faultOfRequest(request)).toMatch(fault);
});
