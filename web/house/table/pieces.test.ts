// @vitest-environment jsdom
import { beforeAll, expect, test, vi } from 'vitest';

import tables from '../../../internal/game/house/table/tables.json';
import type { Api } from '../kit/api.ts';
import { setLanguage } from '../kit/language.ts';
import { dealSchedule, engine as baccarat, handPoints } from './baccarat.ts';
import { chipsFor, shortAmount, toneOf } from './chips.ts';
import { countdownRing, halfKeyframes, halfAngles } from './countdown-ring.ts';
import { visibleSides } from './dice.ts';
import { engine as dragontiger } from './dragontiger.ts';
import { missedResult, missedResultText } from './missed-results.ts';
import { parseCard } from './playing-cards.ts';
import { resultCard, resultAnnouncement, settlementOf } from './result.ts';
import { covers, engine as roulette } from './roulette.ts';
import { engine as sicbo, kindOf } from './sicbo.ts';
import { aBet, aSession, aTicket, banker76 } from './testing.ts';
import { createTexts } from './texts.ts';
import { openTickets } from './tickets.ts';
import { angleOf, colourOf, pockets } from './wheel.ts';

beforeAll(() => setLanguage('en'));

const rule = (id: string) => ({ id, times: '1', rtp: '1', minimum: 1, maximum: 1 });

test('an amount uses the fewest chips', () => {
  const tray = [10_000, 20_000, 50_000, 100_000];
  expect(chipsFor(180_000, tray)).toEqual([100_000, 50_000, 20_000, 10_000]);
  expect(chipsFor(5, tray)).toEqual([10_000]);
  expect(chipsFor(10_000_000, tray, 4)).toHaveLength(4);
});

test('a chip value has one colour at every table', () => {
  const trays = Object.values(tables.stakes).map(({ chips }) => chips);
  const values = [...new Set(trays.flat())].toSorted((a, b) => a - b);
  const tones = values.map((value) => toneOf(value * 10_000, 10_000));
  expect(new Set(tones).size).toBe(values.length);
  expect(toneOf(0.5, 0.5)).toBe(toneOf(10_000, 10_000));
});

test.each(['en', 'vi', 'ur', 'pt'])(
  'columns and streets have different names in %s',
  async (language) => {
    await setLanguage(language);
    const word = (id: string) => roulette.spotName(id).replaceAll(/[\d–\s]/g, '');
    expect(word('column1')).not.toBe(word('street-1-2-3'));
    await setLanguage('en');
  },
);

test('chip amounts are short only when exact', () => {
  expect([500, 10_000, 1_500_000, 12_345].map(shortAmount)).toEqual([
    '500',
    '10K',
    '1.5M',
    '12,345',
  ]);
});

test('cards are parsed and points counted', () => {
  expect(parseCard('TH')).toEqual({ rank: '10', suit: 'H' });
  expect(handPoints(['6D', 'KC'])).toBe(6);
  expect(handPoints(['9S', '8H'])).toBe(7);
  expect(handPoints(['TS', 'AH'])).toBe(1);
});

test('cards are dealt in turn, third cards last', () => {
  const all = dealSchedule({ player: ['2S', '3S', '4S'], banker: ['5H', '6H', '7H'] });
  expect(all.map(({ side, card }) => side[0] + card)).toEqual([
    'p2S',
    'b5H',
    'p3S',
    'b6H',
    'p4S',
    'b7H',
  ]);
  expect(all.every(({ at }, i) => i === 0 || at > (all[i - 1]?.at ?? 0))).toBe(true);
  // The longest deal fits the shortest dealing phase.
  expect(all.at(-1)?.at).toBeLessThan(5000);
});

