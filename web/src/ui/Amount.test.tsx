import { setupI18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { render } from '@testing-library/react';
import type { ReactNode } from 'react';
import { expect, test } from 'vitest';

import type { Currency } from '../lib/currency.ts';
import { Amount } from './Amount.tsx';

const vnd: Currency = { code: 'VND', symbol: '₫', position: 'B', pattern: '#,##0' };

function show(locale: string, element: ReactNode): HTMLElement {
  const i18n = setupI18n({ locale, messages: { [locale]: {} } });
  const { container } = render(<I18nProvider i18n={i18n}>{element}</I18nProvider>);
  return container;
}

test('formats the amount for the language and isolates its direction', () => {
  const container = show('vi', <Amount value={12480500} currency={vnd} />);
  const amount = container.querySelector('bdi');
  expect(amount?.textContent).toBe('12.480.500\u00A0₫');
  expect(amount?.dir).toBe('ltr');
});

test('keeps Western digits and the side of the symbol in a right-to-left language', () => {
  expect(show('ur', <Amount value="12480.5" />).textContent).toBe('￥12,480.50');
});

test('shows a dash without a value, and dots when concealed', () => {
  expect(show('en', <Amount value={null} />).textContent).toBe('–');
  expect(show('en', <Amount value={5} concealed />).textContent).toBe('••••••');
});

test.each([
  ['999999999', '999,999,999\u00A0₫', 'amount'],
  ['1000000000', '1,000,000,000\u00A0₫', 'amount long'],
  ['999999999999', '999,999,999,999\u00A0₫', 'amount long'],
  ['999999999999999', '999,999,999,999,999\u00A0₫', 'amount longest'],
  ['9999999999999999', '9999.99T\u00A0₫', 'amount'],
])('KO-04 fits %s as %s with class %s', (value, text, size) => {
  const amount = show('en', <Amount value={value} currency={vnd} fit />).querySelector('bdi');
  expect(amount?.textContent.startsWith(text)).toBe(true);
  expect(amount?.className).toBe(size);
});
