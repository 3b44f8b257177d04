/* rest_write.c: see rest_write.h. Pure. */
#include "services/gateway/rest/rest_write.h"

#include <stdbool.h>
#include <string.h>

#include "base/text.h"
#include "services/gateway/rest/rest_half.h"

/* A document while it is being written. */
struct paper {
    char *at;
    bool  is_impl; /* Names begin small. */
};

static void put(struct paper *paper, const char *text)
{
    size_t size = text_length(text);
    memcpy(paper->at, text, size);
    paper->at += size;
}

static void put_name(struct paper *paper, const char *name)
{
    char *first = paper->at;
    put(paper, name);
    bool is_id = text_is(name, text_length(name), "ID");
    if (paper->is_impl && !is_id && *first >= 'A' && *first <= 'Z')
        *first = (char) (*first - 'A' + 'a');
}

static void open_element(struct paper *paper, const char *name)
{
    put(paper, "<");
    put_name(paper, name);
    put(paper, ">");
}

static void close_element(struct paper *paper, const char *name)
{
    put(paper, "</");
    put_name(paper, name);
    put(paper, ">");
}

static void put_number(struct paper *paper, const char *name, int32_t number)
{
    struct text text;
    text_clear(&text);
    text_put_number(&text, number);
    open_element(paper, name);
    put(paper, text.bytes);
    close_element(paper, name);
}

static void put_flag(struct paper *paper, const char *name, bool flag)
{
    open_element(paper, name);
    put(paper, flag ? "true" : "false");
    close_element(paper, name);
}

static void put_map(struct paper *paper, const Arbiter__Gateway__RestAnswer *answer)
{
    size_t size = answer->has_map ? answer->map.len : 0;
    open_element(paper, "FullMap");
    if (size > 0 && paper->is_impl)
        rest_half_symbols(paper->at, answer->map.data, size, answer->castle_bare);
    else if (size > 0)
        memcpy(paper->at, answer->map.data, size);
    paper->at += size;
    close_element(paper, "FullMap");
}

static void put_update(struct paper *paper, const Arbiter__Gateway__RestAnswer *answer)
{
    put_number(paper, "PlayerPositionX", answer->player_x);
    put_number(paper, "PlayerPositionY", answer->player_y);
    put_number(paper, "EnemyPositionX", answer->enemy_x);
    put_number(paper, "EnemyPositionY", answer->enemy_y);
    put_flag(paper, "Treasure", answer->treasure);
    put_flag(paper, "Win", answer->win);
    put_flag(paper, "Loss", answer->loss);
    if (answer->has_treasure_x) {
        put_number(paper, "TreasurePositionX", answer->treasure_x);
        put_number(paper, "TreasurePositionY", answer->treasure_y);
    }
    if (answer->has_castle_x) {
        put_number(paper, "EnemyCastlePositionX", answer->castle_x);
        put_number(paper, "EnemyCastlePositionY", answer->castle_y);
    }
}

static void put_problem(struct paper *paper, const Arbiter__Gateway__RestAnswer *answer)
{
    put_flag(paper, "Loss", answer->loss);
    if (paper->is_impl)
        put_flag(paper, "Win", answer->win);
}

size_t rest_write(char *to, const Arbiter__Gateway__RestAnswer *answer)
{
    struct paper paper = { to, answer->impl };
    const char  *root = "ConnectionProblemResponse";
    if (answer->kind == REST_KIND(NEW_PLAYER))
        root = "NewPlayerResponse";
    else if (answer->kind == REST_KIND(MAP))
        root = "CreateNewMapResponse";
    else if (answer->kind == REST_KIND(UPDATE))
        root = "UpdateResponse";
    put(&paper, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    open_element(&paper, root);
    switch (answer->kind) {
    case REST_KIND(NEW_PLAYER): put_number(&paper, "ID", answer->id); break;
    case REST_KIND(MAP): put_map(&paper, answer); break;
    case REST_KIND(UPDATE): put_update(&paper, answer); break;
    default: put_problem(&paper, answer); break;
    }
    close_element(&paper, root);
    return (size_t) (paper.at - to);
}

unsigned rest_status(const Arbiter__Gateway__RestAnswer *answer)
{
    return answer->kind == REST_KIND(BUSY) ? 503 : 200;
}
