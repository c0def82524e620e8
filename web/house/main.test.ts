// @vitest-environment jsdom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

let sent: unknown[];
let answer: () => Promise<Response>;
let requests: string[];

beforeEach(() => {
  sent = [];
  requests = [];
  const parent = { postMessage: (message: unknown) => sent.push(message) };
  vi.spyOn(window, 'parent', 'get').mockReturnValue(parent as unknown as Window);
  vi.stubGlobal('fetch', (path: string, { body }: { body: string }) => {
    requests.push(`${path} ${body}`);
    return answer();
  });
  history.replaceState(null, '', '/m/house/?t=ticket-1#theme=dark&lang=en');
  document.body.innerHTML = '<main id="game"></main>';
  vi.resetModules();
});

afterEach(() => {
  vi.unstubAllGlobals();
  document.body.replaceChildren();
});

const alertText = () => document.querySelector('[role=alert]')?.textContent ?? '';
const buttons = () => [...document.querySelectorAll('button')].map((one) => one.textContent);

test('GL-03 (House page) a server that does not respond is reported to the app, and a retry uses the same ticket', async () => {
  answer = () => Promise.reject(new TypeError('Failed to fetch'));
  await import('./main.ts');
  await expect.poll(() => sent).toEqual([{ fairground: 1, type: 'failed' }]);
  expect(alertText()).toContain('There was no answer. Nothing was staked.');
  expect(buttons()).toEqual(['Try again', 'Leave']);
  document.querySelector('button')!.click();
  await expect.poll(() => sent).toHaveLength(2);
  expect(requests).toEqual(
    Array.from({ length: 2 }, () => '/house/v1/session {"ticket":"ticket-1"}'),
  );
});

test('GL-03 (House page) a used or expired ticket is reported to the app and not retried', async () => {
  const body = { success: false, errorCode: 'house.session_expired' };
  answer = () => Promise.resolve(Response.json(body, { status: 401 }));
  await import('./main.ts');
  await expect.poll(() => sent).toEqual([{ fairground: 1, type: 'expired' }]);
  expect(alertText()).toContain('Go back and open the game again.');
  expect(buttons()).toEqual(['Leave']);
  document.querySelector('button')!.click();
  expect(sent.at(-1)).toEqual({ fairground: 1, type: 'close' });
});