test('each game marks its winning spots', () => {
  expect(
    ['player', 'banker', 'tie', 'playerPair'].map((id) => baccarat.isWinning(banker76, rule(id))),
  ).toEqual([false, true, false, false]);
  const tie = { dragon: '9S', tiger: '9S', winner: 'tie' };
  expect(['dragon', 'tie', 'suitedTie'].map((id) => dragontiger.isWinning(tie, rule(id)))).toEqual([
    false,
    true,
    true,
  ]);
  const dice = { dice: [2, 2, 5] };
  const won = [
    'small',
    'big',
    'odd',
    'even',
    'total9',
    'double2',
    'single5',
    'pair25',
    'triple2',
    'anyTriple',
  ];
  expect(won.filter((id) => sicbo.isWinning(dice, rule(id)))).toEqual([
    'small',
    'odd',
    'total9',
    'double2',
    'single5',
    'pair25',
  ]);
  expect(kindOf([4, 4, 4])).toBe('triple');
  expect(
    ['small', 'odd', 'even'].some((id) => sicbo.isWinning({ dice: [3, 3, 3] }, rule(id))),
  ).toBe(false);
});

test('the visible sides of a die fit together', () => {
  for (const top of [1, 2, 3, 4, 5, 6]) {
    const [a, b] = visibleSides(top);
    expect(new Set([top, 7 - top, a, 7 - a, b, 7 - b]).size).toBe(6);
  }
});

test('the wheel has every number once, with red and black in turn', () => {
  expect(pockets.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 37 }, (_, i) => i));
  expect(pockets.slice(1).every((n, i) => (colourOf(n) === 'red') === (i % 2 === 0))).toBe(true);
  expect(angleOf(0)).toBe(0);
});

test('roulette spots cover their numbers', () => {
  const on17 = [
    'n17',
    'split-17-20',
    'corner-13-14-16-17',
    'dozen2',
    'column2',
    'black',
    'odd',
    'low',
  ];
  expect(on17.every((id) => covers(id, 17))).toBe(true);
  expect(['red', 'even', 'high', 'dozen1', 'column1', 'n18'].some((id) => covers(id, 17))).toBe(
    false,
  );
  expect(['red', 'black', 'even', 'low', 'column1', 'dozen1'].some((id) => covers(id, 0))).toBe(
    false,
  );
  expect(covers('street-0-1-2', 0)).toBe(true);
});

test('PP-15 (resume) a missed result is found once', () => {
  const list = [
    aTicket({ id: '2' }),
    aTicket({ id: '1', win: 97_500, status: 'won' }),
    aTicket({ id: '0', round: '37' }),
  ];
  expect(missedResult(list, null, '39')).toMatchObject({
    round: '38',
    stake: 100_000,
    win: 97_500,
    open: false,
  });
  expect(missedResult(list, '38', '39')).toBeNull();
  expect(missedResult(list, null, '38')).toMatchObject({ round: '37' });
  expect(missedResult([aTicket({ status: 'placed' })], null, null)?.open).toBe(true);
});

test('PP-15 an unpaid win does not count as returned, and the table does not wait for it', () => {
  const late = aTicket({ status: 'owed', win: 97_500 });
  expect(missedResult([late], null, null)).toMatchObject({ win: 0, owed: 97_500, open: false });
  expect(missedResult([late], null, null)?.tickets).toEqual([
    { id: late.id, total: 50_000, win: 0 },
  ]);
});

test('PP-15 an unpaid win is shown as owed at the table, later and in the list', async () => {
  const texts = createTexts(aSession(), baccarat);
  const text = '97,500\u00A0₫ could not be paid to you yet. It is yours and will be paid later.';
  const settled = settlementOf([
    aBet({ status: 'owed', win: 97_500 }),
    aBet({ id: '901', status: 'lost' }),
  ]);
  expect(resultCard('Banker', settled, null, '', texts)).toMatchObject({ kind: 'plain', text });
  expect(resultAnnouncement('Banker', settled, texts)).toBe(`Banker. ${text}`);
  const late = aTicket({ status: 'owed', win: 97_500 });
  expect(missedResultText(missedResult([late], null, null)!, baccarat.outcomeText, texts)).toBe(
    `Round 38: Banker wins 7–6. ${text}`,
  );
  HTMLDialogElement.prototype.showModal = () => {}; // missing in jsdom
  const get = () => Promise.resolve({ list: [late], next: null });
  openTickets({ get } as unknown as Api, { name: 'baccarat', engine: baccarat }, texts);
  const row = await vi.waitUntil(() => document.querySelector('.rounds > li'), {
    timeout: 60_000,
  });
  expect(row.textContent).toContain('owed to you, paid later');
  const names = [...row.querySelectorAll('dt')].map((name) => name.textContent);
  expect(names).toEqual(['Stake', 'Owed', 'Net']);
  expect(row.querySelector('.proof')).toBeNull();
});

