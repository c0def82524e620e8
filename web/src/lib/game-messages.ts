// Messages between a framed game and the app. Each side accepts only messages that come from the other's window and origin and match one of
// these forms exactly.

/** Messages from a game to the app. */
export type GameMessage =
  /** The game can be played. `rtp` is a percentage or a range. `backdrop` is the colour behind it, as `#` and six hex digits. */
  | {
      type: 'ready';
      title: string;
      engine: string;
      rtp: string | null;
      provable: boolean;
      backdrop: string | null;
    }
  /** A round has started or ended. */
  | { type: 'busy'; busy: boolean }
  /** A round's result has been shown. Amounts in the currency's unit. */
  | { type: 'round'; roundId: string; stake: number; win: number }
  /** The next round's commitment, client seed and nonce, before anything is staked on it. */
  | { type: 'promise'; commitment: string; clientSeed: string; nonce: number }
  | { type: 'close' }
  /** The player wants to verify a round. */
  | { type: 'proof'; roundId: string }
  /** The game's session has ended. */
  | { type: 'expired' }
  /** The game could not open. */
  | { type: 'failed' }
  /** The server refused a stake because of a limit. The game requests the limit's state. */
  | { type: 'limit' }
  /** The player wants to open the limits screen. */
  | { type: 'limits' }
  /** A panel over the game opened or closed. While it is open, back closes it. */
  | { type: 'sheet'; open: boolean }
  | { type: 'preference'; sound?: boolean; haptics?: boolean };

/** Messages from the app to a game. */
export type AppMessage =
  | {
      type: 'settings';
      theme: 'dark' | 'light';
      language: string;
      sound: boolean;
      haptics: boolean;
      reducedMotion: boolean;
    }
  /** While paused, no round may start. A running round continues. */
  | { type: 'pause'; paused: boolean }
  /** The player wants to check a round that has ended: open its proof over the game. Only sent to House games. */
  | { type: 'check'; roundId: string }
  /** Back was pressed: close the panel over the game. */
  | { type: 'dismiss' }
  /** The jackpot that stakes in this game can win. Null if there is none. */
  | { type: 'jackpot'; pool: JackpotPool | null }
  /** The limit with the smallest remaining amount. Null if there is none or it is unknown. */
  | { type: 'room'; limit: LimitState | null }
  /** The balance after a change outside this game, in the currency's unit. Only sent to House games. */
  | { type: 'balance'; balance: number };

/** One of the player's limits. Amounts in the currency's unit. */
export type LimitState = {
  kind: 'stake' | 'loss';
  period: 'day' | 'week' | 'month';
  amount: number;
  left: number;
};

/** A jackpot. Amounts in the currency's unit. */
export type JackpotPool = {
  amount: number;
  /** The seed amount and the maximum. */
  seed: number;
  cap: number;
  /** Contribution per 1,000 staked. */
  sharePerMille: number;
  /** The stake per ticket, and the chance of one ticket as 1 in n. */
  unit: number;
  parts: number;
  /** The maximum part of one stake that counts. */
  most: number;
};

/** The other side of the channel. Its window is looked up each time, because frames are replaced. */
export type Peer = { window: () => Window | null | undefined; origin: string };

/** The protocol's name and version in each message. */
const version = 1;

type Field = (value: unknown) => boolean;
type Form = Readonly<Record<string, Field>>;

const text =
  (maxLength: number): Field =>
  (value) =>
    typeof value === 'string' && value !== '' && value.length <= maxLength;
const flag: Field = (value) => typeof value === 'boolean';
const amount: Field = (value) => typeof value === 'number' && Number.isFinite(value) && value >= 0;
const counter: Field = (value) => Number.isSafeInteger(value) && (value as number) >= 1;
const matching =
  (pattern: RegExp): Field =>
  (value) =>
    typeof value === 'string' && pattern.test(value);
const orNull =
  (field: Field): Field =>
  (value) =>
    value === null || field(value);
