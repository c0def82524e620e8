// @vitest-environment jsdom
import { QueryClient } from '@tanstack/react-query';
import { expect, test } from 'vitest';

import { answerWith } from '../lib/testing/answers.ts';
import { serviceLinksQuery } from './service.ts';

const utf8 = (text: string) => new TextEncoder().encode(text);

/** Encrypts a path as the server does: nonce and ciphertext, then the eight characters of the key. */
async function encrypt(text: string, secret = 'k3y-K3Y_'): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', utf8(secret));
  const key = await crypto.subtle.importKey('raw', digest, 'AES-GCM', false, ['encrypt']);
  const iv = crypto.getRandomValues(new Uint8Array(12));
  const encrypted = await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, key, utf8(text));
  return Buffer.concat([iv, Buffer.from(encrypted)]).toString('base64url') + secret;
}

async function links(entries: unknown[]) {
  answerWith({ 'GET /wps/system/customerService': entries });
  return new QueryClient().fetchQuery(serviceLinksQuery);
}

test('EN-07 a path is decrypted with its last eight characters', async () => {
  expect(
    await links([
      { csType: 'CS', path: await encrypt('https://chat.example.test/?q=hỗ-trợ') },
      { csType: 'WHATSAPP', path: await encrypt('/m/policy/contact') },
    ]),
  ).toEqual([
    { type: 'CS', href: 'https://chat.example.test/?q=hỗ-trợ' },
    { type: 'WHATSAPP', href: '/m/policy/contact' },
  ]);
});

test('EN-15 the affiliates’ URL is used unchanged', async () => {
  const url = 'https://partners.example.test/';
  expect(await links([{ csType: 'AFFILIATELINK', path: '', url }])).toEqual([
    { type: 'AFFILIATELINK', href: url },
  ]);
});

test('EN-07 drops paths that cannot be decrypted or are not safe', async () => {
  const good = await encrypt('https://chat.example.test/');
  expect(
    await links([
      { csType: 'CS', path: '' },
      { csType: 'CS', path: 'short' },
      { csType: 'CS', path: `${good.slice(0, -1)}!` },
      { csType: 'CS', path: `A${good}` },
      { csType: 'CS', path: await encrypt('javascript:alert(1)') },
      { csType: 'CS', path: await encrypt('//elsewhere.example') },
    ]),
  ).toEqual([]);
});
