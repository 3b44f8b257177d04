"""planted_test.py: proves every check of tidy: a small clean tree passes, one planted bug is found.

A check that cannot fail protects nothing; here each is seen to fail, and to name the place.
"""
import pathlib
import tempfile
import unittest

import contract
import declared
import documents
import layers
import prose
import repository
import rules
import words

GAME = "common/games/chess/"
LATER = "TO" + "DO"
ELSEWHERE = "/" + "home/somebody/arbiter"

CLEAN = {
    "README.md": "# Tree\n\nA tree small enough to be clean; see [the game](common/games/chess).\n\n"
                 "| Game |\n|---|\n| [chess](common/games/chess/README.md) |\n",
    "CMakeLists.txt": "# A tree that nobody builds, for the tests of tidy.\nproject(tree)\n",
    "common/base/text.h": "/* text.h: sentences in a bounded buffer. */\nint text(void);\n",
    "common/wire/plan.h": "/* plan.h: words to bytes by a flat program. */\nint plan(void);\n",
    "common/games/registry.h": "/* registry.h: the games there are. */\n",
    "common/bus/bus.h": "/* bus.h: frames, in and out. */\nvoid *socket_of(int bus);\n",
    "common/store/store.h": "/* store.h: rows, kept for good. */\nint store(void);\n",
    "services/lobby/lobby.h": '/* lobby.h: who sits where, and who may. */\n#include "base/text.h"\n',
    "services/lobby/main_parts.h": '/* main_parts.h: what the program shares. */\n#include "services/lobby/lobby.h"\n',
    "services/console/care/care.h": "/* care.h: what an operator does. */\n",
    GAME + "chess.h": "/* chess.h: the state of a game of chess. */\n#include <stdint.h>\nint moves(int n);\n",
    GAME + "chess.c": '/* chess.c: the rules of chess, pure. */\n#include "base/text.h"\n\n'
                      "int moves(int n)\n{\n    return n; /* rand() would be a lie */\n}\n",
    GAME + "chess_wire.c": "/* chess_wire.c: which messages carry chess. */\n",
    GAME + "words.json": '{ "words": { "en": { "title": "Chess" } } }\n',
    GAME + "chess.proto": '// chess.proto: what is said in a match of chess.\nsyntax = "proto2";\n'
                          "// A move.\nmessage Command {\n    oneof kind {\n        Moved move = 1;\n    }\n}\n"
                          "// One happened.\nmessage Event {\n    oneof kind {\n        Moved moved = 1;\n    }\n}\n"
                          "// A figure moves.\nmessage Moved {\n    // A square.\n    message Square {\n"
                          "        optional uint32 row = 1;   // Its row.\n    }\n"
                          "    optional uint32 seat = 1;   // Who.\n    optional Square to = 2;\n}\n",
    ".clang-format": "BasedOnStyle: LLVM\nIndentWidth: 4\nBreakBeforeBraces: Linux\n"
                     "AllowShortFunctionsOnASingleLine: None\n",
    GAME + "tests/chess_test.c": "/* chess_test.c: the rules of chess, tried out. */\n"
                           "int main(void)\n{\n    cmocka_unit_test(a_pawn_moves);\n}\n",
    GAME + "README.md": "# Chess\n\nTwo players and a board, and what is promised.\n\n"
                        "| rule | test |\n|---|---|\n| pawns move | `a_pawn_moves` |\n",
    GAME + "RULES.md": "# Chess by the ids of its rules\n\n| id | what | test |\n|---|---|---|\n"
                       "| C-1 | pawns move | `a_pawn_moves` |\n| C-2 | they are promoted | `a_pawn_is_promoted` |\n",
    GAME + "recorded/scenarios.jsonl": '{"id": "a_pawn_is_promoted", "moves": []}\n',
    rules.IDS: '{ "chess": ["C-1", "C-2"] }\n',
    "tests/unit/common/base/text_test.c": "/* text_test.c: bounded text, tried at its bounds. */\n",
    "proto/lobby.proto": '// The lobby: who sits where, and who asks.\nsyntax = "proto2";\n'
                         "message Sit {\n    optional uint32 seat = 1;   // The seat.\n"
                         "    // The chair.\n    optional Chair chair = 2;\n}\n"
                         "message Chair {\n    repeated uint32 legs = 1; /* Its legs. */\n}\n",
    "deploy/up": "#!/bin/bash\n# up: builds the tree and plays in it.\nplay() {\n    true\n}\n",
}

