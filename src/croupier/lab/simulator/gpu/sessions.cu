// Sessions on a CUDA device: one thread plays one session after the other.
//
// `engine.py` writes the plan above this text as macros, so that all of it is constant:
// THREADS SIDES PER_WORD WIDE REJECTED_BELOW ALL_DIGITS KINDS ENDS SECOND_FROM NETS STATES
// ROWS HAS_SHORT AGAIN STOPS UNIT TARGET NEED ROUNDS START HIGHEST BINS BIN_SHIFT
// SHIFT_ROUNDS SHIFT_STAKED SHIFT_BANKROLL Money Staked PATTERNS STEPS.
// Every outcome is that of `stream.py`, every step that of `plain.py`.

typedef unsigned int u32;
typedef unsigned long long u64;

#define WORDS_IN_BLOCK (WIDE ? 2 : 4)
#define PER_BLOCK (WORDS_IN_BLOCK * PER_WORD)
#define RUINED 0
#define REACHED 1
#define STOPPED 2
#define PLAYING 3
#define AHEAD 4
#define SUMS 5
#define IS_FLAT (STATES == 1 && !HAS_SHORT)
#define SHARED_BINS (BINS <= 4096)
#define SHARED_ROWS (ROWS * KINDS <= 2048)
#define KIND_BY_TABLE (KINDS > 2 && SIDES <= 4096)
#define BY_STEPS (STEPS > 0 && !(IS_FLAT && KINDS == 2))
// At least so many blocks run on a multiprocessor at once.
#define BLOCKS (sizeof(Money) > 4 ? 4 : 8)
// A warp records the sessions that have ended together: every so many turns, or when so
// many have ended.
#define WAIT_TURNS 16
#define WAIT_SESSIONS 8
#if WIDE
typedef u64 Word;
#else
typedef u32 Word;
#endif

// What follows a result: where the next state's results begin among all of them, and
// its units. A state that leaves the table asks for more than anybody has.
struct Next { int place; Money units; };

__device__ __forceinline__ void stir(u32 &c0, u32 &c1, u32 &c2, u32 &c3, u64 seed) {
    u32 low = (u32)seed, high = (u32)(seed >> 32);
#pragma unroll
    for (int i = 0; i < 10; i++) {
        u64 first = (u64)c0 * 0xD2511F53u, second = (u64)c2 * 0xCD9E8D57u;
        u32 one = c1, three = c3;
        c0 = (u32)(second >> 32) ^ one ^ low;
        c1 = (u32)second;
        c2 = (u32)(first >> 32) ^ three ^ high;
        c3 = (u32)first;
        low += 0x9E3779B9u;
        high += 0xBB67AE85u;
    }
}

__device__ __forceinline__ bool is_rejected(Word word) {
    return word * (Word)ALL_DIGITS < (Word)REJECTED_BELOW;
}

// The same place again, at the next attempts.
__device__ __noinline__ Word draw_again(u64 seed, u64 session, u32 block, int place) {
    for (u32 attempt = 1;; attempt++) {
        u32 c[4] = {block, (u32)session, (u32)(session >> 32), attempt};
        stir(c[0], c[1], c[2], c[3], seed);
#if WIDE
        Word word = (Word)c[2 * place] | (Word)c[2 * place + 1] << 32;
#else
        Word word = c[place];
#endif
        if (!is_rejected(word)) return word;
    }
}

// The rounds of a whole word: the least bankroll they are right for, how many they are
// right for from there on, what they win, the units they stake, and where the results of
// the next state begin.
struct __align__(16) Step {
    int least;
    u32 span;
    int gain;
    unsigned short staked, place;
};

struct Tables {
    const Step *steps;
    const Next *after;
    const Money *units;  // as the machine has them: 0 leaves the table
    const int *shorter;  // the row of one unit, or -1
    const unsigned char *kinds;
    const Money *nets;
};

// The kind of a word's next outcome; the word keeps the rest of its fraction.
__device__ __forceinline__ int next_kind(Word &word, const Tables &t) {
    const Word before = word;
    word *= SIDES;
#if KINDS == 2
    return before >= (Word)SECOND_FROM;
#else
#if WIDE
    Word outcome = __umul64hi(before, SIDES);
#else
    Word outcome = __umulhi(before, SIDES);
#endif
#if KIND_BY_TABLE
    return t.kinds[outcome];
#else
    constexpr Word ends[KINDS] = {ENDS};
    int kind = 0;
#pragma unroll
    for (int i = 0; i + 1 < KINDS; i++) kind += outcome >= ends[i];
    return kind;
#endif
#endif
}

__device__ __forceinline__ Money net_of(int kind, const Tables &t) {
#if KINDS == 2
    constexpr Money nets[KINDS] = {NETS};
    return kind ? nets[1] : nets[0];
#else
    return t.nets[kind];
#endif
}

// A session between two rounds.
struct Session {
    u64 number;
    Money bankroll;
    Staked staked;
    int rounds;
    int place;    // where the results of its state begin
    Money units;  // of the next round; -1 if `look` has not been asked yet
    int end;      // or -1 while it goes on
};

