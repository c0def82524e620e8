import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';

import { PageTransition } from './PageTransition.tsx';

const css = (name: string) => readFileSync(join(import.meta.dirname, name), 'utf8');

test('LY-12 in part: the page transition takes 300 ms', () => {
  expect(css('PageTransition.module.css')).toContain('animation: arrive var(--t-page)');
  expect(css('tokens.css')).toContain('--t-page: 300ms;');
});

test('a new screen remounts the page, the same screen keeps its state', () => {
  const page = (name: string) => (
    <PageTransition screen={name}>
      <input aria-label="field" defaultValue="" />
    </PageTransition>
  );
  const { rerender } = render(page('home'));
  const first = screen.getByLabelText('field');
  rerender(page('home'));
  expect(screen.getByLabelText('field')).toBe(first);
  rerender(page('login'));
  expect(screen.getByLabelText('field')).not.toBe(first);
});
