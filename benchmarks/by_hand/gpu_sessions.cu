// What one would write by hand for these two simulations and no others: a fused Philox
// kernel, one word a spin, a thread a session, red at even money on a single zero.

typedef unsigned int u32;
typedef unsigned long long u64;

struct Philox { u32 w[4]; };

__device__ __forceinline__ Philox philox(u32 c0, u32 c1, u32 c2, u32 k0, u32 k1) {
    u32 c3 = 0;
#pragma unroll
    for (int i = 0; i < 10; i++) {
        u32 h0 = __umulhi(0xD2511F53u, c0), l0 = 0xD2511F53u * c0;
        u32 h1 = __umulhi(0xCD9E8D57u, c2), l1 = 0xCD9E8D57u * c2;
        c0 = h1 ^ c1 ^ k0; c1 = l1; c2 = h0 ^ c3 ^ k1; c3 = l0;
        k0 += 0x9E3779B9u; k1 += 0xBB67AE85u;
    }
    return {{c0, c1, c2, c3}};
}

// 18 of 37 win: 37 equal parts of the words, and what is left over loses nothing but a
// little time (it is drawn from the next word).
#define PART (4294967295u / 37u)
#define WINS(word) ((word) < 18u * PART)
#define REJECTED(word) ((word) >= 37u * PART)

extern "C" __global__ void words_alone(u32 seed, u64 sessions, int rounds, u64 *out) {
    u64 threads = (u64)gridDim.x * blockDim.x;
    u32 sum = 0;
    for (u64 s = (u64)blockIdx.x * blockDim.x + threadIdx.x; s < sessions; s += threads)
        for (int r = 0; r < rounds; r += 4) {
            Philox p = philox(r / 4, (u32)s, (u32)(s >> 32), seed, 0);
            sum ^= p.w[0] ^ p.w[1] ^ p.w[2] ^ p.w[3];
        }
    if (sum == 12345) atomicAdd(out, 1ull);
}

extern "C" __global__ void flat(
    u32 seed, u64 sessions, int rounds, int bankroll, u64 *ruined, u64 *total
) {
    u64 threads = (u64)gridDim.x * blockDim.x, lost = 0, sum = 0;
    for (u64 s = (u64)blockIdx.x * blockDim.x + threadIdx.x; s < sessions; s += threads) {
        int money = bankroll;
        for (int r = 0; r < rounds && money > 0; r += 4) {
            Philox p = philox(r / 4, (u32)s, (u32)(s >> 32), seed, 0);
#pragma unroll
            for (int i = 0; i < 4; i++)
                if (money > 0 && !REJECTED(p.w[i])) money += WINS(p.w[i]) ? 1 : -1;
        }
        lost += money == 0;
        sum += money;
    }
    atomicAdd(ruined, lost);
    atomicAdd(total, sum);
}

extern "C" __global__ void martingale(
    u32 seed, u64 sessions, int rounds, int bankroll, int most, u64 *ruined, u64 *total
) {
    u64 threads = (u64)gridDim.x * blockDim.x, lost = 0, sum = 0;
    for (u64 s = (u64)blockIdx.x * blockDim.x + threadIdx.x; s < sessions; s += threads) {
        int money = bankroll, stake = 1;
        for (int r = 0; r < rounds && money > 0; r += 4) {
            Philox p = philox(r / 4, (u32)s, (u32)(s >> 32), seed, 0);
#pragma unroll
            for (int i = 0; i < 4; i++)
                if (money > 0 && !REJECTED(p.w[i])) {
                    int staked = min(stake, money);
                    bool won = WINS(p.w[i]);
                    money += won ? staked : -staked;
                    stake = won || 2 * stake > most ? 1 : 2 * stake;
                }
        }
        lost += money == 0;
        sum += money;
    }
    atomicAdd(ruined, lost);
    atomicAdd(total, sum);
}
