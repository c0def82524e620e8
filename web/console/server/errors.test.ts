import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { hasMessage } from './errors.ts';

const internal = join(import.meta.dirname, '../../../internal');

/** The codes of the faults that only operators see, except those of missing objects: status 404 has one message for all. */
function operatorFaults(): string[] {
  const files = readdirSync(internal, { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.go') && !name.endsWith('_test.go'),
  );
  const codes = files.flatMap((name) =>
    [
      ...readFileSync(join(internal, name), 'utf8').matchAll(
        /fault\.ForOperators\(fault\.(\w+), *"([\w.]+)"/g,
      ),
    ].map(([, kind, code]) => (kind === 'NotFound' ? '' : (code ?? ''))),
  );
  return [...new Set(codes.filter(Boolean))];
}

test('each fault for operators has a text', () => {
  const codes = operatorFaults();
  expect(codes).toContain('chat.claimed');
  expect(codes.filter((code) => !hasMessage(code))).toEqual([]);
});
