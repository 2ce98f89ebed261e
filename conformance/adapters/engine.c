/* A small engine for the single-zero games, without a JSON library: it settles one wager
   and knows its odds. Build: cc -O2 -o engine engine.c */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LINE 65536
#define FIELD 256

static const struct { const char *type; int pays; } PAYS[] = {
    {"straight_up", 35}, {"split", 17}, {"street", 11}, {"corner", 8}, {"six_line", 5},
    {"column", 2}, {"dozen", 2}, {"low", 1}, {"high", 1}, {"even", 1}, {"odd", 1},
    {"red", 1}, {"black", 1},
};
static const char RED[] = " 1 3 5 7 9 12 14 16 18 19 21 23 25 27 30 32 34 36 ";

/* Copy a top-level field's value, text or number, or an empty text if it is not there. */
static void field(const char *line, const char *name, char *value) {
    char key[FIELD];
    snprintf(key, sizeof key, "\"%s\": ", name);
    const char *at = strstr(line, key);
    value[0] = 0;
    if (!at) return;
    at += strlen(key);
    at += *at == '"';
    size_t length = strcspn(at, "\",}");
    if (length < FIELD) snprintf(value, FIELD, "%.*s", (int)length, at);
}

static int pays_of(const char *area) {
    size_t length = strcspn(area, ":");
    for (size_t i = 0; i < sizeof PAYS / sizeof *PAYS; i++)
        if (strlen(PAYS[i].type) == length && !strncmp(PAYS[i].type, area, length))
            return PAYS[i].pays;
    return 0;
}

static int is_red(int n) {
    char text[8];
    snprintf(text, sizeof text, " %d ", n);
    return strstr(RED, text) != NULL;
}

static int covers(const char *area, int n) {
    const char *colon = strchr(area, ':');
    int which = colon ? atoi(colon + 1) : 0;
    if (!strncmp(area, "column", 6)) return n && (n - 1) % 3 == which - 1;
    if (!strncmp(area, "dozen", 5)) return n && (n + 11) / 12 == which;
    if (!strcmp(area, "low")) return n && n <= 18;
    if (!strcmp(area, "high")) return n > 18;
    if (!strcmp(area, "even")) return n && n % 2 == 0;
    if (!strcmp(area, "odd")) return n % 2 == 1;
    if (!strcmp(area, "red")) return is_red(n);
    if (!strcmp(area, "black")) return n && !is_red(n);
    for (; colon; colon = strchr(colon + 1, '/'))
        if (atoi(colon + 1) == n) return 1;
    return 0;
}

static void settle(const char *line, const char *id) {
    char area[FIELD], number[FIELD], stake[FIELD];
    field(line, "area", area);
    field(line, "number", number);
    field(line, "stake_cents", stake);
    long cents = atol(stake);
    int wins = covers(area, atoi(number));
    printf("{\"id\": \"%s\", \"paid_cents\": %ld, \"collected_cents\": %ld, \"returned_cents\": %ld}\n",
           id, wins ? cents * pays_of(area) : 0, wins ? 0 : cents, wins ? cents : 0);
}

static void fraction(const char *name, long above, long below) {
    long a = above, b = below;
    while (b) { long rest = a % b; a = b; b = rest; }
    printf(", \"%s\": \"%ld", name, above / a);
    if (below != a) printf("/%ld", below / a);
    printf("\"");
}

static void odds(const char *line, const char *id) {
    char wager[FIELD];
    field(line, "wager", wager);
    long wins = 0, back = pays_of(wager) + 1;
    for (int n = 0; n < 37; n++) wins += covers(wager, n);
    long gained = wins * back;
    printf("{\"id\": \"%s\"", id);
    fraction("win_probability", wins, 37);
    fraction("return", gained, 37);
    fraction("house_edge", 37 - gained, 37);
    fraction("variance", wins * back * back * 37 - gained * gained, 37 * 37);
    printf("}\n");
}

int main(void) {
    static char line[LINE];
    char id[FIELD], game[FIELD], act[FIELD];
    while (fgets(line, sizeof line, stdin)) {
        field(line, "id", id);
        field(line, "game", game);
        field(line, "do", act);
        int known = !strncmp(game, "mbs-roulette-", 13) || !strncmp(game, "mbs-complete-bet-", 17);
        if (known && !strcmp(act, "settle")) settle(line, id);
        else if (known && !strcmp(act, "odds")) odds(line, id);
        else printf("{\"id\": \"%s\", \"unsupported\": true}\n", id);
    }
    return 0;
}
