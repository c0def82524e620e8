import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';

import { chatRefusals } from './refusals-chat.ts';
import { depositRefusals } from './refusals-deposit.ts';
import { houseRefusals } from './refusals-house.ts';
import { limitRefusals } from './refusals-limits.ts';
import { lotteryRefusals } from './refusals-lottery.ts';
import { messageRefusals } from './refusals-message.ts';
import { playRefusals } from './refusals-play.ts';
import { promotionRefusals } from './refusals-promotion.ts';
import { streamRefusals } from './refusals-stream.ts';
import { withdrawRefusals } from './refusals-withdraw.ts';

const others: Readonly<Record<string, MessageDescriptor>> = {
  'request.too_large': msg({
    id: 'errors.request.too_large',
    message: 'What you sent is too large',
  }),
  'route.unknown': msg({
    id: 'errors.route.unknown',
    message: 'This function does not exist',
  }),
  'csrf.refused': msg({
    id: 'errors.csrf.refused',
    message: 'This request came from another site and was refused',
  }),
  'access.denied': msg({
    id: 'errors.access.denied',
    message: 'Account has no permission or feature temporarily unavailable',
  }),
  'module.off': msg({
    id: 'errors.module.off',
    message: 'This feature is switched off',
  }),
  'merchant.unknown': msg({
    id: 'errors.merchant.unknown',
    message: 'This site is not known to the system',
  }),
  'login.incorrect': msg({
    id: 'errors.login.incorrect',
    message: 'Username or password incorrect',
  }),
  'login.locked': msg({
    id: 'errors.login.locked',
    message: 'Account does not exist or is locked',
  }),
  'login.not_member': msg({
    id: 'errors.login.not_member',
    message: 'Non-member account unable to login',
  }),
  'member.unknown': msg({ id: 'errors.member.unknown', message: 'This account does not exist' }),
  'member.username_taken': msg({
    id: 'errors.member.username_taken',
    message: 'Username already exists',
  }),
  'member.username_format': msg({
    id: 'errors.member.username_format',
    message: 'Account format incorrect',
  }),
  'member.password_format': msg({
    id: 'errors.member.password_format',
    message: 'Password format incorrect',
  }),
  'member.password_common': msg({
    id: 'errors.member.password_common',
    message: 'This password is too common, choose another one',
  }),
  'money.overflow': msg({ id: 'errors.money.overflow', message: 'The amount is too large' }),
  'money.malformed': msg({ id: 'errors.money.malformed', message: 'The amount is not valid' }),
  'money.unknown_currency': msg({
    id: 'errors.money.unknown_currency',
    message: 'This currency is not supported',
  }),
  'ledger.malformed': msg({
    id: 'errors.ledger.malformed',
    message: 'This movement of money is not valid',
  }),
  'ledger.account_mismatch': msg({
    id: 'errors.ledger.account_mismatch',
    message: 'The two accounts do not fit together',
  }),
  'ledger.unknown_account': msg({
    id: 'errors.ledger.unknown_account',
    message: 'This wallet does not exist',
  }),
  'ledger.unknown_transfer': msg({
    id: 'errors.ledger.unknown_transfer',
    message: 'This transaction does not exist',
  }),
  'ledger.key_conflict': msg({
    id: 'errors.ledger.key_conflict',
    message: 'This transaction was already sent with other content',
  }),
  'ledger.settled': msg({
    id: 'errors.ledger.settled',
    message: 'This transaction is already settled',
  }),
  'ledger.tombstone': msg({
    id: 'errors.ledger.tombstone',
    message: 'This transaction was taken back before it came',
  }),
  'ledger.not_reversible': msg({
    id: 'errors.ledger.not_reversible',
    message: 'This transaction cannot be reversed',
  }),
  'ledger.row_refused': msg({
    id: 'errors.ledger.row_refused',
    message: 'This transaction contradicts an earlier one',
  }),
  'ledger.overflow': msg({
    id: 'errors.ledger.overflow',
    message: 'The wallet cannot hold such an amount',
  }),
  'ledger.bad_cursor': msg({
    id: 'errors.ledger.bad_cursor',
    message: 'This list has moved on, please reload it',
  }),
  'ledger.closed': msg({
    id: 'errors.ledger.closed',
    message: 'The wallet is closed for a moment, please try again',
  }),
  'ledger.unavailable': msg({
    id: 'errors.ledger.unavailable',
    message: 'The wallet cannot be reached, please try again',
  }),
  'ledger.unknown': msg({
    id: 'errors.ledger.unknown',
    message: 'The outcome is not known yet, please check your balance before trying again',
  }),
  'ledger.broken': msg({
    id: 'errors.ledger.broken',
    message: 'The wallet is being checked, please contact customer service',
  }),
  'catalogue.unknown_game': msg({
    id: 'errors.catalogue.unknown_game',
    message: 'This game does not exist or is no longer offered',
  }),
  'catalogue.too_many_favourites': msg({
    id: 'errors.catalogue.too_many_favourites',
    message: 'You have as many favourites as you can have: remove one first',
  }),
  'content.unknown': msg({
    id: 'errors.content.unknown',
    message: 'This announcement no longer exists',
  }),
  'blob.name': msg({ id: 'errors.blob.name', message: 'The file name is not valid' }),
  'blob.unknown': msg({ id: 'errors.blob.unknown', message: 'This file does not exist' }),
  'outside.failed': msg({
    id: 'errors.outside.failed',
    message: 'That way of logging in did not work, please try again',
  }),
  'outside.register': msg({
    id: 'errors.outside.register',
    message: 'You are not a member yet: agree to the terms to go on',
  }),
  'outside.unproved': msg({
    id: 'errors.outside.unproved',
    message: 'The phone number could not be confirmed',
  }),
  'login.not_agent': msg({ id: 'errors.login.not_agent', message: 'Non-agents cannot log in' }),
  'jwe.invalid': msg({
    id: 'errors.jwe.invalid',
    message: 'The request could not be read, please reload the page',
  }),
  'jwe.time': msg({
    id: 'errors.jwe.time',
    message: 'The clock of this device is wrong, please set it',
  }),
  'session.unknown': msg({ id: 'errors.session.unknown', message: 'This login is over already' }),
  'captcha.required': msg({ id: 'errors.captcha.required', message: 'Enter a captcha' }),
  'proof.required': msg({
    id: 'errors.proof.required',
    message: 'The security check in the background failed. Try again in a few minutes',
  }),
  'captcha.incorrect': msg({ id: 'errors.captcha.incorrect', message: 'Captcha incorrect' }),
  'challenge.required': msg({
    id: 'errors.challenge.required',
    message: 'Complete the slider check first',
  }),
  'challenge.invalid': msg({
    id: 'errors.challenge.invalid',
    message: 'The check has expired, please do it again',
  }),
  'challenge.missed': msg({
    id: 'errors.challenge.missed',
    message: 'Not quite, please try again',
  }),
  'verification.incorrect': msg({
    id: 'errors.verification.incorrect',
    message: 'Verification code incorrect',
  }),
  'verification.expired': msg({
    id: 'errors.verification.expired',
    message: 'This code is no longer valid, request a new one',
  }),
  'verification.unavailable': msg({
    id: 'errors.verification.unavailable',
    message: 'Codes cannot be sent right now, please try again later',
  }),
  'member.mobile_format': msg({
    id: 'errors.member.mobile_format',
    message: 'The mobile number is not valid',
  }),
  'member.email_format': msg({
    id: 'errors.member.email_format',
    message: 'E-mail format incorrect',
  }),
  'validation.required': msg({
    id: 'errors.validation.required',
    message: 'This field is required',
  }),
  'validation.enum': msg({ id: 'errors.validation.enum', message: 'Choose one of the options' }),
  'validation.length': msg({
    id: 'errors.validation.length',
    message: 'Must have exactly {len} characters',
  }),
  'validation.min': msg({
    id: 'errors.validation.min',
    message: 'Must have at least {min} characters',
  }),
  'validation.max': msg({
    id: 'errors.validation.max',
    message: 'Must have at most {max} characters',
  }),
  'validation.range': msg({
    id: 'errors.validation.range',
    message: 'Must have {min} to {max} characters',
  }),
  'validation.pattern': msg({
    id: 'errors.validation.pattern',
    message: 'The format is not correct',
  }),
  'validation.type': msg({
    id: 'errors.validation.type',
    message: 'This is not the right kind of value',
  }),
  'member.password_required': msg({
    id: 'errors.member.password_required',
    message: 'Enter password',
  }),
  'member.password_confirm': msg({
    id: 'errors.member.password_confirm',
    message: 'Confirmation password not matched',
  }),
  'member.password_same': msg({
    id: 'errors.member.password_same',
    message: 'The new password and the old password cannot be the same',
  }),
  'member.password_wrong': msg({
    id: 'errors.member.password_wrong',
    message: 'The password is not correct',
  }),
  'member.payment_password_format': msg({
    id: 'errors.member.payment_password_format',
    message: 'The payment password has 6 digits, not all the same and not in a row',
  }),
  'member.nickname_format': msg({
    id: 'errors.member.nickname_format',
    message: '1 to 20 characters, without hidden signs',
  }),
  'member.affiliate_unknown': msg({
    id: 'errors.member.affiliate_unknown',
    message: 'Invalid invitation code',
  }),
  'member.payee_format': msg({
    id: 'errors.member.payee_format',
    message: 'Name format incorrect',
  }),
  'member.payee_fixed': msg({
    id: 'errors.member.payee_fixed',
    message: 'The name can be set only once',
  }),
  'member.id_number_format': msg({
    id: 'errors.member.id_number_format',
    message: 'The identity number is not valid',
  }),
  'member.contact_format': msg({
    id: 'errors.member.contact_format',
    message: 'This contact is not valid',
  }),
  'member.password_change_required': msg({
    id: 'errors.member.password_change_required',
    message: 'Choose a new password first',
  }),
  'member.mobile_taken': msg({ id: 'errors.member.mobile_taken', message: 'Account already used' }),
  'member.email_taken': msg({ id: 'errors.member.email_taken', message: 'Account already used' }),
  'member.type_refused': msg({
    id: 'errors.member.type_refused',
    message: 'This kind of account cannot be registered here',
  }),
  'member.trial_refused': msg({
    id: 'errors.member.trial_refused',
    message: 'Please login an actual account to use this function',
  }),
  'member.question_unknown': msg({
    id: 'errors.member.question_unknown',
    message: 'Choose one of the security questions',
  }),
  'member.answer_required': msg({
    id: 'errors.member.answer_required',
    message: 'Answer your security question',
  }),
  'member.answer_wrong': msg({
    id: 'errors.member.answer_wrong',
    message: 'The answer is not correct',
  }),
  'member.reset_stale': msg({
    id: 'errors.member.reset_stale',
    message: 'This step has expired, please start again',
  }),
  'register.agreement_required': msg({
    id: 'errors.register.agreement_required',
    message: 'Please accept the user agreement',
  }),
  'register.age_required': msg({
    id: 'errors.register.age_required',
    message: 'Please confirm that you are {age} or older',
  }),
  'register.closed': msg({
    id: 'errors.register.closed',
    message: 'Registration is not open in this way',
  }),
  'kyc.state': msg({
    id: 'errors.kyc.state',
    message: 'Your documents are being checked already, or your identity is verified',
  }),
  'kyc.age': msg({
    id: 'errors.kyc.age',
    message: 'You must be at least {age} years old',
  }),
  'kyc.birth_date': msg({ id: 'errors.kyc.birth_date', message: 'Enter your date of birth' }),
  'kyc.images': msg({
    id: 'errors.kyc.images',
    message: 'Add 1 to {max} pictures of your document',
  }),
  'kyc.format': msg({
    id: 'errors.kyc.format',
    message: 'Only PNG and JPG pictures can be used here',
  }),
  'kyc.too_large': msg({
    id: 'errors.kyc.too_large',
    message: 'A picture is too large: at most 5 MB each',
  }),
  'kyc.no_image': msg({ id: 'errors.kyc.no_image', message: 'This picture does not exist' }),
  'avatar.format': msg({
    id: 'errors.avatar.format',
    message: 'Choose a PNG, JPEG or WebP picture',
  }),
  'avatar.too_large': msg({ id: 'errors.avatar.too_large', message: 'The picture is too large' }),
  'avatar.crop': msg({
    id: 'errors.avatar.crop',
    message: 'This part of the picture does not exist',
  }),
  'avatar.unknown': msg({ id: 'errors.avatar.unknown', message: 'This picture does not exist' }),
  'validation.unasked': msg({
    id: 'errors.validation.unasked',
    message: 'This form does not ask for that',
  }),
  'login.overtaken': msg({
    id: 'errors.login.overtaken',
    message: 'Your account was changed meanwhile, please log in again',
  }),
  'register.form_required': msg({
    id: 'errors.register.form_required',
    message: 'Please register with the form here: this site asks for more than that account tells',
  }),
  'member.payment_lost': msg({
    id: 'errors.member.payment_lost',
    message: 'Customer service can help you set a new payment password',
  }),
  'member.proof_required': msg({
    id: 'errors.member.proof_required',
    message: 'Please prove that it is you: enter the code, or log in again',
  }),
  'vendor.game_unavailable': msg({
    id: 'errors.vendor.game_unavailable',
    message: 'This game cannot be played right now',
  }),
  'vendor.maintenance': msg({
    id: 'errors.vendor.maintenance',
    message: 'The provider is working on its games. Please come back later',
  }),
  'vendor.no_trial': msg({
    id: 'errors.vendor.no_trial',
    message: 'This game cannot be tried with play money',
  }),
  'vendor.not_open': msg({
    id: 'errors.vendor.not_open',
    message: 'This game is not open yet',
  }),
  'vendor.unknown_play': msg({
    id: 'errors.vendor.unknown_play',
    message: 'This game session does not exist or is over',
  }),
  'vendor.period': msg({
    id: 'errors.vendor.period',
    message: 'Please choose a period of at most 92 days',
  }),
  'vendor.unknown': msg({
    id: 'errors.vendor.unknown',
    message: 'This provider does not exist',
  }),
};

/**
 * Returns the errors of screens other than home. Their messages load with the shared catalogue. The bundler removes an unused function, but
 * not an unused object that spreads others.
 */
export const refusals = (): Readonly<Record<string, MessageDescriptor>> => ({
  'member.bind_not_possible': msg({
    id: 'errors.member.bind_not_possible',
    message: 'This cannot be bound to your account. Please contact customer service',
  }),
  ...depositRefusals,
  ...limitRefusals,
  ...houseRefusals,
  ...lotteryRefusals,
  ...messageRefusals,
  ...playRefusals,
  ...promotionRefusals,
  ...withdrawRefusals,
  ...chatRefusals,
  ...streamRefusals,
  ...others,
});
