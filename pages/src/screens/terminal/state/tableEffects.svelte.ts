/** Effects of a table's changes: sounds, reports to the house, refusals in words. */
import { untrack } from 'svelte'
import type { SpinFacts } from '../../../shared/wheel/ballMotion'
import { sound } from '../../../shared/wheel/sound.svelte'
import type { StatusKind } from '../../../shared/words/status'
import type { TerminalTable } from './terminalTable.svelte'

/** The Dealer's announcements whose display the house wants reported. */
const ANNOUNCED: Partial<Record<StatusKind, string>> = {
  betting: 'place your bets',
  closing: 'place your bets',
  closed: 'no more bets',
}
const SOUNDS: Partial<Record<StatusKind, (said: string) => void>> = {
  betting: (said) => (sound.open(), sound.call(said)),
  closed: (said) => (sound.close(), sound.call(said)),
  outcome: (said) => (sound.outcome(), sound.call(said)),
  settled: (said) => (sound.outcome(), sound.call(said)),
}

/** The vibration for a registered chip, on devices that can. */
const TOUCH_MS = 10

/** Must be called while a component is created: only then may effects be made. */
export function tableEffects(table: TerminalTable): void {
  const told = new Set<string>()
  let refusal = table.store.refusals.at(-1)
  let recovered = 0
  let lay = untrack(() => table.store.wagers.length)
  const kind = $derived(table.status.kind)
  const round = $derived(table.view?.round ?? 0)

  function once(what: string, act: () => void): void {
    if (told.has(what)) return
    told.add(what)
    act()
  }

  $effect(() => {
    if (kind === 'closed') table.zoomed = false
  })

  $effect(() => {
    if (table.results.on || table.hovered?.type === 'straight_up') void table.results.follow()
  })

  $effect(() => {
    void [table.store.connection, table.reveal.isHeld, table.record.unseen]
    untrack(() => table.autoplay.follow())
  })

  // The house judges a preview with the chips on the layout and the credit left.
  $effect(() => {
    void table.store.seat?.credit_cents
    untrack(() => {
      if (table.preview.wager !== null) table.previewOf(table.preview.wager)
    })
  })

  $effect(() => {
    const sounds = SOUNDS[kind]
    if (sounds)
      once(`sound ${round} ${kind === 'settled' ? 'outcome' : kind}`, () => sounds(untrack(() => table.status.title)))
    const announcement = ANNOUNCED[kind]
    if (announcement)
      once(`${round} ${announcement}`, () => {
        // Report it once it has been painted.
        requestAnimationFrame(() => {
          void table.store.send({ type: 'shown', announcement, at_ms: Date.now() })
        })
      })
  })

  // As text: a message without news of the ball then triggers nothing. A real wheel gets no
  // invented sounds, and the ball of a void round strikes nothing.
  const spin = $derived(JSON.stringify(table.reveal.spin))
  $effect(() => {
    const facts = JSON.parse(spin) as SpinFacts | null
    return facts ? sound.ball(facts, () => table.store.exactMs) : undefined
  })

  $effect(() => {
    const { result, totals } = table
    if (kind !== 'settled' || table.isResting || !totals || totals.net_cents <= 0) return
    once(`win ${round}`, () => sound.win(result?.settled.filter(({ paid_cents }) => paid_cents > 0).length ?? 0))
  })

  $effect(() => {
    const lie = table.store.wagers.length
    if (lie > lay) {
      sound.chip()
      if (sound.on && navigator.userActivation?.hasBeenActive) navigator.vibrate?.(TOUCH_MS)
    }
    lay = lie
  })

  // An area pointed at in the round before must not hide its result.
  $effect(() => {
    if (!round) return
    untrack(() => {
      table.store.returned = null
      table.hovered = null
    })
  })

  $effect(() => {
    const all = table.store.refusals
    const from = refusal ? all.lastIndexOf(refusal) + 1 : 0
    for (const each of all.slice(from)) untrack(() => table.tellRefusal(each))
    refusal = all.at(-1)
  })

  $effect(() => {
    const all = table.store.recovered
    for (const each of all.slice(recovered)) untrack(() => table.recovered(each))
    recovered = all.length
  })
}
