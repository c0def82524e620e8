// Opens a table with a fake server, for tests. Tests that use it must mock the sounds themselves.
import { vi } from 'vitest';

import type { ServerEvent } from '../../src/lib/sse.ts';
import type { Api } from '../kit/api.ts';
import { setLanguage } from '../kit/language.ts';
import type { Stream } from '../kit/stream.ts';
import { engine } from './baccarat.ts';
import { TableGame } from './game.ts';
import { aTableResponse, aSession } from './testing.ts';
import type { TableResponse, TableUpdate } from './wire.ts';

/** Sets the clock and the app's window. Returns the messages that the game sends to the app. */
export async function setUpGame(): Promise<unknown[]> {
  vi.useFakeTimers({
    toFake: ['performance', 'setTimeout', 'clearTimeout', 'setInterval', 'requestAnimationFrame'],
  });
  localStorage.clear();
  const sent: unknown[] = [];
  const parent = { postMessage: (message: unknown) => sent.push(message) };
  vi.spyOn(window, 'parent', 'get').mockReturnValue(parent as unknown as Window);
  await setLanguage('en');
  return sent;
}

const ignore = (): void => {};

function fakeStream() {
  let open = ignore;
  let event: (event: ServerEvent) => void = ignore;
  let endStream = ignore;
  const stream = vi.fn<Stream>((_, on) => {
    ({ open, event } = on);
    open();
    return new Promise((resolve) => {
      endStream = resolve;
    });
  });
  return {
    stream,
    send: (news: TableUpdate) => event({ event: 'table', data: JSON.stringify(news) }),
    end: () => endStream(),
  };
}

export async function openTable(answer: Partial<TableResponse> = {}, api: Partial<Api> = {}) {
  const line = fakeStream();
  const get = vi.fn((path: string) =>
    Promise.resolve(path === 'table' ? aTableResponse(answer) : { list: [], next: null }),
  );
  const post = vi.fn();
  const all = { get: get as Api['get'], post, ...api };
  await new TableGame({ api: all, stream: line.stream }, aSession(), engine).start(document.body);
  return { ...line, get, post };
}

export const advance = (ms: number) => vi.advanceTimersByTimeAsync(ms);
export const one = (selector: string) => document.querySelector<HTMLElement>(selector)!;
export const spot = (id: string) => one(`[data-spot=${id}]`);
export const announced = () => one('main > [role=status]').textContent;
export const card = () => one('.phase-card');
