/* treasure_registration.c: the conversation at the table before the match.
 *
 * The second player to register begins the match. The first may hand in a half while waiting; it is
 * judged here, and a good one is the match's first command. A player who sends a bad half, another
 * half or an unreadable message loses the place: there is nobody yet who could win. */
#include "games/treasure/treasure_rules.h"

#define CLIENTS_MAX 256 /* An audience has eight bits for whom it names. */
#define PERSON_MAX 256  /* Two names of 30 characters, a number, and what stands between them. */

struct desk {
    uint32_t count;
    uint32_t status; /* enum registration_status. */
    uint32_t client[TREASURE_SEATS];
    uint32_t person_size[TREASURE_SEATS];
    uint8_t  person[TREASURE_SEATS][PERSON_MAX]; /* Three lines, trimmed; or a name alone.  */
    uint32_t half_size;                          /* Bytes of the half of client 0; 0: none yet. */
    uint8_t  half[2 * TREASURE_FIELDS_MAX];      /* In the numeric alphabet.                    */
};

static void open_desk(const void *setup, void *desk)
{
    (void) setup;
    memset(desk, 0, sizeof(struct desk));
}

/* Decodes one code point of UTF-8 and moves on; a stray byte counts for itself. */
static uint32_t next_point(const uint8_t *text, uint32_t size, uint32_t *at)
{
    uint32_t point = text[(*at)++];
    uint32_t more = point >= 0xf0 ? 3 : point >= 0xe0 ? 2 : point >= 0xc0 ? 1 : 0;
    point &= more ? 0x3fu >> more : 0xff;
    for (; more > 0 && *at < size; more--)
        point = point << 6 | (text[(*at)++] & 0x3f);
    return point;
}

static bool is_blank(uint8_t byte)
{
    return byte == ' ' || byte == '\t' || byte == '\r';
}

/* A line without the blanks around it; moves behind its line feed. */
struct line {
    const uint8_t *text;
    uint32_t       size;
};

static struct line next_line(const struct command *command, uint32_t *at)
{
    uint32_t first = *at, end = first;
    while (end < command->text_size && command->text[end] != '\n')
        end++;
    *at = end + 1;
    while (first < end && is_blank(command->text[first]))
        first++;
    while (end > first && is_blank(command->text[end - 1]))
        end--;
    return (struct line){ command->text + first, end - first };
}

/* R-N2: 1 to 30 characters, none of them a control character. */
static bool is_name(struct line line)
{
    uint32_t count = 0;
    for (uint32_t at = 0; at < line.size; count++) {
        uint32_t point = next_point(line.text, line.size, &at);
        if (point < 0x20 || (point >= 0x7f && point <= 0x9f))
            return false;
    }
    return count >= 1 && count <= 30;
}

/* a?[0-9]{7,8}; and nine digits, which clients of 2017 may send as an integer (R-X7) and only their door
 * lets through. */
static bool is_matriculation(struct line line)
{
    uint32_t first = line.size > 0 && line.text[0] == 'a' ? 1 : 0;
    for (uint32_t i = first; i < line.size; i++)
        if (line.text[i] < '0' || line.text[i] > '9')
            return false;
    return line.size - first == 7 || line.size - first == 8 || (line.size == 9 && first == 0);
}

/* The lobby itself sits down bots, and players at a table of the house's. It registers them under
 * the one name it knows them by, without a number. */
static bool is_name_alone(const struct command *command)
{
    for (uint32_t i = 0; i < command->text_size; i++)
        if (command->text[i] < 0x20 || command->text[i] == 0x7f)
            return false;
    return command->text_size > 0 && command->text_size < PERSON_MAX / 2;
}

static void put_line(struct desk *desk, uint32_t seat, struct line line)
{
    uint8_t *at = desk->person[seat] + desk->person_size[seat];
    assert(desk->person_size[seat] + line.size + 1 < PERSON_MAX);
    memcpy(at, line.text, line.size);
    at[line.size] = '\n';
    desk->person_size[seat] += line.size + 1;
}

/* First name, surname and number, a line each; they are kept for who starts the match. */
static bool take_person(struct desk *desk, const struct command *command)
{
    uint32_t    at = 0, seat = desk->count;
    struct line line[3];
    desk->person_size[seat] = 0;
    if (is_name_alone(command)) {
        put_line(desk, seat, (struct line){ command->text, command->text_size });
        return true;
    }
    for (uint32_t i = 0; i < 3; i++) {
        if (at >= command->text_size)
            return false;
        line[i] = next_line(command, &at);
    }
    if (at <= command->text_size || !is_name(line[0]) || !is_name(line[1]) ||
        !is_matriculation(line[2]))
        return false;
    for (uint32_t i = 0; i < 3; i++)
        put_line(desk, seat, line[i]);
    return true;
}

