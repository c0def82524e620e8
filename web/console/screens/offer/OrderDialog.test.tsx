import { screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';

import { answerWith, Failing } from '../../../src/lib/testing/answers.ts';
import { renderScreen } from '../../testing/render.tsx';
import { OrderDialog } from './OrderDialog.tsx';

afterEach(() => vi.unstubAllGlobals());

type Row = { id: string; name: string; version: number };

const dialog = (
  <OrderDialog<Row>
    label="Order"
    path="/ops/v1/things"
    movePath={({ id }) => `/ops/v1/things/${id}/move`}
    nameOf={({ name }) => name}
  />
);

const rows = [
  { id: '1', name: 'One', version: 4 },
  { id: '2', name: 'Two', version: 5 },
  { id: '3', name: 'Three', version: 6 },
];

test('the keyboard moves a row after its new neighbour', async () => {
  const bodies: unknown[] = [];
  const recordBody = async (request: Request) => {
    bodies.push(await request.json());
    return {};
  };
  answerWith({
    'GET /ops/v1/things': { list: rows, next: '' },
    'POST /ops/v1/things/1/move': recordBody,
    'POST /ops/v1/things/2/move': recordBody,
  });
  renderScreen(dialog);
  await userEvent.click(screen.getByRole('button', { name: 'Order' }));
  (await screen.findByRole('button', { name: 'Move One down' })).focus();
  await userEvent.keyboard('{ArrowDown}');
  await vi.waitFor(() => expect(bodies).toEqual([{ version: 4, after: '2' }]));
  await userEvent.click(screen.getByRole('button', { name: 'Move Two up' }));
  await vi.waitFor(() => expect(bodies[1]).toEqual({ version: 5, after: '' }));
});

test('a refused move is reported', async () => {
  answerWith({
    'GET /ops/v1/things': { list: rows, next: '' },
    'POST /ops/v1/things/1/move': new Failing(409, 'ops.stale'),
  });
  renderScreen(dialog);
  await userEvent.click(screen.getByRole('button', { name: 'Order' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Move One down' }));
  expect(await screen.findByRole('alert')).toHaveTextContent('Someone has changed this');
});
