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
target_link_libraries(referee PUBLIC match PRIVATE strict)

# Whatever else lies there in C is help that all of them may use; their own messages stand beside them.
file(GLOB_RECURSE TEST_HELPERS CONFIGURE_DEPENDS tests/unit/*.c)
list(FILTER TEST_HELPERS EXCLUDE REGEX "_test\\.c$")
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
list(TRANSFORM SERVICE_CORES APPEND _core OUTPUT_VARIABLE TESTED_CORES)
add_library(test_helpers STATIC ${TEST_HELPERS})
target_include_directories(test_helpers PUBLIC tests/unit)
target_compile_definitions(test_helpers PRIVATE ARBITER_SOURCE="${CMAKE_CURRENT_SOURCE_DIR}")
target_link_libraries(test_helpers PUBLIC ${TESTED_CORES} client shell match test_contract PkgConfig::CMOCKA
                      PRIVATE strict)

# The distribution's own Python goes first: its protobuf package is there, whatever else is in PATH.
find_program(TEST_PYTHON python3 HINTS /usr/bin NO_CACHE REQUIRED)
file(GLOB_RECURSE TEST_SOURCES CONFIGURE_DEPENDS tests/unit/*_test.c tests/conformance/*_test.c tests/programs/*_test.c)
foreach(source IN LISTS TEST_SOURCES GAME_TESTS)
    file(RELATIVE_PATH path ${CMAKE_CURRENT_SOURCE_DIR} ${source})
    string(REGEX REPLACE "^tests/(unit/|programs/)" "\\1" name ${path})
    string(REGEX REPLACE "^unit/" "" name ${name})
    string(REGEX REPLACE "_test\\.c$" "" name ${name})
    string(REGEX REPLACE "^(common/games/[^/]+)/tests/" "\\1/" name ${name})
    string(REPLACE "/" "." name ${name})
    add_executable(${name}.test ${source})
    target_link_libraries(${name}.test PRIVATE referee test_helpers match PkgConfig::CMOCKA strict m)
    target_compile_definitions(${name}.test PRIVATE ARBITER_SOURCE="${CMAKE_CURRENT_SOURCE_DIR}"
        ARBITER_BUILD="${CMAKE_CURRENT_BINARY_DIR}" ARBITER_PYTHON="${TEST_PYTHON}")
    if(path MATCHES "^tests/(unit/services|programs)/console/")   # These run the program itself, too.
        target_link_libraries(${name}.test PRIVATE console)
        target_compile_definitions(${name}.test PRIVATE ARBITER_BINARY="$<TARGET_FILE:arbiter>")
        add_dependencies(${name}.test arbiter)
    endif()
    if(path MATCHES "^tests/unit/services/gateway/shell/")
        target_link_libraries(${name}.test PRIVATE gateway_shell)
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

# It takes longest: who comes last to it waits for it alone.
set_tests_properties(tests.conformance.games PROPERTIES COST 100)

foreach(folder fuzz bench cluster process compose faulty tidy)
    if(EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/tests/${folder}/CMakeLists.txt)
        add_subdirectory(tests/${folder})
    endif()
endforeach()
