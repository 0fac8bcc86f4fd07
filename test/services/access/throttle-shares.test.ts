// How the tries of a login are shared: by networks of strangers, known networks and devices.
import { expect, test } from 'vitest';
import { transaction } from '../../../db/index.ts';
import { noteSignIn } from '../../../src/services/access/sign-in-networks.ts';
import { claimAttempt } from '../../../src/services/access/throttle.ts';
import { insertUser } from '../../../src/services/access/users.ts';
import { guess, guesses, pass, SECOND, secondsOf, zeros, useThrottle } from './throttle-world.ts';

useThrottle();

test('of the twenty tries the last eight are for networks that have had one at most', async () => {
  const heavy = '198.51.100.30';
  const turn = async (address: string): Promise<number> => {
    const wait = await guess('crowded-login', address);
    pass(wait * SECOND);
    return wait === 0 ? 0 : guess('crowded-login', address);
  };
  for (let turns = 0; turns < 12; turns += 1) expect(await turn(heavy)).toBe(0);
  expect(await turn(heavy)).toBe(15);
  for (const address of ['198.51.100.31', '198.51.100.32', '198.51.100.33', '198.51.100.34']) {
    expect([await turn(address), await turn(address)]).toEqual([0, 0]);
    expect(await turn(address)).toBe(15);
  }
  expect(await guess('crowded-login', '198.51.100.35')).toBeGreaterThan(15);
});

test('a login has five separate tries from networks where it has signed in before, and five more by its devices', async () => {
  const id = await transaction(() => insertUser({ login: 'owner', role: 'user' }, 'no hash'));
  const homes = ['192.0.2.11', '192.0.2.12', '192.0.2.13'];
  for (const home of homes) await transaction(() => noteSignIn({ id, login: 'owner' }, home));
  expect(await guesses(11, 'owner', (index) => `203.0.113.${index}`)).toEqual([...zeros(10), 15]);
  expect(await guesses(3, 'owner', () => homes[0]!)).toEqual(zeros(3));
  expect(await guesses(3, 'owner', () => homes[1]!)).toEqual([...zeros(2), 15]);
  expect(await guess('owner', homes[2]!)).toBe(15);
  const byDevice = (): Promise<number> => claimAttempt('owner', homes[2]!, 'wrong', true).then(() => 0, secondsOf);
  for (let tries = 0; tries < 5; tries += 1) expect(await byDevice()).toBe(0);
  expect(await byDevice()).toBe(15);
});

test('of the tries of known networks three from one are let in without a wait, and two more with a password that has waited', async () => {
  const id = await transaction(() => insertUser({ login: 'homely', role: 'user' }, 'no hash'));
  const home = '192.0.2.14';
  await transaction(() => noteSignIn({ id, login: 'homely' }, home));
  await guesses(10, 'homely', (index) => `203.0.113.${index}`);
  expect(await guesses(2, 'homely', () => '203.0.113.99')).toEqual([15, 15]);
  const turn = (password: string): Promise<number> => claimAttempt('homely', home, password).then(() => 0, secondsOf);
  for (const password of ['one', 'two', 'three']) expect(await turn(password)).toBe(0);
  for (const password of ['four', 'five']) {
    expect(await turn(password)).toBe(15);
    pass(15 * SECOND);
    expect(await turn(password)).toBe(0);
  }
});
