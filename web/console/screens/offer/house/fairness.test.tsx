import { screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { Route } from 'wouter';

import { answerWith } from '../../../../src/lib/testing/answers.ts';
import { renderScreen } from '../../../testing/render.tsx';
import { SeriesScreen } from './FairnessScreens.tsx';

afterEach(() => vi.unstubAllGlobals());

const series = {
  id: '7',
  kind: 'table',
  name: 'sicbo-1',
  generation: 2,
  state: 'waiting',
  length: 1_000_000,
  used: 0,
  end: 'ab'.repeat(32),
  source: 'announced',
  detail: 'Special prize',
  dueAt: 1_790_000_000_000,
  value: '',
  salt: '',
  startedAt: 0,
  version: 3,
  actions: ['value', 'end'],
};

test('PP-17 part: an announced result waits for a second person', async () => {
  let body: unknown;
  answerWith({
    'GET /ops/v1/fairness/7': series,
    'POST /ops/v1/fairness/7/value': async (request: Request) => {
      body = await request.json();
      return { approval: { id: '1', state: 'waiting' } };
    },
  });
  renderScreen(<Route path="/fairness/:id" component={SeriesScreen} />, {
    address: '/fairness/7',
    permissions: ['house.repair'],
  });
  expect(await screen.findByText('Announced public result')).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Enter the result' }));
  const dialog = await screen.findByRole('dialog');
  await userEvent.type(within(dialog).getByLabelText(/^Result/), '12345');
  await userEvent.click(within(dialog).getByRole('button', { name: 'Enter the result' }));
  expect(await screen.findByText(/second person/)).toBeVisible();
  expect(body).toEqual({ version: 3, value: '12345' });
});
