// What the app and the frame for scripts of others say to one another. Each side believes only what has this form, and
// only from the other.

/** Whose widget is to be shown, and where its script comes from. */
export type Widget =
  | { kind: 'geetest'; script: string; id: string }
  | { kind: 'recaptcha'; script: string; id: string };

/** What the app asks the frame for. */
export type Order = Widget & { language: string };

/** What the frame answers: that it listens, that the widget is there, what it gave, that it gives nothing. */
export type News =
  | { news: 'listening' }
  | { news: 'shown' }
  | { news: 'passed'; proof: string }
  | { news: 'failed' };

/** Where the frame is served, where there is something to show in it. */
export const framePath = '/m/frame/widget.html';

/** More than any proof has, and as much as the server reads of one. */
const longestProof = 4096;

/**
 * Geetest runs without an origin, so that it reaches nothing of the app's. reCAPTCHA tells its own servers for which
 * site it runs, by its origin, and has none to tell of without it (docs/adr/0011).
 */
export const sandboxOf = ({ kind }: Widget): string =>
  kind === 'geetest'
    ? 'allow-scripts allow-popups'
    : 'allow-scripts allow-popups allow-same-origin allow-forms';

/** What the frame's messages say they come from. */
export const originOf = ({ kind }: Widget): string =>
  kind === 'geetest' ? 'null' : location.origin;

type Loose = Record<string, unknown>;

const partsOf = (data: unknown): Loose => (typeof data === 'object' && data ? data : {}) as Loose;

const isText = (value: unknown, most: number): value is string =>
  typeof value === 'string' && value !== '' && value.length <= most;

export function readOrder(data: unknown): Order | null {
  const { kind, script, id, language } = partsOf(data);
  if (kind !== 'geetest' && kind !== 'recaptcha') return null;
  if (!isText(script, 500) || !isText(id, 200) || !isText(language, 10)) return null;
  return /^https?:\/\//.test(script) ? { kind, script, id, language } : null;
}

export function readNews(data: unknown): News | null {
  const { news, proof } = partsOf(data);
  switch (news) {
    case 'listening':
    case 'shown':
    case 'failed':
      return { news };
    case 'passed':
      return isText(proof, longestProof) ? { news, proof } : null;
    default:
      return null;
  }
}
