// The functions that a merchant switches on, by the names that the wire has for them. Each stands here and nowhere
// else.

export const cashBackFlag = 'MANPLAYREB3';
export const chatFlag = 'CBS3';
export const facebookFlag = 'FACEBOOKLOGIN3';
export const googleFlag = 'GOOGLELOGIN3';
export const numberLoginFlag = 'MOBILEVERCODELOGIN3';

export const agentModule = 'AGEINFO3';
export const inboxModule = 'INBOX3';
export const mobileRegisterModule = 'MOBILENUMREG3';
export const numberCodeModule = 'REGMOBVERF3';
export const passwordModule = 'CHNGPASSVERIF3';
export const pictureModule = 'PROFPIC3';
export const profileModule = 'PERSPNL3';
export const registerModule = 'REG3';
export const transactionsModule = 'MEMTRANS3';
export const transferModule = 'FUNDTRANS3';
export const trialModule = 'FREEPLAY3';

export const referralPromotion = 'REFERRAL';
