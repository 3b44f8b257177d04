# Games: every folder below common/games that holds NAME.h is a game, and `game_NAME`, `wire_NAME` are its
# two tables. Its .c files are the rules, pure, but NAME_wire.c, which maps them to messages. conform/ maps them to recordings,
# tests/ tries them out.
# Older versions of its rules stand in NAME_1, NAME_2, ..., until no match of them is unfinished.
file(GLOB GAME_HEADERS CONFIGURE_DEPENDS common/games/*/*.h)
file(GLOB GAME_SOURCES CONFIGURE_DEPENDS common/games/*/*.c)
foreach(header IN LISTS GAME_HEADERS)
    get_filename_component(folder ${header} DIRECTORY)
    get_filename_component(name ${folder} NAME)
    if(header STREQUAL "${folder}/${name}.h" AND EXISTS "${folder}/${name}_wire.c")
        list(APPEND GAME_NAMES ${name})
    endif()
endforeach()

set(GAME_WIRES ${GAME_SOURCES})
list(FILTER GAME_WIRES INCLUDE REGEX "_wire\\.c$")
file(GLOB GAME_CONFORM CONFIGURE_DEPENDS common/games/*/conform/*.c)
list(APPEND GAME_WIRES ${GAME_CONFORM})
set(GAME_RULES ${GAME_SOURCES})
list(FILTER GAME_RULES EXCLUDE REGEX "_wire\\.c$")
file(GLOB GAME_TESTS CONFIGURE_DEPENDS common/games/*/tests/*_test.c)

add_library(game_rules STATIC ${GAME_RULES})
target_link_libraries(game_rules PUBLIC rules dice PRIVATE strict)

# In the registry a game's older versions stand before the newest.
foreach(name IN LISTS GAME_NAMES)
    if(name MATCHES "^(.+)_[0-9]+$" AND CMAKE_MATCH_1 IN_LIST GAME_NAMES)
        continue()
    endif()
    set(older ${GAME_NAMES})
    list(FILTER older INCLUDE REGEX "^${name}_[0-9]+$")
    list(SORT older COMPARE NATURAL)
    list(APPEND REGISTRY_NAMES ${older} ${name})
endforeach()

set(REGISTRY ${CMAKE_CURRENT_BINARY_DIR}/registry_list.h)
set(registry_text "/* registry_list.h: the games found in common/games; written by CMake. */\n")
foreach(name IN LISTS REGISTRY_NAMES)
    string(APPEND registry_text "GAME(${name})\n")
endforeach()
file(CONFIGURE OUTPUT ${REGISTRY} CONTENT "${registry_text}" @ONLY)

add_library(games STATIC common/games/registry.c ${GAME_WIRES})
target_link_libraries(games PUBLIC game_rules json wire PRIVATE strict)
