/** An account that receives the money of a method. */
export type Account = {
  code: string;
  name: string;
  bin?: string;
  number: string;
  holder: string;
  city?: string;
};

/** A payment method for deposits. Amounts are in the unit of the currency. */
export type Method = {
  id: string;
  code: string;
  kind: string;
  currency: string;
  scheme?: string;
  name: string;
  min: number;
  max: number;
  fee: number;
  /** A fraction: 0.01 is one percent. */
  feeRate: number;
  opensAt: string;
  closesAt: string;
  minutes: number;
  accounts: readonly Account[] | null;
  sorting: number;
  enabled: boolean;
  status: string;
  version: number;
};

/** The values of the form. Numbers are text until they are sent. */
export type MethodDraft = {
  code: string;
  kind: string;
  currency: string;
  scheme: string;
  name: string;
  min: string;
  max: string;
  fee: string;
  feeRate: string;
  opensAt: string;
  closesAt: string;
  minutes: string;
  accounts: readonly Account[];
  sorting: string;
  enabled: boolean;
};

export const emptyAccount: Account = {
  code: '',
  name: '',
  bin: '',
  number: '',
  holder: '',
  city: '',
};

/** The payment code standard of each currency. The other currencies have none. */
export const schemes: Record<string, string> = { VND: 'vietqr', BRL: 'pix', PKR: 'raast' };

/** Returns the fields of a method that follow from its currency. */
export function ofCurrency(
  currency: string,
  kind = 'qr',
): Pick<MethodDraft, 'currency' | 'kind' | 'scheme'> {
  const scheme = schemes[currency] ?? '';
  return { currency, scheme, kind: scheme ? kind : 'mt' };
}

export const emptyMethod = (currency: string): MethodDraft => ({
  code: '',
  ...ofCurrency(currency),
  name: '',
  min: '',
  max: '',
  fee: '0',
  feeRate: '0',
  opensAt: '00:00',
  closesAt: '00:00',
  minutes: '30',
  accounts: [emptyAccount],
  sorting: '100',
  enabled: true,
});

export const draftOf = (method: Method): MethodDraft => ({
  code: method.code,
  kind: method.kind,
  currency: method.currency,
  scheme: method.scheme ?? '',
  name: method.name,
  min: String(method.min),
  max: String(method.max),
  fee: String(method.fee),
  feeRate: String(method.feeRate),
  opensAt: method.opensAt,
  closesAt: method.closesAt,
  minutes: String(method.minutes),
  accounts: method.accounts ?? [],
  sorting: String(method.sorting),
  enabled: method.enabled,
});

/** Returns the names of fields whose text is not a number. */
export function wrongNumbers(draft: MethodDraft): string[] {
  const amounts = (['min', 'max', 'fee', 'feeRate'] as const).filter(
    (name) => !/^\d+(\.\d+)?$/.test(draft[name].trim()),
  );
  const counts = (['minutes', 'sorting'] as const).filter(
    (name) => !/^\d+$/.test(draft[name].trim()),
  );
  return [...amounts, ...counts];
}

/** Returns the body of a request, without the fields that cannot change. */
export const bodyOf = (draft: MethodDraft): object => ({
  ...(draft.scheme && { scheme: draft.scheme }),
  name: draft.name.trim(),
  min: Number(draft.min),
  max: Number(draft.max),
  fee: Number(draft.fee),
  feeRate: Number(draft.feeRate),
  opensAt: draft.opensAt,
  closesAt: draft.closesAt,
  minutes: Number(draft.minutes),
  accounts: draft.accounts.map(({ bin, city, ...account }) => ({
    ...account,
    ...(bin && { bin }),
    ...(city && { city }),
  })),
  sorting: Number(draft.sorting),
  enabled: draft.enabled,
});
