import { screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';

import { answerWith } from '../../src/lib/testing/answers.ts';
import { request } from '../server/request.ts';
import { renderConsole } from '../testing/render.tsx';
import { MerchantChooser } from './MerchantChooser.tsx';

afterEach(() => {
  vi.unstubAllGlobals();
  sessionStorage.clear();
});

const first = { code: 'first', isDefault: true };
const second = { code: 'second', isDefault: false };

test('the chosen merchant is named in later requests', async () => {
  const named: (string | null)[] = [];
  answerWith({
    'GET /ops/v1/merchants': { list: [first, second] },
    'GET /ops/v1/members': (sent: Request) => {
      named.push(sent.headers.get('Merchant'));
      return { list: [], next: '' };
    },
  });
  renderConsole(<MerchantChooser />);
  const chooser = await screen.findByRole('combobox', { name: 'Merchant' });
  expect(chooser).toHaveValue('first');
  await request('GET', '/ops/v1/members');
  await userEvent.click(chooser);
  await userEvent.click(await screen.findByRole('option', { name: 'second', hidden: true }));
  await request('GET', '/ops/v1/members');
  expect(named).toEqual([null, 'second']);
});

test('with one merchant there is nothing to choose, and a merchant that is gone is forgotten', async () => {
  sessionStorage.setItem('console.merchant', 'gone');
  const requests = answerWith({ 'GET /ops/v1/merchants': { list: [first] } });
  renderConsole(<MerchantChooser />);
  await vi.waitFor(() => expect(sessionStorage.getItem('console.merchant')).toBeNull());
  expect(requests.length).toBeGreaterThan(0);
  expect(screen.queryByRole('combobox', { name: 'Merchant' })).toBeNull();
});