const optional =
  (field: Field): Field =>
  (value) =>
    value === undefined || field(value);

/** Checks for an object with exactly these fields. */
const objectOf =
  (form: Form): Field =>
  (value) =>
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    matchesForm(form, value);

/** Bounds of the vendor protocol. */
const roundId = matching(/^[\w.:-]{1,64}$/);
/** One percentage, or the lowest and the highest. */
const rtp = matching(/^\d{1,3}(\.\d{1,4})?(-\d{1,3}(\.\d{1,4})?)?$/);

const gameForms: Readonly<Record<GameMessage['type'], Form>> = {
  ready: {
    title: text(100),
    engine: text(40),
    rtp: orNull(rtp),
    provable: flag,
    backdrop: orNull(matching(/^#[\da-f]{6}$/i)),
  },
  busy: { busy: flag },
  round: { roundId, stake: amount, win: amount },
  promise: {
    commitment: matching(/^[\da-f]{64}$/),
    clientSeed: matching(/^[\w-]{1,64}$/),
    nonce: counter,
  },
  close: {},
  proof: { roundId },
  expired: {},
  failed: {},
  limit: {},
  limits: {},
  sheet: { open: flag },
  preference: { sound: optional(flag), haptics: optional(flag) },
};

const appForms: Readonly<Record<AppMessage['type'], Form>> = {
  settings: {
    theme: matching(/^(?:dark|light)$/),
    language: matching(/^[a-zA-Z-]{2,10}$/),
    sound: flag,
    haptics: flag,
    reducedMotion: flag,
  },
  pause: { paused: flag },
  check: { roundId },
  dismiss: {},
  jackpot: {
    pool: orNull(
      objectOf({
        amount,
        seed: amount,
        cap: amount,
        sharePerMille: amount,
        unit: amount,
        parts: counter,
        most: amount,
      }),
    ),
  },
  room: {
    limit: orNull(
      objectOf({
        kind: matching(/^(?:stake|loss)$/),
        period: matching(/^(?:day|week|month)$/),
        amount,
        left: amount,
      }),
    ),
  },
  balance: { balance: amount },
};

/** Reports whether an object matches a form exactly. */
const matchesForm = (form: Form, fields: object): boolean =>
  Object.keys(fields).every((name) => Object.hasOwn(form, name)) &&
  Object.entries(form).every(([name, field]) => field((fields as Record<string, unknown>)[name]));

function parse(forms: Readonly<Record<string, Form>>, data: unknown): object | null {
  if (typeof data !== 'object' || data === null || Array.isArray(data)) return null;
  const { fairground, type, ...fields } = data as Record<string, unknown>;
  if (fairground !== version || typeof type !== 'string' || !Object.hasOwn(forms, type))
    return null;
  return matchesForm(forms[type] ?? {}, fields) ? { type, ...fields } : null;
}

/** Parses a game's message. Returns null when it matches no form. */
export const parseGameMessage = (data: unknown): GameMessage | null =>
  parse(gameForms, data) as GameMessage | null;

/** Parses the app's message. Returns null when it matches no form. */
export const parseAppMessage = (data: unknown): AppMessage | null =>
  parse(appForms, data) as AppMessage | null;

/** Listens to one window of one origin and ignores all other messages. Returns a function that stops. */
export function listen<M>(
  from: Peer,
  parseMessage: (data: unknown) => M | null,
  handle: (message: M) => void,
): () => void {
  function onMessage({ source, origin, data }: MessageEvent): void {
    const peer = from.window();
    if (!peer || source !== peer || origin !== from.origin) return;
    const message = parseMessage(data);
    if (message) handle(message);
  }
  addEventListener('message', onMessage);
  return () => removeEventListener('message', onMessage);
}

/** Sends a message to the other side's origin only. */
export function send(to: Peer, message: GameMessage | AppMessage): void {
  to.window()?.postMessage({ fairground: version, ...message }, to.origin);
}
