import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';

import { clearSession } from '../../api/session.ts';
import { answerWith, Failing } from '../../lib/testing/answers.ts';
import { homeAnswers } from '../../lib/testing/fixtures.ts';
import { renderScreen } from '../../lib/testing/screen.tsx';
import AgreementScreen from './AgreementScreen.tsx';
import PolicyScreen from './PolicyScreen.tsx';

const agreement = {
  name: 'userAgreement',
  title: 'User agreement',
  content: '<p>You are of age.</p><script>throw 1</script>',
};
const privacy = { name: 'privacy', title: 'Privacy', content: '<p>What is kept.</p>' };
const pages = [agreement, privacy].map(({ name, title }) => ({ name, title }));
const pageOf = (name: string) => `GET /wps/system/page/${name}`;

const answers: Record<string, unknown> = {
  ...homeAnswers,
  'GET /wps/system/pages': pages,
  [pageOf('userAgreement')]: agreement,
  [pageOf('privacy')]: privacy,
};

const screens = [
  ['/m/userAgreement', AgreementScreen, agreement, privacy],
  ['/m/policy/privacy', PolicyScreen, privacy, agreement],
] as const;

beforeEach(clearSession);

test.each(screens)(
  'RT-30 %s shows the merchant’s text and links to the other pages',
  async (path, Screen, shown, other) => {
    answerWith(answers);
    history.replaceState(null, '', path);
    const { container } = renderScreen(<Screen />);
    expect(await screen.findByRole('heading', { name: shown.title })).toBeVisible();
    expect(await screen.findByText(/You are of age|What is kept/)).toBeVisible();
    expect(container.querySelector('script')).toBeNull();
    const others = within(await screen.findByRole('navigation', { name: 'Other pages' }));
    expect(others.getAllByRole('link').map((link) => link.textContent)).toEqual([other.title]);
  },
);

test.each(screens)(
  'ER-02 %s: a failed load shows an error, and a tap retries',
  async (path, Screen, shown) => {
    const given: Record<string, unknown> = { ...answers };
    delete given[pageOf(shown.name)];
    answerWith(given);
    history.replaceState(null, '', path);
    renderScreen(<Screen />);
    const retry = await screen.findByRole('button', { name: /Load failed, tap to retry/ });
    expect(screen.getByText(/Network offline or unstable/)).toBeVisible();
    given[pageOf(shown.name)] = shown;
    await userEvent.click(retry);
    expect(await screen.findByRole('heading', { name: shown.title })).toBeVisible();
    expect(screen.queryByText(/Load failed/)).toBeNull();
  },
);

test('an unknown page links to home and to the other pages', async () => {
  answerWith({ ...answers, [pageOf('nothing')]: new Failing(404, 'content.unknown') });
  history.replaceState(null, '', '/m/policy/nothing');
  renderScreen(<PolicyScreen />);
  expect(await screen.findByText('There is no such page')).toBeVisible();
  expect(screen.getByRole('link', { name: 'To home' }).getAttribute('href')).toBe('/m/home');
  expect(await screen.findByRole('link', { name: 'Privacy' })).toBeVisible();
});
