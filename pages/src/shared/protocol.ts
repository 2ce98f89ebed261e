/**
 * The messages of `/api/play`, as `croupier.protocol` has them: what a page says to the
 * house, and what the house says to a page. Money is in cents, times in milliseconds.
 */

// To the house

export interface Hello {
  type: 'hello'
  table: string
  device?: string | null
  session?: string | null
  since?: number | null
}
export interface NewWager {
  id: string
  wager: string
  /** On each piece; none for a complete maximum wager. */
  stake_cents?: number | null
}
export interface MoreStake {
  id: string
  stake_cents: number
}
export interface WagersCommand {
  type: 'wagers'
  place?: NewWager[]
  increase?: MoreStake[]
  withdraw?: string[]
}
export interface ActCommand {
  type: 'act'
  act: string
  position?: string | null
  player?: string | null
  on_request?: boolean
}
export interface OutcomeCommand {
  type: 'outcome'
  number: string
  confirmed?: boolean
}
export interface ConfirmLightsCommand {
  type: 'confirm_lights'
}
export interface BallWasCommand {
  type: 'ball_was'
  at_rest: string | null
}
export interface ConfirmBallCommand {
  type: 'confirm_ball'
}
export interface AnswerNoticeCommand {
  type: 'answer_notice'
  notice: number
  accept: boolean
}
export interface RedeemCommand {
  type: 'redeem'
  code: string
}
export interface CollectCommand {
  type: 'collect'
  cents?: number | null
}
export interface AskBuyInCommand {
  type: 'ask_buy_in'
  cents: number
}
export interface SitCommand {
  type: 'sit'
  player: string
  pin: string
}
export interface LeaveCommand {
  type: 'leave'
}
export interface ShownCommand {
  type: 'shown'
  announcement: string
  at_ms: number
}

/** What is answered by its id, once, however often it is sent. */
export type Command =
  | WagersCommand
  | ActCommand
  | OutcomeCommand
  | ConfirmLightsCommand
  | BallWasCommand
  | ConfirmBallCommand
  | AnswerNoticeCommand
  | RedeemCommand
  | CollectCommand
  | AskBuyInCommand
  | SitCommand
  | LeaveCommand
  | ShownCommand
export type Sent = Command & { id: string }
export interface Ping {
  type: 'ping'
  at_ms: number
}

// From the house

export type Colour = 'red' | 'black' | 'green'
export type Phase = 'awaiting' | 'betting' | 'closed' | 'decided' | 'void' | 'held' | 'ended'
export type PieceCents = [area: string, cents: number]

export interface ShownWager {
  id: string
  player: string
  wager: string
  stake_cents: number
  pieces: PieceCents[]
  registered: boolean
  terminal: string | null
  unclear: boolean
  under_minimum: string[]
}
export interface SettledPiece {
  area: string
  stake_cents: number
  paid_cents: number
  collected_cents: number
  returned_cents: number
  clause: string
}
export interface SettledWager {
  id: string
  player: string
  wager: string
  stake_cents: number
  paid_cents: number
  collected_cents: number
  returned_cents: number
  pieces: SettledPiece[]
}
export interface PastRound {
  round: number
  /** None: the round was void. */
  number: string | null
  colour: Colour | null
  bonus: string[]
}
export interface LimitsShown {
  wager_type: string
  minimum_cents: number | null
  maximum_cents: number | null
}
export interface Notice {
  id: number
  kind: 'void' | 'unlit' | 'hold' | 'buy_in' | 'outcome'
  text: string
  clause: string | null
  act: string | null
  seat: string | null
  cents: number | null
}
export interface PlayerSession {
  began_ms: number
  staked_cents: number
  paid_cents: number
  net_cents: number
  stake_limit_cents: number | null
  loss_limit_cents: number | null
  lost_today_cents: number
}
export interface Seat {
  name: string
  player: string | null
  credit_cents: number
  claim_cents: number
  session: PlayerSession
}
export interface TableView {
  table: string
  game: string
  title: string
  document: string
  is_open: boolean
  interrupted: boolean
  /** What the Dealer said of the ball, awaiting the second person; `nowhere`. */
  ball_stated: string | null
  virtual_wheel: boolean
  wheel: string
  lights: string | null
  round: number
  phase: Phase
  /** Why the round is void or held, with its clause: `reason [5.3]`. */
  standing: string | null
  closes_at_ms: number | null
  spun: boolean
  dropped: boolean
  at_rest: string | null
  keyed: string | null
  lights_confirmed: boolean
  lit: string[]
  winning_number: string | null
  colour: Colour | null
  bonus: string[]
  super_bonus: string[]
  limits: LimitsShown[]
  next_limits: LimitsShown[] | null
  settings: string[]
  /** Denominations in cents, lowest first. */
  chips: number[]
  dealer: string | null
  wagers: ShownWager[]
  settled: SettledWager[]
  stake_cents: number
  wager_count: number
  terminals: number
  terminals_lost: string[]
  notices: Notice[]
  colours: Record<string, [player: string, value_cents: number]>
  history: PastRound[]
}

export interface Snapshot {
  type: 'snapshot'
  table: string
  sequence: number
  at_ms: number
  currency: string
  money: string
  view: TableView
  seat: Seat | null
}
export interface Happened {
  type: 'event'
  table: string
  sequence: number
  round: number
  at_ms: number
  event: string
  fields: Record<string, unknown>
  seat: Seat | null
}
export interface Answered {
  type: 'answer'
  id: string
  sequence: number
  registered: boolean
  clause: string | null
  reason: string | null
  read_back: string | null
  voucher: string | null
  wagers: ShownWager[]
  seat: Seat | null
}
export interface Stakes {
  type: 'stakes'
  table: string
  sequence: number
  stake_cents: number
  wager_count: number
  wagers: ShownWager[]
  more: boolean
  terminals: number
  terminals_lost: string[]
}
export interface Changed {
  type: 'changed'
  table: string
  sequence: number
  at_ms: number
  closes_at_ms: number | null
  keyed: string | null
  notices: Notice[]
  lit: string[]
  lights_confirmed: boolean
  dealer: string | null
}
export interface Pong {
  type: 'pong'
  at_ms: number
  echo_ms: number
  sequence: number
}
export interface ProblemSaid {
  type: 'problem'
  reason: string
  id: string | null
  again: boolean
}
export interface Bye {
  type: 'bye'
  reason: string
  come_back: boolean
}
export type FromHouse =
  | Snapshot
  | Happened
  | Answered
  | Stakes
  | Changed
  | Pong
  | ProblemSaid
  | Bye
