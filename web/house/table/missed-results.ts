// The last round with a stake whose result the player has not seen. A stake is never placed again (PP-15).
import { t } from '@lingui/core/macro';

import type { Api } from '../kit/api.ts';
import { resultAnnouncement, settlementOf, type Settlement, ticketResults } from './result.ts';
import type { Texts } from './texts.ts';
import { type OwnTicket, ownTickets } from './wire.ts';

type MissedResult = Settlement & {
  round: string;
  number: number;
  result: unknown;
  tickets: ReturnType<typeof ticketResults>;
};

/** Loads pages, newest first, until all tickets of that round are included. */
export async function listMissedTickets(
  api: Api,
  running: string | null,
): Promise<readonly OwnTicket[]> {
  const list: OwnTicket[] = [];
  for (let before: string | null = null; ;) {
    // oxlint-disable-next-line no-await-in-loop -- each page has the cursor of the next
    const response = await ownTickets(api, before);
    list.push(...response.list);
    const missed = lastTicket(list, running);
    if (response.next === null || (missed && list.at(-1)?.round !== missed.round)) return list;
    before = response.next;
  }
}

const lastTicket = (list: readonly OwnTicket[], running: string | null): OwnTicket | undefined =>
  list.find(({ round, status }) => round !== running && status !== 'refused');

/** Returns the result of the newest round other than the running one, unless it was shown. */
export function missedResult(
  list: readonly OwnTicket[],
  shownRound: string | null,
  running: string | null,
): MissedResult | null {
  const last = lastTicket(list, running);
  if (!last || last.round === shownRound) return null;
  const tickets = list.filter(({ round }) => round === last.round);
  return {
    ...settlementOf(tickets),
    round: last.round,
    number: last.number,
    result: last.result,
    tickets: ticketResults(tickets),
  };
}

export function missedResultText(
  missed: MissedResult,
  outcome: (result: unknown) => string,
  texts: Texts,
): string {
  const { number, result, stake, win } = missed;
  const staked = texts.money(stake);
  if (result == null && win === stake && missed.owed === 0)
    return t`Round ${number} was called off. Your stake of ${staked} came back.`;
  const head = result == null ? String(number) : `${number}: ${outcome(result)}`;
  const told = resultAnnouncement('', missed, texts);
  return t`Round ${head}. ${told}`;
}
