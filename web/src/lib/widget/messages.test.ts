// @vitest-environment jsdom
import { expect, test } from 'vitest';

import { originOf, readNews, readOrder, sandboxOf, type Widget } from './messages.ts';

const order = {
  kind: 'geetest',
  script: 'https://captcha.example/gt4.js',
  id: 'id-1',
  language: 'vi',
};

test('reads valid orders and drops unknown fields', () => {
  expect(readOrder({ ...order, more: 1 })).toEqual(order);
  for (const wrong of [
    null,
    'geetest',
    { ...order, kind: 'other' },
    { ...order, script: 'javascript:alert(1)' },
    { ...order, script: '/m/assets/app.js' },
    { ...order, id: '' },
    { ...order, id: 7 },
    { ...order, language: 'x'.repeat(11) },
  ]) {
    expect(readOrder(wrong)).toBeNull();
  }
});

test('reads valid news', () => {
  for (const news of ['listening', 'shown', 'failed']) {
    expect(readNews({ news, proof: 'p' })).toEqual({ news });
  }
  expect(readNews({ news: 'passed', proof: 'p' })).toEqual({ news: 'passed', proof: 'p' });
  for (const wrong of [
    undefined,
    [],
    { news: 'other' },
    { news: 'passed' },
    { news: 'passed', proof: '' },
    { news: 'passed', proof: { a: 1 } },
    { news: 'passed', proof: 'x'.repeat(4097) },
  ]) {
    expect(readNews(wrong)).toBeNull();
  }
});

test('a widget that needs no origin gets none', () => {
  const geetest: Widget = { kind: 'geetest', script: 's', id: 'i' };
  expect(sandboxOf(geetest)).not.toContain('same-origin');
  expect(originOf(geetest)).toBe('null');
  const recaptcha: Widget = { kind: 'recaptcha', script: 's', id: 'i' };
  expect(sandboxOf(recaptcha)).toContain('allow-same-origin');
  expect(originOf(recaptcha)).toBe(location.origin);
});
