/** The details of a round's acts, beyond their names. */
import type { EventShown, RefusedAct, StatedReason } from '../../generated/schema'
import { t, words } from '../../shared/words/i18n.svelte'
import type { Layout } from '../../shared/felt/layout'
import { areaName, outcomeName, seatName, wagerName, withClause } from '../../shared/words/naming'
import { because, reasonOf } from '../../shared/words/reasons'
import { actNames, announcementName } from '../../shared/staff/events'

export type Fields = EventShown['fields']
type Tell = (fields: Fields, layout: Layout, acts: readonly EventShown[]) => string

/** The name of the device that reports the ball of a virtual wheel. */
const BY_ITSELF = 'virtual wheel'
const text = (value: unknown): string => (value === null || value === undefined ? '' : String(value))
const number: Tell = ({ number: which }, layout) => outcomeName(text(which), layout.colourOf(text(which)))
/** The Player and area of a wager placed in this round; later events give only its id. */
const placed: Tell = ({ wager_id }, _, acts) => {
  const { player, wager } =
    acts.find(({ event, fields }) => event === 'WagerPlaced' && fields.wager_id === wager_id)?.fields ?? {}
  return [seatName(text(player)), wager ? wagerName(text(wager)) : ''].filter(Boolean).join(' · ')
}
const reasoned: Tell = ({ reason }) => because(reason as StatedReason)

const withWhy = (said: string, why: unknown): string => (why ? `${said} · “${text(why)}”` : said)

/** A correction: old and new value and the reason; also if the wheel's own record differs. */
function corrected(
  { number: from, corrected_to, because: why }: Fields,
  layout: Layout,
  acts: readonly EventShown[],
): string {
  const [before, after] = [text(from), text(corrected_to)]
  const said = `${outcomeName(before, layout.colourOf(before))} → ${outcomeName(after, layout.colourOf(after))}`
  const rest = acts.find(({ event, by }) => event === 'BallAtRest' && by?.startsWith(BY_ITSELF))?.fields.number
  return withWhy(
    rest && rest !== corrected_to ? `${said} · ${t('inspector.against_wheel', { number: text(rest) })}` : said,
    why,
  )
}

const TELLS: Record<string, Tell> = {
  WagerPlaced: ({ player, wager, pieces }) => {
    const sum = (pieces as { cents: number }[]).reduce((all, { cents }) => all + cents, 0)
    return `${seatName(text(player))} · ${wagerName(text(wager))} · ${words.money(sum)}`
  },
  WagerIncreased: (fields, layout, acts) =>
    `${placed(fields, layout, acts)} · ${words.signed(fields.piece_cents as number)}`,
  WagerWithdrawn: placed,
  WagerRuled: ({ wager_id, area, piece_cents }, layout, acts) =>
    [
      placed({ wager_id }, layout, acts),
      area ? areaName(text(area)) : '',
      piece_cents ? words.money(piece_cents as number) : '',
    ]
      .filter(Boolean)
      .join(' · '),
  BallAtRest: number,
  OutcomeAnnounced: number,
  OutcomeDecided: number,
  BonusNumbersDrawn: ({ numbers }) => (numbers as string[]).join(' · '),
  LayoutFrozen: ({ wagers, stake_cents }) =>
    t('inspector.frozen', { count: wagers as number, sum: words.money(stake_cents as number) }),
  RoundVoided: reasoned,
  RoundHeld: reasoned,
  OutcomeCorrected: corrected,
  BallRestated: corrected,
  BonusNumbersCorrected: ({ numbers, corrected_to, because: why }) =>
    withWhy(`${(numbers as string[]).join(' ')} → ${(corrected_to as string[]).join(' ')}`, why),
  ActRefused: ({ acts, reason }) =>
    withClause(
      `${actNames(acts as RefusedAct[])}: ${reasonOf(reason as StatedReason)}`,
      (reason as StatedReason).clause,
    ),
  AnnouncementShown: ({ terminal, announcement }) =>
    `${seatName(text(terminal))} · ${announcementName(text(announcement))}`,
  RoundSettled: ({ wagers }) => t('inspector.wager_count', { count: (wagers as unknown[]).length }),
}

/** The details of one act; `acts` are all acts of its round. */
export const tellOf = ({ event, fields }: EventShown, layout: Layout, acts: readonly EventShown[]): string =>
  TELLS[event]?.(fields, layout, acts) ?? ''

/** The clause of an act by its number only, as in the game's list of clauses. */
export const clauseOf = ({ fields, clause }: EventShown): string | null =>
  (fields.clause as { number?: string } | null | undefined)?.number ?? clause
