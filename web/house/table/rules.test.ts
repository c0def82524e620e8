// @vitest-environment jsdom
import { beforeEach, expect, test, vi } from 'vitest';

import golden from '../../../internal/game/house/table/testdata/table_betting.json';
import { listenToApp } from '../kit/bridge.ts';
import { setLanguage } from '../kit/language.ts';
import { sendToGame } from '../kit/testing.ts';
import { engine as baccarat } from './baccarat.ts';
import type { Engine } from './engine.ts';
import { engine as roulette } from './roulette.ts';
import { openRules } from './rules.ts';
import { engine as sicbo } from './sicbo.ts';
import { aRound, aSession, aTableResponse } from './testing.ts';
import { createTexts } from './texts.ts';
import type { SpotRule, Table } from './wire.ts';

let sent: unknown[];

beforeEach(async () => {
  sent = [];
  const parent = { postMessage: (message: unknown) => sent.push(message) };
  vi.spyOn(window, 'parent', 'get').mockReturnValue(parent as unknown as Window);
  // jsdom has neither.
  HTMLDialogElement.prototype.showModal = () => {};
  HTMLDialogElement.prototype.close = function close() {
    this.dispatchEvent(new Event('close'));
  };
  document.body.replaceChildren();
  await setLanguage('en');
});

function rowsOf(engine: Engine, table: Table): string[][] {
  openRules(engine, table, aRound(), createTexts(aSession(), engine));
  const rows = [...document.querySelectorAll('.odds tbody tr')];
  return rows.map((row) => [...row.children].map(({ textContent }) => textContent));
}

test('GL-07 (table rules) the sheet shows payout, return and limit of each spot', () => {
  const { table } = golden.body.value;
  expect(rowsOf(baccarat, table as Table)).toEqual([
    ['Player', '1:1', '98.76%', '5,000,000\u00A0₫'],
    ['Banker', '0.95:1', '98.94%', '5,000,000\u00A0₫'],
    ['Tie', '8:1', '85.64%', '620,000\u00A0₫'],
    ['Player pair', '11:1', '89.63%', '450,000\u00A0₫'],
    ['Banker pair', '11:1', '89.63%', '450,000\u00A0₫'],
  ]);
  const sheet = document.querySelector('dialog')!;
  expect(sheet.textContent).toContain('One ticket takes 10,000\u00A0₫ to 20,000,000\u00A0₫');
  expect(sheet.textContent).toContain(aRound().commitment.slice(0, 4));
});

test('GL-07 (table rules) equal spots share a row, and several payouts are a range', () => {
  const rule = (id: string, times: string | string[], rtp: string): SpotRule => ({
    id,
    times,
    rtp,
    minimum: 10_000,
    maximum: 100_000,
  });
  const { table } = aTableResponse();
  const numbers = Array.from({ length: 37 }, (_, number) => rule(`n${number}`, '35', '97.29'));
  const wheel = rowsOf(roulette, { ...table, spots: [...numbers, rule('red', '1', '97.29')] });
  expect(wheel.map(([, pays, gives]) => [pays, gives])).toEqual([
    ['35:1', '97.29%'],
    ['1:1', '97.29%'],
  ]);
  document.body.replaceChildren();
  const dice = rowsOf(sicbo, { ...table, spots: [rule('single5', ['1', '2', '3'], '92.12')] });
  expect(dice[0]!.slice(1, 3)).toEqual(['1–3:1', '92.12%']);
});

test('back closes the rules and keeps the table open', () => {
  const nothing = () => {};
  const stop = listenToApp({
    settings: nothing,
    pause: nothing,
    limit: nothing,
    balance: nothing,
    check: nothing,
  });
  rowsOf(baccarat, aTableResponse().table);
  expect(sent).toEqual([{ fairground: 1, type: 'sheet', open: true }]);
  sendToGame({ type: 'dismiss' });
  expect(document.querySelector('dialog')).toBeNull();
  expect(sent.at(-1)).toEqual({ fairground: 1, type: 'sheet', open: false });
  stop();
});
