import { config } from '../../lib/config.ts';
import { asAppError } from '../../operations/failure.ts';
import { ProviderError } from '../../providers/provider-error.ts';
import type { Call } from '../../providers/provider.ts';
import { registrarOf } from '../../providers/registrars.ts';
import { factsOf, isRegistrarType, type RegistrarType } from '../../shared/accounts/registrar-types.ts';
import { AppError } from '../../shared/errors.ts';
import type { Message } from '../../shared/i18n/index.ts';
import { lackOf } from './registrar-settings.ts';
import { balanceTested, PATIENCE_MS, type Balance, type Login, type Tested, type Tester } from './tester.ts';

const ADDRESS = /\b\d{1,3}(?:\.\d{1,3}){3}\b/;

/** Returns the result for an error. An address that is not on the service's list is the usual one: it is told. */
function failed(error: unknown, type: RegistrarType, clientIp: string, signal: AbortSignal): Tested<Balance> {
  if (signal.aborted) return balanceTested('provider_unavailable', { key: 'registrar.slow', params: { type } }, null);
  if (error instanceof ProviderError && error.reason === 'address') {
    const address = ADDRESS.exec(error.message)?.[0] ?? clientIp;
    const key = address === '' ? 'registrar.address' : 'registrar.address_known';
    return balanceTested('address_not_allowed', { key, params: { type, address } }, null);
  }
  const known = asAppError(error);
  if (!(known instanceof AppError)) throw error;
  return balanceTested(known.code, { key: known.key, params: known.params }, null);
}

/** The warnings about a type: what it can't do, and that its adapter was not verified live. */
function limitsOf(type: RegistrarType): Message[] {
  const { sells, verified } = factsOf(type);
  return [
    ...(sells ? [] : [{ key: 'registrar.sells_nothing' } as const]),
    ...(verified ? [] : [{ key: 'registrar.unverified' } as const]),
  ];
}

/** Returns what throws a registrar's failure to its caller: that it is slow, once `signal` has ended the wait for it. */
export const registrarFailure =
  (type: RegistrarType, signal: AbortSignal) =>
  (error: unknown): never => {
    if (!signal.aborted) throw asAppError(error);
    throw new AppError('upstream', 'registrar.slow', { type }, { code: 'provider_unavailable', cause: error });
  };

/** Returns the call options of a type: its address and pace, unless the type's own stand. */
export function callOf(type: RegistrarType, signal?: AbortSignal): Call {
  const { registrarUrls, registrarPace: pace } = config();
  const url = registrarUrls[type];
  return { ...(signal && { signal }), ...(url !== undefined && { url }), ...(pace && { pace }) };
}

/** Tests a login by reading only, and reads its balance. */
async function test({ fields, secret }: Login): Promise<Tested<Balance>> {
  const { type = '' } = fields;
  const registrar = registrarOf(type);
  if (!registrar || !isRegistrarType(type)) throw new AppError('invalid', 'registrars.type_unknown');
  const lack = lackOf(type, fields);
  if (lack) return balanceTested('not_configured', lack, null);
  const signal = AbortSignal.timeout(PATIENCE_MS);
  const login = { ...fields, password: secret() };
  try {
    const call = callOf(type, signal);
    await registrar.testLogin(login, call);
    const balance = (await registrar.readBalance?.(login, call)) ?? null;
    const also = limitsOf(type);
    const message: Message = balance
      ? { key: 'registrar.works_with', params: { balance: balance.amount, currency: balance.currency } }
      : { key: 'registrar.works' };
    return balanceTested(null, also.length > 0 ? { ...message, also } : message, balance);
  } catch (error) {
    return failed(error, type, fields['client_ip'] ?? '', signal);
  }
}

export const registrarTester: Tester<Balance> = { test };
