import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';

export const houseRefusals: Readonly<Record<string, MessageDescriptor>> = {
  'house.invalid_stake': msg({
    id: 'errors.house.invalid_stake',
    message: 'This stake cannot be played',
  }),
  'house.insufficient_funds': msg({
    id: 'errors.house.insufficient_funds',
    message: 'Your balance is not enough for this stake',
  }),
  'house.limit_reached': msg({
    id: 'errors.house.limit_reached',
    message: 'A limit that you set has been reached',
  }),
  'house.excluded': msg({
    id: 'errors.house.excluded',
    message: 'You are taking a break: no bets until it ends',
  }),
  'house.other_seed': msg({
    id: 'errors.house.other_seed',
    message: 'You have played this round in another window. Nothing was staked: try again',
  }),
  'fairness.unknown_series': msg({
    id: 'errors.fairness.unknown_series',
    message: 'There is no such series of seeds',
  }),
  'house.session_expired': msg({
    id: 'errors.house.session_expired',
    message: 'This game session has ended: open the game again',
  }),
  'house.unavailable': msg({
    id: 'errors.house.unavailable',
    message: 'The game is not available right now. Nothing was staked',
  }),
  'house.game_closed': msg({
    id: 'errors.house.game_closed',
    message: 'This game is closed for maintenance. Nothing was staked',
  }),
  'house.pending': msg({
    id: 'errors.house.pending',
    message: 'The result of this round is still being settled',
  }),
  'house.too_fast': msg({
    id: 'errors.house.too_fast',
    message: 'Wait a moment before the next round',
  }),
  'house.unknown_round': msg({
    id: 'errors.house.unknown_round',
    message: 'This round does not exist',
  }),
  'house.unknown_engine': msg({
    id: 'errors.house.unknown_engine',
    message: 'This kind of game does not exist',
  }),
  'house.spin_conflict': msg({
    id: 'errors.house.spin_conflict',
    message: 'This round was already played with another stake',
  }),
  'house.wrong_game': msg({
    id: 'errors.house.wrong_game',
    message: 'This game has no such action',
  }),
  'house.betting_closed': msg({
    id: 'errors.house.betting_closed',
    message: 'Betting has closed for this round. Nothing was staked',
  }),
  'house.unknown_spot': msg({
    id: 'errors.house.unknown_spot',
    message: 'This table has no such bet',
  }),
  'house.spot_limit': msg({
    id: 'errors.house.spot_limit',
    message: 'That is more than this spot takes in a round',
  }),
  'house.table_limit': msg({
    id: 'errors.house.table_limit',
    message: 'That is more than this table takes at once',
  }),
  'house.below_minimum': msg({
    id: 'errors.house.below_minimum',
    message: 'That is less than this table takes',
  }),
  'house.wrong_multiple': msg({
    id: 'errors.house.wrong_multiple',
    message: 'The stake does not fit this table’s chips',
  }),
  'house.too_many_tickets': msg({
    id: 'errors.house.too_many_tickets',
    message: 'You have placed as many bets as a round takes',
  }),
  'house.refunded': msg({
    id: 'errors.house.refunded',
    message: 'The round was called off and the stake given back',
  }),
  'house.set_aside': msg({
    id: 'errors.house.set_aside',
    message: 'This round could not be paid yet. What it brings is noted and stays yours',
  }),
};
