/** The types of all messages and of all bodies of the API. Written by `make types`. */

export type ToHouse = Hello | ChangeWagers | PerformAct | KeyOutcome | ConfirmLightsSeen | BallWas | ConfirmBallStated | ReplyToNotice | Redeem | Collect | AskBuyIn | Sit | Leave | ReportAnnouncement | WheelFact | ReportLit | Ping
export type FromHouse = TableSnapshot | TableEvent | Answered | Stakes | Changed | Pong | MessageProblem | Bye
export type Role = 'Cashier' | 'Dealer' | 'Gaming Shift Manager' | 'Pit Manager' | 'Pit Supervisor' | 'Player' | 'RNG' | 'Table Games Shift Manager' | 'system'
export type Duty = 'administrator' | 'attendant' | 'cashier' | 'inspector'
export type DeviceKind = 'board' | 'console' | 'layout' | 'sensor' | 'station' | 'terminal'
export type Count = 'closing' | 'opening'
export type SignificantKind = 'authority' | 'clock' | 'correction' | 'dealer' | 'device' | 'hold' | 'house' | 'interruption' | 'lights' | 'log_on' | 'money' | 'notice' | 'player' | 'proposal' | 'server' | 'staff' | 'table' | 'void'

export interface Hello { type: 'hello'; table: string; device?: string | null; session?: string | null; since?: number | null }
export interface ChangeWagers { type: 'wagers'; id: string; place?: NewWager[]; increase?: MoreStake[]; withdraw?: string[] }
export interface NewWager { id: string; wager: string; stake_cents?: number | null }
export interface MoreStake { id: string; stake_cents: number }
export interface PerformAct { type: 'act'; id: string; act: string; position?: string | null; player?: string | null; on_request?: boolean }
export interface KeyOutcome { type: 'outcome'; id: string; number: string; confirmed?: boolean }
export interface ConfirmLightsSeen { type: 'confirm_lights'; id: string }
export interface BallWas { type: 'ball_was'; id: string; at_rest: string | null }
export interface ConfirmBallStated { type: 'confirm_ball'; id: string }
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
export interface TableSnapshot { type: 'snapshot'; table: string; sequence: number; at_ms: number; currency: string; money: string; view: TableView; seat: SeatView | null }
export interface TableView { table: string; game: string; title: string; document: string; is_open: boolean; interrupted: boolean; ball_stated: string | null; virtual_wheel: boolean; wheel: string; lights: string | null; round: number; phase: string; standing: string | null; closes_at_ms: number | null; countdown_seconds: number; spun: boolean; dropped: boolean; at_rest: string | null; keyed: string | null; lights_confirmed: boolean; lit: string[]; winning_number: string | null; colour: string | null; bonus: string[]; super_bonus: string[]; limits: LimitsView[]; next_limits: LimitsView[] | null; settings: string[]; chips: number[]; dealer: string | null; wagers: WagerView[]; settled: SettledWagerView[]; stake_cents: number; wager_count: number; terminals: number; terminals_lost: string[]; notices: Notice[]; colours: { [k: string]: [string, number] }; history: PastRound[] }
export interface LimitsView { wager_type: string; minimum_cents: number | null; maximum_cents: number | null }
export interface WagerView { id: string; player: string; wager: string; stake_cents: number; pieces: [string, number][]; registered: boolean; terminal: string | null; unclear: boolean; under_minimum: string[] }
export interface SettledWagerView { id: string; player: string; wager: string; stake_cents: number; paid_cents: number; collected_cents: number; returned_cents: number; pieces: SettledPieceView[] }
export interface SettledPieceView { area: string; stake_cents: number; paid_cents: number; collected_cents: number; returned_cents: number; clause: string }
export interface Notice { id: number; kind: string; text: string; clause: string | null; act: string | null; seat: string | null; cents: number | null }
export interface PastRound { round: number; number: string | null; colour: string | null; bonus: string[] }
export interface SeatView { name: string; player: string | null; credit_cents: number; claim_cents: number; session: SessionView }
export interface SessionView { began_ms: number; staked_cents: number; paid_cents: number; net_cents: number; stake_limit_cents: number | null; loss_limit_cents: number | null; lost_today_cents: number }
export interface TableEvent { type: 'event'; table: string; sequence: number; round: number; at_ms: number; event: string; fields: { [k: string]: unknown }; seat: SeatView | null }
export interface Answered { type: 'answer'; id: string; sequence: number; registered: boolean; clause: string | null; reason: string | null; read_back: string | null; voucher: string | null; wagers: WagerView[]; seat: SeatView | null }
export interface Stakes { type: 'stakes'; table: string; sequence: number; stake_cents: number; wager_count: number; wagers: WagerView[]; more: boolean; terminals: number; terminals_lost: string[] }
export interface Changed { type: 'changed'; table: string; sequence: number; at_ms: number; closes_at_ms: number | null; keyed: string | null; notices: Notice[]; lit: string[]; lights_confirmed: boolean; dealer: string | null }
export interface Pong { type: 'pong'; at_ms: number; echo_ms: number; sequence: number }
export interface MessageProblem { type: 'problem'; reason: string; id: string | null; again: boolean }
export interface Bye { type: 'bye'; reason: string; come_back: boolean }
export interface HouseShown { name: string; operator: string; money: string; currency: string; time_zone: string; gaming_day: string; gaming_day_begins: number; at_ms: number; version: string }
export interface ReadingShown { id: string; question: string; answer: string; setting: string | null }
export interface VersionShown { version: string; code: string; packages: { [k: string]: string }; games: { [k: string]: string }; tables: { [k: string]: string } }
export interface HouseFileBody { text: string; apply?: boolean }
export interface ChangesShown { applied: boolean; changes: ChangeShown[] }
export interface ChangeShown { where: string; before: string; after: string }
export interface TableShown { name: string; game: string; title: string; document: string; wheel: string; wheel_label: string | null; is_open: boolean; phase: string; round: number; limits: LimitsView[]; dealer: string | null; automatic_dealer: boolean; seats: number; terminals: number }
export interface CommandBody { id: string }
export interface DoneShown { id: string; sequence: number }
export interface TermsShown { limits: string[]; settings: string[] }
export interface TermsBody { id: string; limits: string[]; settings: string[] }
export interface DealerShown { table: string; dealer: string | null }
export interface SettlementShown { round: number; winning_number: string | null; by_hand: HandSettlementShown[]; wagers_at_terminals: number; paid_at_terminals_cents: number }
export interface HandSettlementShown { player: string; wagers: SettledWagerView[]; collected_cents: number; paid_cents: number; returned_cents: number; paid_in: [number, number][]; rest_cents: number }
export interface HistoryShown { label: string; rounds: PastRound[]; decided: number; numbers: CountShown[]; hot: CountShown[]; cold: CountShown[]; boxes: { [k: string]: number }; colours: { [k: string]: number } }
export interface CountShown { number: string; times: number }
export interface GameShown { game: string; title: string; document: string; operator: string; effective: string; numbers: string[]; areas: number }
export interface LayoutShown { game: string; areas: AreaShown[]; numbers: NumberShown[]; cell_size: [number, number]; links: string[][]; ring: string[]; ring_is_illustrative: boolean; racetrack: RacetrackShown | null; multiples: MultipleShown[]; draws_bonus_numbers: boolean }
export interface AreaShown { area: string; type: string; title: string; numbers: string[]; pays: number | { [k: string]: number }; clause: string; at: [number, number]; rect: RectShown | null }
export interface RectShown { u0: number; v0: number; u1: number; v1: number }
export interface NumberShown { number: string; colour: string; rect: RectShown }
export interface RacetrackShown { right: string[]; bottom: string[]; left: string[]; top: string[]; sections: SectionShown[] }
export interface SectionShown { word: string | null; title: string; pieces: number; left: [number, number]; right: [number, number] }
export interface MultipleShown { word: string; kind: string; clause: string; says: string; pieces: string[]; radii: number[]; usual_radius: number | null; at_maximum: boolean }
export interface OddsShown { wager: string; wager_type: string; win_probability: string; return_to_player: string; house_edge: string; win_percent: string; edge_percent: string }
export interface ClauseShown { clause: string; asks: string; of_software: boolean; by: string[]; pays: { [k: string]: number | { [k: string]: number } }; rules: string[]; voids: string | null }
export interface WagerBody { wager: string; stake_cents?: number | null; table?: string | null }
export interface PiecesShown { wager: string; pieces: PieceShown[]; total_cents: number }
export interface PieceShown { area: string; stake_cents: number }
export interface LogOnBody { name: string; password: string; device?: string | null }
export interface SessionShown { name: string; token: string; csrf: string; idle_minutes: number }
export interface MeShown { name: string; positions: PositionShown[]; duties: string[]; may: string[]; deals_at: string | null; device: string | null; began_ms: number }
export interface PositionShown { position: string; acting: boolean; until_ms: number | null }
export interface PasswordChangeBody { password: string; new_password: string }
export interface OwnDeviceShown { name: string; kind: string; table: string | null; seat: string | null }
export interface SeatBody { table: string }
export interface SeatShown { token: string; device: string; table: string; credit_cents: number }
export interface DemonstrationStaffShown { name: string; positions: string[]; duties: string[] }
export interface DemonstrationStaffBody { name: string }
export interface StaffShown { name: string; positions: string[]; duties: string[]; acting: ActingShown[]; has_password: boolean; is_locked: boolean; deals_at: string | null }
export interface ActingShown { position: string; from_ms: number; until_ms: number; is_in_force: boolean }
export interface StaffBody { name: string; positions?: Role[]; duties?: Duty[] }
export interface PasswordBody { password: string }
export interface ActingBody { position: Role; from_ms: number; until_ms: number }
export interface DeviceShown { name: string; kind: DeviceKind; table: string | null; is_enrolled: boolean; code_until_ms: number | null; is_connected: boolean; is_lost: boolean; player: string | null }
export interface DeviceBody { name: string; kind: DeviceKind; table?: string | null }
export interface InvitationShown { device: string; code: string; minutes: number }
export interface PairingBody { code: string }
export interface PairingShown { token: string; device: string; kind: DeviceKind; table: string | null }
export interface ExposureShown { round: number; stake_cents: number; worst_number: string | null; pays_cents: number; by_number: { [k: string]: number } }
export interface PlayerShown { name: string; stake_limit_cents: number | null; loss_limit_cents: number | null; excluded_until_ms: number | null; sits_at: string | null; terminal: string | null }
export interface PlayerBody { name: string; pin: string }
export interface PlayerLimitsBody { stake_cents: number | null; loss_cents: number | null }
export interface ExclusionBody { until_ms: number }
export interface FavouriteShown { name: string; game: string; wagers: string[] }
export interface FavouriteBody { game: string; wagers: string[] }
export interface AmountBody { id: string; cents: number }
export interface SeatPaidShown { id: string; sequence: number; seat: string; cents: number; voucher: string | null; credit_cents: number }
export interface RedeemBody { id: string; code: string }
export interface TableMoneyShown { seats: SeatMoneyShown[]; float_cents: number; cash_cents: number }
export interface SeatMoneyShown { seat: string; credit_cents: number; claim_cents: number }
export interface FloatCountBody { id: string; count: Count; cents: number }
export interface ColourChipsBody { id: string; player: string; chips: number }
export interface ExpiredShown { vouchers: number }
export interface VoucherShown { code: string; cents: number; state: string; expires: string; issued_at: string; held_by: string | null }
export interface ProposalShown { number: number; by: string; position: string; acting: boolean; table: string; act: string; effect: string[]; until_ms: number }
export interface ProposalBody { table: string; act: string; password: string; position?: string | null }
export interface ConfirmationBody { password: string; position?: string | null }
export interface ConfirmedShown { number: number; table: string; sequence: number; effect: string[] }
export interface RoundSummary { round: number; status: string; winning_number: string | null; bonus_numbers: string[]; clause: string | null; is_corrected: boolean; began_ms: number; settled_ms: number | null; wagers: number; stake_cents: number; paid_cents: number; collected_cents: number }
export interface RoundShown { table: string; document: string; round: number; phase: string; winning_number: string | null; bonus_numbers: string[]; standing: string | null; limits: string[]; settings: string[]; events: EventShown[]; settled: SettledWagerView[]; credit_before: { [k: string]: number }; credit_after: { [k: string]: number }; announcements: AnnouncementShown[] }
export interface EventShown { sequence: number; at_ms: number; command_id: string; event: string; by: string | null; clause: string | null; fields: { [k: string]: unknown }; entries: EntryShown[] }
export interface EntryShown { account: string; cents: number }
export interface AnnouncementShown { terminal: string; announcement: string; shown_at_ms: number; reported_at_ms: number }
export interface RulesShown { name: string; sha256: string; dated_ms: number }
export interface SearchShown { table: string; wagers: FoundWagerShown[]; refusals: FoundRefusalShown[]; has_more: boolean }
export interface FoundWagerShown { round: number; id: string; player: string; terminal: string | null; wager: string; steps: WagerStepShown[]; winning_number: string | null; settled: SettledWagerView | null }
export interface WagerStepShown { sequence: number; at_ms: number; event: string; by: string | null; fields: { [k: string]: unknown } }
export interface FoundRefusalShown { round: number; sequence: number; at_ms: number; player: string; act: string; clause: string; reason: string }
export interface DayReport { day: string; from_ms: number; until_ms: number; closed_by: string | null; closed_at_ms: number | null; head: string | null; vouchers_expired_cents: number; tables: TableOfDay[] }
export interface TableOfDay { table: string; rounds: number; voids: number; staked_cents: number; won_cents: number; hold_cents: number; by_type: TypeOfDay[]; bought_in_cents: number; cashed_out_cents: number; vouchers_issued_cents: number; vouchers_redeemed_cents: number; colour_sold_cents: number; colour_bought_back_cents: number; filled_cents: number; credits_cents: number; claims_made_cents: number; claims_paid_cents: number; adjusted_cents: number; counts: FloatCount[]; adjustments: Adjustment[]; accounts: { [k: string]: number } }
export interface TypeOfDay { wager_type: string; staked_cents: number; won_cents: number; hold_cents: number }
export interface FloatCount { count: string; cents: number; booked_cents: number; by: string; at_ms: number }
export interface Adjustment { seat: string; cents: number; reason: string; initiator: string; authoriser: string; at_ms: number }
export interface TableMetersShown { table: string; rounds: number; voids: number; staked_cents: number; won_cents: number; hold_cents: number; actual_return: string; theoretical_return: string; by_type: TypeMetersShown[] }
export interface TypeMetersShown { wager_type: string; staked_cents: number; won_cents: number; hold_cents: number; actual_return: string; theoretical_return: string }
export interface VerificationShown { is_clean: boolean; findings: FindingShown[]; more_findings: number; checked: { [k: string]: number }; house_head: string; unproven: string[] }
export interface FindingShown { table: string; stream: string; sequence: number | null; problem: string }
export interface LogPage { events: SignificantEvent[]; after: string; has_more: boolean }
export interface SignificantEvent { at_ms: number; table: string | null; round: number | null; sequence: number; kind: SignificantKind; event: string; text: string; by: string | null; is_alarm: boolean; acknowledged_by: string | null; acknowledged_at_ms: number | null }
export interface AlarmBody { sequence: number; table?: string | null }
export interface HealthShown { alive: boolean }
export interface ReadyShown { ready: boolean; tables: number }
export interface ApiProblem { error: string; clause: string | null }
