/** The types of all messages and of all bodies of the API. Written by `make generated`. */

export type ToHouse = Hello | ChangeWagers | PerformAct | KeyOutcome | ConfirmLightsSeen | BallWas | ConfirmBallStated | Interpret | ReplyToNotice | Redeem | Collect | AskBuyIn | Sit | Leave | ReportAnnouncement | WheelFact | ReportLit | Ping
export type FromHouse = TableSnapshot | TableUpdate | SeatUpdate | StakesUpdate | Answered | Pong | MessageProblem | Bye
export type Money = 'demonstration' | 'real'
export type Irregularity = 'ball_broke' | 'ball_dropped_without_spin' | 'ball_not_in_compartment' | 'ball_out_of_wheel' | 'ball_same_direction' | 'fewer_than_four_revolutions' | 'foreign_object' | 'person_interfered' | 'unlisted' | 'wheel_not_rotating' | 'wheel_stopped'
export type Count = 'closing' | 'opening'
export type Role = 'Cashier' | 'Dealer' | 'Gaming Shift Manager' | 'Pit Manager' | 'Pit Supervisor' | 'Player' | 'RNG' | 'Table Games Shift Manager' | 'sensor' | 'system'
export type Duty = 'administrator' | 'attendant' | 'cashier' | 'inspector'
export type SensitiveAct = 'confirm' | 'propose'
export type WheelSource = 'console' | 'sensor' | 'virtual'
export type Lights = 'dealer' | 'device'
export type EventRow = [string, number, number, string, number, number, string, string, string, string, string]
export type SnapshotRow = [string, number, string, string]
export type Phase = 'awaiting' | 'betting' | 'closed' | 'decided' | 'ended' | 'held' | 'void'
export type Colour = 'black' | 'green' | 'red'
export type DeviceKind = 'board' | 'console' | 'layout' | 'mirror' | 'sensor' | 'station' | 'terminal'
export type VoucherState = 'claimed' | 'expired' | 'lost' | 'outstanding' | 'redeemed'
export type SignificantKind = 'authority' | 'clock' | 'correction' | 'dealer' | 'device' | 'hold' | 'house' | 'interruption' | 'lights' | 'log_on' | 'money' | 'notice' | 'player' | 'proposal' | 'server' | 'staff' | 'table' | 'void'
export type Drill = 'announced' | 'conversion' | 'limits' | 'payouts' | 'procedure' | 'statuses'
export type Form = 'choice' | 'money' | 'pieces' | 'stacks'
export type AnswerVerdict = 'also' | 'right' | 'wrong'
export type Criterion = 'announced_bets' | 'announcements' | 'disputes' | 'irregularities' | 'late_wagers' | 'limits' | 'order' | 'payouts' | 'people'

