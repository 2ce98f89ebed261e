/** Why the house refused, in the reader's words; what we have none for stays as it was said. */
import { t, words, type Key, type Places } from '../../shared/i18n.svelte'
import { wagerName } from '../../shared/naming'

const cents = (text: string): string => words.money(Math.round(Number(text) * 100))
type Known = [said: RegExp, key: Key, places: (found: readonly string[]) => Places]

const KNOWN: readonly Known[] = [
  [
    /^.+ would have ([\d.]+) on (\S+); the limits are ([\d.]+) to ([\d.]+)$/,
    'terminal.because_limits',
    ([sum = '', area = '', low = '', high = '']) => ({
      sum: cents(sum),
      area: wagerName(area),
      low: cents(low),
      high: cents(high),
    }),
  ],
  [/^.+ has ([\d.]+) of credit$/, 'terminal.because_credit', ([sum = '']) => ({ sum: cents(sum) })],
  [/^(\S+) is full over all Players$/, 'terminal.because_full', ([area = '']) => ({ area: wagerName(area) })],
  [/^.+ has chips on (\S+) already$/, 'terminal.because_chips', ([area = '']) => ({ area: wagerName(area) })],
  [/^.+ stakes at most ([\d.]+) in a round$/, 'terminal.because_stake', ([sum = '']) => ({ sum: cents(sum) })],
  [/^.+ loses at most ([\d.]+) in a gaming day$/, 'terminal.because_loss', ([sum = '']) => ({ sum: cents(sum) })],
  [/^.+ is excluded from play$/, 'terminal.because_excluded', () => ({})],
  [/^voucher (\S+) can't be redeemed$/, 'terminal.because_voucher', ([code = '']) => ({ code })],
  [/^the betting is closed: the wager stands$/, 'terminal.because_stands', () => ({})],
  [/^the betting is closed$/, 'terminal.because_closed', () => ({})],
  [/^collect the credit of this seat first$/, 'terminal.because_collect', () => ({})],
  [/^the round is still in play$/, 'terminal.because_in_play', () => ({})],
  [/^the name or the (?:PIN|password) is wrong$/, 'terminal.because_pin', () => ({})],
]

export function reasonOf(said: string): string {
  for (const [pattern, key, places] of KNOWN) {
    const found = pattern.exec(said)
    if (found) return t(key, places(found.slice(1)))
  }
  return said
}
