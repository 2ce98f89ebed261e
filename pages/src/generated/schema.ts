/** The types of all messages and of all bodies of the API. Written by `make types`. */

export type ToHouse = Hello | ChangeWagers | PerformAct | KeyOutcome | ConfirmLightsSeen | BallWas | ConfirmBallStated | Interpret | ReplyToNotice | Redeem | Collect | AskBuyIn | Sit | Leave | ReportAnnouncement | WheelFact | ReportLit | Ping
export type FromHouse = TableSnapshot | TableUpdate | SeatUpdate | StakesUpdate | Answered | Pong | HouseNodes | MessageProblem | Bye
export type Money = 'demonstration' | 'real'
export type Irregularity = 'ball_broke' | 'ball_dropped_without_spin' | 'ball_not_in_compartment' | 'ball_out_of_wheel' | 'ball_same_direction' | 'fewer_than_four_revolutions' | 'foreign_object' | 'person_interfered' | 'unlisted' | 'wheel_not_rotating' | 'wheel_stopped'
export type SumMoved = 'buy_in' | 'cash_out' | 'credit' | 'fill' | 'pay_claim' | 'pay_owed' | 'voucher'
export type Count = 'closing' | 'opening'
export type Role = 'Cashier' | 'Dealer' | 'Gaming Shift Manager' | 'Pit Manager' | 'Pit Supervisor' | 'Player' | 'RNG' | 'Table Games Shift Manager' | 'sensor' | 'system'
export type Duty = 'administrator' | 'attendant' | 'cashier' | 'inspector'
export type SensitiveAct = 'confirm' | 'propose'
export type WheelSource = 'console' | 'sensor' | 'virtual'
export type Lights = 'dealer' | 'device'
export type Phase = 'awaiting' | 'betting' | 'closed' | 'decided' | 'ended' | 'held' | 'void'
export type Colour = 'black' | 'green' | 'red'
export type DeviceKind = 'board' | 'console' | 'layout' | 'sensor' | 'station' | 'terminal'
export type VoucherState = 'claimed' | 'expired' | 'lost' | 'outstanding' | 'redeemed'
export type SignificantKind = 'authority' | 'clock' | 'correction' | 'dealer' | 'device' | 'hold' | 'house' | 'interruption' | 'lights' | 'log_on' | 'money' | 'notice' | 'player' | 'proposal' | 'server' | 'staff' | 'table' | 'void'

