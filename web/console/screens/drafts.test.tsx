// What an operator typed stays when a newer version of the object arrives.
import { screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { Route } from 'wouter';

import { answerWith, Failing } from '../../src/lib/testing/answers.ts';
import { renderScreen } from '../testing/render.tsx';
import { loyaltyRoutes } from './offer/promotions/LoyaltyScreens.tsx';
import { blankPromotion } from './offer/promotions/promotion.ts';
import { promotionRoutes } from './offer/promotions/PromotionScreens.tsx';
import { offerRoutes } from './offer/routes.ts';
import type { ScreenRoute } from './routes.ts';
import { streamRoutes } from './talk/StreamScreens.tsx';
import { blankStream } from './talk/StreamTypes.ts';

afterEach(() => vi.unstubAllGlobals());

type Stored = { id: string; version: number; [field: string]: unknown };

/** Opens the screen of a stored object. Each change in `changes` replaces fields of the object and increases its version. */
function openObject(
  routes: readonly ScreenRoute[],
  path: string,
  { stored, changes = {}, more = {} }: OpenOptions,
) {
  let current: Stored = stored;
  const saved: unknown[] = [];
  const url = `/ops/v1${path}/${stored.id}`;
  answerWith({
    [`GET ${url}`]: () => current,
    [`PUT ${url}`]: async (request: Request) => {
      saved.push(await request.json());
      return { ...current, version: current.version + 1 };
    },
    ...Object.fromEntries(
      Object.entries(changes).map(([action, fields]) => [
        `POST ${url}/${action}`,
        () => {
          current = { ...current, ...fields, version: current.version + 1 };
          return current;
        },
      ]),
    ),
    ...more,
  });
  const { screen: Screen } = routes.find((route) => route.path === `${path}/:id`)!;
  renderScreen(<Route path={`${path}/:id`} component={Screen} />, {
    permissions: ['content.edit', 'promotion.edit', 'vendor.edit'],
    address: `${path}/${stored.id}`,
  });
  return saved;
}

type OpenOptions = {
  stored: Stored;
  changes?: Record<string, object>;
  more?: Record<string, unknown>;
};

async function confirm(name: string) {
  await userEvent.click(await screen.findByRole('button', { name }));
  const dialog = within(await screen.findByRole('dialog'));
  await userEvent.click(dialog.getByRole('button', { name }));
  expect(await screen.findByText(`Done: ${name}`)).toBeVisible();
}

const save = () => userEvent.click(screen.getByRole('button', { name: 'Save' }));

const promotion = {
  ...blankPromotion,
  id: '7',
  title: 'Week',
  texts: { en: { title: 'Week', terms: '' } },
  version: 3,
};

const publish = { published: true, status: 'published' };

test('a change of the status alone keeps the typed text, and the next save sends the new version', async () => {
  const stream = { ...blankStream, id: '7', title: 'Match', names: { en: 'Match' }, url: '/m/a' };
  const saved = openObject(streamRoutes, '/streams', {
    stored: { ...stream, streaming: true, version: 3 },
    changes: { stop: { streaming: false } },
  });
  await userEvent.type(await screen.findByLabelText('Presenter'), 'Lan');
  await confirm('Stop');
  expect(await screen.findByRole('button', { name: 'Start' })).toBeVisible();
  expect(screen.getByLabelText('Presenter')).toHaveValue('Lan');
  await save();
  await expect.poll(() => saved).toMatchObject([{ host: 'Lan', version: 4 }]);
});

test('a newer version with other values is offered, and until then the draft and its version stay', async () => {
  const saved = openObject(promotionRoutes, '/promotions', {
    stored: promotion,
    changes: { publish },
  });
  await userEvent.type(await screen.findByLabelText('Title (en)'), ' two');
  await confirm('Publish');
  expect(await screen.findByText('Someone has saved a newer version.')).toBeVisible();
  expect(screen.getByLabelText('Title (en)')).toHaveValue('Week two');
  await save();
  await expect.poll(() => saved).toMatchObject([{ published: false, version: 3 }]);
});

test('loading the newer version replaces the draft', async () => {
  const saved = openObject(promotionRoutes, '/promotions', {
    stored: promotion,
    changes: { publish },
  });
  await userEvent.type(await screen.findByLabelText('Title (en)'), ' two');
  await confirm('Publish');
  await userEvent.click(await screen.findByRole('button', { name: 'Show the newer version' }));
  expect(screen.getByLabelText('Title (en)')).toHaveValue('Week');
  await save();
  await expect.poll(() => saved).toMatchObject([{ published: true, version: 4 }]);
});

test('a draft without changes takes the newer version', async () => {
  const saved = openObject(promotionRoutes, '/promotions', {
    stored: promotion,
    changes: { publish },
  });
  await confirm('Publish');
  await expect.poll(() => screen.getByLabelText<HTMLInputElement>('Published').checked).toBe(true);
  expect(screen.queryByText('Someone has saved a newer version.')).toBeNull();
  await save();
  await expect.poll(() => saved).toMatchObject([{ published: true, version: 4 }]);
});

test('a vendor is saved with the version of its fields', async () => {
  const vendor = {
    id: '7',
    code: 'ACME',
    name: 'Acme',
    launchUrl: 'https://a.example/{ticket}',
    launchMode: 'frame',
    house: false,
    ownWallet: false,
    enabled: true,
    games: 1,
    status: 'enabled',
    version: 3,
    keys: [],
  };
  const saved = openObject(offerRoutes, '/vendors', {
    stored: vendor,
    changes: { rotate: { name: 'Renamed by another operator' } },
  });
  await userEvent.type(await screen.findByLabelText('Launch address'), '?v=2');
  await confirm('Rotate the key');
  await userEvent.click(await screen.findByRole('button', { name: 'I have stored it' }));
  expect(await screen.findByText('Someone has saved a newer version.')).toBeVisible();
  await confirm('Save');
  expect(saved).toMatchObject([{ name: 'Acme', version: 3 }]);
});

test('an edit of a loyalty rule asks for a code, waits for a second person and keeps the draft', async () => {
  const rule = {
    id: 'check_in',
    currency: 'VND',
    status: 'on',
    enabled: true,
    version: 3,
    checkIn: { amounts: [1, 2] },
  };
  let isConfirmed = false;
  openObject(loyaltyRoutes, '/loyalty', {
    stored: rule,
    more: {
      'PUT /ops/v1/loyalty/check_in': () =>
        isConfirmed
          ? { ...rule, approval: { id: '9', state: 'waiting' } }
          : new Failing(403, 'ops.confirm'),
      'POST /ops/v1/session/confirm': () => {
        isConfirmed = true;
        return { confirmedUntil: 1 };
      },
    },
  });
  const day = await screen.findByLabelText('Day 2');
  await userEvent.clear(day);
  await userEvent.type(day, '5000');
  await save();
  await userEvent.type(await screen.findByLabelText('Code'), '123456');
  await userEvent.click(screen.getByRole('button', { name: 'Confirm' }));
  expect(await screen.findByRole('status')).toHaveTextContent('Waits for a second person');
  expect(screen.getByLabelText('Day 2')).toHaveValue('5000');
  expect(screen.queryByText('Saved')).toBeNull();
});

test('a saved loyalty rule can be saved again', async () => {
  const rule = {
    id: 'check_in',
    currency: 'VND',
    status: 'on',
    enabled: true,
    version: 3,
    checkIn: { amounts: [1, 2] },
  };
  const saved = openObject(loyaltyRoutes, '/loyalty', { stored: rule });
  await screen.findByLabelText('Day 1');
  await save();
  expect(await screen.findByText('Saved')).toBeVisible();
  await save();
  await expect.poll(() => saved).toMatchObject([{ version: 3 }, { version: 4 }]);
});

test('an approved application that needs two people waits for the second', async () => {
  const reward = {
    id: '8',
    promotion: 'event',
    title: 'Event',
    memberId: '5',
    member: 'minhanh92',
    status: 'APPLIED',
    payout: 'cash',
    amount: 1000,
    currency: 'VND',
    required: 0,
    wagered: 0,
    paid: 0,
    images: 0,
    createdAt: 1,
    expiresAt: 0,
    version: 2,
  };
  openObject(promotionRoutes, '/rewards', {
    stored: reward,
    more: {
      'POST /ops/v1/rewards/8/approve': { ...reward, approval: { id: '9', state: 'waiting' } },
    },
  });
  await userEvent.click(await screen.findByRole('button', { name: 'Approve' }));
  const dialog = within(await screen.findByRole('dialog'));
  await userEvent.click(dialog.getByRole('button', { name: 'Approve' }));
  expect(await screen.findByRole('status')).toHaveTextContent('Waits for a second person');
  expect(screen.queryByText('Done: Approve')).toBeNull();
});
