// What a framed game and the app around it say to one another. Each side believes only what comes from the other's
// window, from the other's origin, and has exactly one of these forms: a message with more in it is no message.

/** What a game tells the app. */
export type GameMessage =
  /** It stands and can be played. Its return is one share in percent, or a range. The backdrop is the colour behind it, as six hex digits after a `#`. */
  | {
      type: 'ready';
      title: string;
      engine: string;
      rtp: string | null;
      provable: boolean;
      backdrop: string | null;
    }
  /** A round runs, or none does any more. */
  | { type: 'busy'; busy: boolean }
  /** A round has ended and its result has been shown. Amounts in the currency's unit. */
  | { type: 'round'; roundId: string; stake: number; win: number }
  /** What the next round will be drawn from, before anything is staked on it: the digest of the server's seed, the other seed, and its number. */
  | { type: 'promise'; commitment: string; clientSeed: string; nonce: number }
  | { type: 'close' }
  /** The player wants to check a round. */
  | { type: 'proof'; roundId: string }
  /** The game's session has ended. */
  | { type: 'expired' }
  /** It could not be opened: nothing more comes of this start. */
  | { type: 'failed' }
  /** A stake was refused for one of the player's limits: the game wants to know which, and how much is left of it. */
  | { type: 'limit' }
  /** The player wants to see the limits. */
  | { type: 'limits' }
  /** Something lies over the game, or no longer does: a step back is to take it away and leave the game where it is. */
  | { type: 'sheet'; open: boolean }
  | { type: 'preference'; sound?: boolean; haptics?: boolean };

/** What the app tells a game. */
export type AppMessage =
  | {
      type: 'settings';
      theme: 'dark' | 'light';
      language: string;
      sound: boolean;
      haptics: boolean;
      reducedMotion: boolean;
    }
  /** No new round may begin while it is paused; one that runs is played to its end. */
  | { type: 'pause'; paused: boolean }
  /** A step back was taken: what lies over the game goes. */
  | { type: 'dismiss' }
  /** What stakes in this game are drawn for beside what it pays; null where that is nothing. */
  | { type: 'jackpot'; pool: PoolTold | null }
  /** The limit that leaves the least for stakes; null where none does, or nobody knows. */
  | { type: 'room'; limit: LimitTold | null }
  /** What can be staked, changed by something other than a round of this game. In the unit of the player's currency; told to the House's games only. */
  | { type: 'balance'; balance: number };

/** One of the player's limits. Amounts in the unit of the player's currency. */
export type LimitTold = {
  kind: 'stake' | 'loss';
  period: 'day' | 'week' | 'month';
  amount: number;
  left: number;
};

/** A jackpot by its figures and rules. Amounts in the unit of the player's currency. */
export type PoolTold = {
  amount: number;
  /** What the next one begins with, and what it grows to at most. */
  seed: number;
  cap: number;
  /** Of every thousand staked. */
  sharePerMille: number;
  /** So much of a stake is one part; of so many parts one wins. */
  unit: number;
  parts: number;
  /** Of one stake so much counts. */
  most: number;
};

/** The other side: its window, asked for anew each time as a frame may have come or gone, and its origin. */
export type Peer = { window: () => Window | null | undefined; origin: string };

/** Tells which of the agreed messages these are, and in which version. */
const version = 1;

type Field = (value: unknown) => boolean;
type Form = Readonly<Record<string, Field>>;

const text =
  (most: number): Field =>
  (value) =>
    typeof value === 'string' && value !== '' && value.length <= most;
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

/** An object of exactly these fields. */
const formed =
  (form: Form): Field =>
  (value) =>
    typeof value === 'object' && value !== null && !Array.isArray(value) && holds(form, value);

/** As the vendor protocol bounds them. */
const roundId = matching(/^[\w.:-]{1,64}$/);
/** One share, or from the least to the most where bets differ. */
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
  dismiss: {},
  jackpot: {
    pool: orNull(
      formed({
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
      formed({
        kind: matching(/^(?:stake|loss)$/),
        period: matching(/^(?:day|week|month)$/),
        amount,
        left: amount,
      }),
    ),
  },
  balance: { balance: amount },
};

/** Whether an object has what its form asks for, and no more. */
const holds = (form: Form, fields: object): boolean =>
  Object.keys(fields).every((name) => Object.hasOwn(form, name)) &&
  Object.entries(form).every(([name, field]) => field((fields as Record<string, unknown>)[name]));

function parse(forms: Readonly<Record<string, Form>>, data: unknown): object | null {
  if (typeof data !== 'object' || data === null || Array.isArray(data)) return null;
  const { fairground, type, ...fields } = data as Record<string, unknown>;
  if (fairground !== version || typeof type !== 'string' || !Object.hasOwn(forms, type))
    return null;
  return holds(forms[type] ?? {}, fields) ? { type, ...fields } : null;
}

/** Reads what a game says; null where that is none of the agreed messages. */
export const parseGameMessage = (data: unknown): GameMessage | null =>
  parse(gameForms, data) as GameMessage | null;

/** Reads what the app says; null where that is none of the agreed messages. */
export const parseAppMessage = (data: unknown): AppMessage | null =>
  parse(appForms, data) as AppMessage | null;

/**
 * Hears the messages of one window of one origin; all else on the page's line is passed over in silence. Returns the
 * function that stops.
 */
export function listen<M>(
  from: Peer,
  read: (data: unknown) => M | null,
  take: (message: M) => void,
): () => void {
  function hear({ source, origin, data }: MessageEvent): void {
    const peer = from.window();
    if (!peer || source !== peer || origin !== from.origin) return;
    const message = read(data);
    if (message) take(message);
  }
  addEventListener('message', hear);
  return () => removeEventListener('message', hear);
}

/** Says something to the other side, and to nobody else: a window that has moved to another origin hears nothing. */
export function send(to: Peer, message: GameMessage | AppMessage): void {
  to.window()?.postMessage({ fairground: version, ...message }, to.origin);
}
