import { QueryClient } from '@tanstack/react-query';
import { expect, test } from 'vitest';

import { openSession } from '../server/queries.ts';
import { askForCode } from './confirmation.ts';

test("a change that one operator made is not confirmed by the next operator's code", async () => {
  const client = new QueryClient();
  openSession(client, { name: 'anna', roles: [], permissions: [] });
  const asked = askForCode();
  openSession(client, { name: 'anna', roles: [], permissions: [] });
  expect(await Promise.race([asked, Promise.resolve('waiting')])).toBe('waiting');
  openSession(client, { name: 'ben', roles: [], permissions: [] });
  expect(await asked).toBe(false);
});