export interface Hello { type: 'hello'; table: string; device?: string | null; session?: string | null }
export interface ChangeWagers { type: 'wagers'; id: string; round: number; place?: NewWager[]; increase?: MoreStake[]; withdraw?: string[] }
export interface NewWager { id: string; wager: string; stake_cents?: number | null }
export interface MoreStake { id: string; stake_cents: number }
export interface PerformAct { type: 'act'; id: string; act: string; position?: string | null; player?: string | null; on_request?: boolean; round?: number | null }
export interface KeyOutcome { type: 'outcome'; id: string; number: string; confirmed?: boolean }
export interface ConfirmLightsSeen { type: 'confirm_lights'; id: string }
export interface BallWas { type: 'ball_was'; id: string; at_rest: string | null; spun?: boolean }
export interface ConfirmBallStated { type: 'confirm_ball'; id: string }
export interface Interpret { type: 'interpret'; id: string; question: string; answer: string; rounds: number[]; position?: string | null }
export interface ReplyToNotice { type: 'answer_notice'; id: string; notice: number; accept: boolean }
export interface Redeem { type: 'redeem'; id: string; code: string }
export interface Collect { type: 'collect'; id: string; cents?: number | null }
export interface AskBuyIn { type: 'ask_buy_in'; id: string; cents: number }
export interface Sit { type: 'sit'; id: string; player: string; pin: string }
export interface Leave { type: 'leave'; id: string }
export interface ReportAnnouncement { type: 'shown'; id: string; announcement: string; at_ms: number }
export interface WheelFact { type: 'wheel_fact'; id: string; fact: string; number?: string | null; revolutions?: number | null; against_wheel?: boolean | null }
export interface ReportLit { type: 'lit'; id: string; number: string }
export interface Ping { type: 'ping'; at_ms?: number }
export interface TableSnapshot { type: 'snapshot'; table: string; sequence: number; at_ms: number; currency: string; money: 'real' | 'demonstration'; view: TableView; stakes: StakesView | null; seat: SeatView | null; staff: StaffView | null }
export interface TableView { table: string; game: string; title: string; document: string; is_open: boolean; interrupted: boolean; virtual_wheel: boolean; wheel: 'console' | 'sensor' | 'virtual'; lights: ('dealer' | 'device') | null; round: number; phase: 'awaiting' | 'betting' | 'closed' | 'decided' | 'void' | 'held' | 'ended'; status: 'shut' | 'interrupted' | 'awaiting' | 'betting' | 'closed' | 'spinning' | 'outcome' | 'settled' | 'void' | 'held'; status_since_ms: number | null; takes_wagers: boolean; steps: StepView[]; standing: StatedReason | null; opened_at_ms: number | null; closes_at_ms: number | null; closed_at_ms: number | null; countdown_seconds: number; spun: boolean; dropped: boolean; at_rest: string | null; lights_confirmed: boolean; lit: string[]; winning_number: string | null; colour: ('red' | 'black' | 'green') | null; sections: string[]; bonus_status: ('non_bonus' | 'bonus' | 'super_bonus') | null; bonus: string[]; super_bonus: string[]; limits: LimitsView[]; next_limits: LimitsView[] | null; settings: string[]; chips: number[]; dealer: string | null; colours: { [k: string]: ColourView }; history: PastRound[]; video: string | null; automatic_dealer: boolean; next_round: NextRoundView | null }
export interface StepView { step: 'open' | 'spin' | 'close' | 'lights' | 'outcome' | 'settle'; state: 'done' | 'now' | 'later'; at_ms: number | null; late: boolean }
export interface StatedReason { text: string; reason: Reason; clause: string | null }
export interface Reason { code: string; values: { [k: string]: string | number | Reason } }
export interface LimitsView { wager_type: string; minimum_cents: number | null; maximum_cents: number | null }
export interface ColourView { player: string; value_cents: number; marker: string | null; stands_on: string | null }
export interface PastRound { round: number; number: string | null; colour: ('red' | 'black' | 'green') | null; bonus: string[] }
export interface NextRoundView { by: 'dealer' | 'house'; late_from_ms: number | null }
export interface StakesView { stake_cents: number; wager_count: number; terminals: number }
export interface SeatView { name: string; player: string | null; credit_cents: number; claim_cents: number; session: SessionView; may: ('collect' | 'redeem' | 'buy_in' | 'sit' | 'leave')[]; notices: Notice[]; stake_cents: number; wagers: WagerView[]; settled: SettledWagerView[]; totals: TotalsView | null; last_totals: TotalsView | null; colour: string | null }
export interface SessionView { began_ms: number; staked_cents: number; paid_cents: number; net_cents: number; stake_limit_cents: number | null; loss_limit_cents: number | null; lost_today_cents: number }
export interface Notice { id: number; kind: 'void' | 'unlit' | 'hold' | 'buy_in' | 'outcome' | 'spin' | 'dropped' | 'alarm'; reason: StatedReason; seat: string | null; cents: number | null }
export interface WagerView { id: string; player: string; wager: string; stake_cents: number; pieces: [string, number][]; registered: boolean; terminal: string | null; unclear: boolean; under_minimum: string[] }
export interface SettledWagerView { id: string; player: string; wager: string; stake_cents: number; paid_cents: number; collected_cents: number; returned_cents: number; pieces: SettledPieceView[] }
export interface SettledPieceView { area: string; stake_cents: number; paid_cents: number; collected_cents: number; returned_cents: number; clause: string }
export interface TotalsView { stake_cents: number; paid_cents: number; collected_cents: number; returned_cents: number; net_cents: number }
export interface StaffView { keyed: string | null; notices: Notice[]; ball_stated: string | null; spin_stated: boolean; is_ball_wanted: boolean; wheel_seen: WheelSeen | null; terminals_lost: string[]; may: ('place your bets' | 'allow early close' | 'spin' | 'no more bets' | 'confirm lights' | 'outcome' | 'settle' | 'no spin' | 'irregularity' | 'unclear' | 'power failure')[]; wagers: WagerView[]; settled: SettledWagerView[]; totals: TotalsView | null; more: boolean }
export interface WheelSeen { spun: boolean; revolutions: number | null; at_rest: string | null; stray_rest: string | null; unanswered: UnansweredReport[] }
export interface UnansweredReport { irregularity: string; clause: string }
export interface TableUpdate { type: 'update'; table: string; sequence: number; at_ms: number; happened: TableEvent[]; view: TableChanges; rounds: PastRound[]; staff: StaffChanges | null }
export interface TableEvent { event: string; round: number; sequence: number; at_ms: number; fields: { [k: string]: unknown } }
export interface TableChanges { table: string; game: string; title: string; document: string; is_open: boolean; interrupted: boolean; virtual_wheel: boolean; wheel: 'console' | 'sensor' | 'virtual'; lights: ('dealer' | 'device') | null; round: number; phase: 'awaiting' | 'betting' | 'closed' | 'decided' | 'void' | 'held' | 'ended'; status: 'shut' | 'interrupted' | 'awaiting' | 'betting' | 'closed' | 'spinning' | 'outcome' | 'settled' | 'void' | 'held'; status_since_ms: number | null; takes_wagers: boolean; steps: StepView[]; standing: StatedReason | null; opened_at_ms: number | null; closes_at_ms: number | null; closed_at_ms: number | null; countdown_seconds: number; spun: boolean; dropped: boolean; at_rest: string | null; lights_confirmed: boolean; lit: string[]; winning_number: string | null; colour: ('red' | 'black' | 'green') | null; sections: string[]; bonus_status: ('non_bonus' | 'bonus' | 'super_bonus') | null; bonus: string[]; super_bonus: string[]; limits: LimitsView[]; next_limits: LimitsView[] | null; settings: string[]; chips: number[]; dealer: string | null; colours: { [k: string]: ColourView }; video: string | null; automatic_dealer: boolean; next_round: NextRoundView | null }
export interface StaffChanges { keyed: string | null; notices: Notice[]; ball_stated: string | null; spin_stated: boolean; is_ball_wanted: boolean; wheel_seen: WheelSeen | null; terminals_lost: string[]; may: ('place your bets' | 'allow early close' | 'spin' | 'no more bets' | 'confirm lights' | 'outcome' | 'settle' | 'no spin' | 'irregularity' | 'unclear' | 'power failure')[]; wagers: WagerView[]; settled: SettledWagerView[]; totals: TotalsView | null; more: boolean }
export interface SeatUpdate { type: 'seat'; table: string; sequence: number; at_ms: number; happened: TableEvent[]; seat: SeatChanges; wagers: WagerView[]; gone: string[] }
export interface SeatChanges { name: string; player: string | null; credit_cents: number; claim_cents: number; session: SessionView; may: ('collect' | 'redeem' | 'buy_in' | 'sit' | 'leave')[]; notices: Notice[]; stake_cents: number; settled: SettledWagerView[]; totals: TotalsView | null; last_totals: TotalsView | null; colour: string | null }
export interface StakesUpdate { type: 'stakes'; table: string; sequence: number; at_ms: number; stakes: StakesView; wagers: WagerView[]; gone: string[] }
export interface Answered { type: 'answer'; id: string; sequence: number; registered: boolean; refusal: StatedReason | null; read_back: string | null; voucher: string | null; seat: SeatChanges | null; wagers: WagerView[]; gone: string[] }
export interface Pong { type: 'pong'; at_ms: number; echo_ms: number; sequence: number }
export interface HouseNodes { type: 'nodes'; addresses: string[] }
export interface MessageProblem { type: 'problem'; reason: StatedReason; id: string | null; again: boolean }
export interface Bye { type: 'bye'; reason: StatedReason; come_back: boolean }
export interface ApiProblem { error: string; clause: string | null; reason: Reason }
export interface HouseShown { name: string; operator: string; money: Money; currency: string; time_zone: string; gaming_day: string; gaming_day_begins: number; autoplay: boolean; reality_check_minutes: number; at_ms: number; version: string }
export interface ReadingShown { id: string; question: string; answer: string; setting: string | null }
export interface VersionShown { version: string; code: string; packages: { [k: string]: string }; games: { [k: string]: string }; tables: { [k: string]: string } }
export interface HouseFileBody { text: string; apply?: boolean }
export interface ChangesShown { applied: boolean; changes: Difference[] }
export interface Difference { where: string; before: string; after: string }
export interface HouseFileProposalBody { text: string; password: string; code?: string | null }
export interface ProposalShown { number: number; by: string; position: string; acting: boolean; table: string; act: OutcomeCorrection | BallCorrection | DrawCorrection | ReportAnswer | RoundsVoiding | CreditAdjustment | SumMovement | FloatCounting | ColourChipsMovement | VoucherPayment | StaffDefinition | PasswordSetting | HouseChange; effect: AccountChange[]; until_ms: number }
export interface OutcomeCorrection { kind: 'correct'; round_number: number; number: string; was?: string | null; because?: string }
export interface BallCorrection { kind: 'correct_ball'; number: string; was?: string | null; because?: string }
export interface DrawCorrection { kind: 'correct_draw'; round_number: number; numbers: string[]; was?: string[] | null; because?: string }
export interface ReportAnswer { kind: 'answer_report'; irregularity: Irregularity; upheld: boolean; because?: string }
export interface RoundsVoiding { kind: 'void'; round_numbers: number[]; reason: Irregularity | null; because?: string }
export interface CreditAdjustment { kind: 'adjust'; seat: string; cents: number; reason: string }
export interface SumMovement { kind: 'move_sum'; how: SumMoved; cents: number; whose?: string }
export interface FloatCounting { kind: 'count_float'; count: Count; cents: number }
export interface ColourChipsMovement { kind: 'move_colour_chips'; player: string; colour: string; chips: number; are_bought_back?: boolean }
export interface VoucherPayment { kind: 'pay_voucher'; code: string }
export interface StaffDefinition { kind: 'staff'; name: string; positions: Role[]; duties: Duty[]; digest: string | null }
export interface PasswordSetting { kind: 'password'; name: string; digest: string | null }
export interface HouseChange { kind: 'house'; house: HouseSettings; tables: TablePlan[]; changes: string[] }
export interface HouseSettings { name: string; operator: string; money: Money; currency: string; time_zone: string; gaming_day_begins: number; voucher_days: number; idle_minutes: number; proposal_minutes: number; autoplay: boolean; reality_check_minutes: number; second_factor: SensitiveAct[]; thresholds: Thresholds; sums_by_person: Thresholds; authority: Authority }
export interface Thresholds { buy_in_cents: number | null; cash_out_cents: number | null; voucher_cents: number | null; fill_cents: number | null; adjustment_cents: number | null; hand_pay_cents: number | null; float_count_cents: number | null }
export interface Authority { acts: ActHolders[]; never_together: [string, string][] | null }
export interface ActHolders { act: string; positions: Role[]; duties: Duty[] }
export interface TablePlan { name: string; game: string; wheel: WheelSource; unapproved_game: boolean; lights: Lights | null; countdown_seconds: number; chips: number[]; seats: number; automatic_dealer: boolean; rules_file: string | null; video: string | null; limits: string[]; settings: string[] }
export interface AccountChange { account: string; name: string; cents: number }
export interface HealthShown { alive: boolean }
export interface ReadyShown { ready: boolean; tables: number; doubt: string | null; rival: string | null; node: string | null; following_ms: number | null; takeovers: number | null }
export interface TableShown { name: string; game: string; title: string; document: string; wheel: WheelSource; wheel_label: string | null; is_open: boolean; phase: Phase; round: number; limits: LimitsView[]; dealer: string | null; automatic_dealer: boolean; seats: number; terminals: number; is_unserved: boolean }
export interface CommandBody { id: string }
export interface DoneShown { id: string; sequence: number }
export interface TermsShown { limits: string[]; settings: string[] }
export interface TermsBody { id: string; limits: string[]; settings: string[] }
export interface InterpretationBody { id: string; question: string; answer: string; rounds: number[] }
export interface DealerShown { table: string; dealer: string | null }
export interface RulesShown { name: string; sha256: string; dated_ms: number }
export interface SettlementPreview { round: number; winning_number: string | null; by_hand: HandSettlement[]; wagers_at_terminals: number; paid_at_terminals_cents: number }
export interface HandSettlement { player: string; wagers: SettledWagerView[]; collected_cents: number; paid_cents: number; returned_cents: number; paid_in: [number, number][]; rest_cents: number }
export interface LayoutExposure { round: number; stake_cents: number; worst_number: string | null; pays_cents: number; by_number: { [k: string]: number } }
export interface HistoryShown { label: string; rounds: PastRound[]; decided: number; numbers: CountShown[]; hot: CountShown[]; cold: CountShown[]; boxes: { [k: string]: number }; colours: { [k: string]: number } }
export interface CountShown { number: string; times: number }
export interface RoundSummary { round: number; status: string; winning_number: string | null; bonus_numbers: string[]; clause: string | null; is_corrected: boolean; began_ms: number; settled_ms: number | null; wagers: number; stake_cents: number; paid_cents: number; collected_cents: number }
export interface RoundShown { table: string; document: string; round: number; phase: Phase; winning_number: string | null; bonus_numbers: string[]; standing: StatedReason | null; limits: string[]; settings: string[]; events: EventShown[]; settled: SettledWagerView[]; credit_before: { [k: string]: number }; credit_after: { [k: string]: number }; announcements: AnnouncementSeen[] }
export interface EventShown { sequence: number; at_ms: number; event: string; by: string | null; clause: string | null; fields: { [k: string]: unknown }; entries: EntryShown[]; hash: string }
export interface EntryShown { account: string; cents: number }
export interface AnnouncementSeen { terminal: string; announcement: string; shown_at_ms: number; reported_at_ms: number }
export interface WagerSearch { table: string; wagers: FoundWager[]; refusals: FoundRefusal[]; has_more: boolean }
export interface FoundWager { round: number; id: string; player: string; terminal: string | null; wager: string; steps: WagerStep[]; winning_number: string | null; settled: SettledWagerView | null }
export interface WagerStep { sequence: number; at_ms: number; event: string; by: string | null; fields: { [k: string]: unknown } }
export interface FoundRefusal { round: number; sequence: number; at_ms: number; player: string; acts: RefusedAct[]; clause: string; reason: StatedReason }
export interface RefusedAct { kind: string; wager: string | null; cents: number | null }
export interface SealedRound { round: number; sequence: number; at_ms: number; seal: string }
export interface SeatResults { round: number; stake_cents: number; numbers: NumberResult[]; ahead: number; house_edge: string | null; edge_percent: string | null; cost_cents: number }
export interface NumberResult { number: string; least_cents: number; most_cents: number; paid: { [k: string]: number } }
export interface SeatPlay { table: string; seat: string; player: string | null; session: SessionView; rounds: PlayedRound[]; has_more: boolean }
export interface PlayedRound { round: number; document: string; settled_ms: number; winning_number: string | null; wagers: SettledWagerView[]; totals: TotalsView; corrections: RoundCorrection[]; sequence: number; seal: string }
export interface RoundCorrection { event: string; at_ms: number; clause: string | null; reason: StatedReason | null; because: string; number_before: string | null; number_after: string | null; net_before_cents: number; net_after_cents: number }
export interface CreditChanges { changes: CreditChange[]; sequence: number }
export interface CreditChange { sequence: number; event: string; round: number | null; at_ms: number; before_cents: number; after_cents: number; clause: string | null; reason: StatedReason | null; because: string; number_before: string | null; number_after: string | null }
export interface WagersBody { wagers: NewChips[] }
export interface NewChips { wager: string; stake_cents?: number | null }
export interface RehearsalShown { refusal: StatedReason | null; pieces: PieceShown[]; total_cents: number; credit_after_cents: number | null }
export interface PieceShown { area: string; stake_cents: number }
export interface GameShown { game: string; title: string; document: string; operator: string; effective: string; numbers: string[]; areas: number; approved: boolean }
export interface LayoutShown { game: string; areas: AreaShown[]; numbers: NumberShown[]; cell_size: [number, number]; links: string[][]; ring: string[]; ring_is_illustrative: boolean; racetrack: RacetrackShown | null; multiples: MultipleShown[]; draws_bonus_numbers: boolean }
export interface AreaShown { area: string; type: string; title: string; numbers: string[]; pays: number | { [k: string]: number }; clause: string; at: [number, number]; rect: Rect | null }
export interface Rect { u0: number; v0: number; u1: number; v1: number }
export interface NumberShown { number: string; colour: Colour; rect: Rect; sections: string[] }
export interface RacetrackShown { right: string[]; bottom: string[]; left: string[]; top: string[]; sections: SectionShown[] }
export interface SectionShown { word: string | null; title: string; pieces: number; left: [number, number]; right: [number, number] }
export interface MultipleShown { word: string; kind: 'complete' | 'finales' | 'fixed' | 'neighbours'; clause: string; says: string; pieces: string[]; radii: number[]; usual_radius: number | null; at_maximum: boolean }
export interface OddsShown { wager: string; wager_type: string; win_probability: string; return_to_player: string; house_edge: string; win_percent: string; edge_percent: string }
export interface ClauseShown { clause: string; asks: string; of_software: boolean; by: Role[]; pays: { [k: string]: number | { [k: string]: number } }; rules: string[]; voids: Irregularity | null }
export interface WagerBody { wager: string; stake_cents?: number | null; table?: string | null }
export interface PiecesShown { wager: string; pieces: PieceShown[]; total_cents: number }
export interface LogOnBody { name: string; password: string; device?: string | null }
export interface SessionShown { name: string; token: string; csrf: string; idle_minutes: number }
export interface TakeOverBody { name: string; password: string; new_password: string; voucher: string; voucher_password: string; voucher_code?: string | null; device?: string | null }
export interface MeShown { name: string; positions: PositionShown[]; duties: Duty[]; may: string[]; deals_at: string | null; device: string | null; began_ms: number }
export interface PositionShown { position: Role; acting: boolean; until_ms: number | null }
export interface PasswordChangeBody { password: string; new_password: string }
export interface OwnDeviceShown { name: string; kind: DeviceKind; table: string | null; seat: string | null }
export interface SeatBody { table: string }
export interface SeatShown { token: string; device: string; table: string; credit_cents: number }
export interface DemonstrationStaffShown { name: string; positions: Role[]; duties: Duty[] }
export interface DemonstrationStaffBody { name: string }
export interface TourShown { table: string; round: number; played: number | null; dealt: number | null; proposed: number | null; corrected: number | null; verified: number | null }
export interface SecondFactorShown { is_enrolled: boolean; asked_for: SensitiveAct[] }
export interface EnrolmentBody { password: string; code?: string | null }
export interface EnrolmentShown { key: string; address: string; minutes: number }
export interface CodeBody { code: string }
export interface OpenSessionShown { id: string; name: string; device: string | null; began_ms: number; seen_ms: number; is_this: boolean }
export interface StaffShown { name: string; positions: Role[]; duties: Duty[]; acting: ActingShown[]; has_password: boolean; is_limited: boolean; is_locked: boolean; deals_at: string | null }
export interface ActingShown { position: Role; from_ms: number; until_ms: number; is_in_force: boolean }
export interface AuthorityShown { act: string; says: string; positions: Role[]; duties: Duty[]; people: string[] }
export interface StaffBody { name: string; positions?: Role[]; duties?: Duty[] }
export interface StaffProposalBody { name: string; positions?: Role[]; duties?: Duty[]; temporary?: string | null; password: string; code?: string | null }
export interface PasswordProposalBody { temporary: string; password: string; code?: string | null }
export interface ActingBody { position: Role; from_ms: number; until_ms: number }
export interface DeviceShown { name: string; kind: DeviceKind; table: string | null; is_enrolled: boolean; code_until_ms: number | null; is_connected: boolean; is_lost: boolean; player: string | null }
export interface DeviceBody { name: string; kind: DeviceKind; table?: string | null }
export interface InvitationShown { device: string; code: string; minutes: number }
export interface PairingBody { code: string }
export interface PairingShown { token: string; device: string; kind: DeviceKind; table: string | null }
export interface PlayerShown { name: string; stake_limit_cents: number | null; loss_limit_cents: number | null; excluded_until_ms: number | null; sits_at: string | null; terminal: string | null }
export interface PlayerBody { name: string; pin: string }
export interface PinBody { pin: string }
export interface PlayerSeatBody { terminal: string }
export interface PlayerLimitsBody { stake_cents: number | null; loss_cents: number | null }
export interface ExclusionBody { until_ms: number }
export interface FavouriteShown { name: string; game: string; wagers: string[] }
export interface FavouriteBody { game: string; wagers: string[] }
export interface AmountBody { id: string; cents: number }
export interface SeatPaidShown { id: string; sequence: number; seat: string; cents: number; voucher: string | null; credit_cents: number; set_off_cents: number }
export interface RedeemBody { id: string; code: string }
export interface ColourChipsBody { id: string; player: string; chips: number }
export interface FloatCountBody { id: string; count: Count; cents: number }
export interface FloatCountedShown { id: string; sequence: number; booked_cents: number }
export interface VoucherPaidShown { id: string; sequence: number; cents: number; voucher: string }
export interface TableMoneyShown { seats: SeatMoneyShown[]; float_cents: number; cash_cents: number }
export interface SeatMoneyShown { seat: string; credit_cents: number; claim_cents: number; owed_cents: number }
export interface ExpiredShown { vouchers: number }
export interface VoucherBody { code: string }
export interface VoucherShown { code: string; cents: number; state: VoucherState; expires: string; issued_at: string; held_by: string | null }
export interface ProposalBody { table: string; act: OutcomeCorrection | BallCorrection | DrawCorrection | ReportAnswer | RoundsVoiding | CreditAdjustment | SumMovement | FloatCounting | ColourChipsMovement | VoucherPayment; password: string; code?: string | null; position?: string | null }
export interface ConfirmationBody { password: string; code?: string | null; position?: string | null }
export interface ConfirmedShown { number: number; table: string; sequence: number; effect: AccountChange[]; voucher: string | null }
export interface DayReport { day: string; from_ms: number; until_ms: number; closed_by: string | null; closed_at_ms: number | null; head: string | null; vouchers_expired_cents: number; tables: TableOfDay[]; drop_cents: number; hold_cents: number }
export interface TableOfDay { table: string; rounds: number; voids: number; staked_cents: number; won_cents: number; hold_cents: number; drop_cents: number; by_type: TypeOfDay[]; bought_in_cents: number; cashed_out_cents: number; vouchers_issued_cents: number; vouchers_redeemed_cents: number; vouchers_paid_cents: number; colour_sold_cents: number; colour_bought_back_cents: number; filled_cents: number; credits_cents: number; claims_made_cents: number; claims_paid_cents: number; claims_set_off_cents: number; owed_paid_cents: number; adjusted_cents: number; counts: FloatCount[]; adjustments: Adjustment[]; accounts: { [k: string]: number } }
export interface TypeOfDay { wager_type: string; staked_cents: number; won_cents: number; hold_cents: number }
export interface FloatCount { count: string; cents: number; booked_cents: number; by: string; at_ms: number }
export interface Adjustment { seat: string; cents: number; reason: string; initiator: string; authoriser: string; at_ms: number }
export interface TableMetersShown { table: string; rounds: number; voids: number; staked_cents: number; won_cents: number; hold_cents: number; actual_return: string; theoretical_return: string; drop_cents: number; hold_of_drop: string; by_type: TypeMetersShown[] }
export interface TypeMetersShown { wager_type: string; staked_cents: number; won_cents: number; hold_cents: number; actual_return: string; theoretical_return: string }
export interface VerificationShown { is_clean: boolean; findings: FindingShown[]; more_findings: number; checked: { [k: string]: number }; house_head: string; unproven: StatedReason[] }
export interface FindingShown { table: string; stream: string; sequence: number | null; problem: string; reason: Reason }
export interface LogPage { events: SignificantEvent[]; after: string; has_more: boolean }
export interface SignificantEvent { at_ms: number; table: string | null; round: number | null; sequence: number; kind: SignificantKind; event: string; text: string; fields: { [k: string]: string | boolean | RefusedAct[] | StatedReason }; by: string | null; is_alarm: boolean; acknowledged_by: string | null; acknowledged_at_ms: number | null }
export interface AlarmBody { sequence: number; table?: string | null }
export interface NodeShown { name: string; address: string; version: string; is_alive: boolean; is_draining: boolean; silent_ms: number; tables: string[]; moves_here: string[]; takeovers: number | null; following_ms: number | null }
export interface DrainBody { back?: boolean }
export interface MoveBody { table: string }