# Each: the check, what is planted (path: text, or path: (old, new)), and what the finding says.
PLANTED = {
    "rules that include the wire": (
        layers.layers_by_includes, {GAME + "chess.c": ("base/text.h", "wire/plan.h")}, "game may not know wire"),
    "rules that include sockets": (
        layers.layers_by_includes, {GAME + "chess.h": ("stdint.h", "sys/socket.h")}, "chess.h:2: <sys/socket.h>"),
    "rules that include the C library": (
        layers.layers_by_includes, {GAME + "chess.h": ("stdint.h", "stdio.h")}, "<stdio.h> is not for"),
    "a game that knows another": (
        layers.layers_by_includes,
        {"common/games/go/go.h": "/* go.h: the state of a game of go. */\n",
         GAME + "chess.c": ("base/text.h", "games/go/go.h")}, "does not know the game go"),
    "a game that knows a part of another by its own folder": (
        layers.layers_by_includes,
        {"common/games/go/go.h": "/* go.h: the state of a game of go. */\n",
         GAME + "chess.c": ("base/text.h", "../go/go.h")}, "does not know the game go"),
    "rules that know their mapping": (
        layers.layers_by_includes,
        {GAME + "chess_wire.h": "/* chess_wire.h: how chess travels. */\n",
         GAME + "chess.c": ("base/text.h", "games/chess/chess_wire.h")}, "game may not know games"),
    "rules that know their recordings": (
        layers.layers_by_includes,
        {GAME + "conform/chess_conform.h": "/* chess_conform.h: how chess was recorded. */\n",
         GAME + "chess.c": ("base/text.h", "games/chess/conform/chess_conform.h")}, "game may not know games"),
    "a game that knows the store": (
        layers.layers_by_includes, {GAME + "chess.c": ("base/text.h", "store/store.h")}, "game may not know store"),
    "a game's test that knows a service": (
        layers.layers_by_includes,
        {GAME + "tests/chess_stage.h": '/* chess_stage.h: a board in mid-play. */\n#include "services/lobby/lobby.h"\n'},
        "game tests may not know lobby"),
    "a game's test that knows another game": (
        layers.layers_by_includes,
        {"common/games/go/go.h": "/* go.h: the state of a game of go. */\n",
         GAME + "tests/chess_stage.h": '/* chess_stage.h: a board in mid-play. */\n#include "games/go/go.h"\n'},
        "does not know the game go"),
    "a game that knows its tests": (
        layers.layers_by_includes,
        {GAME + "tests/chess_stage.h": "/* chess_stage.h: a board in mid-play. */\n",
         GAME + "chess.c": ("base/text.h", "games/chess/tests/chess_stage.h")}, "game may not know game tests"),
    "a wire that knows the games": (
        layers.layers_by_includes, {"common/wire/plan.h": ("int plan", '#include "games/registry.h"\nint plan')},
        "plan.h:2: wire may not know games"),
    "a wire that knows a game": (
        layers.layers_by_includes, {"common/wire/plan.h": ("int plan", '#include "games/chess/chess.h"\nint plan')},
        "wire may not know game"),
    "a wire that knows a service": (
        layers.layers_by_includes, {"common/wire/plan.h": ("int plan", '#include "services/lobby/lobby.h"\nint plan')},
        "wire may not know lobby"),
    "a core that knows sockets": (
        layers.layers_by_includes, {"services/lobby/lobby.h": ("base/text.h", "bus/bus.h")}, "lobby may not know bus"),
    "a core that knows the store": (
        layers.layers_by_includes, {"services/lobby/lobby.h": ("base/text.h", "store/store.h")},
        "lobby may not know store"),
    "a core that knows its program": (
        layers.layers_by_includes, {"services/lobby/lobby.h": ("base/text.h", "services/lobby/main_parts.h")},
        "lobby may not know lobby main"),
    "a core that opens a file": (
        layers.layers_by_includes, {"services/lobby/lobby.h": ('"base/text.h"', "<stdio.h>")}, "<stdio.h> is not for"),
    "a service that knows another": (
        layers.layers_by_includes,
        {"services/engine/engine.c": '/* engine.c: who owns matches. */\n#include "services/lobby/lobby.h"\n'},
        "engine may not know lobby"),
    "a room that knows a later one": (
        layers.layers_by_includes,
        {"services/console/home/home.c": '/* home.c: where a house is. */\n#include "services/console/care/care.h"\n'},
        "console/home may not know console/care"),
    "a door's room that knows another": (
        layers.layers_by_includes,
        {"services/gateway/browser/browser.h": "/* browser.h: a page's door. */\n",
         "services/gateway/rest/rest.c": '/* rest.c: the door of 2017. */\n#include "services/gateway/browser/browser.h"\n'},
        "gateway/rest may not know gateway/browser"),
    "a product that knows its tests": (
        layers.layers_by_includes,
        {"tests/unit/common/base/stage.h": "/* stage.h: what tests of text share. */\n",
         "common/base/text.h": ("int text", '#include "tests/unit/common/base/stage.h"\nint text')},
        "base may not know tests"),
    "a folder that nobody placed": (
        layers.layers_by_includes, {"common/misc/misc.h": "/* misc.h: this and that, and more. */\n"},
        'common/misc/misc.h:1: the table of layers has no "misc"'),
    "a room that nobody placed": (
        layers.layers_by_includes, {"services/console/cellar/wine.c": "/* wine.c: what is kept below. */\n"},
        'no "console/cellar"'),
    "code in a place of its own": (
        layers.layers_by_includes, {"deploy/lib/wait.c": "/* wait.c: it waits for a child. */\n"}, 'no "deploy/lib"'),
    "a library that nobody placed": (
        layers.layers_by_includes, {"common/base/text.h": ("int text", "#include <curl/curl.h>\nint text")},
        "nobody has said who may include <curl/curl.h>"),
    "a game's mapping that knows another game": (
        layers.layers_by_includes,
        {"common/games/go/go.h": "/* go.h: the state of a game of go. */\n",
         GAME + "chess_wire.c": "/* chess_wire.c: which messages. */\n#include \"games/go/go.h\"\n"},
        "a game does not know the game go"),
    "a game's mapping that knows another's messages": (
        layers.layers_by_includes,
        {"common/games/go/go.h": "/* go.h: the state of a game of go. */\n",
         GAME + "chess_wire.c": "/* chess_wire.c: which messages. */\n#include \"go.pb-c.h\"\n"}, "the messages of go"),
    "a core that knows the messages of a game": (
        layers.layers_by_includes, {"services/lobby/lobby.h": ("base/text.h", "contract/chess_fields.h")},
        "the messages of chess are for"),
    "a service that borrows the name of a layer": (
        layers.layers_by_includes, {"services/store/rows.h": "/* rows.h: rows that nobody keeps. */\n"},
        'has no "services/store"'),
    "a library that borrows the name of a service": (
        layers.layers_by_includes, {"common/lobby/rows.h": "/* rows.h: rows that nobody keeps. */\n"},
        'has no "common/lobby"'),
    "an include by a detour": (
        layers.layers_by_includes, {"services/lobby/lobby.h": ('"base/text.h"', "<protobuf-c/../stdio.h>")},
        "nobody has said who may include <protobuf-c/../stdio.h>"),
    "zeromq outside the bus": (
        layers.layers_by_includes, {"common/wire/plan.h": ("int plan", "#include <zmq.h>\nint plan")},
        "<zmq.h> is not for wire"),
    "a part of czmq outside the bus": (
        layers.layers_by_includes, {"common/wire/plan.h": ("int plan", "#include <zcert.h>\nint plan")},
        "<zcert.h> is not for wire"),
    "base that looks up": (
        layers.layers_by_includes, {"common/base/text.h": ("int text", '#include "wire/plan.h"\nint text')},
        "base may not know wire"),
    "a function of another room, declared by hand": (
        declared.hand_written, {"services/console/home/home.c": "/* home.c: where a house is. */\nint moves(int n);\n"},
        "home.c:2: moves is declared by hand"),
    "a variable of another file, declared by hand": (
        declared.hand_written, {GAME + "chess.c": ("int moves", "extern const struct game game_go;\n\nint moves")},
        "chess.c:4: game_go is declared by hand"),
    "a header that declares what another layer has": (
        declared.hand_written, {"services/console/care/care.h": "/* care.h: what an operator does. */\nint moves(int n);\n"},
        "care.h:2: moves is a function of game"),
    "a macro that declares": (
        declared.hand_written, {GAME + "chess.c": ("int moves", "#define GAME(name) extern int name;\nint moves")},
        "chess.c:4: a macro declares nothing of another file"),
    "a banned call": (
        layers.banned_calls, {GAME + "chess.c": ("return n;", "return rand();")}, "chess.c:6: rand("),
    "an unbounded copy": (
        layers.banned_calls, {GAME + "chess.c": ("return n;", "strcpy (a, b);")}, "strcpy"),
    "a clock in the rules": (
        layers.banned_calls, {GAME + "chess.c": ("return n;", "return time(0);")}, "read a clock"),
    "a file without a sentence": (
        words.first_sentences, {GAME + "chess.c": "int n;\n"}, "chess.c:1"),
    "a script without a sentence": (
        words.first_sentences, {"deploy/up": "#!/bin/bash\necho up\n"}, "deploy/up:1"),
    "a header that is promised and missing": (
        words.first_sentences, {GAME + "king.c": "/* king.c: see king.h. */\n"}, "king.c:1"),
    "a page without a sentence": (
        words.first_sentences, {GAME + "README.md": "# Chess\n\n| a | b |\n"}, "README.md:1"),
    "a contract without a sentence": (
        words.first_sentences, {"proto/lobby.proto": 'syntax = "proto2";\n'}, "lobby.proto:1"),
    "a file that calls itself another": (
        words.first_names, {GAME + "chess.c": ("chess.c:", "chess_rules.c:")}, "chess.c:1: it calls itself chess_rules.c"),
    "a script that calls itself another": (
        words.first_names, {"deploy/up": ("# up:", "# down:")}, "deploy/up:1: it calls itself down"),
    "something left for later": (
        words.leftovers, {GAME + "chess.c": ("return n;", f"return n; /* {LATER} */")}, "chess.c:6"),
    "a merge left half done": (
        words.leftovers, {"README.md": ("A tree small", "<" * 7 + " HEAD\nA tree small")}, "README.md:3"),
    "a path of a machine": (
        words.machine_paths, {"deploy/up": ("true", f"cd {ELSEWHERE}")}, "deploy/up:4"),
    "a long function in C": (
        words.sizes, {GAME + "chess.c": ("    return n;", "    n++;\n" * 70 + "    return n;")}, "moves has"),
    "a long function in a script": (
        words.sizes, {"deploy/up": ("    true\n", "    true\n" * 70)}, "play has"),
    "a long function in Python": (
        words.sizes, {"deploy/lib/a.py": '"""a.py: it counts."""\ndef count():\n' + "    pass\n" * 70}, "count has"),
    "a long function in TypeScript": (
        words.sizes, {"services/gateway/web/src/a.tsx": "// a.tsx: draws it, at length.\nexport function Board() {\n"
                      + "    true;\n" * 70 + "}\n"}, "Board has"),
    "a style sheet without a word": (
        words.first_sentences, {"services/gateway/web/src/a.css": "p { margin: 0; }\n"}, "a.css:1"),
    "a long file": (
        words.sizes, {"common/base/text.h": ("int text", "\n" * 500 + "int text")}, "at most 500 lines"),
    "a crowded folder": (
        words.crowds, {f"services/gateway/web/src/part{at}.{ending}": f"// part{at}.{ending}: one of very many parts.\n"
                       for at in range(23) for ending in ("ts", "tsx")}, "src:1: it holds 46 sources"),
    "a struct behind a typedef": (
        words.struct_names, {GAME + "chess.h": ("int moves", "typedef struct board board;\nint moves")}, "chess.h:3"),
    "a struct named _t": (
        words.struct_names, {GAME + "chess.h": ("int moves", "struct board_t;\nint moves")}, "_t belongs"),
    "a wide line": (
        prose.wide_lines, {"README.md": ("A tree small", "A tree small" + " and so very small" * 7)}, "README.md:3"),
    "a sentence without an end": (
        prose.long_sentences, {GAME + "README.md": ("Two players", "Two players\n" + "and a third\n" * 12)},
        "chess/README.md:3: a sentence has at most 40 words, one here 45"),
    "sentences that are all long": (
        prose.usual_sentences, {"README.md": ("A tree small", ("It goes on" + " and on" * 7 + ". ") * 3 + "A tree small")},
        "half of all sentences have more than 14 words"),
    "some sentences that are too long": (
        prose.usual_sentences, {"README.md": ("A tree small", "It ends soon. " * 4 + "It goes on" + " and on" * 13 + ". A tree small")},
        "one sentence in ten has more than 25 words"),
    "a stray at the top": (
        documents.top_level, {"notes.txt": "remember\n"}, "notes.txt"),
    "a link that leads nowhere": (
        documents.links, {"README.md": ("(common/games/chess)", "(common/games/checkers)")}, "README.md:3"),
    "a row that names no test": (
        documents.rows_name_tests, {GAME + "README.md": ("`a_pawn_moves`", "soon")}, "names no test"),
    "a row that names a missing test": (
        documents.rows_name_tests, {GAME + "README.md": ("a_pawn_moves", "a_king_flies")}, "no test `a_king_flies`"),
    "a rule without a row": (
        rules.every_rule_has_its_test, {GAME + "RULES.md": ("| C-2 | they are promoted | `a_pawn_is_promoted` |\n", "")},
        "RULES.md:1: rule C-2 has no row"),
    "a rule whose test is gone": (
        rules.every_rule_has_its_test, {GAME + "tests/chess_test.c": ("a_pawn_moves", "a_pawn_stands")},
        "RULES.md:5: rule C-1: there is no test `a_pawn_moves`"),
    "a rule whose scenario is gone": (
        rules.every_rule_has_its_test, {GAME + "recorded/scenarios.jsonl": "{}\n"}, "no test `a_pawn_is_promoted`"),
    "a rule that names no test": (
        rules.every_rule_has_its_test, {GAME + "RULES.md": ("`a_pawn_moves`", "soon")}, "rule C-1 has no test"),
    "a rule that no text has": (
        rules.every_rule_has_its_test, {rules.IDS: '{ "chess": ["C-1"] }\n'}, "RULES.md:6: the text has no rule C-2"),
    "a rule with two rows": (
        rules.every_rule_has_its_test, {GAME + "RULES.md": ("| C-2 | they", "| C-1 | they"), rules.IDS: '{ "chess": ["C-1"] }\n'},
        "RULES.md:6: rule C-1 has a row already"),
    "a game whose rules have no page": (
        rules.every_rule_has_its_test, {GAME + "RULES.md": None}, "RULES.md:1: it is missing"),
    "ids that nobody keeps": (
        rules.every_rule_has_its_test, {rules.IDS: None}, "the ids of the rules are kept here"),
    "a test nobody builds": (
        documents.orphans, {"tests/cluster/storm_test.c": "/* storm_test.c: bad weather, seeded. */\n"}, "storm_test.c"),
    "a test of nothing": (
        documents.orphans, {"tests/unit/common/base/ghost_test.c": "/* ghost_test.c: of nothing at all. */\n"},
        "does not exist"),
    "a Python test nobody runs": (
        documents.orphans, {"tests/process/chaos_test.py": '"""chaos_test.py: kills things."""\n'}, "chaos_test.py"),
    "a browser test nobody runs": (
        documents.orphans, {"tests/browser/chess_browser.py": '"""chess_browser.py: moves."""\n'}, "chess_browser.py"),
    "a game without a README": (
        documents.whole_games, {GAME + "README.md": None}, "has a README.md"),
    "a game without a test": (
        documents.whole_games, {GAME + "tests/chess_test.c": None}, "tests/chess_test.c"),
    "a game without words": (
        documents.whole_games, {GAME + "words.json": None}, "brings a words.json"),
    "a game that the README does not list": (
        documents.listed_games, {"README.md": ("| [chess]", "[chess]")}, "no row for chess"),
    "words that are no JSON": (
        documents.whole_games, {GAME + "words.json": ('"en": {', '"en": ')}, "words.json:1: it is no JSON"),
    "words without a title": (
        documents.whole_games, {GAME + "words.json": ('"title"', '"titel"')}, "no title in English"),
    "words that are a list": (
        documents.whole_games, {GAME + "words.json": '{ "words": ["en"] }\n'}, "words is not an object"),
    "words of a language that are a text": (
        documents.whole_games, {GAME + "words.json": '{ "words": { "en": "title" } }\n'}, "words.en is not an object"),
    "a title that is no text": (
        documents.whole_games, {GAME + "words.json": ('"Chess"', "{}")}, "words.en.title is not a text"),
    "a sentence that is no text": (
        documents.whole_games, {GAME + "words.json": ('"Chess"', '"Chess", "events": { "moved": 7 }')},
        "words.en.events is not an object of texts"),
    "values that are no texts": (
        documents.whole_games, {GAME + "words.json": ('"Chess"', '"Chess", "values": { "figure": { "1": 7 } }')},
        "words.en.values is not an object of objects of texts"),
    "words nested without end": (
        documents.whole_games, {GAME + "words.json": "[" * 30000 + "\n"}, "words.json:1: it is no JSON"),
    "words that are nothing": (
        documents.whole_games, {GAME + "words.json": "7\n"}, "the whole is not an object"),
    "too many words": (
        documents.whole_games, {GAME + "words.json": ('"Chess"', f'"{70000 * "x"}"')}, "at most 65536 bytes"),
    "a sentence for a command that is none": (
        documents.words_fit, {GAME + "words.json": ('"Chess"', '"Chess", "commands": { "fly": "Fly" }')},
        "words.json:1: en.commands: there is no command fly"),
    "a sentence with a field that is none": (
        documents.words_fit, {GAME + "words.json": ('"Chess"', '"Chess", "events": { "moved": "{seat} to {to.line}." }')},
        "en.events: moved has no field to.line"),
    "a sentence whose signs do not match": (
        documents.words_fit, {GAME + "words.json": ('"Chess"', '"Chess", "events": { "moved": "[{seat}[ moves]." }')},
        "en.events: the signs of moved do not match"),
    "a kind of field that is none": (
        documents.words_fit, {GAME + "words.json": ('{ "words"', '{ "fields": { "queen": "seat" }, "words"')},
        "fields: no message has queen"),
    "a game that is not laid out": (
        documents.game_layouts, {GAME + "chess.c": ("    return n;", "  return n;")}, "chess.c:5: clang-format -i"),
    "a required field": (
        contract.contract_rules, {"proto/lobby.proto": ("optional uint32", "required uint32")}, "lobby.proto:4"),
    "a map": (
        contract.contract_rules, {"proto/lobby.proto": ("optional uint32 seat", "map<string, uint32> seat")},
        "lobby.proto:4"),
    "a field without a comment": (
        contract.contract_rules, {"proto/lobby.proto": ("   // The seat.", "")}, "seat has no comment"),
    "a recursive message": (
        contract.contract_rules, {"proto/lobby.proto": ("repeated uint32 legs", "repeated Chair legs")}, "contain itself"),
    "another syntax": (
        contract.contract_rules, {"proto/lobby.proto": ("proto2", "proto3")}, "proto2"),
    "a field compared with a number": (
        contract.field_numbers, {GAME + "chess.c": ("return n;", "return field.number == 3;")}, "FIELD_..., not: .number == 3"),
    "a field written by a number": (
        contract.field_numbers, {GAME + "chess.c": ("return n;", "return field_bytes(at, 2, 0, n);")}, "chess.c:6: the number"),
    "a kind that is spelled out": (
        contract.long_names, {GAME + "chess.c": ("return n;", "return ARBITER__WIRE__KIND__KIND_BEAT;")},
        "chess.c:6: ARBITER__WIRE__KIND__KIND_BEAT is said KIND(...)"),
    "a tag made of a number": (
        contract.field_numbers, {GAME + "chess.c": ("return n;", "return 7u << 3 | 2;")}, "not: 7u << 3"),
}

