import { registrySuffix } from '../../lib/zone-name.ts';
import type { Money } from '../provider.ts';
import { findAll, type Element } from '../xml.ts';
import { isTrue, type Client } from './namecheap-client.ts';
import { Amount, amountOf, minorOf, money } from './values.ts';

/** The currency of prices that name none, and of charges. */
export const CURRENCY = 'USD';

/** Splits a name before its public suffix, as the API wants it. */
export function partsOf(name: string): { SLD: string; TLD: string } {
  const suffix = registrySuffix(name) ?? name.slice(name.indexOf('.') + 1);
  return { SLD: name.slice(0, -suffix.length - 1), TLD: suffix };
}

/** A price of a year, and the fee that is charged with it. */
export interface YearPrice {
  price: Money;
  fee: string;
}

const isCalled = ({ attributes: { Name = '' } }: Element, name: string): boolean =>
  Name.toLowerCase() === name.toLowerCase();

/** The prices of an action for a top-level domain: an answer may hold those of other products and actions. */
function pricesOf(answer: Element, action: string, tld: string): Element[] {
  const categories = findAll(answer, 'ProductCategory');
  const rooms = categories.length === 0 ? [answer] : categories.filter((one) => isCalled(one, action));
  return rooms
    .flatMap((room) => findAll(room, 'Product'))
    .filter((product) => isCalled(product, tld))
    .flatMap((product) => findAll(product, 'Price'));
}

/** Returns the price of a year of a name's top-level domain for this account. */
export async function readPrice(client: Client, action: 'REGISTER' | 'RENEW', name: string): Promise<YearPrice | null> {
  const { TLD } = partsOf(name);
  const answer = await client.ask('users.getPricing', { ProductType: 'DOMAIN', ActionName: action, ProductName: TLD });
  const year = pricesOf(answer, action, TLD).find(
    ({ attributes: { Duration, DurationType = 'YEAR' } }) => Duration === '1' && DurationType.toUpperCase() === 'YEAR',
  );
  const { YourPrice, Price, YourAdditonalCost, AdditionalCost, Currency = CURRENCY } = year?.attributes ?? {};
  const amount = Amount.safeParse(YourPrice ?? Price);
  // The service writes the first of the two with this fault.
  const fee = Amount.safeParse(YourAdditonalCost ?? AdditionalCost);
  return amount.success ? { price: money(amount.data, Currency), fee: fee.data ?? '0' } : null;
}

/** The amount of an attribute, in minor units; 0 where there is none. */
const minorIn = (text: string | undefined): number => minorOf(Amount.safeParse(text).data ?? '0');

/**
 * Adds the fees that the price of a year leaves out: that of ICANN, which is told beside the price, beside the name, or at both,
 * and is one fee; and that of an early access to a new top-level domain.
 */
export function withFees(
  year: YearPrice | null,
  { IcannFee, EapFee }: Readonly<Record<string, string>> = {},
): Money | null {
  if (!year) return null;
  const { price, fee } = year;
  const fees = Math.max(minorOf(fee), minorIn(IcannFee)) + minorIn(EapFee);
  return fees === 0 ? price : money(amountOf(minorOf(price.amount) + fees), price.currency);
}

/** The price of a name: a premium name has one of its own. */
export function priceOf(year: YearPrice | null, attributes: Readonly<Record<string, string>>): Money | null {
  if (!isTrue(attributes['IsPremiumName'])) return withFees(year, attributes);
  const premium = Amount.safeParse(attributes['PremiumRegistrationPrice']);
  return premium.success ? withFees({ price: money(premium.data, CURRENCY), fee: '0' }, attributes) : null;
}
