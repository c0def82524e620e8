import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';

export const lotteryRefusals: Readonly<Record<string, MessageDescriptor>> = {
  'lottery.unknown_game': msg({
    id: 'errors.lottery.unknown_game',
    message: 'This lottery does not exist',
  }),
  'lottery.unknown_play': msg({
    id: 'errors.lottery.unknown_play',
    message: 'This lottery does not have this bet',
  }),
  'lottery.unknown_numero': msg({
    id: 'errors.lottery.unknown_numero',
    message: 'This draw does not exist',
  }),
  'lottery.bad_selection': msg({
    id: 'errors.lottery.bad_selection',
    message: 'Your selection is not valid: {entry}',
  }),
  'lottery.too_many_lines': msg({
    id: 'errors.lottery.too_many_lines',
    message: 'A bet can have at most {max} lines',
  }),
  'lottery.closed': msg({
    id: 'errors.lottery.closed',
    message: 'Bets on this draw are closed',
  }),
  'lottery.odds_changed': msg({
    id: 'errors.lottery.odds_changed',
    message: 'The odds have changed. Check your bet and send it again',
  }),
  'lottery.exposure': msg({
    id: 'errors.lottery.exposure',
    message: 'Too much is bet on {entry}. A stake of up to {possible} is still possible',
  }),
  'lottery.other_game': msg({
    id: 'errors.lottery.other_game',
    message: 'This window belongs to another lottery. Open the game again',
  }),
  'lottery.unknown_order': msg({
    id: 'errors.lottery.unknown_order',
    message: 'This order does not exist',
  }),
  'lottery.unknown_series': msg({
    id: 'errors.lottery.unknown_series',
    message: 'This series of draws does not exist',
  }),
  'lottery.stake': msg({
    id: 'errors.lottery.stake',
    message: 'The stake per line must be from {min} to {max}, in steps of {unit}',
  }),
};
