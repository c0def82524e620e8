// Names and rules of the plays. The server has them only in English and Vietnamese.
import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';

import type { GameType } from './wire.ts';

type PlayText = { name: MessageDescriptor; rule: MessageDescriptor };

const sides = {
  regionalSize: {
    name: msg`Big or small`,
    rule: msg`The last two digits of the special prize are 50 to 99 (big) or 00 to 49 (small).`,
  },
  regionalParity: {
    name: msg`Odd or even`,
    rule: msg`The last digit of the special prize is odd or even.`,
  },
};

const lo = (digits: number): PlayText => ({
  name: msg`Lô ${digits} digits`,
  rule: msg`A prize of at least ${digits} digits ends with the number. It pays for each such prize.`,
});

const special = (digits: number, name: MessageDescriptor): PlayText => ({
  name,
  rule: msg`The last ${digits} digits of the special prize are the number.`,
});

const xien = (count: number): PlayText => ({
  name: msg`Xiên ${count}`,
  rule: msg`All ${count} numbers are among the last two digits of the prizes. It pays once.`,
});

const truot = (count: number): PlayText => ({
  name: msg`None of ${count}`,
  rule: msg`None of the ${count} numbers is among the last two digits of the prizes.`,
});

const regional: Readonly<Record<string, PlayText>> = {
  lo2: lo(2),
  lo3: lo(3),
  lo4: lo(4),
  de: special(2, msg`Đề`),
  dau: {
    name: msg`Tens digit`,
    rule: msg`The number is the tens digit of the special prize.`,
  },
  duoi: {
    name: msg`Units digit`,
    rule: msg`The number is the last digit of the special prize.`,
  },
  cang3: special(3, msg`Three digits`),
  xien2: xien(2),
  xien3: xien(3),
  xien4: xien(4),
  truot4: truot(4),
  truot8: truot(8),
  truot10: truot(10),
  'big-small': sides.regionalSize,
  'odd-even': sides.regionalParity,
};

const anyOrder = msg`The last three digits are these, in any order.`;

const ssc: Readonly<Record<string, PlayText>> = {
  pos: { name: msg`Position`, rule: msg`The position shows the digit.` },
  last3: {
    name: msg`Last three`,
    rule: msg`The last three digits are these, in this order.`,
  },
  group3: { name: msg`Last three, one pair`, rule: anyOrder },
  group6: { name: msg`Last three, all different`, rule: anyOrder },
  'sum-side': {
    name: msg`Total`,
    rule: msg`The total of the five digits is 23 or more (big), 22 or less (small), odd or even.`,
  },
  'dragon-tiger': {
    name: msg`Dragon and tiger`,
    rule: msg`The first digit is above (dragon), below (tiger) or equal to (tie) the last one. A tie loses dragon and tiger.`,
  },
  shape: {
    name: msg`Shape`,
    rule: msg`The first, middle or last three digits are all equal (triple), three in a row in any order (straight), exactly two equal (pair), with two neighbours but neither pair nor straight (half-straight), or other (mixed). 9 and 0 are neighbours.`,
  },
};

const k3: Readonly<Record<string, PlayText>> = {
  sum: { name: msg`Total`, rule: msg`The dice have this total.` },
  side: {
    name: msg`Big, small, odd, even`,
    rule: msg`The total is 11 or more (big), 10 or less (small), odd or even. Three equal dice lose.`,
  },
  triple: { name: msg`Triple`, rule: msg`All three dice show the number.` },
  'any-triple': { name: msg`Any triple`, rule: msg`All three dice show the same number.` },
  pair: { name: msg`Pair`, rule: msg`At least two dice show the number.` },
  two: { name: msg`Two numbers`, rule: msg`Both numbers appear.` },
  three: { name: msg`Three numbers`, rule: msg`The dice show exactly these three numbers.` },
  straight: { name: msg`Straight`, rule: msg`The dice show 123, 234, 345 or 456 in any order.` },
};

const pk10: Readonly<Record<string, PlayText>> = {
  pos: { name: msg`Position`, rule: msg`The position shows the number.` },
  top2: {
    name: msg`First two`,
    rule: msg`The first and the second number are these, in this order.`,
  },
  'top2-sum': { name: msg`Sum of the first two`, rule: msg`The first two numbers have this sum.` },
  'top2-side': {
    name: msg`First two: sides`,
    rule: msg`The sum of the first two numbers is 12 or more (big), 11 or less (small), odd or even.`,
  },
  'pos-side': {
    name: msg`Position: sides`,
    rule: msg`The position shows 6 to 10 (big), 1 to 5 (small), an odd or an even number.`,
  },
  'dragon-tiger': {
    name: msg`Dragon and tiger`,
    rule: msg`Position 1 to 5 is above (dragon) or below (tiger) its opposite: 1 and 10, 2 and 9, 3 and 8, 4 and 7, 5 and 6.`,
  },
};

const keno: Readonly<Record<string, PlayText>> = {
  'sum-side': {
    name: msg`Total`,
    rule: msg`The sum of the 20 numbers is above 810 (big), below 810 (small), odd or even. 810 loses big and small.`,
  },
};

const kenoPick = (count: number): PlayText => ({
  name: msg`Pick ${count}`,
  rule: msg`All ${count} numbers are among the 20 that are drawn.`,
});

const texts: Readonly<Record<GameType, Readonly<Record<string, PlayText>>>> = {
  regional,
  ssc,
  k3,
  pk10,
  keno,
};

function textOf(type: GameType, playCode: string): PlayText | undefined {
  const pick = /^pick(\d+)$/.exec(playCode)?.[1];
  return type === 'keno' && pick ? kenoPick(Number(pick)) : texts[type][playCode];
}

/** Returns the name of a play, or its code if this page does not know it. */
export const playName = (type: GameType, playCode: string): MessageDescriptor | string =>
  textOf(type, playCode)?.name ?? playCode;

export const playRule = (type: GameType, playCode: string): MessageDescriptor | undefined =>
  textOf(type, playCode)?.rule;

const words: Readonly<Record<string, MessageDescriptor>> = {
  big: msg`Big`,
  small: msg`Small`,
  odd: msg`Odd`,
  even: msg`Even`,
  dragon: msg`Dragon`,
  tiger: msg`Tiger`,
  tie: msg`Tie`,
  triple: msg`Triple`,
  straight: msg`Straight`,
  pair: msg`Pair`,
  'half-straight': msg`Half-straight`,
  mixed: msg`Mixed`,
  any: msg`Any triple`,
  first: msg`First three`,
  middle: msg`Middle three`,
  last: msg`Last three`,
};

/** Returns the text of an option: a word, or the number of `sum-11`, `triple-3` and `pair-3`. */
export function optionText(option: string): MessageDescriptor | string {
  return words[option] ?? /^(?:sum|triple|pair)-(\d+)$/.exec(option)?.[1] ?? option;
}

/** Returns the text of an entry. Words are translated, numbers are not. */
export function entryText(
  entry: string,
  translate: (text: MessageDescriptor | string) => string,
): string {
  const [position, word] = entry.includes(':') ? entry.split(':') : ['', entry];
  const text = translate(optionText((word ?? '').replace(/^(?:two|three)-/, '')));
  return position ? `${translate(optionText(position))}: ${text}` : text;
}

export const groupNames: Readonly<Record<string, MessageDescriptor>> = {
  '1': msg`North`,
  '2': msg`Central`,
  '3': msg`South`,
};
