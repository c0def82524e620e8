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
  'RT-30 %s shows the text of the merchant and leads to the others',
  async (path, Screen, shown, other) => {
    answerWith(answers);
    history.replaceState(null, '', path);
    const { container } = renderScreen(<Screen />);
    expect(await screen.findByRole('heading', { name: shown.title })).toBeDefined();
    expect(await screen.findByText(/You are of age|What is kept/)).toBeDefined();
    expect(container.querySelector('script')).toBeNull();
    const others = within(await screen.findByRole('navigation', { name: 'Other pages' }));
    expect(others.getAllByRole('link').map((link) => link.textContent)).toEqual([other.title]);
  },
);

test.each(screens)(
  'ER-02 %s: what could not be had is told, and a tap brings it',
  async (path, Screen, shown) => {
    const given: Record<string, unknown> = { ...answers };
    delete given[pageOf(shown.name)];
    answerWith(given);
    history.replaceState(null, '', path);
    renderScreen(<Screen />);
    const retry = await screen.findByRole('button', { name: /Load failed, tap to retry/ });
    expect(screen.getByText(/Network offline or unstable/)).toBeDefined();
    given[pageOf(shown.name)] = shown;
    await userEvent.click(retry);
    expect(await screen.findByRole('heading', { name: shown.title })).toBeDefined();
    expect(screen.queryByText(/Load failed/)).toBeNull();
  },
);

test('a page that there is not says so, and leads home and to those that there are', async () => {
  answerWith({ ...answers, [pageOf('nothing')]: new Failing(404, 'content.unknown') });
  history.replaceState(null, '', '/m/policy/nothing');
  renderScreen(<PolicyScreen />);
  expect(await screen.findByText('There is no such page')).toBeDefined();
  expect(screen.getByRole('link', { name: 'To home' }).getAttribute('href')).toBe('/m/home');
  expect(await screen.findByRole('link', { name: 'Privacy' })).toBeDefined();
});
