import { expect, type APIRequestContext } from '@playwright/test';

import type { Server } from './server.ts';
import type { Session } from './test.ts';

export const password = 'Ferris1234';

let count = 0;

export async function newMember(server: Server, request: APIRequestContext): Promise<Session> {
  count += 1;
  const name = `m${Date.now().toString(36)}${process.pid.toString(36)}${count}`.slice(0, 16);
  await server.createMember(name, password);
  return logIn(request, name);
}

export async function logIn(
  request: APIRequestContext,
  username: string,
  memberPassword: string = password,
): Promise<Session> {
  const data = { username, password: memberPassword, type: 'username' };
  const headers = { Device: 'MOBILE' };
  const response = await request.post('/wps/session/login', { data, headers });
  expect(response.ok(), await response.text()).toBe(true);
  return ((await response.json()) as { value: Session }).value;
}

export async function newGuest(request: APIRequestContext): Promise<Session> {
  const data = { moduleId: 'FREEPLAY3', ageConfirmed: true };
  const response = await request.post('/wps/session/login/freeplay', { data });
  expect(response.ok(), await response.text()).toBe(true);
  const { token, userName, type } = ((await response.json()) as { value: Session }).value;
  return { token, userName, type, firstTimeLogin: false };
}
