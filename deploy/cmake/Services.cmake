# Services: every folder below services/ that holds main.c (and perhaps main_*.c) is a process, `arbiter-NAME`. Its other sources
# are the core (and what tests must reach), a library of their own that the simulation links too.
file(GLOB SERVICE_MAINS CONFIGURE_DEPENDS services/*/main.c)
foreach(main IN LISTS SERVICE_MAINS)
    get_filename_component(folder ${main} DIRECTORY)
    get_filename_component(name ${folder} NAME)
    if(NOT name STREQUAL "console")
        list(APPEND SERVICE_PROGRAMS ${name})
    endif()
endforeach()

# A core stands before its process does: a folder with sources but no main.c is a library already. Folders below it are
# its rooms, but `shell`, which does what a core may not.
file(GLOB_RECURSE SERVICE_SOURCES CONFIGURE_DEPENDS RELATIVE ${CMAKE_CURRENT_SOURCE_DIR}/services services/*.c)
list(FILTER SERVICE_SOURCES EXCLUDE REGEX "^console/|/shell/|/node_modules/|/main(_[a-z]+)?\\.c$")
foreach(source IN LISTS SERVICE_SOURCES)
    string(REGEX REPLACE "/.*" "" name ${source})
    list(APPEND SERVICE_CORES ${name})
    list(APPEND ${name}_SOURCES services/${source})
endforeach()
list(REMOVE_DUPLICATES SERVICE_CORES)
# What a core needs besides what all of them do.
set(lobby_NEEDS dice schema)
set(engine_NEEDS history)
set(watchdog_NEEDS schema)
set(bot_NEEDS client mind)
set(gateway_NEEDS client schema mind)
foreach(name IN LISTS SERVICE_CORES)
    add_library(${name}_core STATIC ${${name}_SOURCES})
    target_link_libraries(${name}_core PUBLIC core ${${name}_NEEDS} PRIVATE strict)
endforeach()
# The gateway's shell is more than a main.c, a room for each protocol. The one of 2017 serves the console, too: a tournament
# opens that door for a single program.
file(GLOB GATEWAY_XML CONFIGURE_DEPENDS services/gateway/shell/xml/*.c)
add_library(gateway_xml STATIC ${GATEWAY_XML})
target_link_libraries(gateway_xml PUBLIC gateway_core clock PkgConfig::XML PRIVATE strict)
file(GLOB GATEWAY_SHELL CONFIGURE_DEPENDS services/gateway/shell/http/*.c services/gateway/shell/ws/*.c)
add_library(gateway_shell STATIC ${GATEWAY_SHELL})
target_link_libraries(gateway_shell PUBLIC gateway_xml gateway_core match shell PkgConfig::WEBSOCKETS PkgConfig::OPENSSL PkgConfig::ZLIB
                      PRIVATE strict)
foreach(name IN LISTS SERVICE_PROGRAMS)
    file(GLOB mains CONFIGURE_DEPENDS services/${name}/main.c services/${name}/main_*.c)
    add_executable(arbiter-${name} ${mains})
    target_link_libraries(arbiter-${name} PRIVATE build_facts ${name}_core games shell strict)
    install(TARGETS arbiter-${name})
endforeach()
target_link_libraries(arbiter-gateway PRIVATE gateway_shell)
target_compile_definitions(arbiter-gateway PRIVATE ARBITER_VERSION="${PROJECT_VERSION}")
