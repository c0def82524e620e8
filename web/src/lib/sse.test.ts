import { expect, test } from 'vitest';

import { createEventParser, type ServerEvent } from './sse.ts';

function parse(...pieces: string[]): ServerEvent[] {
  const events: ServerEvent[] = [];
  const feed = createEventParser((event) => events.push(event));
  for (const piece of pieces) feed(piece);
  return events;
}

const stream = 'event: balance\ndata: {"a":1}\n\nevent: session\ndata: {"b":2}\n\n';
const both = [
  { event: 'balance', data: '{"a":1}' },
  { event: 'session', data: '{"b":2}' },
];

test('reads events with their names', () => {
  expect(parse(stream)).toEqual(both);
});

test('parses the same events for any chunking', () => {
  for (let cut = 1; cut < stream.length; cut += 1) {
    expect(parse(stream.slice(0, cut), stream.slice(cut))).toEqual(both);
  }
  expect(parse(...stream.split(''))).toEqual(both);
});

test('accepts all three line ends, also split between chunks', () => {
  const windows = stream.replaceAll('\n', '\r\n');
  expect(parse(windows)).toEqual(both);
  expect(parse(...windows.split(''))).toEqual(both);
  expect(parse(`${stream.replaceAll('\n', '\r')}:end\n`)).toEqual(both);
});

test('skips comments, unknown fields and events without data', () => {
  expect(parse(': 1\n\n', 'retry: 3000\nid: 7\n\n', 'event: empty\n\n')).toEqual([]);
});

test('joins the data lines and removes one leading space', () => {
  expect(parse('data:one\ndata:  two\n\n')).toEqual([{ event: 'message', data: 'one\n two' }]);
});

test('emits no incomplete event', () => {
  expect(parse('event: balance\ndata: 1\n')).toEqual([]);
});
