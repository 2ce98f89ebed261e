/** The types of all messages and of all bodies of the API. Written by `make types`. */

export type ToHouse = Hello | Wagers | Act | Outcome | ConfirmLights | BallWas | ConfirmBall | AnswerNotice | Redeem | Collect | AskBuyIn | Sit | Leave | Shown | WheelFact | Lit | Ping
export type FromHouse = Snapshot | Happened | Answered | Stakes | Changed | Pong | Problem | Bye
export type Role = 'Cashier' | 'Dealer' | 'Gaming Shift Manager' | 'Pit Manager' | 'Pit Supervisor' | 'Player' | 'RNG' | 'Table Games Shift Manager' | 'system'
export type Duty = 'administrator' | 'attendant' | 'cashier' | 'inspector'
export type DeviceKind = 'board' | 'console' | 'layout' | 'sensor' | 'station' | 'terminal'
export type Count = 'closing' | 'opening'
export type Kind = 'authority' | 'clock' | 'correction' | 'dealer' | 'device' | 'hold' | 'house' | 'interruption' | 'lights' | 'log_on' | 'money' | 'notice' | 'player' | 'proposal' | 'server' | 'staff' | 'table' | 'void'

export interface Hello { type: 'hello'; table: string; device?: string | null; session?: string | null; since?: number | null }
export interface Wagers { type: 'wagers'; id: string; place?: NewWager[]; increase?: MoreStake[]; withdraw?: string[] }
export interface NewWager { id: string; wager: string; stake_cents?: number | null }
export interface MoreStake { id: string; stake_cents: number }
export interface Act { type: 'act'; id: string; act: string; position?: string | null; player?: string | null; on_request?: boolean }
export interface Outcome { type: 'outcome'; id: string; number: string; confirmed?: boolean }
export interface ConfirmLights { type: 'confirm_lights'; id: string }
export interface BallWas { type: 'ball_was'; id: string; at_rest: string | null }
export interface ConfirmBall { type: 'confirm_ball'; id: string }
export interface AnswerNotice { type: 'answer_notice'; id: string; notice: number; accept: boolean }
export interface Redeem { type: 'redeem'; id: string; code: string }
export interface Collect { type: 'collect'; id: string; cents?: number | null }
export interface AskBuyIn { type: 'ask_buy_in'; id: string; cents: number }
export interface Sit { type: 'sit'; id: string; player: string; pin: string }
export interface Leave { type: 'leave'; id: string }
export interface Shown { type: 'shown'; id: string; announcement: string; at_ms: number }
export interface WheelFact { type: 'wheel_fact'; id: string; fact: string; number?: string | null; revolutions?: number | null; against_wheel?: boolean | null }
export interface Lit { type: 'lit'; id: string; number: string }
export interface Ping { type: 'ping'; at_ms?: number }
export interface Snapshot { type: 'snapshot'; table: string; sequence: number; at_ms: number; currency: string; money: string; view: TableView; seat: Seat | null }
export interface TableView { table: string; game: string; title: string; document: string; is_open: boolean; interrupted: boolean; ball_stated: string | null; virtual_wheel: boolean; wheel: string; lights: string | null; round: number; phase: string; standing: string | null; closes_at_ms: number | null; countdown_seconds: number; spun: boolean; dropped: boolean; at_rest: string | null; keyed: string | null; lights_confirmed: boolean; lit: string[]; winning_number: string | null; colour: string | null; bonus: string[]; super_bonus: string[]; limits: LimitsShown[]; next_limits: LimitsShown[] | null; settings: string[]; chips: number[]; dealer: string | null; wagers: ShownWager[]; settled: SettledWager[]; stake_cents: number; wager_count: number; terminals: number; terminals_lost: string[]; notices: Notice[]; colours: { [k: string]: [string, number] }; history: PastRound[] }
export interface LimitsShown { wager_type: string; minimum_cents: number | null; maximum_cents: number | null }
export interface ShownWager { id: string; player: string; wager: string; stake_cents: number; pieces: [string, number][]; registered: boolean; terminal: string | null; unclear: boolean; under_minimum: string[] }
export interface SettledWager { id: string; player: string; wager: string; stake_cents: number; paid_cents: number; collected_cents: number; returned_cents: number; pieces: SettledPiece[] }
export interface SettledPiece { area: string; stake_cents: number; paid_cents: number; collected_cents: number; returned_cents: number; clause: string }
export interface Notice { id: number; kind: string; text: string; clause: string | null; act: string | null; seat: string | null; cents: number | null }
export interface PastRound { round: number; number: string | null; colour: string | null; bonus: string[] }
export interface Seat { name: string; player: string | null; credit_cents: number; claim_cents: number; session: Session }
export interface Session { began_ms: number; staked_cents: number; paid_cents: number; net_cents: number; stake_limit_cents: number | null; loss_limit_cents: number | null; lost_today_cents: number }
export interface Happened { type: 'event'; table: string; sequence: number; round: number; at_ms: number; event: string; fields: { [k: string]: unknown }; seat: Seat | null }
export interface Answered { type: 'answer'; id: string; sequence: number; registered: boolean; clause: string | null; reason: string | null; read_back: string | null; voucher: string | null; wagers: ShownWager[]; seat: Seat | null }
export interface Stakes { type: 'stakes'; table: string; sequence: number; stake_cents: number; wager_count: number; wagers: ShownWager[]; more: boolean; terminals: number; terminals_lost: string[] }
export interface Changed { type: 'changed'; table: string; sequence: number; at_ms: number; closes_at_ms: number | null; keyed: string | null; notices: Notice[]; lit: string[]; lights_confirmed: boolean; dealer: string | null }
export interface Pong { type: 'pong'; at_ms: number; echo_ms: number; sequence: number }
export interface Problem { type: 'problem'; reason: string; id: string | null; again: boolean }
export interface Bye { type: 'bye'; reason: string; come_back: boolean }
export interface House { name: string; operator: string; money: string; currency: string; time_zone: string; gaming_day: string; gaming_day_begins: number; at_ms: number; version: string }
export interface Reading { id: string; question: string; answer: string; setting: string | null }
export interface Version { version: string; code: string; packages: { [k: string]: string }; games: { [k: string]: string }; tables: { [k: string]: string } }
export interface HouseFile { text: string; apply?: boolean }
export interface Changes { applied: boolean; changes: Change[] }
export interface Change { where: string; before: string; after: string }
export interface TableShown { name: string; game: string; title: string; document: string; wheel: string; wheel_label: string | null; is_open: boolean; phase: string; round: number; limits: LimitsShown[]; dealer: string | null; automatic_dealer: boolean; seats: number; terminals: number }
export interface Command { id: string }
export interface Done { id: string; sequence: number }
export interface Terms { limits: string[]; settings: string[] }
export interface NewTermsBody { id: string; limits: string[]; settings: string[] }
export interface Dealing { table: string; dealer: string | null }
export interface Settlement { round: number; winning_number: string | null; by_hand: ByHand[]; wagers_at_terminals: number; paid_at_terminals_cents: number }
export interface ByHand { player: string; wagers: SettledWager[]; collected_cents: number; paid_cents: number; returned_cents: number; paid_in: [number, number][]; rest_cents: number }
export interface History { label: string; rounds: PastRound[]; decided: number; numbers: Counted[]; hot: Counted[]; cold: Counted[]; boxes: { [k: string]: number }; colours: { [k: string]: number } }
export interface Counted { number: string; times: number }
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
export interface WagerAsked { wager: string; stake_cents?: number | null; table?: string | null }
export interface Pieces { wager: string; pieces: Piece[]; total_cents: number }
export interface Piece { area: string; stake_cents: number }
export interface LogOn { name: string; password: string; device?: string | null }
export interface LoggedOn { name: string; token: string; csrf: string; idle_minutes: number }
export interface Me { name: string; positions: PositionShown[]; duties: string[]; may: string[]; deals_at: string | null; device: string | null; began_ms: number }
export interface PositionShown { position: string; acting: boolean; until_ms: number | null }
export interface NewPassword { password: string; new_password: string }
export interface DeviceSeen { name: string; kind: string; table: string | null; seat: string | null }
export interface SeatAt { table: string }
export interface SeatGiven { token: string; device: string; table: string; credit_cents: number }
export interface StaffMemberShown { name: string; positions: string[]; duties: string[] }
export interface StaffMemberNamed { name: string }
export interface StaffShown { name: string; positions: string[]; duties: string[]; acting: ActingShown[]; has_password: boolean; is_locked: boolean; deals_at: string | null }
export interface ActingShown { position: string; from_ms: number; until_ms: number; is_in_force: boolean }
export interface StaffDefined { name: string; positions?: Role[]; duties?: Duty[] }
export interface PasswordGiven { password: string }
export interface ActingAssigned { position: Role; from_ms: number; until_ms: number }
export interface DeviceShown { name: string; kind: DeviceKind; table: string | null; is_enrolled: boolean; code_until_ms: number | null; is_connected: boolean; is_lost: boolean; player: string | null }
export interface NewDevice { name: string; kind: DeviceKind; table?: string | null }
export interface Invitation { device: string; code: string; minutes: number }
export interface Code { code: string }
export interface Paired { token: string; device: string; kind: DeviceKind; table: string | null }
export interface ExposureShown { round: number; stake_cents: number; worst_number: string | null; pays_cents: number; by_number: { [k: string]: number } }
export interface PlayerShown { name: string; stake_limit_cents: number | null; loss_limit_cents: number | null; excluded_until_ms: number | null; sits_at: string | null; terminal: string | null }
export interface NewPlayer { name: string; pin: string }
export interface PlayerLimits { stake_cents: number | null; loss_cents: number | null }
export interface Exclusion { until_ms: number }
export interface FavouriteShown { name: string; game: string; wagers: string[] }
export interface Favourite { game: string; wagers: string[] }
export interface Amount { id: string; cents: number }
export interface SeatPaid { id: string; sequence: number; seat: string; cents: number; voucher: string | null; credit_cents: number }
export interface ApiRedeem { id: string; code: string }
export interface TableMoney { seats: SeatMoney[]; float_cents: number; cash_cents: number }
export interface SeatMoney { seat: string; credit_cents: number; claim_cents: number }
export interface ApiFloatCount { id: string; count: Count; cents: number }
export interface ColourChips { id: string; player: string; chips: number }
export interface Expired { vouchers: number }
export interface Voucher { code: string; cents: number; state: string; expires: string; issued_at: string; held_by: string | null }
export interface ProposalShown { number: number; by: string; position: string; acting: boolean; table: string; act: string; effect: string[]; until_ms: number }
export interface NewProposal { table: string; act: string; password: string; position?: string | null }
export interface Confirmation { password: string; position?: string | null }
export interface Confirmed { number: number; table: string; sequence: number; effect: string[] }
export interface RoundInBrief { round: number; status: string; winning_number: string | null; bonus_numbers: string[]; clause: string | null; is_corrected: boolean; began_ms: number; settled_ms: number | null; wagers: number; stake_cents: number; paid_cents: number; collected_cents: number }
export interface RoundRecalled { table: string; document: string; round: number; phase: string; winning_number: string | null; bonus_numbers: string[]; standing: string | null; limits: string[]; settings: string[]; events: EventShown[]; settled: SettledWager[]; credit_before: { [k: string]: number }; credit_after: { [k: string]: number }; announcements: AnnouncementSeen[] }
export interface EventShown { sequence: number; at_ms: number; command_id: string; event: string; by: string | null; clause: string | null; fields: { [k: string]: unknown }; entries: EntryShown[] }
export interface EntryShown { account: string; cents: number }
export interface AnnouncementSeen { terminal: string; announcement: string; shown_at_ms: number; reported_at_ms: number }
export interface RulesShown { name: string; sha256: string; dated_ms: number }
export interface WagersFound { table: string; wagers: WagerFound[]; refusals: RefusalFound[]; has_more: boolean }
export interface WagerFound { round: number; id: string; player: string; terminal: string | null; wager: string; steps: WagerStep[]; winning_number: string | null; settled: SettledWager | null }
export interface WagerStep { sequence: number; at_ms: number; event: string; by: string | null; fields: { [k: string]: unknown } }
export interface RefusalFound { round: number; sequence: number; at_ms: number; player: string; act: string; clause: string; reason: string }
export interface DayReport { day: string; from_ms: number; until_ms: number; closed_by: string | null; closed_at_ms: number | null; head: string | null; vouchers_expired_cents: number; tables: TableOfDay[] }
export interface TableOfDay { table: string; rounds: number; voids: number; staked_cents: number; won_cents: number; hold_cents: number; by_type: TypeOfDay[]; bought_in_cents: number; cashed_out_cents: number; vouchers_issued_cents: number; vouchers_redeemed_cents: number; colour_sold_cents: number; colour_bought_back_cents: number; filled_cents: number; credits_cents: number; claims_made_cents: number; claims_paid_cents: number; adjusted_cents: number; counts: FloatCount[]; adjustments: Adjustment[]; accounts: { [k: string]: number } }
export interface TypeOfDay { wager_type: string; staked_cents: number; won_cents: number; hold_cents: number }
export interface FloatCount { count: string; cents: number; booked_cents: number; by: string; at_ms: number }
export interface Adjustment { seat: string; cents: number; reason: string; initiator: string; authoriser: string; at_ms: number }
export interface TableMeters { table: string; rounds: number; voids: number; staked_cents: number; won_cents: number; hold_cents: number; actual_return: string; theoretical_return: string; by_type: TypeMeters[] }
export interface TypeMeters { wager_type: string; staked_cents: number; won_cents: number; hold_cents: number; actual_return: string; theoretical_return: string }
export interface Verification { is_clean: boolean; findings: FindingShown[]; more_findings: number; checked: { [k: string]: number }; house_head: string; unproven: string[] }
export interface FindingShown { table: string; stream: string; sequence: number | null; problem: string }
export interface LogPage { events: Significant[]; after: string; has_more: boolean }
export interface Significant { at_ms: number; table: string | null; round: number | null; sequence: number; kind: Kind; event: string; text: string; by: string | null; is_alarm: boolean; acknowledged_by: string | null; acknowledged_at_ms: number | null }
export interface Seen { sequence: number; table?: string | null }
export interface Health { alive: boolean }
export interface Ready { ready: boolean; tables: number }
export interface ApiProblem { error: string; clause: string | null }
