// Codes of the vendors that rules name. Each stands here and nowhere else.

/** Vendors that lead among the providers. JL is offered as a category as well. */
export const eg3 = 'EG3';
export const pg = 'PG';
export const fc = 'FC';
export const jl = 'JL';

/** Vendors whose games do not start by themselves. */
export const lottoVietnam = 'TCG_LOTTO_VN';
export const sea = 'TCG_SEA';
export const lottery = 'LOTT';
export const fastLottery = 'ELOTT';

/** Vendors that esports are divided by. */
export const imes = 'IMES';
export const sv3 = 'SV3';
export const av = 'AV';
