// Deals a live table's round from its stream and computes what each spot pays. The rules and vectors are the server's
// (internal/game/house/<engine>).

/** The numbers of a round's stream. */
type Draw = { int: (n: number) => Promise<number> };

export type TableSpot = {
  id: string;
  /** Profit per unit staked; several when it depends on the number of hits. */
  times: readonly string[];
  numbers?: readonly number[];
};

type Baccarat = {
  player: string[];
  banker: string[];
  winner: 'player' | 'banker' | 'tie';
  playerPair: boolean;
  bankerPair: boolean;
  points: { player: number; banker: number };
};
type Sicbo = { dice: number[] };
type DragonTiger = { dragon: string; tiger: string; winner: 'dragon' | 'tiger' | 'tie' };
type Roulette = { number: number };

export type Dealt =
  | ({ engine: 'baccarat' } & Baccarat)
  | ({ engine: 'sicbo' } & Sicbo)
  | ({ engine: 'dragontiger' } & DragonTiger)
  | ({ engine: 'roulette' } & Roulette);

const ranks = 'A23456789TJQK';
const suits = 'SHDC';
const decks = 8;

/** Deals from a fresh shoe: takes the card at the drawn position and moves the last card there. */
function shoe(draw: Draw): () => Promise<string> {
  const left = Array.from({ length: decks * ranks.length * suits.length }, (_, i) => i);
  return async () => {
    const at = await draw.int(left.length);
    const card = (left[at] ?? 0) % (ranks.length * suits.length);
    const last = left.pop() ?? 0;
    if (at < left.length) left[at] = last;
    return `${ranks[card % ranks.length] ?? ''}${suits[Math.floor(card / ranks.length)] ?? ''}`;
  };
}

const rankOf = (card: string): number => ranks.indexOf(card.charAt(0)) + 1;
const valueOf = (card: string): number => (rankOf(card) < 10 ? rankOf(card) : 0);
const pointsOf = (hand: readonly string[]): number =>
  hand.reduce((sum, card) => sum + valueOf(card), 0) % 10;

async function baccarat(draw: Draw): Promise<Baccarat> {
  const next = shoe(draw);
  const [p1, b1, p2, b2] = [await next(), await next(), await next(), await next()];
  const player = [p1, p2];
  const banker = [b1, b2];
  if (pointsOf(player) < 8 && pointsOf(banker) < 8) {
    let third: number | null = null;
    if (pointsOf(player) <= 5) {
      const card = await next();
      player.push(card);
      third = valueOf(card);
    }
    if (bankerDraws(pointsOf(banker), third)) banker.push(await next());
  }
  const points = { player: pointsOf(player), banker: pointsOf(banker) };
  const winner = higher(points.player, points.banker, 'player' as const, 'banker' as const);
  return { player, banker, winner, playerPair: paired(player), bankerPair: paired(banker), points };
}

/** Reports whether the first two cards have the same rank. */
function paired([a = '', b = '']: readonly string[]): boolean {
  return rankOf(a) === rankOf(b);
}

function bankerDraws(points: number, third: number | null): boolean {
  if (third === null) return points <= 5;
  if (points <= 2) return true;
  if (points === 3) return third !== 8;
  if (points > 6) return false;
  return third >= (points - 3) * 2 && third <= 7; // 4 on 2 to 7, 5 on 4 to 7, 6 on 6 and 7
}

function higher<A, B>(a: number, b: number, first: A, second: B): A | B | 'tie' {
  if (a === b) return 'tie';
  return a > b ? first : second;
}

/** Deals a round. Returns null for an engine that is not a table. */
export async function deal(engine: string, draw: Draw): Promise<Dealt | null> {
  switch (engine) {
    case 'baccarat':
      return { engine, ...(await baccarat(draw)) };
    case 'sicbo':
      return {
        engine,
        dice: [1 + (await draw.int(6)), 1 + (await draw.int(6)), 1 + (await draw.int(6))],
      };
    case 'dragontiger': {
      const next = shoe(draw);
      const [dragon, tiger] = [await next(), await next()];
      const winner = higher(rankOf(dragon), rankOf(tiger), 'dragon' as const, 'tiger' as const);
      return { engine, dragon, tiger, winner };
    }
    case 'roulette':
      return { engine, number: await draw.int(37) };
    default:
      return null;
  }
}

/** Returns the payout of a stake on a spot in minor units, including the stake, rounded down. */
export function bring(dealt: Dealt, spot: TableSpot, minorStake: bigint): bigint {
  const hits = hitsOf(dealt, spot);
  if (hits === 'push') return minorStake;
  if (hits === 'half') return minorStake / 2n;
  if (hits === 0) return 0n;
  const [whole = '', part = ''] = (spot.times[Math.min(hits, spot.times.length) - 1] ?? '0').split(
    '.',
  );
  const by = 10n ** BigInt(part.length);
  return (minorStake * (BigInt(whole + part) + by)) / by;
}

function hitsOf(dealt: Dealt, { id, numbers = [] }: TableSpot): number | 'push' | 'half' {
  switch (dealt.engine) {
    case 'baccarat':
      if (id === 'playerPair') return Number(dealt.playerPair);
      if (id === 'bankerPair') return Number(dealt.bankerPair);
      return id === dealt.winner ? 1 : dealt.winner === 'tie' ? 'push' : 0;
    case 'dragontiger':
      if (id === 'suitedTie') return Number(dealt.dragon === dealt.tiger);
      return id === dealt.winner ? 1 : dealt.winner === 'tie' ? 'half' : 0;
    case 'roulette':
      return Number(numbers.includes(dealt.number));
    case 'sicbo':
      return diceHits(dealt.dice, id);
  }
}

function diceHits(dice: readonly number[], id: string): number {
  const total = dice.reduce((sum, die) => sum + die, 0);
  const triple = new Set(dice).size === 1;
  const count = (face: number) => dice.filter((die) => die === face).length;
  const kind = id.replace(/\d+$/, '');
  const digits = id.slice(kind.length);
  const face = Number(digits);
  switch (kind) {
    case 'small':
      return Number(total <= 10 && !triple);
    case 'big':
      return Number(total >= 11 && !triple);
    case 'odd':
      return Number(total % 2 === 1 && !triple);
    case 'even':
      return Number(total % 2 === 0 && !triple);
    case 'anyTriple':
      return Number(triple);
    case 'total':
      return Number(face === total);
    case 'single':
      return count(face);
    case 'double':
      return Number(count(face) >= 2);
    case 'triple':
      return Number(count(face) === 3);
    case 'pair':
      return Number(Array.from(digits, Number).every((digit) => count(digit) > 0));
    default:
      return 0;
  }
}
