import { useObject } from '../../object/useObject.ts';

/** The currencies of payment methods and gateways. */
export const currencies = ['CNY', 'VND', 'USD', 'PKR', 'BRL'];

/** Reads the currency of the site, which new methods and gateways start with. */
export const useSiteCurrency = () => useObject<{ currency: string }>('/ops/v1/first-steps');
