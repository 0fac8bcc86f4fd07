// The limits of the throttle, each checked at the exact try and millisecond where it begins and ends.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { transaction } from '../../../db/index.ts';
import { hashPassword, usualLookMs } from '../../../src/lib/password.ts';
import { noteSignIn } from '../../../src/services/access/sign-in-networks.ts';
import { claimAttempt, claimCode, networkOf } from '../../../src/services/access/throttle.ts';
import { useThrottleClock } from '../../../src/services/access/throttle-store.ts';
import { insertUser } from '../../../src/services/access/users.ts';
import { guess, guesses, pass, SECOND, secondsOf, zeros, useThrottle } from './throttle-world.ts';

useThrottle();
const WINDOW = 15 * 60 * SECOND;

test('a login has five tries from one network, and then one after each wait of 15 s', async () => {
  const address = '192.0.2.1';
  expect(await guesses(6, 'pair', () => address)).toEqual([...zeros(5), 15]);
  // `Retry-After` is rounded up to full seconds.
  pass(SECOND - 1);
  expect(await guess('pair', address)).toBe(15);
  pass(14 * SECOND);
  expect(await guess('pair', address)).toBe(1);
  pass(1);
  expect(await guess('pair', address)).toBe(0);
  expect(await guess('pair', address)).toBe(15);
});

test('a wait expires a minute after it was due, and begins anew', async () => {
  const refused = async (login: string): Promise<void> => {
    expect(await guesses(6, login, () => '192.0.2.2')).toEqual([...zeros(5), 15]);
  };
  await refused('prompt');
  await refused('late');
  pass(75 * SECOND - 1);
  expect(await guess('prompt', '192.0.2.2')).toBe(0);
  pass(1);
  expect(await guess('late', '192.0.2.2')).toBe(15);
});

test('a try counts for exactly 15 minutes', async () => {
  for (const login of ['early', 'later']) await guesses(5, login, () => '192.0.2.3');
  pass(WINDOW - 1);
  expect(await guess('early', '192.0.2.3')).toBe(15);
  pass(1);
  expect(await guess('later', '192.0.2.3')).toBe(0);
});

test('a login has ten tries over all networks, then each network one after a wait of its own, and twenty in all', async () => {
  const address = (index: number): string => `198.51.100.${index}`;
  expect(await guesses(12, 'known', address)).toEqual([...zeros(10), 15, 15]);
  pass(15 * SECOND - 1);
  expect(await guess('known', address(10))).toBe(1);
  pass(1);
  // Nobody takes another network's turn.
  expect(await guess('known', address(10))).toBe(0);
  expect(await guess('known', address(11))).toBe(0);
  for (let index = 12; index < 20; index += 1) {
    expect(await guess('known', address(index))).toBe(15);
    pass(15 * SECOND);
    expect(await guess('known', address(index))).toBe(0);
  }
  // The first tries were made 135 s ago.
  expect(await guess('known', address(20))).toBe(900 - 135);
});

test('a network has thirty tries over all logins', async () => {
  const waits: number[] = [];
  for (let index = 0; index < 31; index += 1) waits.push(await guess(`visitor-${index}`, '192.0.2.4'));
  expect(waits).toEqual([...zeros(30), 15]);
});

test('a right password beside thirty wrong ones leaves these counted for the network', async () => {
  const address = '192.0.2.39';
  const id = await transaction(() => insertUser({ login: 'beside', role: 'user' }, 'no hash'));
  await transaction(() => noteSignIn({ id, login: 'beside' }, address));
  for (let index = 0; index < 30; index += 1) expect(await guess(`wrong-${index}`, address)).toBe(0);
  for (let index = 0; index < 3; index += 1) await (await claimAttempt('beside', address)).forgive();
  expect(await guess('stranger', address)).toBe(15);
});

test('the try of a known network counts as none of a stranger to the last millisecond of their wait', async () => {
  const id = await transaction(() => insertUser({ login: 'edge', role: 'user' }, 'no hash'));
  await transaction(() => noteSignIn({ id, login: 'edge' }, '192.0.2.45'));
  expect(await guesses(11, 'edge', (index) => `198.51.100.${index}`)).toEqual([...zeros(10), 15]);
  expect(await guess('edge', '192.0.2.45')).toBe(0);
  pass(15 * SECOND - 1);
  expect(await guess('edge', '192.0.2.45')).toBe(0);
  pass(1);
  expect(await guess('edge', '198.51.100.10')).toBe(0);
});

test('a try for which no password would be verified in time is refused and does not count; one of a code is let in', async () => {
  // Twice as many as a sign-in waits for.
  const crowd = Array.from({ length: 16 }, () => hashPassword('x'));
  expect(await guess('crowded', '192.0.2.46')).toBe(3);
  expect(await claimCode('crowded', '192.0.2.46').then(() => 0, secondsOf)).toBe(0);
  await Promise.all(crowd);
  expect(await guesses(6, 'crowded', () => '192.0.2.46')).toEqual([...zeros(5), 15]);
});

