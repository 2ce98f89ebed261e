// A small engine for the single-zero games: it settles one wager and knows its odds.
// Build: esbuild engine.ts --bundle --platform=node --outfile=engine.js

import { createInterface } from "node:readline";

const GAMES = new Set(["mbs-roulette-v2", "mbs-roulette-v3", "mbs-complete-bet-v2"]);
const COMPARTMENTS = 37n;

const PAYS: Record<string, number> = {
  straight_up: 35, split: 17, street: 11, corner: 8, six_line: 5,
  column: 2, dozen: 2, low: 1, high: 1, even: 1, odd: 1, red: 1, black: 1,
};

const RED = new Set([1, 3, 5, 7, 9, 12, 14, 16, 18, 19, 21, 23, 25, 27, 30, 32, 34, 36]);

interface Ask {
  id: string;
  game: string;
  do: string;
  area?: string;
  wager?: string;
  number?: string;
  stake_cents?: number;
}

/** Whether a number of 1 to 36 lies in an outside area; zero lies in none. */
function isInside(kind: string, which: number, n: number): boolean {
  if (n === 0) return false;
  switch (kind) {
    case "column": return (n - 1) % 3 === which - 1;
    case "dozen": return Math.ceil(n / 12) === which;
    case "low": return n <= 18;
    case "high": return n > 18;
    case "even": return n % 2 === 0;
    case "odd": return n % 2 === 1;
    case "red": return RED.has(n);
    default: return !RED.has(n);
  }
}

function covers(area: string, n: number): boolean {
  const [kind, numbers = ""] = area.split(":");
  if (kind === "column" || kind === "dozen" || numbers === "") {
    return isInside(kind, Number(numbers), n);
  }
  return numbers.split("/").map(Number).includes(n);
}

function settle(ask: Ask) {
  const stake = ask.stake_cents!;
  const wins = covers(ask.area!, Number(ask.number));
  return {
    paid_cents: wins ? stake * PAYS[ask.area!.split(":")[0]] : 0,
    collected_cents: wins ? 0 : stake,
    returned_cents: wins ? stake : 0,
  };
}

function fraction(above: bigint, below: bigint): string {
  let [a, b] = [above, below];
  while (b !== 0n) [a, b] = [b, a % b];
  return below === a ? `${above / a}` : `${above / a}/${below / a}`;
}

function odds(ask: Ask) {
  const wager = ask.wager!;
  const covered = [...Array(37).keys()].filter((n) => covers(wager, n)).length;
  const wins = BigInt(covered);
  const back = BigInt(PAYS[wager.split(":")[0]] + 1);
  const gained = wins * back;
  return {
    win_probability: fraction(wins, COMPARTMENTS),
    return: fraction(gained, COMPARTMENTS),
    house_edge: fraction(COMPARTMENTS - gained, COMPARTMENTS),
    variance: fraction(wins * back * back * COMPARTMENTS - gained * gained, COMPARTMENTS ** 2n),
  };
}

function answer(ask: Ask): object {
  if (!GAMES.has(ask.game)) return { unsupported: true };
  if (ask.do === "settle") return settle(ask);
  if (ask.do === "odds") return odds(ask);
  return { unsupported: true };
}

createInterface({ input: process.stdin }).on("line", (line) => {
  const ask: Ask = JSON.parse(line);
  console.log(JSON.stringify({ ...answer(ask), id: ask.id }));
});
