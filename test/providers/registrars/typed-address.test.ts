// The address of an API that a person has typed: the server must not be led into its own network by it.
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { ProviderError } from '../../../src/providers/provider-error.ts';
import { reghouse } from '../../../src/providers/registrars/reghouse.ts';
import { AT_ONCE, LOGIN } from '../../support/registrars/shops.ts';

test.each(['127.0.0.1', 'localhost', '[::1]'])('%s is refused before anything is sent', async (host) => {
  let calls = 0;
  const inside = createServer((_, response) => response.end(String(++calls)));
  inside.listen(0);
  await once(inside, 'listening');
  const { port } = inside.address() as AddressInfo;
  const login = { ...LOGIN, base_url: `http://${host}:${port}/api` };
  const error = await reghouse.testLogin(login, { pace: AT_ONCE }).catch((thrown: unknown) => thrown);
  inside.close();
  expect(error).toBeInstanceOf(ProviderError);
  expect(error).toMatchObject({ kind: 'refused', unsent: true });
  expect(calls).toBe(0);
});