export interface Hello { type: 'hello'; device?: string | null; session?: string | null }
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
export interface SessionView { began_ms: number; staked_cents: number; paid_cents: number; net_cents: number; stake_limit_cents: number | null; loss_limit_cents: number | null; lost_today_cents: number; deposit_limit_cents: number | null; deposited_today_cents: number; net_deposits_today_cents: number }
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
export interface MessageProblem { type: 'problem'; reason: StatedReason; id: string | null; again: boolean }
export interface Bye { type: 'bye'; reason: StatedReason; come_back: boolean }
export interface ApiProblem { error: string; clause: string | null; reason: Reason }
export interface HouseShown { name: string; operator: string; money: Money; currency: string; time_zone: string; gaming_day: string; gaming_day_begins: number; autoplay: boolean; reality_check_minutes: number; help_text: string | null; at_ms: number; version: string }
export interface Reading { id: string; question: string; answer: string; setting: string | null }
export interface VersionShown { version: string; code: string; packages: { [k: string]: string }; games: { [k: string]: string }; tables: { [k: string]: string } }
export interface HouseFileBody { text: string; apply?: boolean }
export interface ChangesShown { applied: boolean; changes: Difference[] }
export interface Difference { where: string; before: string; after: string }
export interface HouseFileProposalBody { text: string; password: string; code?: string | null }
export interface ProposalShown { number: number; by: string; position: string; acting: boolean; table: string; act: CorrectOutcome | CorrectBall | CorrectBonusNumbers | AnswerReport | VoidRounds | Adjust | BuyIn | CashOut | IssueVoucher | PayVoucher | CountFloat | PayClaim | Fill | TakeCredit | BuyColourChips | BuyBackColourChips | PayOwed | StaffDefinition | PasswordSetting | HouseChange; effect: AccountChange[]; until_ms: number }
export interface CorrectOutcome { kind: 'correct'; round_number: number; number: string; was?: string | null; because?: string }
export interface CorrectBall { kind: 'correct_ball'; number: string; was?: string | null; because?: string }
export interface CorrectBonusNumbers { kind: 'correct_draw'; round_number: number; numbers: string[]; was?: string[] | null; because?: string }
export interface AnswerReport { kind: 'answer_report'; irregularity: Irregularity; upheld: boolean; because?: string }
export interface VoidRounds { kind: 'void'; round_numbers: number[]; reason: Irregularity; because?: string }
export interface Adjust { kind: 'adjust'; seat: string; cents: number; reason: string }
export interface BuyIn { kind: 'buy_in'; seat: string; cents: number }
export interface CashOut { kind: 'cash_out'; seat: string; cents: number }
export interface IssueVoucher { kind: 'voucher'; seat: string; cents: number }
export interface PayVoucher { kind: 'pay_voucher'; code: string }
export interface CountFloat { kind: 'count_float'; count: Count; cents: number }
export interface PayClaim { kind: 'pay_claim'; player: string; cents: number }
export interface Fill { kind: 'fill'; cents: number }
export interface TakeCredit { kind: 'credit'; cents: number }
export interface BuyColourChips { kind: 'buy_colour_chips'; player: string; colour: string; chips: number }
export interface BuyBackColourChips { kind: 'buy_back_colour_chips'; player: string; colour: string; chips: number }
export interface PayOwed { kind: 'pay_owed'; player: string; cents: number }
export interface StaffDefinition { kind: 'staff'; name: string; positions: Role[]; duties: Duty[]; digest: string | null }
export interface PasswordSetting { kind: 'password'; name: string; digest: string | null }
export interface HouseChange { kind: 'house'; house: HouseSettings; tables: TablePlan[]; changes: string[] }
export interface HouseSettings { name: string; operator: string; money: Money; currency: string; time_zone: string; gaming_day_begins: number; voucher_days: number; idle_minutes: number; proposal_minutes: number; autoplay: boolean; reality_check_minutes: number; help_text: string | null; second_factor: SensitiveAct[]; thresholds: Thresholds; sums_by_person: Thresholds; authority: Authority }
export interface Thresholds { buy_in_cents: number | null; cash_out_cents: number | null; voucher_cents: number | null; fill_cents: number | null; adjustment_cents: number | null; hand_pay_cents: number | null; float_count_cents: number | null }
export interface Authority { acts: ActHolders[]; never_together: [string, string][] | null }
export interface ActHolders { act: string; positions: Role[]; duties: Duty[] }
export interface TablePlan { name: string; game: string; wheel: WheelSource; unapproved_game: boolean; lights: Lights | null; countdown_seconds: number; chips: number[]; seats: number; automatic_dealer: boolean; rounds_per_hour: number | null; rules_file: string | null; video: string | null; limits: string[]; settings: string[] }
export interface AccountChange { account: string; name: string; cents: number }
export interface HealthShown { alive: boolean }
export interface ReadyShown { ready: boolean; tables: number; doubt: string | null; rival: string | null; witnesses_missing: number; node: string | null }
export interface NodeShown { name: string; version: string; is_alive: boolean; silent_ms: number; tables: string[] }
export interface PlaceBody { streams: { [k: string]: number }; log_size: number; checkpoints: number }
export interface JournalPart { streams: StreamPart[]; log: [number, string, number, string][]; checkpoints: string[]; latest: string | null; has_more: boolean }
export interface StreamPart { events: EventRow[]; entries: [string, number, number, string, number][]; snapshots: SnapshotRow[]; salts: { [k: string]: string } }
export interface TableShown { name: string; game: string; title: string; document: string; wheel: WheelSource; wheel_label: string | null; is_open: boolean; phase: Phase; round: number; limits: LimitsView[]; dealer: string | null; automatic_dealer: boolean; seats: number; terminals: number; is_unserved: boolean }
export interface CommandBody { id: string }
export interface DoneShown { id: string; sequence: number }
export interface ChangeTerms { limits: string[]; settings: string[] }
export interface TermsBody { id: string; limits: string[]; settings: string[] }
export interface DealerShown { table: string; dealer: string | null }
export interface RulesShown { name: string; sha256: string; dated_ms: number }
export interface SettlementPreview { round: number; winning_number: string | null; by_hand: HandSettlement[]; wagers_at_terminals: number; paid_at_terminals_cents: number }
export interface HandSettlement { player: string; wagers: SettledWagerView[]; collected_cents: number; paid_cents: number; returned_cents: number; paid_in: [number, number][]; rest_cents: number }
export interface LayoutExposure { round: number; stake_cents: number; worst_number: string | null; pays_cents: number; by_number: { [k: string]: number } }
export interface HistoryShown { label: string; rounds: PastRound[]; decided: number; numbers: CountShown[]; hot: CountShown[]; cold: CountShown[]; boxes: { [k: string]: number }; colours: { [k: string]: number } }
export interface CountShown { number: string; times: number }
export interface RoundShown { table: string; document: string; round: number; status: string; winning_number: string | null; bonus_numbers: string[]; clause: string | null; began_ms: number; settled_ms: number | null; sequence: number | null; seal: string | null; wager_count: number; totals: TotalsView; wagers: SettledWagerView[]; corrections: RoundCorrection[] }
export interface RoundCorrection { event: string; at_ms: number; clause: string | null; reason: StatedReason | null; because: string; number_before: string | null; number_after: string | null; net_before_cents: number; net_after_cents: number }
export interface RoundInFull { table: string; document: string; round: number; status: string; winning_number: string | null; bonus_numbers: string[]; clause: string | null; began_ms: number; settled_ms: number | null; sequence: number | null; seal: string | null; wager_count: number; totals: TotalsView; wagers: SettledWagerView[]; corrections: RoundCorrection[]; phase: Phase; standing: StatedReason | null; limits: string[]; settings: string[]; events: EventShown[]; credit_before: { [k: string]: number }; credit_after: { [k: string]: number }; announcements: AnnouncementSeen[] }
export interface EventShown { sequence: number; at_ms: number; event: string; by: string | null; clause: string | null; fields: { [k: string]: unknown }; entries: EntryShown[]; hash: string }
export interface EntryShown { account: string; cents: number }
export interface AnnouncementSeen { terminal: string; announcement: string; shown_at_ms: number; reported_at_ms: number }
export interface WagerSearch { table: string; wagers: FoundWager[]; refusals: FoundRefusal[]; has_more: boolean }
export interface FoundWager { round: number; id: string; player: string; terminal: string | null; wager: string; steps: EventShown[]; winning_number: string | null; settled: SettledWagerView | null }
export interface FoundRefusal { round: number; sequence: number; at_ms: number; player: string; acts: RefusedAct[]; clause: string; reason: StatedReason }
export interface RefusedAct { kind: string; wager: string | null; cents: number | null }
export interface ReceiptShown { name: string; receipt: string; address: string; code_size: number; code_path: string }
export interface SeatResults { round: number; stake_cents: number; numbers: NumberResult[]; ahead: number; house_edge: string | null; edge_percent: string | null; cost_cents: number }
export interface NumberResult { number: string; least_cents: number; most_cents: number; paid: { [k: string]: number } }
export interface SeatPlay { table: string; seat: string; player: string | null; session: SessionView; rounds: RoundShown[]; has_more: boolean }
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
export interface WagerBody { wager: string; stake_cents?: number | null }
export interface PiecesShown { wager: string; pieces: PieceShown[]; total_cents: number }
export interface LogOnBody { name: string; password: string; device?: string | null }
export interface SessionShown { name: string; token: string; csrf: string; idle_minutes: number }
export interface TakeOverBody { name: string; password: string; new_password: string; voucher: string; voucher_password: string; voucher_code?: string | null; device?: string | null }
export interface MeShown { name: string; positions: PositionShown[]; duties: Duty[]; may: string[]; deals_at: string | null; device: string | null; began_ms: number }
export interface PositionShown { position: Role; acting: boolean; until_ms: number | null }
export interface PasswordChangeBody { password: string; new_password: string }
export interface OwnDeviceShown { name: string; kind: DeviceKind; table: string | null; seat: string | null }
export interface SecondFactorShown { is_enrolled: boolean; asked_for: SensitiveAct[] }
export interface ProofBody { password: string; code?: string | null }
export interface EnrolmentShown { key: string; address: string; minutes: number }
export interface CodeBody { code: string }
export interface OpenSessionShown { id: string; name: string; device: string | null; began_ms: number; seen_ms: number; is_this: boolean }
export interface SeatShown { token: string; device: string; table: string; credit_cents: number }
export interface StaffPlan { name: string; positions: Role[]; duties: Duty[] }
export interface DemonstrationStaffBody { name: string }
export interface TourTableShown { table: string }
export interface TourShown { table: string; played: number | null; dealt: number | null; proposed: number | null; corrected: number | null; verified: number | null }
export interface StaffShown { name: string; positions: Role[]; duties: Duty[]; acting: ActingShown[]; has_password: boolean; is_limited: boolean; is_locked: boolean; deals_at: string | null }
export interface ActingShown { position: Role; from_ms: number; until_ms: number; is_in_force: boolean }
export interface AuthorityShown { act: string; says: string; positions: Role[]; duties: Duty[]; people: string[] }
export interface StaffBody { name: string; positions?: Role[]; duties?: Duty[] }
export interface StaffProposalBody { password: string; code?: string | null; name: string; positions?: Role[]; duties?: Duty[]; temporary?: string | null }
export interface PasswordProposalBody { temporary: string; password: string; code?: string | null }
export interface ActingBody { position: Role; from_ms: number; until_ms: number }
export interface DeviceShown { name: string; kind: DeviceKind; table: string | null; is_enrolled: boolean; code_until_ms: number | null; is_connected: boolean; is_lost: boolean; player: string | null }
export interface DeviceBody { name: string; kind: DeviceKind; table?: string | null }
export interface InvitationShown { device: string; code: string; minutes: number }
export interface PairingBody { code: string }
export interface PairingShown { token: string; device: string; kind: DeviceKind; table: string | null }
export interface PlayerShown { name: string; stake_limit_cents: number | null; loss_limit_cents: number | null; deposit_limit_cents: number | null; excluded_until_ms: number | null; sits_at: string | null; terminal: string | null }
export interface PlayerBody { name: string; pin: string }
export interface PinBody { pin: string }
export interface PlayerRounds { rounds: RoundShown[]; has_more: boolean }
export interface SeatedPlayerBody { player: string }
export interface PlayerLimitsBody { stake_cents: number | null; loss_cents: number | null; deposit_cents: number | null }
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
export interface VoucherShown { code: string; cents: number; state: VoucherState; expires: string; issued_at: string; device: string; issued_ms: number; sequence: number; held_by: string | null; ended_by: string | null; ended_ms: number | null }
export interface ProposalBody { act: CorrectOutcome | CorrectBall | CorrectBonusNumbers | AnswerReport | VoidRounds | Adjust | BuyIn | CashOut | IssueVoucher | PayVoucher | CountFloat | PayClaim | Fill | TakeCredit | BuyColourChips | BuyBackColourChips | PayOwed; position?: string | null; password: string; code?: string | null }
export interface VoucherProposalBody { voucher: string; password: string; code?: string | null }
export interface TableConfirmationBody { position?: string | null; password: string; code?: string | null }
export interface ConfirmedShown { number: number; table: string; sequence: number; effect: AccountChange[]; voucher: string | null }
export interface DayReport { day: string; from_ms: number; until_ms: number; closed_by: string | null; closed_at_ms: number | null; head: string | null; vouchers_expired_cents: number; tables: TableOfDay[]; drop_cents: number; hold_cents: number; vouchers_paid_cents: number }
export interface TableOfDay { table: string; rounds: number; voids: number; staked_cents: number; won_cents: number; hold_cents: number; drop_cents: number; by_type: TypeOfDay[]; bought_in_cents: number; cashed_out_cents: number; vouchers_issued_cents: number; vouchers_redeemed_cents: number; vouchers_paid_cents: number; colour_sold_cents: number; colour_bought_back_cents: number; filled_cents: number; credits_cents: number; claims_made_cents: number; claims_paid_cents: number; claims_set_off_cents: number; owed_paid_cents: number; adjusted_cents: number; counts: FloatCount[]; adjustments: Adjustment[]; accounts: { [k: string]: number } }
export interface TypeOfDay { wager_type: string; staked_cents: number; won_cents: number; hold_cents: number }
export interface FloatCount { count: string; cents: number; booked_cents: number; by: string; at_ms: number }
export interface Adjustment { seat: string; cents: number; reason: string; initiator: string; authoriser: string; at_ms: number }
export interface TableMetersShown { table: string; rounds: number; voids: number; staked_cents: number; won_cents: number; hold_cents: number; actual_return: string; theoretical_return: string; drop_cents: number; hold_of_drop: string; by_type: TypeMetersShown[]; terminals: TerminalMeters[]; wheel: WheelEvidence }
export interface TypeMetersShown { wager_type: string; staked_cents: number; won_cents: number; hold_cents: number; actual_return: string; theoretical_return: string }
export interface TerminalMeters { terminal: string; cash_in_cents: number; vouchers_in_cents: number; staked_cents: number; returned_cents: number; vouchers_out_cents: number; cash_out_cents: number; hand_paid_cents: number; adjusted_cents: number; other_cents: number; credit_cents: number }
export interface WheelEvidence { spins: number; number: string | null; times: number; alarm_percent: number }
export interface VerificationShown { is_clean: boolean; findings: FindingShown[]; more_findings: number; checked: { [k: string]: number }; house_head: string; unproven: StatedReason[] }
export interface FindingShown { table: string; stream: string; sequence: number | null; problem: string; reason: Reason }
export interface LogPage { events: SignificantEvent[]; after: string; has_more: boolean }
export interface SignificantEvent { at_ms: number; table: string | null; round: number | null; sequence: number; kind: SignificantKind; event: string; text: string; fields: { [k: string]: string | boolean | RefusedAct[] | StatedReason }; by: string | null; is_alarm: boolean; acknowledged_by: string | null; acknowledged_at_ms: number | null }
export interface AlarmBody { sequence: number; table?: string | null }
export interface LearnGame { game: string; title: string; drills: Drill[] }
export interface DrillQuestion { game: string; drill: Drill; level: number; seed: number; asks: Phrase; form: Form; seconds: number; facts: Phrase[]; acts: string[]; heaps: PlayerHeap[]; winning: string | null; bonus_numbers: string[]; chips: PayChip[]; options: Phrase[] }
export interface Phrase { code: string; values: { [k: string]: string | number } }
export interface PlayerHeap { area: string; player: string; cents: number; colour: string | null }
export interface PayChip { cents: number; colour: string | null }
export interface DrillAnswerBody { level: number; seed: number; answer: DrillAnswer }
export interface DrillAnswer { cents?: number | null; pieces?: { [k: string]: number }; stacks?: number[]; choice?: number | null }
export interface DrillMark { verdict: AnswerVerdict; due: DrillAnswer; lines: Phrase[]; clause: Clause | null; rule: string; consequences: OptionMark[] }
export interface Clause { document: string; number: string }
export interface OptionMark { verdict: AnswerVerdict; says: Phrase; clause: Clause | null }
export interface MomentShown { spin: number; criterion: string; question: DrillQuestion }
export interface AnswersBody { seed: number; spins: number; given: GivenAnswer[] }
export interface GivenAnswer { answer: DrillAnswer; ms: number }
export interface AssessedResult { game: string; seed: number; spins: number; marks: { [k: string]: MarkCount }; mistakes: Mistake[]; median_ms: number; digest: string }
export interface MarkCount { right: number; late: number; wrong: number }
export interface Mistake { spin: number; moment: number; criterion: Criterion; clause: string; rule: string; given: Phrase | null; due: Phrase | null }
export interface TrainingBody { seed: number; spins: number; given: GivenAnswer[]; game: string }