// What comes of a state and a bankroll: the next stake, or the end.
struct Turn { int end; int place; Money units; };

__device__ __noinline__ Turn look(Money bankroll, int place, Tables t) {
    int row = place / KINDS;
    if (bankroll >= (Money)TARGET) return {REACHED, place, 0};
    if (bankroll < (Money)UNIT) return {RUINED, place, 0};
    if (bankroll < (Money)NEED) return {STOPPED, place, 0};
    Money units = t.units[row];
    if (units == 0) return {STOPPED, place, 0};
    if (bankroll >= units * (Money)UNIT) return {-1, place, units};
#if STOPS
    return {STOPPED, place, 0};
#elif AGAIN
    if (row == 0 || bankroll < t.units[0] * (Money)UNIT) return {RUINED, place, 0};
    return {-1, 0, t.units[0]};
#else
    units = bankroll / (Money)UNIT;
    if (HAS_SHORT && t.shorter[row] >= 0) row = t.shorter[row] + (int)units - 1;
    return {-1, row * KINDS, units};
#endif
}

__device__ __forceinline__ void play(Session &s, int kind, const Tables &t) {
    s.bankroll += s.units * net_of(kind, t);
    s.staked += s.units;
#if !IS_FLAT
    Next next = t.after[s.place + kind];
    s.place = next.place;
    s.units = next.units;
#endif
}

__device__ __forceinline__ bool is_plain(const Session &s) {
    return s.bankroll < (Money)TARGET && s.bankroll >= s.units * (Money)UNIT
        && (NEED <= UNIT || s.bankroll >= (Money)NEED);
}

// The rounds of one word; false if one of them ends the session or cuts a stake, and then
// the session is not what it should be.
__device__ __forceinline__ bool play_word(Session &s, Word word, const Tables &t) {
#if BY_STEPS
    if (HAS_SHORT && s.place >= STATES * KINDS) return false;
    int pattern = 0;
#pragma unroll
    for (int i = 0; i < PER_WORD; i++) pattern = pattern * KINDS + next_kind(word, t);
    const Step step = t.steps[s.place * (PATTERNS / KINDS) + pattern];
    bool is_right = (u32)(s.bankroll - step.least) < step.span
        && (ROUNDS % PER_WORD == 0 || s.rounds + PER_WORD <= ROUNDS);
    s.bankroll += step.gain;
    s.staked += step.staked;
    s.place = step.place;
    s.units = -1;
    s.rounds += PER_WORD;
    return is_right;
#else
    bool is_all_plain = s.rounds + PER_WORD <= ROUNDS;
#if IS_FLAT && KINDS == 2
    constexpr Money nets[KINDS] = {NETS};
    constexpr Money worst = PER_WORD * (nets[0] < nets[1] ? nets[0] : nets[1]);
    constexpr Money best = PER_WORD * (nets[0] < nets[1] ? nets[1] : nets[0]);
    Money price = s.units * (Money)UNIT, low = s.bankroll + s.units * worst;
    is_all_plain &= low >= price && (NEED <= UNIT || low >= (Money)NEED)
        && s.bankroll + s.units * best < (Money)TARGET;
    int won = 0;
#pragma unroll
    for (int i = 0; i < PER_WORD; i++) won += next_kind(word, t);
    s.bankroll += s.units * (PER_WORD * nets[0] + won * (nets[1] - nets[0]));
    s.staked += PER_WORD * (Staked)s.units;
#else
#pragma unroll
    for (int i = 0; i < PER_WORD; i++) {
        play(s, next_kind(word, t), t);
        is_all_plain &= is_plain(s);
    }
#endif
    s.rounds += PER_WORD;
    return is_all_plain;
#endif
}

__device__ __forceinline__ void look_up(Session &s, const Tables &t) {
    Turn turn = look(s.bankroll, s.place, t);
    s.end = turn.end;
    s.place = turn.place;
    s.units = turn.units;
}

// The same with a look after each round, until the session or its rounds are over.
__device__ __noinline__ Session watch(Session s, Word word, Tables t) {
    if (BY_STEPS && s.units < 0) look_up(s, t);
    for (int i = 0; i < PER_WORD && s.end < 0 && s.rounds < ROUNDS; i++) {
        play(s, next_kind(word, t), t);
        s.rounds++;
        look_up(s, t);
    }
    return s;
}

// The upper half of a sum is 0 unless a value can exceed 32 bits.
__device__ __forceinline__ void add(
    u64 *counters, int sum, u64 value, u64 threads, bool is_wide
) {
    counters[(SUMS + 2 * sum) * threads] += (u32)value;
    if (is_wide) counters[(SUMS + 2 * sum + 1) * threads] += value >> 32;
}

