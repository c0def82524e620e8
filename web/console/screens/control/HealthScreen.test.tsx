import { screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';

import { answerWith, Failing } from '../../../src/lib/testing/answers.ts';
import { formatTime } from '../../format.ts';
import { renderScreen } from '../../testing/render.tsx';
import { HealthScreen } from './HealthScreen.tsx';

afterEach(() => vi.unstubAllGlobals());

const path = 'GET /ops/v1/health';
const backupAt = Date.UTC(2026, 10, 18, 3);

const health = {
  at: Date.UTC(2026, 10, 18, 12),
  engine: 'sqlite',
  streams: 4,
  checks: [
    { name: 'replicas', state: 'ok', value: 2 },
    { name: 'database', state: 'ok', value: 1500 },
    { name: 'schema', state: 'ok', value: 0 },
    { name: 'jobs', state: 'failed', value: 3, text: 'three jobs failed' },
    { name: 'outbox', state: 'ok', value: 2500 },
    { name: 'disk', state: 'ok', value: 5 * 2 ** 30 },
    { name: 'backup', state: 'ok', value: backupAt },
  ],
  replicas: [
    { id: '1', host: 'alpha', version: 'v1.2.0', startedAt: 1, seenAt: 2, status: 'ok' },
    { id: '2', host: 'beta', version: 'v1.1.0', startedAt: 1, seenAt: 2, status: 'lost' },
  ],
  jobs: [{ state: 'retryable', number: 7 }],
};

test('each check has its name, its state and its value', async () => {
  answerWith({ [path]: health });
  renderScreen(<HealthScreen />);
  await screen.findByRole('heading', { name: 'Schema' });
  const card = (name: string) =>
    screen
      .getAllByRole('heading', { name })
      .map((heading) => heading.closest('.mantine-Card-root'))
      .find((element) => element !== null)?.textContent;
  const shown = Object.fromEntries(
    ['Replicas', 'Database', 'Schema', 'Background jobs', 'Outbox', 'Disk', 'Last backup'].map(
      (name) => [name, card(name)],
    ),
  );
  expect(shown).toEqual({
    Replicas: 'ReplicasIn order2',
    Database: 'DatabaseIn order1.5 ms, sqlite',
    Schema: 'SchemaIn order',
    'Background jobs': 'Background jobsFailed3 failedthree jobs failed',
    Outbox: 'OutboxIn order2.5 s behind',
    Disk: 'DiskIn order5.0 GiB free',
    'Last backup': `Last backupIn order${formatTime(backupAt)}`,
  });
});

test('a replica that does not answer is marked, and unfinished jobs are counted', async () => {
  answerWith({ [path]: health });
  renderScreen(<HealthScreen />);
  const lost = within(await screen.findByRole('row', { name: /^beta/ }));
  expect(lost.getByText('Does not answer')).toBeVisible();
  expect(lost.getByText('v1.1.0')).toBeVisible();
  expect(screen.getByRole('row', { name: 'retryable 7' })).toBeVisible();
});

test('a failed request for the health can be repeated', async () => {
  answerWith({ [path]: new Failing(500, 'system.error') });
  renderScreen(<HealthScreen />);
  const failure = within(await screen.findByRole('alert'));
  answerWith({ [path]: health });
  await userEvent.click(failure.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByRole('row', { name: /^alpha/ })).toBeVisible();
});
