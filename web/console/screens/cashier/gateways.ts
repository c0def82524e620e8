export type Difference = {
  reference: string;
  here: string;
  there: string;
  amount: string;
  text: string;
};

/** A comparison of a gateway's payments and payouts with the deposits and withdrawals here. */
type Reconciliation = {
  at: number;
  since: number;
  checked: number;
  differences: readonly Difference[];
};

export type Gateway = {
  id: string;
  code: string;
  name: string;
  url: string;
  currencies: readonly string[];
  min: number;
  max: number;
  keys: number;
  status: string;
  createdAt: number;
  version: number;
  reconciliation: Reconciliation | null;
};

export const gatewaysPath = '/ops/v1/gateways';

export type GatewayDraft = { name: string; url: string; min: string; max: string };

const isAmount = (text: string): boolean => /^\d+(\.\d+)?$/.test(text.trim());

export const isGatewayDraft = ({ name, url, min, max }: GatewayDraft): boolean =>
  name.trim() !== '' && /^https?:\/\/./.test(url.trim()) && isAmount(min) && isAmount(max);

export const gatewayBody = ({ name, url, min, max }: GatewayDraft): object => ({
  name: name.trim(),
  url: url.trim(),
  min: Number(min),
  max: Number(max),
});
