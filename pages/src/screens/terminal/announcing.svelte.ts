/** What a change of the table sets off: sounds, reports to the house, refusals in words. */
import { untrack } from 'svelte'
import { sound } from '../../shared/sound.svelte'
import type { StatusKind } from '../../shared/status'
import type { Play } from './play.svelte'

/** The announcements that the house wants to know were shown, in the words of the Dealer. */
const ANNOUNCED: Partial<Record<StatusKind, string>> = {
  open: 'place your bets',
  closing: 'place your bets',
  closed: 'no more bets',
}
const SOUNDS: Partial<Record<StatusKind, () => void>> = {
  open: () => sound.open(),
  closed: () => sound.close(),
  outcome: () => sound.outcome(),
  settled: () => sound.outcome(),
}

/** Called where effects may be made: while a component comes to be. */
export function announcing(play: Play): void {
  const told = new Set<string>()
  let refusal = play.store.refusals.at(-1)
  let recovered = 0
  const kind = $derived(play.status.kind)
  const round = $derived(play.view?.round ?? 0)
  const figures = $derived(kind === 'settled' && play.totals.stake_cents > 0)

  function once(what: string, act: () => void): void {
    if (told.has(what)) return
    told.add(what)
    act()
  }

  $effect(() => {
    if (kind === 'closed') play.zoomed = false
  })

  $effect(() => {
    const sounds = SOUNDS[kind]
    if (sounds) once(`sound ${round} ${kind === 'settled' ? 'outcome' : kind}`, sounds)
    const announcement = ANNOUNCED[kind]
    if (announcement)
      once(`${round} ${announcement}`, () => {
        // Reported when the picture with it has been painted.
        requestAnimationFrame(() => {
          void play.store.send({ type: 'shown', announcement, at_ms: Date.now() })
        })
      })
  })

  $effect(() => {
    if (round) untrack(() => (play.store.returned = null))
  })

  $effect(() => {
    if (figures) play.settled()
  })

  $effect(() => {
    const all = play.store.refusals
    const from = refusal ? all.lastIndexOf(refusal) + 1 : 0
    for (const each of all.slice(from)) untrack(() => play.tellRefusal(each))
    refusal = all.at(-1)
  })

  $effect(() => {
    const all = play.store.recovered
    for (const each of all.slice(recovered)) untrack(() => play.recovered(each))
    recovered = all.length
  })
}