test('PP-15 a stake that could not be returned yet is shown as owed', () => {
  const texts = createTexts(aSession(), baccarat);
  const late = aTicket({ status: 'owed', win: 50_000, result: null });
  expect(missedResultText(missedResult([late], null, null)!, baccarat.outcomeText, texts)).toBe(
    'Round 38. 50,000\u00A0₫ could not be paid to you yet. It is yours and will be paid later.',
  );
});

test('in Urdu a score keeps the winner’s points first', async () => {
  await setLanguage('ur');
  expect(baccarat.outcomeText(banker76)).toContain('\u20667–6\u2069');
  await setLanguage('en');
});

test.each([
  [1, 180, 180],
  [0.75, 180, 90],
  [0.5, 180, 0],
  [0.25, 90, 0],
  [0, 0, 0],
])('with %s of the ring left, its halves are rotated by %s and %s degrees', (part, right, left) => {
  expect(halfAngles(part)).toEqual({ right, left });
  const ring = countdownRing();
  ring.show('betting', part * 20_000, 20_000);
  const halves = [...ring.root.querySelectorAll<SVGElement>('.ring-half svg')];
  expect(halves.map(({ style }) => style.transform)).toEqual([
    `rotate(${right}deg)`,
    `rotate(${left}deg)`,
  ]);
});

test('the ring animates once per countdown, restarts when the clock changes, and stops when bets close', () => {
  const ring = countdownRing();
  const animate = vi.fn((_frames: unknown, _timing: unknown) => ({ cancel }));
  const cancel = vi.fn();
  const halves = [...ring.root.querySelectorAll<SVGElement>('.ring-half svg')];
  for (const half of halves) Object.assign(half, { animate });
  let passed = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => passed);
  const left = () => 20_000 - passed;
  for (; passed < 2000; passed += 250) ring.show('betting', left(), 20_000);
  ring.show('closing', left(), 20_000);
  expect(animate).toHaveBeenCalledTimes(2);
  expect(animate.mock.calls[0]?.[1]).toMatchObject({ easing: 'steps(80)' });
  ring.show('closing', left() - 1000, 20_000);
  expect(animate).toHaveBeenCalledTimes(4);
  expect(cancel).toHaveBeenCalledTimes(2);
  ring.show('locked', 900, 20_000);
  expect(cancel).toHaveBeenCalledTimes(4);
  expect(halves.map(({ style }) => style.transform)).toEqual(['rotate(180deg)', 'rotate(180deg)']);
  vi.restoreAllMocks();
});

test('the left half of the ring moves before the right one', () => {
  const angles = (part: number, side: 'left' | 'right') =>
    halfKeyframes(part, side).map(({ transform, offset }) => [transform, offset]);
  expect(angles(1, 'left')).toEqual([
    ['rotate(180deg)', 0],
    ['rotate(0deg)', 0.5],
    ['rotate(0deg)', 1],
  ]);
  expect(angles(1, 'right')).toEqual([
    ['rotate(180deg)', 0],
    ['rotate(180deg)', 0.5],
    ['rotate(0deg)', 1],
  ]);
  expect(angles(0.25, 'right')[0]).toEqual(['rotate(90deg)', 0]);
});
