import type { Kind } from '../../shared/accounts/kinds.ts';
import type { AccountNoun } from '../../shared/accounts/screens.ts';
import { cloudflareTester } from './cloudflare-test.ts';
import { registrarTester } from './registrar-test.ts';
import { arsenkinTester, xmlriverTester } from './search-test.ts';
import { serverTester } from './server-test.ts';
import type { Tester } from './tester.ts';

/** The tester of each kind. */
export const TESTERS = {
  cloudflare: cloudflareTester,
  server: serverTester,
  registrar: registrarTester,
  xmlriver: xmlriverTester,
  arsenkin: arsenkinTester,
} satisfies Record<AccountNoun, Tester>;

/** Returns the tester of a kind. */
export const testerOf = ({ noun }: Kind): Tester => TESTERS[noun];

type DetailsBy<T> = T extends Tester<infer Details> ? Details : never;

/** The fields that the answer of a test has for a kind alone. */
export type DetailsOf<Noun extends AccountNoun> = DetailsBy<(typeof TESTERS)[Noun]>;
