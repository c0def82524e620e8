// @vitest-environment jsdom
import { i18n } from '@lingui/core';
import { beforeEach, expect, test, vi } from 'vitest';

import { errorMessages } from './errors.ts';
import { directionOf, languageOfWire, languages, wireLanguage } from './languages.ts';
import {
  chooseLanguage,
  currentLanguage,
  watchLanguage,
  loadScreenMessages,
  startLanguage,
} from './runtime.ts';

beforeEach(() => localStorage.clear());

test('LY-10 in part: vi is the default', async () => {
  await startLanguage();
  expect(currentLanguage()).toBe('vi');
  expect(document.documentElement.lang).toBe('vi');
  expect(localStorage.getItem('lang')).toBeNull();
});

test('the merchant’s language is the default of a new visitor', async () => {
  const meta = Object.assign(document.createElement('meta'), { name: 'default-language' });
  meta.content = 'pt';
  document.head.append(meta);
  vi.resetModules();
  const reloaded = await import('./runtime.ts');
  expect(reloaded.currentLanguage()).toBe('pt');
  meta.remove();
});

test.each(languages)(
  'LY-10 in part: %s has its texts and direction, and is stored',
  async (language) => {
    await chooseLanguage(language);
    expect(document.documentElement.lang).toBe(language);
    expect(document.documentElement.dir).toBe(language === 'ur' ? 'rtl' : 'ltr');
    expect(localStorage.getItem('lang')).toBe(language);
    const texts = { vi: 'Quay lại', en: 'Back', ur: 'واپس', pt: 'Voltar' };
    expect(Object.values(i18n.messages).flat()).toContain(texts[language]);
  },
);

test('the last of two quick choices wins', async () => {
  await Promise.all([chooseLanguage('ur'), chooseLanguage('en')]);
  expect(currentLanguage()).toBe('en');
  expect(i18n.locale).toBe('en');
  expect(document.documentElement.dir).toBe('ltr');
});

test('only Urdu runs from right to left', () => {
  expect(languages.filter((language) => directionOf(language) === 'rtl')).toEqual(['ur']);
});

test('KO-08 languages part: EN UR VI PT on the wire', () => {
  expect(new Set(languages.map(wireLanguage))).toEqual(new Set(['EN', 'UR', 'VI', 'PT']));
  expect(languageOfWire('UR')).toBe('ur');
  expect(languageOfWire('FR')).toBeNull();
});

test('the message id of each error contains its code', () => {
  for (const [code, { id }] of Object.entries(errorMessages())) expect(id).toBe(`errors.${code}`);
});

test('opening a screen loads the shared messages, also while the language changes', async () => {
  await chooseLanguage('en');
  expect(i18n.messages).not.toHaveProperty(['errors.login.incorrect']);
  const changing = chooseLanguage('pt');
  await Promise.all([loadScreenMessages(), changing]);
  expect(i18n.messages).toHaveProperty(['errors.login.incorrect']);
  await chooseLanguage('vi');
  expect(i18n.messages).toHaveProperty(['errors.login.incorrect']);
  expect(i18n.messages).toHaveProperty(['errors.system.error']);
});

test.each(languages)('every error has a message in %s', async (language) => {
  await chooseLanguage(language);
  await loadScreenMessages();
  for (const { id } of Object.values(errorMessages())) expect(i18n.messages).toHaveProperty([id]);
});

test('a language chosen in another tab is used here too', async () => {
  await chooseLanguage('en');
  const stop = watchLanguage();
  localStorage.setItem('lang', 'ur');
  dispatchEvent(new StorageEvent('storage', { key: 'lang' }));
  stop();
  await expect.poll(currentLanguage).toBe('ur');
});
