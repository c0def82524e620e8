// Verifies rounds by docs/fairness.md alone. It shares no code with the server and needs only Node.
//
//   node verify.mjs FILE
//
// FILE is JSON with the lists "slots", "tables", "jackpot", "lotteries" and "series"; each may be missing. It exits with 1 if a round differs.
import { createHash, createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';

const sha256 = (bytes) => createHash('sha256').update(bytes).digest();
const bytesOf = (hex) => Buffer.from(hex, 'hex');

/** Returns Int(n) of a round: a number from 0 to n - 1. */
function stream(seed, clientSeed, nonce) {
  let block = 0;
  let words = [];
  const word = () => {
    if (words.length === 0) {
      const text = `${clientSeed}:${nonce}:${block++}`;
      const bytes = createHmac('sha256', bytesOf(seed)).update(text).digest();
      for (let at = 0; at < 32; at += 4) words.push(bytes.readUInt32BE(at));
    }
    return words.shift();
  };
  return (n) => {
    const limit = Math.floor(2 ** 32 / n) * n;
    for (;;) {
      const drawn = word();
      if (drawn < limit) return drawn % n;
    }
  };
}

/** The pay of the highest listed count that is reached. */
const payFrom = (pays, count) =>
  Object.entries(pays ?? {}).reduce(
    ([best, pay], [least, times]) =>
      count >= Number(least) && Number(least) > best ? [Number(least), times] : [best, pay],
    [0, 0],
  )[1];

const amount = (times, stake, parts) => (BigInt(times) * BigInt(stake)) / BigInt(parts);
const factorAt = (factors, fall) => factors[Math.min(fall, factors.length - 1)];
const countOf = (grid, symbol) => grid.flat().filter((shown) => shown === symbol).length;

function linesWin(machine, grid, stake, factor) {
  let win = 0n;
  for (const line of machine.lines) {
    const shown = line.map((row, reel) => grid[reel][row]);
    const wilds = shown.findIndex((symbol) => symbol !== machine.wild);
    const own = wilds < 0 ? shown.length : wilds;
    const symbol = shown.find((s, at) => at >= own) ?? machine.wild;
    let count = own;
    if (symbol !== machine.scatter)
      while (count < shown.length && (shown[count] === symbol || shown[count] === machine.wild)) count++;
    const best = Math.max(
      payFrom(machine.pays[machine.wild], own),
      symbol === machine.scatter ? 0 : payFrom(machine.pays[symbol], count),
    );
    win += amount(best * factor, stake, machine.parts);
  }
  return win;
}

function waysWin(machine, grid, stake, factor) {
  let win = 0n;
  for (const symbol of machine.symbols) {
    if (symbol === machine.wild || symbol === machine.scatter) continue;
    let [reels, ways] = [0, 1];
    for (const column of grid) {
      const n = countOf(column, symbol) + countOf(column, machine.wild);
      if (n === 0) break;
      [reels, ways] = [reels + 1, ways * n];
    }
    win += amount(payFrom(machine.pays[symbol], reels) * ways * factor, stake, machine.parts);
  }
  return win;
}

/** Plays the falls of a cascade. Changes grid to the last one and returns the win and the last factor. */
function cascadeWin(machine, stops, grid, stake, factors) {
  let win = 0n;
  const above = stops.map((stop, reel) => stop - 1 + machine.strips[reel].length);
  for (let fall = 0; ; fall++) {
    const factor = factorAt(factors, fall);
    const wilds = machine.wild ? countOf(grid, machine.wild) : 0;
    const winners = machine.symbols.filter((symbol) => {
      if (symbol === machine.wild || symbol === machine.scatter) return false;
      const pay = payFrom(machine.pays[symbol], countOf(grid, symbol) + wilds);
      win += amount(pay * factor, stake, machine.parts);
      return pay > 0;
    });
    if (winners.length === 0) return { win, factor };
    for (const [reel, column] of grid.entries()) {
      const strip = machine.strips[reel];
      const kept = column.filter((s) => !winners.includes(s) && !(machine.wild && s === machine.wild));
      while (kept.length < machine.rows) kept.unshift(strip[above[reel]-- % strip.length]);
      grid[reel] = kept;
    }
  }
}

function slotRound(machine, int, stake) {
  const spins = [];
  let [win, freeRounds] = [0n, 0];
  for (let left = 1; left > 0; left--) {
    const free = spins.length > 0;
    const stops = machine.strips.map((strip) => int(strip.length));
    const grid = stops.map((stop, reel) =>
      Array.from({ length: machine.rows }, (_, row) => machine.strips[reel][(stop + row) % machine.strips[reel].length]),
    );
    const factors = free ? machine.freeRounds.multipliers : machine.multipliers;
    let factor = factorAt(factors, 0);
    if (machine.kind === 'lines') win += linesWin(machine, grid, stake, factor);
    else if (machine.kind === 'ways') win += waysWin(machine, grid, stake, factor);
    else {
      const falls = cascadeWin(machine, stops, grid, stake, factors);
      win += falls.win;
      factor = falls.factor;
    }
    const scatters = Math.min(countOf(grid, machine.scatter), 5);
    win += amount(payFrom(machine.scatterPays, scatters) * factor, stake, 1);
    const limits = machine.freeRounds;
    const awarded = limits ? Math.min(payFrom(limits.awards, scatters), limits.most - freeRounds) : 0;
    freeRounds += awarded;
    left += awarded;
    spins.push(stops);
  }
  return { spins, freeRounds, win: String(win) };
}

/** Draws cards without replacement: the last card takes the place of a drawn one. */
function shoe(int, decks) {
  const left = Array.from({ length: decks * 52 }, (_, i) => i % 52);
  return () => {
    const at = int(left.length);
    const card = left[at];
    left[at] = left.at(-1);
    left.pop();
    return 'A23456789TJQK'[card % 13] + 'SHDC'[Math.floor(card / 13)];
  };
}

const rank = (card) => 'A23456789TJQK'.indexOf(card[0]) + 1;
const points = (hand) => hand.reduce((sum, card) => sum + (rank(card) < 10 ? rank(card) : 0), 0) % 10;
const bankerDraws = [[0, 9], [0, 9], [0, 9], [0, 9], [2, 7], [4, 7], [6, 7]];

const deals = {
  baccarat(int) {
    const next = shoe(int, 8);
    const [p1, b1, p2, b2] = [next(), next(), next(), next()];
    const [player, banker] = [[p1, p2], [b1, b2]];
    if (points(player) < 8 && points(banker) < 8) {
      const own = points(banker);
      let draws = own <= 5;
      if (points(player) <= 5) {
        player.push(next());
        const third = points([player[2]]);
        const [least, most] = bankerDraws[own] ?? [10, 10];
        draws = third >= least && third <= most && !(own === 3 && third === 8);
      }
      if (draws) banker.push(next());
    }
    const [p, b] = [points(player), points(banker)];
    return {
      player, banker, winner: p > b ? 'player' : b > p ? 'banker' : 'tie',
      playerPair: rank(p1) === rank(p2), bankerPair: rank(b1) === rank(b2), points: { player: p, banker: b },
    };
  },
  sicbo: (int) => ({ dice: [1 + int(6), 1 + int(6), 1 + int(6)] }),
  dragontiger(int) {
    const next = shoe(int, 8);
    const [dragon, tiger] = [next(), next()];
    const difference = rank(dragon) - rank(tiger);
    return { dragon, tiger, winner: difference > 0 ? 'dragon' : difference < 0 ? 'tiger' : 'tie' };
  },
  roulette: (int) => ({ number: int(37) }),
};

const red = [1, 3, 5, 7, 9, 12, 14, 16, 18, 19, 21, 23, 25, 27, 30, 32, 34, 36];

/** How often a spot is hit, or 'half' or 'back' where a part of the stake comes back. */
const hits = {
  baccarat: (r, id) =>
    id === r.winner || (id.endsWith('Pair') && r[id]) ? 1 : r.winner === 'tie' && (id === 'player' || id === 'banker') ? 'back' : 0,
  dragontiger: (r, id) =>
    id === r.winner || (id === 'suitedTie' && r.dragon === r.tiger) ? 1 : r.winner === 'tie' && (id === 'dragon' || id === 'tiger') ? 'half' : 0,
  sicbo({ dice }, id) {
    const total = dice[0] + dice[1] + dice[2];
    const triple = new Set(dice).size === 1;
    const of = (face) => dice.filter((die) => die === Number(face)).length;
    const [, kind, number] = /^([a-zA-Z]+)(\d*)$/.exec(id);
    return Number({
      small: total <= 10 && !triple, big: total >= 11 && !triple, odd: total % 2 === 1 && !triple, even: total % 2 === 0 && !triple,
      anyTriple: triple, total: total === Number(number), single: of(number), double: of(number) >= 2, triple: triple && of(number) === 3,
      pair: of(number[0]) > 0 && of(number[1]) > 0,
    }[kind]);
  },
  roulette({ number: n }, id) {
    const [, kind, of] = /^([a-z]+)(\d*)$/.exec(id) ?? [];
    const outside = {
      red: red.includes(n), black: n > 0 && !red.includes(n), even: n > 0 && n % 2 === 0, odd: n % 2 === 1, low: n >= 1 && n <= 18, high: n >= 19,
      dozen: n > 0 && Math.ceil(n / 12) === Number(of), column: n > 0 && ((n - 1) % 3) + 1 === Number(of), n: n === Number(of),
    };
    return kind in outside ? Number(outside[kind]) : null; // the server lists the numbers of other spots
  },
};

function paid(engine, result, spot, stake) {
  let hit = hits[engine](result, spot.id);
  if (hit === null) hit = Number(spot.numbers.includes(result.number));
  if (hit === 'back') return BigInt(stake);
  if (hit === 'half') return BigInt(stake) / 2n;
  if (hit === 0) return 0n;
  const times = Math.round(Number(spot.times[Math.min(hit, spot.times.length) - 1]) * 1000);
  return (BigInt(1000 + times) * BigInt(stake)) / 1000n;
}

/** Returns 1 to n, shuffled. */
function shuffled(int, n) {
  const numbers = Array.from({ length: n }, (_, at) => at + 1);
  for (let at = n - 1; at > 0; at--) {
    const other = int(at + 1);
    [numbers[at], numbers[other]] = [numbers[other], numbers[at]];
  }
  return numbers;
}

const lotteryDraws = {
  ssc: (int) => Array.from({ length: 5 }, () => int(10)),
  k3: (int) => Array.from({ length: 3 }, () => 1 + int(6)),
  pk10: (int) => shuffled(int, 10),
  keno: (int) => shuffled(int, 80).slice(0, 20).toSorted((a, b) => a - b),
};

let [checked, failed] = [0, 0];
function expect(what, got, want) {
  checked++;
  if (JSON.stringify(sorted(got)) === JSON.stringify(sorted(want))) return;
  failed++;
  console.log(`${what}: got ${JSON.stringify(got)}, want ${JSON.stringify(want)}`);
}
const sorted = (value) =>
  Array.isArray(value) || value === null || typeof value !== 'object'
    ? value
    : Object.fromEntries(Object.keys(value).toSorted().map((key) => [key, sorted(value[key])]));

const file = JSON.parse(readFileSync(process.argv[2], 'utf8'));
for (const { data, seed, clientSeed, nonce, stake, commitment, spins, freeRounds, win } of file.slots ?? []) {
  const what = `${data.name} version ${data.version}, nonce ${nonce}`;
  expect(`${what}, commitment`, sha256(bytesOf(seed)).toString('hex'), commitment);
  expect(what, slotRound(data, stream(seed, clientSeed, nonce), stake), { spins, freeRounds, win: String(win) });
}
for (const { data, seed, clientSeed, nonce, commitment, result, spots } of file.tables ?? []) {
  const what = `${data.name}, round ${nonce}`;
  expect(`${what}, commitment`, sha256(bytesOf(seed)).toString('hex'), commitment);
  const dealt = deals[data.name](stream(seed, clientSeed, nonce));
  expect(what, dealt, result);
  for (const { id, stake, win } of spots ?? [])
    expect(`${what}, ${id}`, String(paid(data.name, dealt, data.spots.find((s) => s.id === id), stake)), String(win));
}
for (const { seed, clientSeed, nonce, stake, unit, parts, number, won } of file.jackpot ?? []) {
  const drawn = stream(seed, clientSeed, nonce)(parts);
  expect(`jackpot, ticket ${nonce}`, { number: drawn, won: drawn < Math.min(Math.floor(stake / unit), parts) }, { number, won });
}
for (const { form, game, salt, seed, link, commitment, numbers } of file.lotteries ?? []) {
  const what = `lottery ${game}, link ${link}`;
  expect(`${what}, commitment`, sha256(bytesOf(seed)).toString('hex'), commitment);
  expect(what, lotteryDraws[form](stream(seed, `${salt}-${game}`, link)), numbers);
}
for (const { kind, name, generation, end, source, value, signature, salt, links } of file.series ?? []) {
  const what = `series ${kind} ${name} ${generation}`;
  expect(`${what}, salt`, sha256([kind, name, generation, end, value].join(':')).toString('hex').slice(0, 32), salt);
  if (source === 'beacon') expect(`${what}, value`, sha256(bytesOf(signature.split(':')[0])).toString('hex'), value);
  for (const { link, seed } of links) {
    let hash = bytesOf(seed);
    for (let k = 0; k < link; k++) hash = sha256(hash);
    expect(`${what}, link ${link}`, hash.toString('hex'), end);
  }
}
console.log(`${checked} checks, ${failed} differences`);
process.exit(failed > 0 || checked === 0 ? 1 : 0);
