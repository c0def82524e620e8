import { expect, type APIRequestContext } from '@playwright/test';

import { newMember, password } from './member.ts';
import { codeFor } from './outbox.ts';
import type { Server } from './server.ts';

export type Account = { name: string; number: string; email: string };

export async function isAlive(request: APIRequestContext, token: string): Promise<boolean> {
  const headers = { Authorization: token };
  return (await request.get('/wps/member/info', { headers })).ok();
}

export async function newAccount(server: Server, request: APIRequestContext): Promise<Account> {
  const { token, userName: name } = await newMember(server, request);
  const headers = { Authorization: token };
  const number = `97${String(Date.now()).slice(-7)}`;
  const email = `${name}@example.com`;
  const mobile = { mobileNum: number, countryDialingCode: '84' };
  const channels = [
    { channel: 'sms', bind: '/wps/member/mobile', target: mobile, to: number },
    { channel: 'email', bind: '/wps/member/email', target: { email }, to: email },
  ];
  for (const { channel, bind, target, to } of channels) {
    const sendResponse = await request.post(`/wps/verification/${channel}`, {
      headers,
      data: { ...target, purpose: 'bind' },
    });
    expect(sendResponse.ok(), await sendResponse.text()).toBe(true);
    const verificationCode = await codeFor(server.origin, to);
    const data = { ...target, verificationCode, password };
    const bindResponse = await request.put(bind, { headers, data });
    expect(bindResponse.ok(), await bindResponse.text()).toBe(true);
  }
  return { name, number, email };
}
