import { afterEach, expect, test, vi } from 'vitest';

import { askUntilKnown, houseApi, Refusal, Unknown, waitBefore } from './api.ts';

const answer = (status: number, body: object): Response => Response.json(body, { status });

afterEach(() => vi.unstubAllGlobals());

function server(...answers: (Response | Error)[]) {
  const asked = vi.fn();
  const waiting = [...answers];
  vi.stubGlobal('fetch', (address: string, { headers, body, method }: RequestInit) => {
    asked(method, address, headers, body);
    const said = waiting.shift() ?? new Error('nothing left to say');
    return said instanceof Error ? Promise.reject(said) : Promise.resolve(said);
  });
  return asked;
}

const api = houseApi(
  () => 'token',
  () => 'ur',
);

test('a call says who asks and in which language, and opens the envelope', async () => {
  const asked = server(answer(200, { success: true, value: { balance: 5 } }));
  await expect(api.get('state')).resolves.toEqual({ balance: 5 });
  expect(asked).toHaveBeenCalledWith(
    'GET',
    '/house/v1/state',
    { Authorization: 'token', Device: 'MOBILE', Language: 'UR' },
    null,
  );
});

test('what was refused is told apart from what nobody can know', async () => {
  server(
    answer(409, { success: false, errorCode: 'house.limit_reached' }),
    answer(503, { success: false, errorCode: 'system.unavailable' }),
    new TypeError('no network'),
    new Response('<html>', { status: 502 }),
  );
  await expect(api.get('x')).rejects.toEqual(new Refusal('house.limit_reached'));
  await expect(api.get('x')).rejects.toBeInstanceOf(Unknown);
  await expect(api.get('x')).rejects.toBeInstanceOf(Unknown);
  await expect(api.get('x')).rejects.toBeInstanceOf(Unknown);
});

test('tries are 1, 2, 4 and then 8 seconds apart', () => {
  expect([1, 2, 3, 4, 5, 9].map(waitBefore)).toEqual([1000, 2000, 4000, 8000, 8000, 8000]);
});

test('PP-15 (resume) a spin without an answer is asked again by the same name, and counts once', async () => {
  const round = { id: 'r-1' };
  const asked = server(
    new TypeError('cut'),
    answer(503, { success: false, errorCode: 'system.unavailable' }),
    answer(429, { success: false, errorCode: 'house.too_fast' }),
    answer(200, { success: true, value: { round } }),
  );
  const waits: number[] = [];
  const vain: number[] = [];
  const body = { spinId: 'one', stake: 10_000 };
  const got = await askUntilKnown(
    () => api.post('spin', body),
    (attempt) => vain.push(attempt),
    {
      wait: (ms) => {
        waits.push(ms);
        return Promise.resolve();
      },
    },
  );
  expect(got).toEqual({ round });
  expect(asked.mock.calls.map(([, , , sent]) => sent)).toEqual(
    Array.from({ length: 4 }, () => JSON.stringify(body)),
  );
  expect(vain).toEqual([1, 2]);
  expect(waits).toEqual([1000, 2000, 300]);
});

test('what cannot be played now moved nothing, unless a try before it may have', async () => {
  const closed = () => answer(503, { success: false, errorCode: 'house.unavailable' });
  const wait = () => Promise.resolve();
  const ask = () =>
    askUntilKnown(
      () => api.post('spin', {}),
      () => {},
      { wait },
    );
  server(closed());
  await expect(ask()).rejects.toEqual(new Refusal('house.unavailable'));
  server(new TypeError('cut'), closed(), answer(200, { success: true, value: 1 }));
  await expect(ask()).resolves.toBe(1);
});

test('a refusal of the border says nothing of a try before it', async () => {
  const many = () => answer(429, { success: false, errorCode: 'rate.limited' });
  const ask = () =>
    askUntilKnown(
      () => api.post('table/bet', {}),
      () => {},
      { wait: () => Promise.resolve() },
    );
  server(many());
  await expect(ask()).rejects.toEqual(new Refusal('rate.limited'));
  server(new TypeError('cut'), many(), answer(200, { success: true, value: 1 }));
  await expect(ask()).resolves.toBe(1);
});

test('a refusal is not asked again', async () => {
  const asked = server(answer(409, { success: false, errorCode: 'house.excluded' }));
  await expect(
    askUntilKnown(
      () => api.post('spin', {}),
      () => {},
    ),
  ).rejects.toEqual(new Refusal('house.excluded'));
  expect(asked).toHaveBeenCalledOnce();
});
