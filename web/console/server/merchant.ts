// The merchant on whose data an operator of the whole installation works. Without one, the server uses its default merchant.

const storageKey = 'console.merchant';

/** Calls that do not belong to a merchant. They must work even if the stored merchant is gone. */
const unboundPaths = ['/ops/v1/session', '/ops/v1/merchants'];

export const chosenMerchant = (): string | null => sessionStorage.getItem(storageKey);

export function chooseMerchant(code: string | null): void {
  if (code === null) sessionStorage.removeItem(storageKey);
  else sessionStorage.setItem(storageKey, code);
}

/** Returns the header that names the chosen merchant in a request. */
export function merchantHeader(path: string): { Merchant?: string } {
  const code = chosenMerchant();
  const isUnbound = unboundPaths.some((unbound) => path.startsWith(unbound));
  return code === null || isUnbound ? {} : { Merchant: code };
}
