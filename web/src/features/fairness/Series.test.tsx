import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';

import { clearSession } from '../../api/session.ts';
import { answerWith, sentTo } from '../../lib/testing/answers.ts';
import { homeAnswers } from '../../lib/testing/fixtures.ts';
import { renderScreen } from '../../lib/testing/screen.tsx';
import FairnessScreen from './FairnessScreen.tsx';
import { LotterySeries } from './LotterySeries.tsx';

const series = {
  id: '7',
  kind: 'lottery',
  name: 'k3-1-7',
  generation: 2,
  state: 'running',
  length: 1_000_000,
  used: 41,
  end: 'a1'.repeat(32),
  source: 'operator',
  detail: '',
  dueAt: 0,
  value: '',
  signature: '',
  salt: 'ab'.repeat(16),
  createdAt: 1,
  startedAt: 1,
  endedAt: 0,
};

beforeEach(() => clearSession());

test('PP-17 part: the void draws of a fast lottery are counted and listed with their seeds', async () => {
  const draw = (numero: string, seed: string) => ({
    numero,
    winNo: '',
    drawTime: 1,
    status: 'void',
    proof: { series: '7', link: 40, commitment: '', seed, salt: '', nonce: 40, version: 1 },
  });
  const requests = answerWith({
    ...homeAnswers,
    'GET /wps/fairness/series': { list: [series] },
    'GET /lgw/games': () =>
      Response.json([{ gameId: '1201', gameCode: 'k3-1', gameName: 'K3', drawTime: 1e15 }]),
    'GET /lgw/series/7': () => Response.json({ series: '7', voided: 2 }),
    'GET /lgw/draw/1201': ({ url }: Request) =>
      Response.json(
        url.includes('cursor=')
          ? { list: [draw('20261117-0042', 'd4'.repeat(32))], next: '' }
          : { list: [draw('20261118-0870', 'c3'.repeat(32))], next: '20261118-0870' },
      ),
  });
  renderScreen(<LotterySeries />);
  expect(await screen.findByText('2 draws of this series are void.')).toBeVisible();
  const seed = await screen.findByLabelText('Seed of draw 20261118-0870');
  expect(seed).toHaveTextContent(/^(?:c3c3 ?){16}$/);
  await userEvent.click(screen.getByRole('button', { name: 'Older draws' }));
  expect(await screen.findByLabelText('Seed of draw 20261117-0042')).toBeVisible();
  const queries = sentTo(requests, '/lgw/draw/1201').map(({ url }) => new URL(url).searchParams);
  expect(queries.map((query) => query.get('void'))).toEqual(['true', 'true']);
  expect(queries[1]!.get('cursor')).toBe('20261118-0870');
});

test('PP-17 part: the end of the jackpot is shown before its first draw', async () => {
  const jackpot = { ...series, kind: 'jackpot', name: 'VND-7', state: 'waiting', used: 0 };
  history.replaceState(null, '', '/m/fairness');
  answerWith({
    ...homeAnswers,
    'GET /wps/fairness/series': ({ url }: Request) => ({
      list: url.endsWith('?kind=jackpot') ? [jackpot] : [],
    }),
  });
  renderScreen(<FairnessScreen />);
  const section = within(await screen.findByRole('region', { name: 'Jackpot' }));
  expect(section.getByLabelText('End of the chain')).toHaveTextContent(/^(?:a1a1 ?){16}$/);
});

test('PP-17 part: the chain of a fast lottery is shown with its source, and with the announced next one', async () => {
  const ends = ['a1', 'b2', 'c3'].map((byte) => byte.repeat(32));
  answerWith({
    ...homeAnswers,
    'GET /wps/fairness/series': {
      list: [
        {
          ...series,
          id: '3',
          kind: 'lottery',
          name: 'ssc-1-7',
          end: ends[0],
          generation: 3,
          state: 'waiting',
          source: 'announced',
          detail: 'Special prize of 20 November',
        },
        { ...series, id: '2', kind: 'lottery', name: 'ssc-1-7', end: ends[1] },
        {
          ...series,
          kind: 'lottery',
          name: 'k3-1-7',
          end: ends[2],
          source: 'announced',
          detail: 'Special prize',
        },
      ],
    },
    'GET /lgw/games': () =>
      Response.json([
        { gameCode: 'ssc-1', gameName: 'Five digits, 1 min', drawTime: Date.now() + 1e6 },
      ]),
  });
  renderScreen(<LotterySeries />);
  expect(await screen.findByRole('option', { name: 'Five digits, 1 min' })).toBeVisible();
  expect(
    screen.getByText(/Series 2: link 41 of 1000000 · The operator chose its start\./),
  ).toBeVisible();
  expect(
    screen.getByText(/starts when this public value is known: Special prize of 20 November/),
  ).toBeVisible();
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Lottery' }), 'k3-1-7');
  expect(
    await screen.findByText(
      /It starts with a public result that was announced before: Special prize\./,
    ),
  ).toBeVisible();
});
