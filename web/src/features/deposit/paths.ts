export const formPath = '/m/voucherCenter';
export const historyPath = '/m/voucherCenter?view=history';
export const orderPath = (id: string): string =>
  `/m/voucherCenter?deposit=${encodeURIComponent(id)}`;
