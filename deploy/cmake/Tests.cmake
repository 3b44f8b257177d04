# Tests: every *_test.c below tests/unit and tests/conformance, and beside a game, is one cmocka program.
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

file(GLOB_RECURSE TEST_SOURCES CONFIGURE_DEPENDS tests/unit/*_test.c tests/conformance/*_test.c)
foreach(source IN LISTS TEST_SOURCES GAME_TESTS)
    file(RELATIVE_PATH path ${CMAKE_CURRENT_SOURCE_DIR} ${source})
    string(REGEX REPLACE "^tests/unit/" "" name ${path})
    string(REGEX REPLACE "_test\\.c$" "" name ${name})
    string(REPLACE "/" "." name ${name})
    add_executable(${name}.test ${source})
    target_link_libraries(${name}.test PRIVATE referee match PkgConfig::CMOCKA strict m)
    target_compile_definitions(${name}.test PRIVATE ARBITER_SOURCE="${CMAKE_CURRENT_SOURCE_DIR}")
    set_target_properties(${name}.test PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/tests)
    add_test(NAME ${name} COMMAND ${name}.test)
    set_tests_properties(${name} PROPERTIES TIMEOUT 600)
endforeach()

# A *_test.py there is a program too: it succeeds or it fails, and is told where it may write.
find_package(Python3 REQUIRED COMPONENTS Interpreter)
file(GLOB_RECURSE PYTHON_TESTS CONFIGURE_DEPENDS tests/unit/*_test.py tests/conformance/*_test.py)
foreach(source IN LISTS PYTHON_TESTS)
    file(RELATIVE_PATH path ${CMAKE_CURRENT_SOURCE_DIR} ${source})
    string(REGEX REPLACE "^tests/unit/" "" name ${path})
    string(REGEX REPLACE "_test\\.py$" "" name ${name})
    string(REPLACE "/" "." name ${name})
    add_test(NAME ${name} COMMAND ${Python3_EXECUTABLE} -B ${source})
    set_tests_properties(${name} PROPERTIES TIMEOUT 600 ENVIRONMENT
        "ARBITER_SOURCE=${CMAKE_CURRENT_SOURCE_DIR};ARBITER_BUILD=${CMAKE_CURRENT_BINARY_DIR}")
endforeach()

foreach(folder fuzz bench tidy)
    if(EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/tests/${folder}/CMakeLists.txt)
        add_subdirectory(tests/${folder})
    endif()
endforeach()
