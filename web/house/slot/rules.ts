// The rules of a slot as sentences, generated from the server's data.
import { t } from '@lingui/core/macro';

import type { Slot } from './session.ts';
import { freeRoundsText } from './texts.ts';

export function rulesOf(slot: Slot): string[] {
  return [
    ...winning(slot),
    ...wilds(slot),
    ...scatters(slot),
    ...freeRounds(slot),
    t`Payouts are rounded down to the smallest unit of the currency.`,
    t`Every round is drawn independently. It does not depend on earlier rounds, the player or the bank.`,
    t`A round takes at least 2.5 seconds.`,
    t`The server finishes a round that has started, even without you. The result is in your record.`,
  ];
}

function winning({ kind, multipliers }: Slot): string[] {
  switch (kind) {
    case 'lines':
      return [
        t`A line pays for 3 or more of the same symbol in a row from the left.`,
        t`Of each line only the highest win is paid. Wins of several lines are added.`,
      ];
    case 'ways':
      return [
        t`A symbol pays when it stands on 3 or more neighbouring reels from the left, in any row.`,
        t`It is paid once for every way from reel to reel. Wins of several symbols are added.`,
      ];
    case 'cascade': {
      const steps = multipliers.map((each) => `×${each}`).join(', ');
      return [
        t`Equal symbols pay wherever they stand, from the lowest count in the table on.`,
        t`What has won vanishes, the rest falls and the reels go on from above, until nothing wins any more.`,
        t`Wins are multiplied by ${steps}: at first, and after each fall; the last one stays.`,
      ];
    }
  }
}

function wilds({ kind, wild, paytable }: Slot): string[] {
  if (!wild) return [];
  return [
    t`Wild stands for every symbol but Scatter.`,
    ...(kind === 'cascade'
      ? [t`A Wild counts with every symbol at the same time, and vanishes with every win.`]
      : []),
    ...(paytable[wild] ? [] : [t`Wild pays nothing by itself.`]),
  ];
}

function scatters({ paytable, scatter }: Slot): string[] {
  const least = leastOf(paytable[scatter] ?? {});
  return least === null ? [] : [t`${least} or more Scatter pay anywhere, times the whole stake.`];
}

function freeRounds({ freeRounds: free }: Slot): string[] {
  if (!free) return [];
  const awards = Object.entries(free.awards)
    .map(([count, rounds]) => `${count} → ${rounds}`)
    .join(', ');
  const steps = free.multipliers.map((each) => `×${each}`).join(', ');
  const maxRounds = freeRoundsText(free.most);
  return [
    t`Scatters give free rounds of the same bet, also during free rounds: ${awards}.`,
    t`In free rounds wins are multiplied by ${steps}.`,
    t`A bet brings at most ${maxRounds}. They are drawn together with it: there is nothing to decide.`,
  ];
}

function leastOf(pays: Readonly<Record<string, number>>): number | null {
  const counts = Object.keys(pays).map(Number);
  return counts.length > 0 ? Math.min(...counts) : null;
}
