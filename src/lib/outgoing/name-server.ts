import { AppError } from '../../shared/errors.ts';
import { isIP } from './ip-version.ts';

/**
 * Returns the `address:port` of a name server as c-ares takes it. The default port is 53; an IPv6 address with a port must be
 * in brackets. Throws AppError `invalid` for anything else.
 */
export function parseDnsServer(text: string): string {
  const value = text.trim();
  const [, bracketed, plain, port = '53'] = /^(?:\[(.+)\]|([^:]+))(?::(\d{1,5}))?$/.exec(value) ?? [];
  const address = bracketed ?? plain ?? value;
  const version = isIP(address);
  const fits = bracketed === undefined ? version !== 0 : version === 6;
  if (!fits || Number(port) < 1 || Number(port) > 65_535) throw new AppError('invalid', 'health.dns_server', { value });
  return version === 6 ? `[${address}]:${port}` : `${address}:${port}`;
}
