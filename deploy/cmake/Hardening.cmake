# Hardening: what a release is compiled and linked with, so that a bug is harder to use, and its bytes do not tell where it was built.
#
# These are the flags with which Debian builds its own packages (dpkg-buildflags, hardening=+all). FORTIFY has a third level: it cost
# objectron 3.8 % of its instructions, where the second costs 1.7 %. tests/tidy/hardened_test.py reads all of them back from the
# programs. Without an optimizer there is no FORTIFY, and sanitizers bring checks of their own: such builds are not hardened.
string(TOUPPER "${CMAKE_BUILD_TYPE}" type)
set(flags "${CMAKE_C_FLAGS} ${CMAKE_C_FLAGS_${type}}")
if(flags MATCHES "-O[1-9sz]|-Ofast" AND NOT flags MATCHES "-fsanitize=")
    set(hardened ON)
else()
    set(hardened OFF)
endif()
option(ARBITER_HARDENED "Compile and link as Debian hardens its packages; of our presets only the release does" ${hardened})
if(NOT ARBITER_HARDENED)
    return()
endif()

include(CheckCCompilerFlag)
include(CheckPIESupported)
check_pie_supported(OUTPUT_VARIABLE said LANGUAGES C)
# In one word: CMake drops a second -U_FORTIFY_SOURCE, with which tests take it back.
add_compile_options("SHELL:-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2" -Wformat -Werror=format-security -Wdate-time -fstack-protector-strong)
foreach(flag stack-clash-protection cf-protection) # Not every processor has them.
    string(MAKE_C_IDENTIFIER HAS_${flag} known)
    check_c_compiler_flag("-f${flag} -Werror" ${known})
    if(${known})
        add_compile_options(-f${flag})
    endif()
endforeach()
add_link_options(-Wl,-z,relro -Wl,-z,now)

# Two builds in two folders are the same bytes: files are named from the root of the tree, in debug information and assertions.
# The linker is told, too, since with link-time optimisation it is the one that writes the code.
set(maps -ffile-prefix-map=${CMAKE_BINARY_DIR}=build -ffile-prefix-map=${CMAKE_SOURCE_DIR}=.) # The last that fits is taken.
add_compile_options(${maps})
add_link_options(${maps})