__device__ __noinline__ void record(
    int end, u64 rounds, u64 staked, u64 bankroll, u64 *counters, u64 threads
) {
    counters[end * threads] += 1;
    counters[AHEAD * threads] += bankroll > START;
    add(counters, 0, rounds, threads, false);
    add(counters, 1, staked, threads, sizeof(Staked) > 4);
    add(counters, 2, bankroll, threads, sizeof(Money) > 4);
    rounds >>= SHIFT_ROUNDS;
    staked >>= SHIFT_STAKED;
    bankroll >>= SHIFT_BANKROLL;
    add(counters, 3, rounds * rounds, threads, ROUNDS >> SHIFT_ROUNDS > 65535);
    add(counters, 4, staked * staked, threads, true);
    add(counters, 5, bankroll * bankroll, threads, HIGHEST >> SHIFT_BANKROLL > 65535);
}

extern "C" __global__ void __launch_bounds__(THREADS, BLOCKS) play_sessions(
    u64 seed, u64 first, u64 count, const Step *steps, const Next *after, const Money *units,
    const int *shorter, const unsigned char *kinds, const Money *nets,
    u64 *counters, u64 *bins
) {
    Tables t = {steps, after, units, shorter, kinds, nets};
#if BY_STEPS
    __shared__ Step near_steps[STEPS];
    for (int i = threadIdx.x; i < STEPS; i += THREADS) near_steps[i] = steps[i];
    t.steps = near_steps;
#endif
#if SHARED_ROWS
    __shared__ Next near_after[ROWS * KINDS];
    for (int i = threadIdx.x; i < ROWS * KINDS; i += THREADS) near_after[i] = after[i];
    t.after = near_after;
#endif
#if KINDS > 2
    __shared__ Money near_nets[KINDS];
    for (int i = threadIdx.x; i < KINDS; i += THREADS) near_nets[i] = nets[i];
    t.nets = near_nets;
#endif
#if KIND_BY_TABLE
    __shared__ unsigned char near_kinds[SIDES];
    for (int i = threadIdx.x; i < SIDES; i += THREADS) near_kinds[i] = kinds[i];
    t.kinds = near_kinds;
#endif
#if SHARED_BINS
    __shared__ u32 near_bins[BINS];
    for (int i = threadIdx.x; i < BINS; i += THREADS) near_bins[i] = 0;
#endif
    __syncthreads();

    const u64 threads = (u64)gridDim.x * THREADS;
    const u64 me = (u64)blockIdx.x * THREADS + threadIdx.x;
    counters += me;
    const Turn turn = look(START, 0, t);
    Session opening = {first + me, START, 0, 0, turn.place, turn.units, turn.end};
    Session s = opening;
    u32 turns = 0;
    // A thread whose session has ended takes its next one, and the others go on.
    while (s.number - first < count) {
        if (s.end < 0 && s.rounds < ROUNDS) {
            u32 block = s.rounds / PER_BLOCK;
            u32 c0 = block, c1 = (u32)s.number, c2 = (u32)(s.number >> 32), c3 = 0;
            stir(c0, c1, c2, c3, seed);
#if WIDE
            Word words[2] = {(Word)c0 | (Word)c1 << 32, (Word)c2 | (Word)c3 << 32};
#else
            Word words[4] = {c0, c1, c2, c3};
#endif
            bool is_any_rejected = false;
#pragma unroll
            for (int i = 0; i < WORDS_IN_BLOCK; i++)
                is_any_rejected |= is_rejected(words[i]);
            if (is_any_rejected)
#pragma unroll
                for (int i = 0; i < WORDS_IN_BLOCK; i++)
                    if (is_rejected(words[i]))
                        words[i] = draw_again(seed, s.number, block, i);
            Session tried = s;
            bool is_right = s.rounds + PER_BLOCK <= ROUNDS;
#pragma unroll
            for (int i = 0; i < WORDS_IN_BLOCK; i++)
                is_right &= play_word(tried, words[i], t);
            if (is_right) s = tried;
            else {
#pragma unroll 1
                for (int i = 0; i < WORDS_IN_BLOCK; i++) {
                    if (s.end >= 0 || s.rounds == ROUNDS) break;
                    tried = s;
                    s = play_word(tried, words[i], t) ? tried : watch(s, words[i], t);
                }
            }
            if (BY_STEPS && s.units < 0 && s.rounds == ROUNDS) look_up(s, t);
        }
        bool is_over = s.end >= 0 || s.rounds == ROUNDS;
        int over = __popc(__ballot_sync(__activemask(), is_over));
        turns++;
        if (is_over && (over >= WAIT_SESSIONS || turns % WAIT_TURNS == 0)) {
            int end = s.end < 0 ? PLAYING : s.end;
            record(end, s.rounds, s.staked, s.bankroll, counters, threads);
            // One outside would be missing from the tally, which `engine.py` checks.
            if ((u64)s.bankroll <= (u64)HIGHEST) {
#if SHARED_BINS
                atomicAdd(&near_bins[s.bankroll >> BIN_SHIFT], 1u);
#else
                atomicAdd(&bins[s.bankroll >> BIN_SHIFT], 1ull);
#endif
            }
            opening.number = s.number + threads;
            s = opening;
        }
    }
#if SHARED_BINS
    __syncthreads();
    for (int i = threadIdx.x; i < BINS; i += THREADS)
        if (near_bins[i]) atomicAdd(&bins[i], (u64)near_bins[i]);
#endif
}
