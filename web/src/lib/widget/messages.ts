// Messages between the app and the frame for third-party scripts. Each side accepts only these types, and only from the other side.

/** The widget to show, and the URL of its script. */
export type Widget =
  | { kind: 'geetest'; script: string; id: string }
  | { kind: 'recaptcha'; script: string; id: string };

/** The app's request to the frame. */
export type Order = Widget & { language: string };

/** The frame's messages: ready, shown, result, failure. */
export type News =
  | { news: 'listening' }
  | { news: 'shown' }
  | { news: 'passed'; proof: string }
  | { news: 'failed' };

export const framePath = '/m/frame/widget.html';

/** The server rejects longer proofs. */
const maxProofLength = 4096;

/**
 * Geetest runs in a sandbox without an origin and cannot reach the app. reCAPTCHA needs the site's origin for its own servers
 * (docs/adr/0011).
 */
export const sandboxOf = ({ kind }: Widget): string =>
  kind === 'geetest'
    ? 'allow-scripts allow-popups'
    : 'allow-scripts allow-popups allow-same-origin allow-forms';

/** The origin of the frame's messages. */
export const originOf = ({ kind }: Widget): string =>
  kind === 'geetest' ? 'null' : location.origin;

type Loose = Record<string, unknown>;

const fieldsOf = (data: unknown): Loose => (typeof data === 'object' && data ? data : {}) as Loose;

const isText = (value: unknown, maxLength: number): value is string =>
  typeof value === 'string' && value !== '' && value.length <= maxLength;

export function readOrder(data: unknown): Order | null {
  const { kind, script, id, language } = fieldsOf(data);
  if (kind !== 'geetest' && kind !== 'recaptcha') return null;
  if (!isText(script, 500) || !isText(id, 200) || !isText(language, 10)) return null;
  return /^https?:\/\//.test(script) ? { kind, script, id, language } : null;
}

export function readNews(data: unknown): News | null {
  const { news, proof } = fieldsOf(data);
  switch (news) {
    case 'listening':
    case 'shown':
    case 'failed':
      return { news };
    case 'passed':
      return isText(proof, maxProofLength) ? { news, proof } : null;
    default:
      return null;
  }
}