static uint32_t enter(struct desk *desk, uint32_t client, const struct command *command)
{
    if (desk->count > 0 && desk->client[0] == client)
        return TREASURE_NO_REGISTERED_TWICE;
    if (client >= CLIENTS_MAX)
        return TREASURE_NO_ROOM;
    if (!take_person(desk, command))
        return TREASURE_NO_PERSON;
    desk->client[desk->count++] = client;
    if (desk->count == TREASURE_SEATS)
        desk->status = REGISTRATION_BEGINS;
    return ACCEPTED;
}

static void give_up_place(struct desk *desk)
{
    desk->count = 0;
    desk->half_size = 0;
}

static void reject(struct desk *desk, const struct treasure_faults *faults, struct sink *out)
{
    sink_open(out, TO_SEAT(desk->client[0]), TREASURE_HALF_REJECTED);
    sink_put(out, faults->count);
    for (uint32_t i = 0; i < faults->count; i++)
        sink_put(out, faults->code[i]);
    sink_close(out);
    give_up_place(desk);
}

/* Keeps the half as it was judged, whatever it looked like; or compares it with the one that is kept. */
static bool keep_half(const struct treasure_setup *setup, struct desk *desk,
                      const struct treasure_half *half)
{
    bool first = desk->half_size == 0, same = true;
    for (uint32_t i = 0; i < treasure_half_size(setup); i++) {
        uint8_t code = (uint8_t) ((int32_t) i == half->castle ? '0' : '1' + half->field[i]);
        same = same && desk->half[2 * i + 1] == code;
        if (first) {
            desk->half[2 * i] = '0';
            desk->half[2 * i + 1] = code;
        }
    }
    desk->half_size = 2 * treasure_half_size(setup);
    return first || same;
}

static uint32_t submit(const struct treasure_setup *setup, struct desk *desk,
                       const struct command *command, struct sink *out)
{
    struct treasure_half   half;
    struct treasure_faults faults;
    bool                   again = desk->half_size > 0;

    if (!treasure_take_half(setup, command, &half, &faults))
        return TREASURE_NO_INCOMPLETE;
    if (faults.count > 0 || !keep_half(setup, desk, &half))
        reject(desk, &faults, out);
    else if (again)
        return TREASURE_NO_HALF_TWICE;
    else
        EMIT_BARE(out, TO_SEAT(desk->client[0]), TREASURE_HALF_ACCEPTED);
    return ACCEPTED;
}

static uint32_t hear(const void *setup, void *of, uint32_t client, const struct command *command,
                     struct sink *out)
{
    struct desk                 *desk = of;
    const struct treasure_faults none = { 0 };

    if (desk->status != REGISTRATION_OPEN)
        return TREASURE_NO_KIND;
    if (command->kind == TREASURE_REGISTER)
        return enter(desk, client, command);
    if (desk->count == 0 || desk->client[0] != client)
        return TREASURE_NO_REGISTERED;
    switch (command->kind) {
    case TREASURE_SUBMIT_HALF:
    case TREASURE_SUBMIT_ROWS: return submit(setup, desk, command, out);
    case TREASURE_MALFORMED: reject(desk, &none, out); return ACCEPTED;
    case TREASURE_LEAVE: give_up_place(desk); return ACCEPTED;
    default: return TREASURE_NO_KIND;
    }
}

static void time_out(const void *setup, void *of, struct sink *out)
{
    struct desk *desk = of;
    (void) setup;
    desk->status = REGISTRATION_ABORTED;
    EMIT_BARE(out, TO_ALL, TREASURE_REGISTRATION_ABORTED);
}

static enum registration_status tell_status(const void *setup, const void *desk)
{
    (void) setup;
    return ((const struct desk *) desk)->status;
}

static uint32_t list_seats(const void *setup, const void *of, uint32_t *clients)
{
    const struct desk *desk = of;
    (void) setup;
    memcpy(clients, desk->client, desk->count * sizeof *clients);
    return desk->count;
}

static bool opening(const void *setup, const void *of, uint32_t index, uint32_t *client,
                    struct command *command)
{
    const struct desk *desk = of;
    (void) setup;
    if (index > 0 || desk->half_size == 0)
        return false;
    *client = desk->client[0];
    *command = (struct command){ .kind = TREASURE_SUBMIT_HALF,
                                 .text = desk->half,
                                 .text_size = desk->half_size };
    for (uint32_t i = 0; i < COMMAND_ARGS_MAX; i++)
        command->arg[i] = ABSENT;
    return true;
}

static bool tell_person(const void *setup, const void *of, uint32_t client, const uint8_t **text,
                        uint32_t *size)
{
    const struct desk *desk = of;
    (void) setup;
    for (uint32_t i = 0; i < desk->count; i++) {
        if (desk->client[i] != client)
            continue;
        *text = desk->person[i];
        *size = desk->person_size[i];
        return true;
    }
    return false;
}

const struct registration treasure_registration = {
    .state_bytes = sizeof(struct desk),
    .open = open_desk,
    .apply = hear,
    .expire = time_out,
    .status = tell_status,
    .seats = list_seats,
    .opening = opening,
    .person = tell_person,
};
