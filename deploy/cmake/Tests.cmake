# Tests: every *_test.c below tests/unit, tests/conformance and tests/programs, and of a game, is one cmocka program.
find_package(PkgConfig REQUIRED)
pkg_check_modules(CMOCKA REQUIRED IMPORTED_TARGET cmocka)

# What the conformance tests share, fuzzers and benchmarks too: a random player, and a referee who asks of
# any game what game.h promises.
file(GLOB REFEREE_SOURCES CONFIGURE_DEPENDS tests/conformance/*.c)
list(FILTER REFEREE_SOURCES EXCLUDE REGEX "_test\\.c$")
add_library(referee STATIC ${REFEREE_SOURCES})
target_include_directories(referee PUBLIC tests/conformance)
target_compile_definitions(referee PRIVATE ARBITER_SOURCE="${CMAKE_CURRENT_SOURCE_DIR}")
target_link_libraries(referee PUBLIC env match PRIVATE strict)

# Messages that only tests know.
file(GLOB_RECURSE TEST_PROTOS CONFIGURE_DEPENDS tests/unit/*.proto)
set(TEST_CONTRACT_DIR ${CMAKE_CURRENT_BINARY_DIR}/test_contract)
file(MAKE_DIRECTORY ${TEST_CONTRACT_DIR})
foreach(proto IN LISTS TEST_PROTOS)
    get_filename_component(name ${proto} NAME_WE)
    get_filename_component(folder ${proto} DIRECTORY)
    add_custom_command(
        OUTPUT ${TEST_CONTRACT_DIR}/${name}.pb-c.c ${TEST_CONTRACT_DIR}/${name}.pb-c.h
        COMMAND ${PROTOC_C} --proto_path=${folder} --c_out=${TEST_CONTRACT_DIR} ${proto}
        DEPENDS ${proto} VERBATIM)
    list(APPEND TEST_CONTRACT ${TEST_CONTRACT_DIR}/${name}.pb-c.c)
endforeach()
add_library(test_contract STATIC ${TEST_CONTRACT})
target_include_directories(test_contract SYSTEM PUBLIC ${TEST_CONTRACT_DIR})
target_link_libraries(test_contract PUBLIC PkgConfig::PROTOBUF_C)
# A test links the library that its folder mirrors, so that building one test builds little else. What it needs besides
# stands here: every row whose pattern matches its path counts. help.FOLDER is what the tests of a folder share.
set(TEST_NEEDS
    "^common/base/value json"
    "^common/client/ match"
    "^common/dice/ PkgConfig::JANSSON"
    "^common/env/ referee"
    "^common/games/ referee"
    "^common/games/treasure/ schema store"
    "^common/json/ help.common.wire help.common.base"
    "^common/rules/legal referee"
    "^common/schema/ games"
    "^common/search/ game_rules"
    "^common/shell/ help.common.bus"
    "^common/wire/ test_contract"
    "^services/(bot|engine|lobby)/ games"
    "^common/mind/ referee"
    "^services/console/ help.services.console.faces help.common.store"
    "^services/console/faces/ test_contract"
    "^services/gateway/browser/browser_hint games"
    "^services/gateway/shell/ gateway_shell"
    "^services/lobby/ help.common.core"
    "^tests/conformance/ referee"
    "^programs/console/ console")
# test_links(PATH OUT): the libraries for what stands at PATH below tests/unit.
function(test_links path out)
    set(libraries PkgConfig::CMOCKA m)
    if(path MATCHES "^services/console/")
        list(APPEND libraries console)
    elseif(path MATCHES "^services/([a-z]+)/")
        list(APPEND libraries ${CMAKE_MATCH_1}_core)
    elseif(path MATCHES "^common/([a-z]+)/")
        list(APPEND libraries ${CMAKE_MATCH_1})
    endif()
    foreach(row IN LISTS TEST_NEEDS)
        string(REPLACE " " ";" row ${row})
        list(POP_FRONT row pattern)
        if(path MATCHES ${pattern})
            list(APPEND libraries ${row})
        endif()
    endforeach()
    set(${out} ${libraries} PARENT_SCOPE)
endfunction()

# Whatever else lies beside tests in C is help for them: a library for each folder.
file(GLOB_RECURSE TEST_HELPERS CONFIGURE_DEPENDS RELATIVE ${CMAKE_CURRENT_SOURCE_DIR}/tests/unit tests/unit/*.c)
list(FILTER TEST_HELPERS EXCLUDE REGEX "_test\\.c$")
foreach(source IN LISTS TEST_HELPERS)
    get_filename_component(folder ${source} DIRECTORY)
    string(REPLACE "/" "." library help.${folder})
    if(NOT TARGET ${library})
        test_links(${folder}/ libraries)
        list(REMOVE_ITEM libraries ${library})
        add_library(${library} STATIC)
        target_include_directories(${library} PUBLIC tests/unit)
        target_compile_definitions(${library} PRIVATE ARBITER_SOURCE="${CMAKE_CURRENT_SOURCE_DIR}")
        target_link_libraries(${library} PUBLIC ${libraries} PRIVATE strict)
    endif()
    target_sources(${library} PRIVATE tests/unit/${source})
endforeach()

# The distribution's own Python goes first: its protobuf package is there, whatever else is in PATH.
find_program(TEST_PYTHON python3 HINTS /usr/bin NO_CACHE REQUIRED)
file(GLOB_RECURSE TEST_SOURCES CONFIGURE_DEPENDS tests/unit/*_test.c tests/conformance/*_test.c tests/programs/*_test.c)
foreach(source IN LISTS TEST_SOURCES GAME_TESTS)
    file(RELATIVE_PATH path ${CMAKE_CURRENT_SOURCE_DIR} ${source})
    string(REGEX REPLACE "^tests/(unit/|programs/)" "\\1" name ${path})
    string(REGEX REPLACE "^unit/" "" name ${name})
    string(REGEX REPLACE "_test\\.c$" "" name ${name})
    string(REGEX REPLACE "^(common/games/[^/]+)/tests/" "\\1/" name ${name})
    test_links(${name} libraries)
    get_filename_component(helpers help/${name} DIRECTORY)
    string(REPLACE "/" "." helpers ${helpers})
    if(TARGET ${helpers})
        list(PREPEND libraries ${helpers})
    endif()
    string(REPLACE "/" "." name ${name})
    add_executable(${name}.test ${source})
    target_include_directories(${name}.test PRIVATE tests/unit)
    target_link_libraries(${name}.test PRIVATE ${libraries} strict)
    target_compile_definitions(${name}.test PRIVATE ARBITER_SOURCE="${CMAKE_CURRENT_SOURCE_DIR}"
        ARBITER_BUILD="${CMAKE_CURRENT_BINARY_DIR}" ARBITER_PYTHON="${TEST_PYTHON}")
    if(path MATCHES "^tests/(unit/services|programs)/console/|^tests/conformance/env_trace_test")   # These run the program itself, too.
        target_compile_definitions(${name}.test PRIVATE ARBITER_BINARY="$<TARGET_FILE:arbiter>")
        add_dependencies(${name}.test arbiter)
    endif()
    set_target_properties(${name}.test PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/tests)
    add_test(NAME ${name} COMMAND ${name}.test)
    set_tests_properties(${name} PROPERTIES TIMEOUT 600)
endforeach()

# A *_test.py there is a program too: it succeeds or it fails, and is told where it may write.
file(GLOB_RECURSE PYTHON_TESTS CONFIGURE_DEPENDS tests/unit/*_test.py tests/conformance/*_test.py tests/programs/*_test.py)
foreach(source IN LISTS PYTHON_TESTS)
    file(RELATIVE_PATH path ${CMAKE_CURRENT_SOURCE_DIR} ${source})
    string(REGEX REPLACE "^tests/(unit/|programs/)" "\\1" name ${path})
    string(REGEX REPLACE "^unit/" "" name ${name})
    string(REGEX REPLACE "_test\\.py$" "" name ${name})
    string(REPLACE "/" "." name ${name})
    add_test(NAME ${name} COMMAND ${TEST_PYTHON} -B ${source})
    set_tests_properties(${name} PROPERTIES TIMEOUT 600 LABELS script ENVIRONMENT
        "ARBITER_SOURCE=${CMAKE_CURRENT_SOURCE_DIR};ARBITER_BUILD=${CMAKE_CURRENT_BINARY_DIR}")
endforeach()

# What takes some of them long is for the night (ctest -C nightly).
foreach(name IN ITEMS programs.console.judge tests.conformance.course.wrong)
    string(REGEX REPLACE "^tests\\." "" path ${name})
    string(REPLACE "." "/" path ${path})
    add_test(NAME ${name}_night CONFIGURATIONS nightly
        COMMAND ${TEST_PYTHON} -B ${CMAKE_CURRENT_SOURCE_DIR}/tests/${path}_test.py nightly)
    set_tests_properties(${name}_night PROPERTIES TIMEOUT 600 LABELS script ENVIRONMENT
        "ARBITER_SOURCE=${CMAKE_CURRENT_SOURCE_DIR};ARBITER_BUILD=${CMAKE_CURRENT_BINARY_DIR}")
endforeach()

# It takes longest: who comes last to it waits for it alone.
set_tests_properties(tests.conformance.games PROPERTIES COST 100)
# Exchanges of 2017 have moments of their own, so nothing else runs beside them.
set_tests_properties(programs.gateway.exchanges PROPERTIES RUN_SERIAL ON)

foreach(folder fuzz bench cluster environment process compose faulty tidy)
    if(EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/tests/${folder}/CMakeLists.txt)
        add_subdirectory(tests/${folder})
    endif()
endforeach()
