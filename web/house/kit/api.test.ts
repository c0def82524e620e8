import { afterEach, expect, test, vi } from 'vitest';

import { retryUntilKnown, houseApi, RefusedError, OutcomeUnknownError, retryDelay } from './api.ts';

const answer = (status: number, body: object): Response => Response.json(body, { status });

afterEach(() => vi.unstubAllGlobals());

function server(...answers: (Response | Error)[]) {
  const requests = vi.fn();
  const queue = [...answers];
  vi.stubGlobal('fetch', (url: string, { headers, body, method }: RequestInit) => {
    requests(method, url, headers, body);
    const reply = queue.shift() ?? new Error('no reply left in the queue');
    return reply instanceof Error ? Promise.reject(reply) : Promise.resolve(reply);
  });
  return requests;
}

const api = houseApi(
  () => 'token',
  () => 'ur',
);

test('a call sends token, device and language and returns the value', async () => {
  const requests = server(answer(200, { success: true, value: { balance: 5 } }));
  await expect(api.get('state')).resolves.toEqual({ balance: 5 });
  expect(requests).toHaveBeenCalledWith(
    'GET',
    '/house/v1/state',
    { Authorization: 'token', Device: 'MOBILE', Language: 'UR' },
    null,
  );
});

test('a refusal differs from an unknown outcome', async () => {
  server(
    answer(409, { success: false, errorCode: 'house.limit_reached' }),
    answer(503, { success: false, errorCode: 'system.unavailable' }),
    new TypeError('no network'),
    new Response('<html>', { status: 502 }),
  );
  await expect(api.get('x')).rejects.toEqual(new RefusedError('house.limit_reached'));
  await expect(api.get('x')).rejects.toBeInstanceOf(OutcomeUnknownError);
  await expect(api.get('x')).rejects.toBeInstanceOf(OutcomeUnknownError);
  await expect(api.get('x')).rejects.toBeInstanceOf(OutcomeUnknownError);
});

test('retries are 1, 2, 4 and then 8 seconds apart', () => {
  expect([1, 2, 3, 4, 5, 9].map(retryDelay)).toEqual([1000, 2000, 4000, 8000, 8000, 8000]);
});

test('PP-15 (resume) a spin without a reply is repeated with the same id and counts once', async () => {
  const round = { id: 'r-1' };
  const requests = server(
    new TypeError('cut'),
    answer(503, { success: false, errorCode: 'system.unavailable' }),
    answer(429, { success: false, errorCode: 'house.too_fast' }),
    answer(200, { success: true, value: { round } }),
  );
  const waits: number[] = [];
  const failedAttempts: number[] = [];
  const body = { spinId: 'one', stake: 10_000 };
  const got = await retryUntilKnown(
    () => api.post('spin', body),
    (attempt) => failedAttempts.push(attempt),
    {
      wait: (ms) => {
        waits.push(ms);
        return Promise.resolve();
      },
    },
  );
  expect(got).toEqual({ round });
  expect(requests.mock.calls.map(([, , , sent]) => sent)).toEqual(
    Array.from({ length: 4 }, () => JSON.stringify(body)),
  );
  expect(failedAttempts).toEqual([1, 2]);
  expect(waits).toEqual([1000, 2000, 300]);
});

test('"unavailable" is final on the first attempt, and retried after an attempt without a reply', async () => {
  const closed = () => answer(503, { success: false, errorCode: 'house.unavailable' });
  const wait = () => Promise.resolve();
  const request = () =>
    retryUntilKnown(
      () => api.post('spin', {}),
      () => {},
      { wait },
    );
  server(closed());
  await expect(request()).rejects.toEqual(new RefusedError('house.unavailable'));
  server(new TypeError('cut'), closed(), answer(200, { success: true, value: 1 }));
  await expect(request()).resolves.toBe(1);
});

test('a rate limit is final on the first attempt, and retried after an attempt without a reply', async () => {
  const rateLimited = () => answer(429, { success: false, errorCode: 'rate.limited' });
  const request = () =>
    retryUntilKnown(
      () => api.post('table/bet', {}),
      () => {},
      { wait: () => Promise.resolve() },
    );
  server(rateLimited());
  await expect(request()).rejects.toEqual(new RefusedError('rate.limited'));
  server(new TypeError('cut'), rateLimited(), answer(200, { success: true, value: 1 }));
  await expect(request()).resolves.toBe(1);
});

test('a refusal is not retried', async () => {
  const requests = server(answer(409, { success: false, errorCode: 'house.excluded' }));
  await expect(
    retryUntilKnown(
      () => api.post('spin', {}),
      () => {},
    ),
  ).rejects.toEqual(new RefusedError('house.excluded'));
  expect(requests).toHaveBeenCalledOnce();
});
