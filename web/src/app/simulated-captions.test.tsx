// Every simulated figure has a caption, in every language (ruling 4).
import { cleanup, screen } from '@testing-library/react';
import type { ComponentType } from 'react';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';

import { clearSession } from '../api/session.ts';
import HomeBlocks from '../features/home/deferred/HomeBlocks.tsx';
import AppScreen from '../features/install/AppScreen.tsx';
import DownloadPopup from '../features/install/DownloadPopup.tsx';
import JackpotScreen from '../features/jackpot/JackpotScreen.tsx';
import WinnerBoardScreen from '../features/winners/WinnerBoardScreen.tsx';
import { languages } from '../i18n/languages.ts';
import { chooseLanguage, loadScreenMessages } from '../i18n/runtime.ts';
import { answerWith } from '../lib/testing/answers.ts';
import { game, homeAnswers, jackpot, pool, realJackpot, winner } from '../lib/testing/fixtures.ts';
import { renderSpoken } from '../lib/testing/screen.tsx';

const captions = { vi: 'Minh hoạ', en: 'Illustration', ur: 'نمونہ', pt: 'Ilustração' };

const answers = (simulated: boolean) => ({
  ...homeAnswers,
  'GET /wps/relay/GCSGAME_hotGamesV2': { list: [game(1), game(2, { gameCategory: 'LIVE' })] },
  'GET /wps/system/jackpot': simulated ? jackpot : realJackpot,
  'GET /wps/jackpot/pool': pool,
  'GET /wps/system/claims': {
    source: simulated ? 'simulated' : 'claims',
    list: [{ name: 'MKA', points: 1288 }],
  },
  'GET /wps/relay/GCSGAME_getRankList': { list: [{ ...winner(1), simulated }] },
});

/** Every screen with such figures, and the number of marked elements on it. */
const screens: [name: string, Screen: ComponentType, figures: number][] = [
  ['home', HomeBlocks, 3],
  ['jackpot', JackpotScreen, 3],
  ['winner board', WinnerBoardScreen, 1],
  ['app', AppScreen, 1],
  ['download popup', () => <DownloadPopup open onClose={() => {}} />, 1],
];

beforeEach(clearSession);
afterAll(() => chooseLanguage('vi'));

const marked = () => [...document.querySelectorAll('[data-simulated]')];
/** Amounts of money and points. */
const figures = () => screen.queryAllByText(/[\d.,\s]{4,}(?:₫|points|điểm|پوائنٹس|pontos)|₫/);

describe.each(languages)('PP-13 in %s', (language) => {
  test.each(screens)('%s captions simulated figures', async (_, Screen, count) => {
    await chooseLanguage(language);
    await loadScreenMessages();
    answerWith(answers(true));
    renderSpoken(<Screen />);
    await expect.poll(() => marked().length).toBe(count);
    for (const figure of figures()) expect(figure.closest('[data-simulated]')).not.toBeNull();
    for (const figure of marked()) {
      const caption = document.getElementById(figure.getAttribute('aria-describedby') ?? '');
      expect(caption?.textContent).toBe(captions[language]);
      // The caption is visible and in the same block.
      expect(caption?.closest('section')).toBe(figure.closest('section'));
      expect(caption?.closest('[hidden], [aria-hidden="true"]')).toBeNull();
    }
    cleanup();
  });
});

test.each(screens)('%s: real figures have no caption', async (_, Screen) => {
  await chooseLanguage('en');
  answerWith(answers(false));
  renderSpoken(<Screen />);
  await expect.poll(() => figures().length).toBeGreaterThan(0);
  expect(marked()).toEqual([]);
  expect(screen.queryByText(captions.en)).toBeNull();
});
