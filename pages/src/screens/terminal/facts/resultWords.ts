/** A settlement in one line: its sum and its clause. */
import type { SettledWagerView } from '../../../generated/schema'
import { t, words } from '../../../shared/words/i18n.svelte'
import { wagerName, withClause } from '../../../shared/words/naming'
import type { StatusKind } from '../../../shared/words/status'
import type { Result } from '../state/terminalTable.svelte'

/** In these states of the band a result may stay in it. */
export const TAKES_BETS: ReadonlySet<StatusKind> = new Set(['betting', 'closing'])

type Piece = SettledWagerView['pieces'][number]

/** The clauses that settled some pieces of a wager; none if there are no such pieces. */
export function clausesOf({ pieces }: SettledWagerView, by: (piece: Piece) => boolean): string | null {
  return [...new Set(pieces.filter(by).map(({ clause }) => clause))].join(', ') || null
}

export const isPaid = ({ paid_cents }: Piece): boolean => paid_cents > 0

/** `Straight Up 17 (4.1)` for the first paid wager; without one, `collected 10.00 (4.1)`. */
function settledBy({ settled, totals }: Result): string {
  const paid = settled.find(({ paid_cents }) => paid_cents > 0)
  if (paid) return withClause(wagerName(paid.wager), clausesOf(paid, isPaid))
  const { collected_cents, returned_cents } = totals
  const [first] = settled
  const said = collected_cents
    ? t('terminal.play_collected', { sum: words.money(collected_cents) })
    : t('terminal.play_returned', { sum: words.money(returned_cents) })
  return withClause(said, first ? clausesOf(first, () => true) : null)
}

/** Beside the sum: `Net +170.00 · Straight Up 17 (4.1)`. */
export function besideSum(result: Result): string {
  const { net_cents } = result.totals
  const net = net_cents > 0 ? `${t('terminal.net', { sum: words.signed(net_cents) })} · ` : ''
  return net + settledBy(result)
}

/** `Win 175.00, net +170.00 · Straight Up 17 (4.1)`; no win if nothing is won. */
export function resultLine(result: Result): string {
  const { paid_cents, net_cents } = result.totals
  const sums = { paid: words.money(paid_cents), net: words.signed(net_cents) }
  const said = net_cents > 0 ? t('terminal.win_net', sums) : t('terminal.paid_net', sums)
  return `${said} · ${settledBy(result)}`
}
