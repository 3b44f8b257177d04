/* client_ask_test.c: the numbers that cores write asks by are the contract's. */
#include "client/client_ask.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "contract/lobby.pb-c.h"

static void each_number_is_the_contracts(void **unused)
{
    (void) unused;
    static const struct {
        const char *name;
        uint32_t    number;
    } fields[] = {
        { "bind_name", ASK_BIND_NAME },
        { "create_table", ASK_CREATE_TABLE },
        { "join_table", ASK_JOIN_TABLE },
        { "leave_table", ASK_LEAVE_TABLE },
        { "fill_with_bots", ASK_FILL_WITH_BOTS },
        { "rejoin", ASK_REJOIN },
        { "spectate", ASK_SPECTATE },
        { "say", ASK_SAY },
        { "ask_ticket", ASK_TICKET },
        { "player", ASK_PLAYER },
    };
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        const ProtobufCFieldDescriptor *field = protobuf_c_message_descriptor_get_field_by_name(
            &arbiter__lobby__ask__descriptor, fields[i].name);
        assert_non_null(field);
        assert_int_equal(field->id, fields[i].number);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(each_number_is_the_contracts) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
