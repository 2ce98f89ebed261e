/** Why something is refused, void or held, in the reader's words; else as the house says it. */
import { t, words, type Key, type Places } from '../../shared/i18n.svelte'
import { wagerName, withClause } from '../../shared/naming'
import { irregularityName } from './spoken'

const SAID: readonly [said: RegExp, key: Key, places: readonly string[]][] = [
  [/^(.+) may not allow an early close$/, 'console.because_early', ['who']],
  [/^(.+) may not rule on a wager$/, 'console.because_rule', ['who']],
  [/^(.+) may not decide a referral$/, 'console.because_decide', ['who']],
  [/^(.+) may not open the round$/, 'console.because_open', ['who']],
  [/^(.+) may not close the betting$/, 'console.because_close', ['who']],
  [/^(.+) may not spin the ball$/, 'console.because_spin', ['who']],
  [/^(.+) may not announce the outcome$/, 'console.because_outcome', ['who']],
  [/^(.+) may not settle the round$/, 'console.because_settle', ['who']],
  [/^(.+) is not the Dealer of (.+)$/, 'console.because_dealer', ['who', 'table']],
  [/^before the spin only if the Pit Manager allows it$/, 'console.because_before_spin', []],
  [/^the ball has not been spun(?: yet)?$/, 'console.because_not_spun', []],
  [/^the ball has been spun in this round$/, 'console.because_spun', []],
  [/^the round has not been opened$/, 'console.because_not_opened', []],
  [/^the round has been opened already$/, 'console.because_opened', []],
  [/^the betting has not been closed$/, 'console.because_not_closed', []],
  [/^the betting has been closed already$/, 'console.because_closed', []],
  [/^not every Bonus Number is confirmed lit$/, 'console.because_not_lit', []],
  [/^the virtual wheel has not come to rest$/, 'console.because_not_at_rest', []],
  [/^the table is interrupted: what did the ball do\?$/, 'console.because_interrupted', []],
  [/^a Pit Supervisor or above confirms, not the one who stated$/, 'console.because_second', []],
  [/^a second person confirms, never the same one twice$/, 'console.because_two', []],
  [/^the name or the password is wrong$/, 'console.because_password', []],
  [/^chips above the minimum need a value marker on show$/, 'console.because_marker', []],
  [/^(\S+) is (.+)'s colour$/, 'console.because_colour', ['colour', 'player']],
  [/^(.+) would have ([\d.]+) on (\S+); the limits are ([\d.]+) to ([\d.]+)$/, 'console.because_limits', ['who', 'sum', 'area', 'low', 'high']],
  [/^“no spin” was announced$/, 'console.because_no_spin', []],
  [/^the power failed$/, 'console.because_power', []],
]
const MONEY = new Set(['sum', 'low', 'high'])
/** Irregularities as the house writes them. */
const IRREGULAR: Record<string, string> = {
  ball_same_direction: "the ball was spun in the wheel's direction",
  ball_dropped_without_spin: 'the ball was dropped without a spin',
  fewer_than_four_revolutions: 'the ball made too few revolutions',
  foreign_object: 'a foreign object entered the wheel',
  ball_not_in_compartment: 'the ball fell into no compartment',
  ball_out_of_wheel: 'the ball left the wheel',
  ball_broke: 'the ball broke',
  wheel_stopped: 'the wheel stopped while the ball was spinning',
  wheel_not_rotating: 'the wheel was not rotating at the spin',
  person_interfered: 'a person interfered with ball or wheel',
}

export function reasonOf(said: string): string {
  for (const [pattern, key, names] of SAID) {
    const found = pattern.exec(said)
    if (found) return t(key, placesOf(names, found.slice(1)))
  }
  const name = Object.keys(IRREGULAR).find((each) => IRREGULAR[each] === said)
  return name ? irregularityName(name) : said.charAt(0).toUpperCase() + said.slice(1)
}

function placesOf(names: readonly string[], found: readonly string[]): Places {
  return Object.fromEntries(names.map((name, k) => [name, placeOf(name, found[k] ?? '')]))
}

function placeOf(name: string, said: string): string {
  if (MONEY.has(name)) return words.money(Math.round(Number(said) * 100))
  return name === 'area' ? wagerName(said) : said
}

/** The whole sentence, with its clause. */
export function because(reason: string | null, clause: string | null): string {
  return withClause(reasonOf(reason ?? ''), clause)
}
