export const formPath = '/m/withdraw';
export const historyPath = '/m/withdraw?view=history';
export const withdrawalPath = (id: string): string =>
  `/m/withdraw?withdrawal=${encodeURIComponent(id)}`;
export const cardsPath = '/m/member/bankCards';
export const newCardPath = '/m/member/bankCards?view=add';
/** Adding a card leads back to the withdrawal. */
export const cardForWithdrawalPath = `${newCardPath}&return=${encodeURIComponent(formPath)}`;
export const kycPath = '/m/member/kyc';
export const paymentPasswordPath = '/m/member/security?part=payment';
