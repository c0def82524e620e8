import { screen } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';

import { LoadFailure } from '../lib/load-failure.ts';
import { renderUi } from '../lib/testing/render.tsx';
import { ShellBoundary } from './ShellBoundary.tsx';

beforeEach(() => void vi.spyOn(console, 'error').mockImplementation(() => {}));

function Failing({ error }: { error: Error }): never {
  throw error;
}

test.each([
  [new Error('a bug'), 'System error'],
  [new LoadFailure('gone'), 'Load failed'],
])('%s shows "%s" and a reload button', (error, title) => {
  renderUi(
    <ShellBoundary>
      <Failing error={error} />
    </ShellBoundary>,
  );
  expect(screen.getByRole('alert').textContent).toContain(title);
  expect(screen.getByRole('button', { name: 'Reload' })).toBeVisible();
});
