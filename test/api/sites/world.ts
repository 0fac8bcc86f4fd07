// Shared parts of the tests of sites: a server, a user with a template, and a page.
import { zipSync, strToU8 } from 'fflate';
import { afterAll, beforeAll } from 'vitest';
import {
  createPerson,
  form,
  request,
  startServer,
  type Answer,
  type Person,
  type TestServer,
} from '../../support/server.ts';
import { newName } from '../calls.ts';

/** The server of the test file. */
export let server: TestServer;
let owner: Person;
/** The template of `owner`. */
export let template: number;

/** A page with a title, a description and a text. */
export const PAGE =
  '<html><head><title>Казино</title><meta name="description" content="Лучшее"></head><body><p>Привет</p></body></html>';
/** A page as a file of a form. */
export const html = (content: string | Uint8Array<ArrayBuffer> = PAGE, name = 'page.html') =>
  new File([content], name, { type: 'text/html' });

/** Makes a call as a user. */
export const ask = (call: string, body?: unknown, { token }: Person = owner): Promise<Answer> =>
  request(server, call, { token, ...(body === undefined ? {} : { body }) });

/** Makes a template whose files name its version. */
export async function makeTemplate(version: string): Promise<number> {
  const zip = zipSync({
    'index.html': strToU8(
      `<title>TITLE</title><meta name="description" content="DESCRIPTION"><h1>SITE_URL ${version}</h1>BODY`,
    ),
    'css/main.css': strToU8(`/* ${version} */`),
  });
  const body = form({ name: newName(), template_file: new File([zip], 'site.zip') });
  const answer = await ask('POST /api/templates', body);
  if (answer.status !== 200) throw new Error(answer.text);
  return answer.body.data.id;
}

/** Starts the server and makes the template before the tests of a file. */
export function useSites(): void {
  beforeAll(async () => {
    server = await startServer();
    owner = await createPerson(server);
    template = await makeTemplate('one');
  });
  afterAll(() => server.close());
}