test('a returned try counts neither for the login nor for the network', async () => {
  for (let round = 0; round < 6; round += 1) await (await claimAttempt('returned', '192.0.2.5')).giveBack();
  expect(await guesses(6, 'returned', () => '192.0.2.5')).toEqual([...zeros(5), 15]);
  for (let round = 0; round < 31; round += 1) await (await claimAttempt(`guest-${round}`, '192.0.2.6')).giveBack();
  expect(await guess('guest', '192.0.2.6')).toBe(0);
  for (let round = 0; round < 21; round += 1)
    await (await claimAttempt('roaming', `203.0.113.${100 + round}`)).giveBack();
  expect(await guess('roaming', '203.0.113.99')).toBe(0);
});

test('a right password ends a wait that began meanwhile', async () => {
  const address = '192.0.2.7';
  expect(await guesses(6, 'forgiven', () => address)).toEqual([...zeros(5), 15]);
  pass(15 * SECOND);
  const { forgive } = await claimAttempt('forgiven', address);
  expect(await guess('forgiven', address)).toBe(15);
  await forgive();
  pass(15 * SECOND);
  expect(await guesses(6, 'forgiven', () => address)).toEqual([...zeros(5), 15]);
});

test('a returned try leaves the others as they were', async () => {
  const address = '192.0.2.15';
  expect(await guesses(4, 'slow', () => address)).toEqual(zeros(4));
  await (await claimAttempt('slow', address)).giveBack();
  expect(await guesses(2, 'slow', () => address)).toEqual([0, 15]);
});

test('a right password lets in at once whom a refusal has told to wait', async () => {
  const address = '192.0.2.16';
  expect(await guesses(4, 'hasty', () => address)).toEqual(zeros(4));
  const { forgive } = await claimAttempt('hasty', address);
  expect(await guess('hasty', address)).toBe(15);
  await forgive();
  expect(await guess('hasty', address)).toBe(0);
});

test('the wait of a login that is tried from everywhere begins anew after a right password', async () => {
  const address = '192.0.2.17';
  await guesses(10, 'wanted', (index) => `198.51.100.${index}`);
  expect(await guess('wanted', address)).toBe(15);
  pass(15 * SECOND);
  const { forgive } = await claimAttempt('wanted', address);
  expect(await guess('wanted', address)).toBe(15);
  await forgive();
  pass(14 * SECOND);
  expect(await guess('wanted', address)).toBe(15);
});

test('who has used up his tries gets the same refusal for a second, without a look at them', async () => {
  const address = '192.0.2.18';
  let looks = 0;
  useThrottleClock(() => {
    looks += 1;
    return Date.now();
  });
  const looksFor = async (wait: number): Promise<number> => {
    looks = 0;
    expect(await guess('flood', address)).toBe(wait);
    return looks;
  };
  await guesses(6, 'flood', () => address);
  expect(await looksFor(15)).toBe(0);
  pass(SECOND - 1);
  expect(await looksFor(15)).toBe(0);
  pass(1);
  expect(await looksFor(14)).toBeGreaterThan(0);
  // The clock was set back.
  pass(-1);
  expect(await looksFor(15)).toBeGreaterThan(0);
});

test('a refusal takes as long as a password check, but comes at once where the login has used up its tries from that network', async () => {
  // Of two timers of the same length, the one that started first fires first.
  const first = (login: string, address: string): Promise<string> =>
    Promise.race([sleep(usualLookMs(), 'the look'), guess(login, address).then((wait) => `${wait} s`)]);
  await guesses(10, 'watched', (index) => `198.51.100.${index}`);
  expect(await first('watched', '198.51.100.10')).toBe('the look');
  await guesses(5, 'mistyped', () => '192.0.2.14');
  expect(await first('mistyped', '192.0.2.14')).toBe('15 s');
});

test('logins are distinguished by their first 65 characters, ignoring case', async () => {
  const long = 'x'.repeat(64);
  expect(await guesses(5, `${long}yA`, () => '192.0.2.8')).toEqual(zeros(5));
  expect(await guess(`${long.toUpperCase()}YB`, '192.0.2.8')).toBe(15);
  expect(await guess(`${long}z`, '192.0.2.8')).toBe(0);
});

test('codes have tries of their own, which no login that is typed uses up', async () => {
  for (const login of ['code\nowned', 'codeowned', '["code","owned"]']) await guesses(6, login, () => '192.0.2.70');
  expect(await claimCode('owned', '192.0.2.70').then(() => 0, secondsOf)).toBe(0);
});

test('an IPv4 address is a network of its own, also where it is written as IPv6', () => {
  const written = ['192.0.2.1', '::ffff:192.0.2.1', '::FFFF:c000:201', '0:0:0:0:0:ffff:192.0.2.1', '::ffff:192.0.2.2'];
  expect(written.map(networkOf)).toEqual(['192.0.2.1', '192.0.2.1', '192.0.2.1', '192.0.2.1', '192.0.2.2']);
  expect(networkOf('::fffe:192.0.2.1')).toBe('0:0:0:0::/64');
});

test('the network of an IPv6 address takes the groups after `::` into account', () => {
  expect(networkOf('2001::b:c:d:e:f')).toBe('2001:0:0:b::/64');
  expect(networkOf('::a:b:c:d:e:f')).toBe('0:0:a:b::/64');
  expect(networkOf('fe80::1%eth0')).toBe('fe80:0:0:0::/64');
  expect(networkOf('2001:db8::')).toBe('2001:db8:0:0::/64');
});
