// @vitest-environment jsdom
import { expect, test } from 'vitest';

import { showStartFailure } from './startFailure.ts';

test('replaces the page and offers a reload', () => {
  const place = document.createElement('div');
  place.innerHTML = '<div class="boot"></div>';
  showStartFailure(place);
  expect(place.querySelector('.boot')).toBeNull();
  expect(place.querySelector('[role=alert] p')?.textContent).toContain('could not be loaded');
  expect(place.querySelector('button')?.textContent).toContain('Reload');
});
