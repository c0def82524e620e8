import { cleanup, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';

import { clearSession, startSession } from '../../api/session.ts';
import { chooseLanguage } from '../../i18n/runtime.ts';
import { answerWith, Failing, sentTo } from '../../lib/testing/answers.ts';
import { homeAnswers } from '../../lib/testing/fixtures.ts';
import { renderScreen } from '../../lib/testing/screen.tsx';
import PromotionsScreen from './PromotionsScreen.tsx';

const promotion = {
  id: '3',
  code: 'welcome',
  kind: 'first_deposit',
  category: 'deposit',
  title: 'First deposit 50%',
  terms: 'One account for each person.\nEnds with the year.',
  image: '',
  currency: 'VND',
  percent: 50,
  amount: 0,
  min: 100_000,
  max: 1_000_000,
  wagering: 10,
  payout: 'bonus',
  days: 30,
  every: '',
  from: 0,
  to: 0,
  applyBy: 0,
  state: 'open',
};
const application = {
  ...promotion,
  id: '4',
  kind: 'application',
  category: 'event',
  title: 'Lucky bill',
  percent: 0,
};
const code = {
  ...promotion,
  id: '5',
  kind: 'promo_code',
  category: 'event',
  title: 'Code of the day',
};
const list = 'GET /wps/promotion';
const rewards = { 'GET /wps/reward': { list: [], unclaimed: 0 } };

beforeEach(() => {
  sessionStorage.clear();
  history.replaceState(null, '', '/m/home'); // another address drops the drafts
  history.replaceState(null, '', '/m/activity');
  clearSession();
  startSession({
    token: 'token-1',
    type: 0,
    userName: 'demo88',
    merchantCode: 'fairground',
    firstTimeLogin: false,
  });
});

test('RT-12 promotions are listed by category with their main terms', async () => {
  answerWith({ ...homeAnswers, ...rewards, [list]: { list: [promotion, application] } });
  renderScreen(<PromotionsScreen />);
  expect(await screen.findByText('First deposit 50%')).toBeVisible();
  expect(screen.getAllByText('10 × bonus')[0]).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Events' }));
  expect(screen.queryByText('First deposit 50%')).toBeNull();
  expect(screen.getByText('Lucky bill')).toBeVisible();
});

test('another language loads the texts of promotions again', async () => {
  const requests = answerWith({
    ...homeAnswers,
    ...rewards,
    [list]: ({ headers }: Request) => ({
      list: [{ ...promotion, title: `Title in ${headers.get('Language')}` }],
    }),
  });
  renderScreen(<PromotionsScreen />);
  expect(await screen.findByText('Title in VI')).toBeVisible();
  await chooseLanguage('pt');
  expect(await screen.findByText('Title in PT')).toBeVisible();
  expect(sentTo(requests, list)).toHaveLength(2);
  await chooseLanguage('vi');
});

test('RT-12 part: the address opens a promotion with its terms and an example', async () => {
  history.replaceState(null, '', '/m/activity?promotion=3');
  answerWith({ ...homeAnswers, ...rewards, [list]: { list: [promotion] } });
  renderScreen(<PromotionsScreen />);
  expect(await screen.findByRole('heading', { level: 1, name: 'First deposit 50%' })).toBeVisible();
  expect(screen.getByText('Ends with the year.')).toBeVisible();
  expect(screen.getByRole('link', { name: 'Deposit now' })).toHaveAttribute(
    'href',
    '/m/voucherCenter',
  );
  const example = screen.getByRole('heading', { name: 'Example' }).parentElement;
  expect(example).toHaveTextContent('50,000');
  expect(example).toHaveTextContent('500,000');
});

test('a visitor is asked to log in and returns to the promotion', async () => {
  clearSession();
  history.replaceState(null, '', '/m/activity?promotion=3');
  answerWith({ ...homeAnswers, [list]: { list: [promotion] } });
  renderScreen(<PromotionsScreen />);
  const link = await screen.findByRole('link', { name: 'Log in to take part' });
  expect(link.getAttribute('href')).toContain(encodeURIComponent('promotion=3'));
});

test('RT-32 part: a wrong code says so and stays typed; the right one is sent once', async () => {
  let isRight = false;
  const requests = answerWith({
    ...homeAnswers,
    ...rewards,
    [list]: { list: [code] },
    'POST /wps/promotion/code': () => (isRight ? { id: '9' } : new Failing(422, 'promotion.code')),
  });
  renderScreen(<PromotionsScreen />);
  const field = await screen.findByRole('textbox', { name: 'Promotion code' });
  await userEvent.type(field, 'LUCKY');
  await userEvent.click(screen.getByRole('button', { name: 'Use the code' }));
  expect(await screen.findByRole('alert')).toBeVisible();
  expect(field).toHaveValue('LUCKY');
  isRight = true;
  await userEvent.dblClick(screen.getByRole('button', { name: 'Use the code' }));
  await expect.poll(() => field).toHaveValue('');
  expect(sentTo(requests, 'POST /wps/promotion/code')).toHaveLength(2);
});

test('the link to the rewards has their number', async () => {
  answerWith({
    ...homeAnswers,
    [list]: { list: [] },
    'GET /wps/reward': { list: [], unclaimed: 3 },
  });
  renderScreen(<PromotionsScreen />);
  expect(await screen.findByText('No promotions at the moment')).toBeVisible();
});

test("a visitor's typed code is kept over the login", async () => {
  clearSession();
  answerWith({ ...homeAnswers, ...rewards, [list]: { list: [code] } });
  renderScreen(<PromotionsScreen />);
  await userEvent.type(await screen.findByRole('textbox', { name: 'Promotion code' }), 'LUCKY');
  await userEvent.click(screen.getByRole('button', { name: 'Use the code' }));
  expect(location.pathname + location.search).toBe('/m/login?return=%2Fm%2Factivity');
  cleanup();
  history.replaceState(null, '', '/m/activity');
  renderScreen(<PromotionsScreen />);
  expect(await screen.findByRole('textbox', { name: 'Promotion code' })).toHaveValue('LUCKY');
});

test('PP-11 part: the example shows what the server pays, rounded down', async () => {
  history.replaceState(null, '', '/m/activity?promotion=3');
  const small = { ...promotion, percent: 0.29, min: 50_000 };
  answerWith({ ...homeAnswers, ...rewards, [list]: { list: [small] } });
  renderScreen(<PromotionsScreen />);
  const example = (await screen.findByRole('heading', { name: 'Example' })).parentElement;
  expect(example).toHaveTextContent('Reward 0.29%');
  expect(example).toHaveTextContent('145');
  expect(example).toHaveTextContent('1,450');
});
