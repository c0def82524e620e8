import { createSign, generateKeyPairSync } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';

export class Signer {
  readonly #keys = generateKeyPairSync('rsa', { modulusLength: 2048 });

  get published(): object {
    const key = this.#keys.publicKey.export({ format: 'jwk' });
    return { keys: [{ ...key, kid: 'key-1', alg: 'RS256', use: 'sig' }] };
  }

  sign(claims: object): string {
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const text = `${encode({ alg: 'RS256', kid: 'key-1', typ: 'JWT' })}.${encode(claims)}`;
    const signature = createSign('RSA-SHA256').update(text).sign(this.#keys.privateKey);
    return `${text}.${signature.toString('base64url')}`;
  }
}

export async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = '';
  for await (const chunk of request) body += String(chunk);
  return body;
}

export function answer(response: ServerResponse, value: object, status = 200): void {
  response.writeHead(status, { 'Content-Type': 'application/json' });
  response.end(JSON.stringify(value));
}
