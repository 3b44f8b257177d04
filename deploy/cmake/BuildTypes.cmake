# Build types: what each CMAKE_BUILD_TYPE means here. Included right behind project().
#
# Assertions are part of the product: a process that finds itself wrong stops, and is started again from its journal.
# CMake's own Release, RelWithDebInfo and MinSizeRel switch them off by -DNDEBUG, so we take that word out of the flags.
foreach(flags CMAKE_C_FLAGS CMAKE_C_FLAGS_RELEASE CMAKE_C_FLAGS_RELWITHDEBINFO CMAKE_C_FLAGS_MINSIZEREL)
    string(REGEX REPLACE "(^| +)[-/]D *NDEBUG(=[^ ]*)?( |$)" "\\3" ${flags} "${${flags}}")
endforeach()

# A build without a type would be slow. Our presets name the type None, as Debian's packages do: it has no flags but theirs.
get_property(has_many_types GLOBAL PROPERTY GENERATOR_IS_MULTI_CONFIG)
if(NOT has_many_types AND NOT CMAKE_BUILD_TYPE)
    set(CMAKE_BUILD_TYPE RelWithDebInfo CACHE STRING "None, Debug, Release, RelWithDebInfo or MinSizeRel" FORCE)
    message(STATUS "No CMAKE_BUILD_TYPE was given: ${CMAKE_BUILD_TYPE}")
endif()

# A compiler that we do not know may warn of what ours does not, and still has to build this.
option(ARBITER_WERROR "Treat warnings as errors: for those who work on Arbiter; every preset switches it on" OFF)
