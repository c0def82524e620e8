import { act, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { Route } from 'wouter';
import { navigate } from 'wouter/use-browser-location';

import { answerWith } from '../../src/lib/testing/answers.ts';
import { MemberScreen } from '../screens/players/MemberScreen.tsx';
import { renderScreen } from '../testing/render.tsx';
import { useObject } from './useObject.ts';

afterEach(() => vi.unstubAllGlobals());

test('while another object loads, the one before it is hidden', async () => {
  answerWith({
    'GET /ops/v1/members/7': {
      id: '7',
      username: 'lan2024',
      status: 'active',
      tags: [],
      version: 1,
    },
    'GET /ops/v1/members/8': () => new Promise(() => {}),
  });
  renderScreen(<Route path="/members/:id" component={MemberScreen} />, {
    permissions: ['member.read', 'member.edit'],
    address: '/members/7',
  });
  expect(await screen.findByText('lan2024')).toBeVisible();
  act(() => navigate('/console/members/8'));
  expect(screen.queryByText('lan2024')).toBeNull();
  expect(screen.queryByRole('button', { name: 'Disable' })).toBeNull();
});

function Figures({ day }: { day: string }) {
  const { data } = useObject<{ day: string }>(`/ops/v1/figures?day=${day}`);
  return <output>{data?.day}</output>;
}

test('while another query of the same path loads, the data before it stays', async () => {
  answerWith({
    'GET /ops/v1/figures': ({ url }: Request) =>
      url.endsWith('=1') ? { day: 'first' } : new Promise(() => {}),
  });
  renderScreen(<Route path="/figures/:day">{({ day }) => <Figures day={day} />}</Route>, {
    address: '/figures/1',
  });
  expect(await screen.findByText('first')).toBeVisible();
  act(() => navigate('/console/figures/2'));
  expect(screen.getByText('first')).toBeVisible();
});