# Each is an include to the compiler, so each has to be one to the table of layers, which reads the plain spelling alone.
INCLUDES = ('#define TEXT "base/text.h"\n#include TEXT', '/* so */ #include "base/text.h"', '#include /* so */ "base/text.h"',
            '#/* so */include "base/text.h"', '%:include "base/text.h"', '??=include "base/text.h"',
            '#inc\\\nlude "base/text.h"', '#include \\\n"base/text.h"', "#include_next <string.h>", '#import "base/text.h"',
            '#include "base/text.c"', '#include "base/text.inc"', '\ufeff#include "base/text.h"')
# Each makes a function of another file known, whatever stands around it.
DECLARED = ("int seats(void);", "extern int seats(int);", "extern int\nseats(int);", "struct table *seats(int at);", "unsigned long int seats(int);",
            "int (seats)(void);", "_Noreturn void seats(void);", "__attribute__((cold)) int seats(void);", "const char *const *seats(int);",
            "int a(void)\n{\n    int seats(void);\n    return seats();\n}", "extern int seats;", "extern const struct table seats[4];")
# None of these does.
NOT_DECLARED = ("static int seats(void);", "int seats(void);\nint seats(void)\n{\n    return 4;\n}", "typedef int seats(void);",
                "extern const int seats;\nconst int seats = 4;", "int (*seats)(void);", "static_assert(sizeof(int) == 4, \"\");",
                "int a(void)\n{\n    if (b)\n        (seats)(4);\n    else seats(3);\n    return seats(5);\n}")
