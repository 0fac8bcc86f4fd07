// A zone has redirects that are alike: the one that was deleted is given back, and deleted again, whatever stands beside it.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startCdn, type Cdn } from '../../support/cdn.ts';

let cdn: Cdn;
let id: number;
const AT = '2026-01-01T00:00:00Z';
const redirect = (ref: string, description: string, preserve_query_string: boolean) => ({
  id: ref.padEnd(32, '0'),
  ref,
  description,
  enabled: true,
  action: 'redirect',
  expression: '(http.host eq "two.com")',
  action_parameters: {
    from_value: { status_code: 301, target_url: { value: 'https://x.com/' }, preserve_query_string },
  },
  version: '1',
  last_updated: AT,
});

beforeEach(async () => {
  cdn = await startCdn();
  const zone = cdn.addZone('two.com', ['A @ 198.51.100.1']);
  zone.rulesets.push({
    id: 'a'.repeat(32),
    name: 'default',
    description: '',
    kind: 'zone',
    phase: 'http_request_dynamic_redirect',
    version: '1',
    last_updated: AT,
    rules: [redirect('aaa', 'first', true), redirect('bbb', 'second', false), redirect('ccc', 'third', true)],
  });
  id = await cdn.addDomain('two.com');
});
afterEach(() => cdn.close());

const rules = () => cdn.zone('two.com').rulesets[0]!.rules;
const refs = () => rules().map(({ ref, description }) => [ref, description]);

/** Deletes the rule at this place, and returns the operation. */
async function deleted(place: number): Promise<number> {
  const { result } = (await cdn.call(`GET /api/domain_page_rules/${id}`)).body.data;
  const ruleId = encodeURIComponent(result[place].id);
  return (await cdn.call(`DELETE /api/domain_page_rules/${id}/${ruleId}`)).body.operation.id;
}
const givenBack = async (operation: number) =>
  cdn.ended((await cdn.call(`POST /api/operations/${operation}/restore`, {})).body.operation.id);

const ALL = [
  ['aaa', 'first'],
  ['bbb', 'second'],
  ['ccc', 'third'],
];

test.for([0, 1, 2])(
  'the redirect at place %i comes back beside those that are alike, and is deleted again',
  async (at) => {
    const operation = await deleted(at);
    const left = ALL.filter((_, place) => place !== at);
    expect(refs()).toEqual(left);
    expect(await givenBack(operation)).toMatchObject({ state: 'succeeded', counts: { done: 1, noop: 0 } });
    expect(refs()).toEqual(ALL);
    await cdn.call(`POST /api/operations/${operation}/retry`, {});
    expect(await cdn.ended(operation)).toMatchObject({ state: 'succeeded' });
    expect(refs()).toEqual(left);
  },
);

test('a redirect that somebody has made anew, and that does the same, is not made twice', async () => {
  const operation = await deleted(0);
  rules().push(redirect('ddd', 'made by hand', true));
  expect(await givenBack(operation)).toMatchObject({ state: 'succeeded', counts: { done: 0, noop: 1 } });
  expect(refs().map(([ref]) => ref)).toEqual(['bbb', 'ccc', 'ddd']);
});
