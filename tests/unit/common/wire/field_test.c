/* field_test.c: the names of fields are the contract's, and what is written by them is protobuf's. */
#include "wire/field.h"

#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "contract/contract_list.h"
#include "contract/lobby_fields.h"
#include "wire/field_write.h"

/* "arbiter__lobby__ask__descriptor" and "say" to "LOBBY_ASK_SAY". */
static void name_of(const char *descriptor, const char *field, char name[128])
{
    const char *at = descriptor + sizeof "arbiter__" - 1;
    size_t      size = 0;
    for (; strcmp(at, "__descriptor") != 0; at++)
        if (at[0] != '_' || at[1] != '_')
            name[size++] = (char) toupper(*at);
    name[size++] = '_';
    for (; *field != '\0'; field++)
        name[size++] = (char) toupper(*field);
    name[size] = '\0';
}

#define NAMES_MAX 4096

/* What CMake wrote, line by line. */
static struct {
    char     name[128];
    unsigned number;
} named[NAMES_MAX];

static size_t read_file(const char *path, size_t count)
{
    FILE *file = fopen(path, "r");
    char  line[256];
    assert_non_null(file);
    while (fgets(line, sizeof line, file) != NULL && count < NAMES_MAX)
        /* NOLINTNEXTLINE(cert-err34-c): CMake wrote it. */
        count += sscanf(line, "    FIELD_%100[A-Z0-9_] = %u,", named[count].name,
                        &named[count].number) == 2;
    assert_int_equal(fclose(file), 0);
    return count;
}

/* "nim.pb-c.h" lies beside "nim_fields.h". */
static size_t read_names(void)
{
    FILE  *list = fopen(ARBITER_BUILD "/contract/headers.txt", "r");
    char   name[64], path[4096];
    size_t count = 0;
    assert_non_null(list);
    while (fscanf(list, " %63[a-z_].pb-c.h", name) == 1) {
        (void) snprintf(path, sizeof path, ARBITER_BUILD "/contract/%s_fields.h", name);
        count = read_file(path, count);
    }
    assert_true(feof(list));
    assert_int_equal(fclose(list), 0);
    return count;
}

static void every_name_has_the_number_of_its_field(void **unused)
{
    (void) unused;
#define MESSAGE(descriptor) { &(descriptor), #descriptor },
    static const struct {
        const ProtobufCMessageDescriptor *descriptor;
        const char                       *name;
    } messages[] = { CONTRACT_MESSAGES };
    size_t count = read_names(), fields = 0;
    for (size_t i = 0; i < sizeof messages / sizeof *messages; i++) {
        const ProtobufCMessageDescriptor *message = messages[i].descriptor;
        for (unsigned k = 0; k < message->n_fields; k++, fields++) {
            char   wanted[128];
            size_t at = 0;
            name_of(messages[i].name, message->fields[k].name, wanted);
            while (at < count && strcmp(named[at].name, wanted) != 0)
                at++;
            assert_true(at < count);
            assert_int_equal(named[at].number, message->fields[k].id);
        }
    }
    assert_int_equal(count, fields);
    assert_true(fields > 1000);
}

static void what_is_written_by_names_is_read_by_protobuf_and_by_names(void **unused)
{
    (void) unused;
    uint8_t           bytes[64];
    struct wire_field field;
    uint8_t          *end = field_bytes(bytes, FIELD_LOBBY_CREATE_TABLE_GAME, "nim", 3);
    end = field_number(end, FIELD_LOBBY_CREATE_TABLE_TURN_MS, UINT64_C(1) << 40);
    end = field_signed(end, FIELD_LOBBY_CREATE_TABLE_SEED, -7);
    struct reader in = reader_of(bytes, (size_t) (end - bytes));

    Arbiter__Lobby__CreateTable *read =
        arbiter__lobby__create_table__unpack(NULL, (size_t) (end - bytes), bytes);
    assert_non_null(read);
    assert_string_equal(read->game, "nim");
    assert_int_equal(read->turn_ms, UINT64_C(1) << 40);
    assert_int_equal(read->seed, -7);
    arbiter__lobby__create_table__free_unpacked(read, NULL);

    assert_true(wire_field(&in, &field));
    assert_int_equal(field.number, FIELD_LOBBY_CREATE_TABLE_GAME);
    assert_memory_equal(field.body.at, "nim", 3);
    assert_ptr_equal(field.body.end, field.body.at + 3);
    assert_true(wire_field(&in, &field));
    assert_int_equal(field.value, UINT64_C(1) << 40);
    assert_true(wire_field(&in, &field));
    assert_int_equal(field_as_signed(field.value), -7);
    assert_false(wire_field(&in, &field)); /* The end. */
}

static void bytes_that_are_no_field_are_refused(void **unused)
{
    (void) unused;
    static const uint8_t cut[] = { BYTES_TAG(1), 2, 'x' }, fixed[] = { 1 << 3 | 5, 0, 0, 0, 0 },
                         endless[] = { NUMBER_TAG(1), 0x80 };
    struct wire_field field;
    struct reader     in = reader_of(cut, sizeof cut);
    assert_false(wire_field(&in, &field));
    in = reader_of(fixed, sizeof fixed);
    assert_false(wire_field(&in, &field));
    in = reader_of(endless, sizeof endless);
    assert_false(wire_field(&in, &field));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_name_has_the_number_of_its_field),
        cmocka_unit_test(what_is_written_by_names_is_read_by_protobuf_and_by_names),
        cmocka_unit_test(bytes_that_are_no_field_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
