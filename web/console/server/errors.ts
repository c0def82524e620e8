import { i18n, type MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';

import { ServerError } from './request.ts';

const messages: Record<string, MessageDescriptor> = {
  'catalogue.game_exists': msg`This code is used already.`,
  'catalogue.malformed': msg`A value is not valid. Check the codes, the categories and the addresses.`,
  'catalogue.name_missing': msg`The game needs a name in each language.`,
  'catalogue.unknown_category': msg`There is no game category with this code.`,
  'chat.claimed': msg`Another operator has claimed this chat.`,
  'chat.not_claimed': msg`Claim this chat first.`,
  'chat.state': msg`The state of the chat does not allow this. Reload it and try again.`,
  'content.malformed': msg`A field is missing or not valid. Vietnamese or English needs a title; a text may have 64 KB.`,
  'content.has_articles': msg`This topic still has articles. Move or delete them first.`,
  'content.taken': msg`This code is used already.`,
  'content.picture': msg`This file is not a PNG, JPEG or WebP picture of at most 5 MB.`,
  'fairness.already_waiting': msg`A series of this name waits for its salt already.`,
  'fairness.not_due': msg`The announced result is not public yet.`,
  'fairness.not_waiting': msg`The series no longer waits for a result.`,
  'fairness.too_soon': msg`The result must become public between a day and a year from now.`,
  'fairness.value_format': msg`A result has 1 to 100 letters and digits.`,
  'house.closed_by_wallet': msg`The wallet has closed the round. Pay what is still owed.`,
  'house.rejected': msg`The wallet refused again. The round is still stuck.`,
  'house.not_stuck': msg`The round is no longer stuck.`,
  'house.not_refundable': msg`This program can settle the round, so nothing was refunded.`,
  'vendor.malformed': msg`The launch address is not valid. It needs https, and the word ticket in braces once.`,
  'vendor.round_over': msg`This round has a win or has ended. Its stake cannot be refunded.`,
  'vendor.exists': msg`This vendor exists already.`,
  'deposit.method_exists': msg`This code is used already.`,
  'deposit.method_malformed': msg`A value is not valid. Check the limits, the fee, the hours and the accounts.`,
  'gateway.exists': msg`This code is used already.`,
  'gateway.malformed': msg`A value is not valid. The address needs https or http; the maximum must not be below the minimum.`,
  'withdraw.state': msg`This withdrawal is past this step, or not there yet.`,
  'withdraw.gateway': msg`Choose a gateway that can pay this currency.`,
  'withdraw.reason': msg`Enter a reason.`,
  'withdraw.bank_reference': msg`Enter the reference of the bank.`,
  'kyc.decided': msg`This identity check was decided already.`,
  'kyc.no_image': msg`This picture was deleted.`,
  'kyc.reason': msg`Enter a reason of at most 300 characters.`,
  'ledger.adjust_amount': msg`The amount must not be zero or have too many decimals.`,
  'ledger.check_running': msg`A check of the ledger is running already.`,
  'limits.not_held': msg`This account no longer waits for a review.`,
  'loyalty.malformed': msg`A value is not valid. Amounts and percents must not be negative, and each VIP level needs more stakes than the one before.`,
  'lottery.bad_result': msg`The numbers do not have the form of this draw. Check how many there are and their digits.`,
  'lottery.not_due': msg`This draw has not taken place yet.`,
  'lottery.odds': msg`These odds are not positive, have more than three places, or return more than allowed.`,
  'lottery.own_draw': msg`The result of this draw follows from its seed. It cannot be entered.`,
  'lottery.settling': msg`The draw is still being settled. Wait until that is done.`,
  'lottery.voided': msg`This draw is void: its stakes were returned.`,
  'member.tag_format': msg`A tag needs 1 to 32 characters.`,
  'member.type_unknown': msg`This kind of member does not exist.`,
  'merchant.bad_code': msg`A site's code begins with a small letter and has 2 to 32 small letters, digits, dashes or underscores.`,
  'message.text': msg`A text is missing or not valid. Vietnamese or English is needed: a title of at most 120 characters and a text of at most 20,000.`,
  'message.link': msg`The link is not a path of the app. It starts with /m/.`,
  'message.member': msg`There is no member with this username.`,
  'message.segment': msg`The segment is not valid. Check the times and the amounts.`,
  'message.schedule': msg`The start must be in the future, and the end after the start. Without a start the message is sent at once.`,
  'message.consent': msg`This member has not agreed to promotions, or is on a break.`,
  'message.withdrawn': msg`This message was withdrawn already.`,
  'feedback.answered': msg`This feedback was answered already.`,
  'feedback.answer': msg`Enter an answer of at most 1,000 characters.`,
  'network.unreachable': msg`The server did not answer. Check your connection, then try again.`,
  'ops.forbidden': msg`You do not have permission to do this.`,
  'ops.confirm': msg`Confirm this with a code first.`,
  'ops.same_person': msg`Another operator must decide this.`,
  'ops.code': msg`The code is wrong, or it was used already. Wait for the next one.`,
  'ops.login': msg`The name, the password or the code is wrong.`,
  'ops.password_same': msg`Choose a password that differs from the current one and from your name.`,
  'ops.password_wrong': msg`The current password is wrong.`,
  'operator.last_owner': msg`The site needs at least one enabled owner.`,
  'operator.name_format': msg`This name is not allowed: 3 to 32 small letters, digits, dots or dashes.`,
  'operator.name_taken': msg`This name is in use.`,
  'operator.unnamed': msg`The change names no operator. Log in again.`,
  'operator.role_unknown': msg`Choose at least one role or permission that exists.`,
  'ops.decided': msg`This was decided already.`,
  'ops.not_found': msg`This does not exist, or it was removed.`,
  'promotion.amount': msg`The amount is not positive, too large, or has too many decimals.`,
  'promotion.malformed': msg`A value of the promotion is not valid. Check the code, the amounts, the times and the titles.`,
  'promotion.member': msg`There is no member with this username and the currency of the promotion.`,
  'promotion.taken': msg`This code is used already.`,
  'reply.too_many': msg`There are too many saved replies. Delete one first.`,
  'flag.unknown': msg`There is no switch with this code.`,
  'setting.unknown': msg`There is no setting with this name.`,
  'setting.bad_value': msg`The server refused this value. See the description of the setting.`,
  'setting.excludes_caller': msg`These networks do not contain your own address. You would lock yourself out.`,
  'setting.no_change': msg`There is nothing to undo.`,
  'stream.full': msg`There are too many live streams. Delete one first.`,
  'stream.malformed': msg`A field of the live stream is not valid. Check the name, the address of the video, the games and the times.`,
  'task.claimed': msg`Another operator has claimed this task.`,
  'task.done': msg`This task is done already.`,
  'ops.stale': msg`Someone has changed this in the meantime. Reload it and try again.`,
};

const statusMessages: Record<number, MessageDescriptor> = {
  401: msg`You are logged out. Log in again.`,
  404: msg`This does not exist, or it was removed.`,
  429: msg`Too many attempts. Wait a moment, then try again.`,
};

/** Reports whether a code has its own message. */
export const hasMessage = (code: string): boolean => code in messages;

/** Returns the message of an error by its code, or else by its status. */
export function describeError(thrown: unknown): string {
  if (!(thrown instanceof ServerError)) return i18n._(msg`The console failed. Reload the page.`);
  const known = messages[thrown.code] ?? statusMessages[thrown.status];
  if (known) return i18n._(known);
  const { code, requestId } = thrown;
  return requestId
    ? i18n._(msg`The server reported an error: ${code} (request ${requestId}).`)
    : i18n._(msg`The server reported an error: ${code}.`);
}

/** Returns the message of a login error, where the status 401 means wrong credentials. */
export function describeLoginError(thrown: unknown): string {
  return thrown instanceof ServerError && thrown.status === 401
    ? i18n._(msg`The name, the password or the code is wrong.`)
    : describeError(thrown);
}
