/** What a table waits for, and the steps of a round. */
import type { Layout } from '../../shared/layout'
import type { TableView } from '../../generated/schema'

export type Stage =
  | 'connecting'
  | 'shut'
  | 'interrupted'
  | 'waiting'
  | 'betting'
  | 'spin'
  | 'lights'
  | 'outcome'
  | 'paying'
  | 'returning'
  | 'held'

export type Step = 'open' | 'spin' | 'close' | 'lights' | 'outcome' | 'settle'
export type StepState = 'done' | 'now' | 'later'

/** Which step an event of the house takes. */
export const STEP_OF: Partial<Record<string, Step>> = {
  PlaceYourBetsAnnounced: 'open',
  BallSpun: 'spin',
  NoMoreBetsAnnounced: 'close',
  LightsConfirmed: 'lights',
  OutcomeAnnounced: 'outcome',
  OutcomeDecided: 'outcome',
  RoundSettled: 'settle',
}

export function stageOf(view: TableView | null, layout: Layout | null): Stage {
  if (!view || !layout) return 'connecting'
  if (view.interrupted) return 'interrupted'
  if (!view.is_open) return 'shut'
  switch (view.phase) {
    case 'betting':
      return 'betting'
    case 'closed':
      if (!view.spun) return 'spin'
      return layout.shown.draws_bonus_numbers && !view.lights_confirmed ? 'lights' : 'outcome'
    case 'decided':
      return 'paying'
    case 'void':
      return 'returning'
    case 'held':
      return 'held'
    default:
      return 'waiting'
  }
}

/** The steps of a round at this table, each with how far it is. */
export function stepsOf(view: TableView, layout: Layout): { step: Step; state: StepState }[] {
  const { phase } = view
  const closed = phase !== 'awaiting' && phase !== 'betting'
  const decided = phase === 'decided' || (phase === 'ended' && view.winning_number !== null)
  const done: Record<Step, boolean> = {
    open: phase !== 'awaiting',
    spin: view.spun,
    close: closed,
    lights: view.lights_confirmed,
    outcome: decided,
    settle: phase === 'ended',
  }
  const steps: Step[] = ['open', 'spin', 'close', 'outcome', 'settle']
  if (layout.shown.draws_bonus_numbers) steps.splice(3, 0, 'lights')
  const next = phase === 'void' ? 'settle' : steps.find((step) => !done[step])
  return steps.map((step) => ({
    step,
    state: done[step] ? 'done' : step === next ? 'now' : 'later',
  }))
}

/** The compartments beside a number, in the order of the wheel. */
export function besideOnWheel(ring: readonly string[], number: string, each = 4): string[] {
  const at = ring.indexOf(number)
  if (at < 0) return []
  return Array.from(
    { length: 2 * each + 1 },
    (_, k) => ring[(at + k - each + ring.length) % ring.length]!,
  )
}
