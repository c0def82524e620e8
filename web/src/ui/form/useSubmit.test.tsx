import { act, renderHook } from '@testing-library/react';
import { beforeAll, expect, test, vi } from 'vitest';

import { ApiError } from '../../i18n/api-error.ts';
import { chooseLanguage } from '../../i18n/runtime.ts';
import { useSubmit } from './useSubmit.ts';

beforeAll(() => chooseLanguage('en'));

const deferred = () => {
  let resolve = () => {};
  const promise = new Promise<void>((done) => (resolve = done));
  return { promise, resolve };
};

function submission(send: (body: { amount: string }, key: string) => Promise<unknown>) {
  const onDone = vi.fn();
  const hook = renderHook(() => useSubmit({ send, onDone, fields: ['amount'] }));
  const submit = (amount: string) => act(() => hook.result.current.submit({ amount }));
  return { hook, onDone, submit };
}

test('a double tap sends once', async () => {
  const open = deferred();
  const send = vi.fn(() => open.promise);
  const { hook, onDone } = submission(send);
  await act(async () => {
    const first = hook.result.current.submit({ amount: '1' });
    await hook.result.current.submit({ amount: '1' });
    open.resolve();
    await first;
  });
  expect(send).toHaveBeenCalledOnce();
  expect(onDone).toHaveBeenCalledOnce();
});

test('a retry after a lost response keeps the idempotency key; another body gets a new one', async () => {
  const keys: string[] = [];
  const send = vi.fn(async (_: unknown, key: string) => {
    keys.push(key);
    if (keys.length < 3) throw new ApiError('network.unstable', 0);
  });
  const { submit } = submission(send);
  await submit('1');
  await submit('1');
  await submit('2');
  expect(keys[0]).toBe(keys[1]);
  expect(keys[2]).not.toBe(keys[0]);
});

test('a retry after the caller failed on the response keeps the idempotency key', async () => {
  const keys: string[] = [];
  const send = async (_: unknown, key: string) => void keys.push(key);
  const { onDone, submit } = submission(send);
  onDone.mockRejectedValueOnce(new Error('the screen failed'));
  await submit('1');
  await submit('1');
  expect(keys).toHaveLength(2);
  expect(keys[0]).toBe(keys[1]);
});

test('a definite rejection ends the key', async () => {
  const keys: string[] = [];
  const send = async (_: unknown, key: string) => {
    keys.push(key);
    throw new ApiError('request_param_err', 422, { field: 'amount' });
  };
  const { submit } = submission(send);
  await submit('1');
  await submit('1');
  expect(new Set(keys).size).toBe(2);
});

test('after a lost response, a wrong payment password does not end the key of the request', async () => {
  const keys: string[] = [];
  const errors = [new ApiError('network.unstable', 0), new ApiError('withdraw.password', 422)];
  const hook = renderHook(() =>
    useSubmit({
      send: async (_: { amount: string; pin: string }, key) => {
        keys.push(key);
        const error = errors.shift();
        if (error) throw error;
      },
      contentOf: ({ amount }) => amount,
      onDone: () => {},
    }),
  );
  for (const pin of ['123456', '111111', '123456'])
    // oxlint-disable-next-line no-await-in-loop -- one request after the other
    await act(() => hook.result.current.submit({ amount: '1', pin }));
  expect(keys).toHaveLength(3);
  expect(new Set(keys).size).toBe(1);
});

test('an error about a field belongs to the field, any other to the form', async () => {
  let error = new ApiError('request_param_err', 422, { field: 'amount' });
  const { hook, submit } = submission(async () => {
    throw error;
  });
  await submit('1');
  expect(hook.result.current.errorsOf('amount')).toHaveLength(1);
  expect(hook.result.current.error).toBe('');
  error = new ApiError('system.error', 500);
  await submit('1');
  expect(hook.result.current.errorsOf('amount')).toEqual([]);
  expect(hook.result.current.error).not.toBe('');
  act(() => hook.result.current.clearErrors());
  expect(hook.result.current.error).toBe('');
});
