# Build: which state of the sources programs are made of, asked of git at each build and written to one small file.
#
# Only that file is compiled anew, and the programs linked anew, when HEAD moves. Tests know nothing of it. Where there is
# no git, as in an image, ARBITER_BUILD (git describe --always --dirty) and ARBITER_COMMIT may say it from the environment.

# Run with -P, at each build.
if(CMAKE_SCRIPT_MODE_FILE)
    cmake_minimum_required(VERSION 3.25)
    set(described "$ENV{ARBITER_BUILD}")
    set(commit "$ENV{ARBITER_COMMIT}")
    if(NOT described AND EXISTS ${SOURCE}/.git) # A folder or a file; without it git would find the tree around ours.
        set(ENV{GIT_OPTIONAL_LOCKS} 0)
        set(git git -c safe.directory=${SOURCE} -C ${SOURCE})
        execute_process(COMMAND ${git} describe --always --dirty --exclude=* OUTPUT_VARIABLE described OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
        execute_process(COMMAND ${git} rev-parse HEAD OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    endif()
    if(described)
        set(plus "+${described}")
    endif()
    file(CONFIGURE OUTPUT ${INTO} CONTENT "/* Written by deploy/cmake/Build.cmake. */
#include \"base/build.h\"

const struct build arbiter_build = { .version = \"@VERSION@\",
                                     .name = \"@VERSION@@plus@\",
                                     .described = \"@described@\",
                                     .commit = \"@commit@\" };
" @ONLY)
    return()
endif()

set(BUILD_FACTS ${CMAKE_CURRENT_BINARY_DIR}/build_facts.c)
add_custom_target(ask_for_build BYPRODUCTS ${BUILD_FACTS} VERBATIM
    COMMAND ${CMAKE_COMMAND} -DSOURCE=${CMAKE_CURRENT_SOURCE_DIR} -DVERSION=${PROJECT_VERSION} -DINTO=${BUILD_FACTS}
        -P ${CMAKE_CURRENT_LIST_FILE})
add_library(build_facts OBJECT ${BUILD_FACTS})
add_dependencies(build_facts ask_for_build)
target_link_libraries(build_facts PRIVATE strict)
