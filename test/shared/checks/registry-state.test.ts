import { describe, expect, test } from 'vitest';
import { registryStateOf, type RegistryState } from '../../../src/shared/checks/registry-state.ts';

describe('the state of a registration', () => {
  test.each<[string[], RegistryState]>([
    [['active'], 'ok'],
    [['REGISTERED', 'DELEGATED', 'VERIFIED'], 'ok'],
    [['clientTransferProhibited', 'autoRenewPeriod'], 'ok'],
    [['REGISTERED', 'NOT DELEGATED', 'UNVERIFIED'], 'not_delegated'],
    [['inactive'], 'not_delegated'],
    [['clientHold'], 'hold'],
    [['server hold', 'client transfer prohibited'], 'hold'],
    [['redemptionPeriod', 'pendingDelete'], 'redemption'],
    [['pending delete', 'redemption period', 'client hold'], 'redemption'],
    [['pending delete'], 'pending_delete'],
    [['pendingDelete'], 'pending_delete'],
    [[], 'ok'],
  ])('of the statuses %j is %s', (statuses, state) => {
    expect(registryStateOf({ state: 'registered', statuses })).toBe(state);
  });

  test('of a name that nobody has is free, whatever else is told', () => {
    expect(registryStateOf({ state: 'free', statuses: ['active'] })).toBe('free');
  });
});
