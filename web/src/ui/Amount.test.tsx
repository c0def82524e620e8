import { setupI18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { render } from '@testing-library/react';
import type { ReactNode } from 'react';
import { expect, test } from 'vitest';

import type { Currency } from '../lib/money.ts';
import { Amount } from './Amount.tsx';

const vnd: Currency = { code: 'VND', symbol: '₫', position: 'B', pattern: '#,##0' };

function show(locale: string, element: ReactNode): HTMLElement {
  const i18n = setupI18n({ locale, messages: { [locale]: {} } });
  const { container } = render(<I18nProvider i18n={i18n}>{element}</I18nProvider>);
  return container;
}

test('stands alone in the text, in the language of the reader', () => {
  const container = show('vi', <Amount value={12480500} currency={vnd} />);
  const amount = container.querySelector('bdi');
  expect(amount?.textContent).toBe('12.480.500\u00A0₫');
  expect(amount?.dir).toBe('ltr');
});

test('a right-to-left language keeps Western digits and the symbol on its side', () => {
  expect(show('ur', <Amount value="12480.5" />).textContent).toBe('￥12,480.50');
});

test('shows a dash until there is a value, and dots when concealed', () => {
  expect(show('en', <Amount value={null} />).textContent).toBe('–');
  expect(show('en', <Amount value={5} concealed />).textContent).toBe('••••••');
});
