// What a frame that was away owes the player: the result of the last round with a stake of theirs that they were not
// told. It only ever looks; a stake is never placed again (PP-15).
import { t } from '@lingui/core/macro';

import type { Api } from '../kit/api.ts';
import { resultWords, settledOf, type Settled, ticketsOf } from './result.ts';
import { type OwnTicket, ownTickets } from './wire.ts';
import type { Words } from './words.ts';

type Owed = Settled & {
  round: string;
  number: number;
  result: unknown;
  tickets: ReturnType<typeof ticketsOf>;
};

/** Of the round, all tickets: they come in pieces, the latest first, and a piece may end amid them. */
export async function listOwed(api: Api, running: string | null): Promise<readonly OwnTicket[]> {
  const list: OwnTicket[] = [];
  for (let before: string | null = null; ;) {
    // oxlint-disable-next-line no-await-in-loop -- each piece says where the next begins
    const answer = await ownTickets(api, before);
    list.push(...answer.list);
    const owed = lastOf(list, running);
    if (answer.next === null || (owed && list.at(-1)?.round !== owed.round)) return list;
    before = answer.next;
  }
}

const lastOf = (list: readonly OwnTicket[], running: string | null): OwnTicket | undefined =>
  list.find(({ round, status }) => round !== running && status !== 'refused');

/** The tickets come with the latest first. The round that runs is told by the table itself. */
export function owedOf(
  list: readonly OwnTicket[],
  told: string | null,
  running: string | null,
): Owed | null {
  const last = lastOf(list, running);
  if (!last || last.round === told) return null;
  const tickets = list.filter(({ round }) => round === last.round);
  return {
    ...settledOf(tickets),
    round: last.round,
    number: last.number,
    result: last.result,
    tickets: ticketsOf(tickets),
  };
}

/** What the earlier round came to, with its number: news, but not of now. */
export function owedWords(owed: Owed, outcome: (result: unknown) => string, words: Words): string {
  const { number, result, stake, win } = owed;
  const staked = words.money(stake);
  if (result == null && win === stake && owed.owed === 0)
    return t`Round ${number} was called off. Your stake of ${staked} came back.`;
  const head = result == null ? String(number) : `${number}: ${outcome(result)}`;
  const told = resultWords('', owed, words);
  return t`Round ${head}. ${told}`;
}