NUMBERS = ("field.number == 3", "field->number != 3", "3u == field->number", "field.number == (3)", "field.number == 0x3",
           "field_bytes(at, (2), 0, n)", "field_bytes(from(a, b), 2, 0, n)", "down_number(to, 2, n)", "7u << 3", "7U << 3",
           "7UL << 3", "0x7 << 3", "(7) << 3", "7 << 3u", "BYTES_TAG( 3)", "fields[at + 1].id == 3", "field->id == 3")

CHECKS = {check for check, _, _ in PLANTED.values()}


def grow(folder, planted):
    """Writes the clean tree with what is planted into a folder."""
    tree = dict(CLEAN)
    for path, change in planted.items():
        if isinstance(change, tuple):
            old, new = change
            assert old in tree[path], f"{path} holds no {old!r} to replace"
            change = tree[path].replace(old, new)
        tree[path] = change
    tree = {path: text for path, text in tree.items() if text is not None}
    for path, text in tree.items():
        file = pathlib.Path(folder) / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    return repository.Repository(folder)


class Planted(unittest.TestCase):
    def test_the_clean_tree_passes_every_check(self):
        with tempfile.TemporaryDirectory() as folder:
            repo = grow(folder, {})
            for check in CHECKS:
                self.assertEqual(check(repo), [], check.__name__)

    def test_every_check_of_the_repository_is_proved_here(self):
        source = (pathlib.Path(__file__).parent / "repository_test.py").read_text()
        used = {name for name in (check.__name__ for check in CHECKS) if f".{name})" in source}
        self.assertEqual(len(used), source.count("self.clean("))
        self.assertEqual(used, {check.__name__ for check in CHECKS})

    def test_no_layer_knows_a_later_one(self):
        above = set()
        for layer, known in layers.LAYERS.items():
            self.assertLessEqual(set(known), above, layer)
            above.add(layer)

    def test_an_include_is_found_however_it_is_spelled(self):
        for spelled in INCLUDES:
            with self.subTest(spelled), tempfile.TemporaryDirectory() as folder:
                repo = grow(folder, {GAME + "chess.c": ('#include "base/text.h"', spelled)})
                findings = layers.layers_by_includes(repo)
                self.assertEqual(len(findings), 1, findings)
                self.assertIn("an include is one line", findings[0])

    def test_a_macro_that_quotes_its_argument_is_no_include(self):
        with tempfile.TemporaryDirectory() as folder:
            repo = grow(folder, {GAME + "chess.c": ("int moves", "#define NAME(a) \\\n    #a\nint moves")})
            self.assertEqual(layers.layers_by_includes(repo), [])

    def test_a_declaration_by_hand_is_found_however_it_is_spelled(self):
        for spelled in (*DECLARED, *NOT_DECLARED):
            with self.subTest(spelled), tempfile.TemporaryDirectory() as folder:
                findings = declared.hand_written(grow(folder, {GAME + "chess.c": ("int moves", f"{spelled}\nint moves")}))
                self.assertEqual(len(findings), int(spelled in DECLARED), findings)

    def test_the_number_of_a_field_is_found_however_it_is_spelled(self):
        for spelled in NUMBERS:
            with self.subTest(spelled), tempfile.TemporaryDirectory() as folder:
                findings = contract.field_numbers(grow(folder, {GAME + "chess.c": ("return n;", f"return {spelled};")}))
                self.assertEqual(len(findings), 1, findings)

    def test_every_planted_bug_is_found(self):
        for name, (check, planted, says) in PLANTED.items():
            if check is documents.game_layouts and not documents.can_lay_out():
                continue    # It has nothing to look with.
            with self.subTest(name), tempfile.TemporaryDirectory() as folder:
                findings = check(grow(folder, planted))
                self.assertEqual(len(findings), 1, findings)
                self.assertIn(says, findings[0])


if __name__ == "__main__":
    unittest.main()
