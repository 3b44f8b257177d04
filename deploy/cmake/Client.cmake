# Client: libarbiter-client, with which a program outside this tree takes part: shared and static, headers, arbiter-client.pc.
#
# The library is every part that `client` stands on, compiled once more: without optimization over files, whose objects no
# other compiler could link. Of its symbols those in client.map are seen from outside, and no other, in both libraries: a
# bot may call its own functions as it likes.
set(CLIENT_DIR ${CMAKE_CURRENT_BINARY_DIR}/client)
set(CLIENT_MAP ${CMAKE_CURRENT_SOURCE_DIR}/common/client/client.map)
file(MAKE_DIRECTORY ${CLIENT_DIR})
foreach(part client games game_rules rules core bus json wire dice clock base contract)
    get_target_property(sources ${part} SOURCES)
    list(FILTER sources INCLUDE REGEX "\\.c$")
    list(APPEND CLIENT_SOURCES ${sources})
endforeach()
add_library(client_objects OBJECT ${CLIENT_SOURCES})
target_include_directories(client_objects SYSTEM PRIVATE ${CONTRACT_DIR})
target_link_libraries(client_objects PRIVATE PkgConfig::JANSSON PkgConfig::SODIUM PkgConfig::ZMQ PkgConfig::PROTOBUF_C)
target_compile_options(client_objects PRIVATE -ffunction-sections -fdata-sections)
set_target_properties(client_objects PROPERTIES INTERPROCEDURAL_OPTIMIZATION OFF)
add_dependencies(client_objects contract) # Generated sources are written once, by whoever owns them.

# What nobody outside can reach is left out, and with it libraries that only it wanted (--as-needed).
add_library(client_shared SHARED $<TARGET_OBJECTS:client_objects>)
target_link_libraries(client_shared PRIVATE PkgConfig::SODIUM PkgConfig::ZMQ PkgConfig::PROTOBUF_C PkgConfig::JANSSON)
target_link_options(client_shared PRIVATE -Wl,--version-script=${CLIENT_MAP} -Wl,--gc-sections -Wl,--as-needed)
set_target_properties(client_shared PROPERTIES OUTPUT_NAME arbiter-client LINKER_LANGUAGE C LINK_DEPENDS ${CLIENT_MAP}
    VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR} INTERPROCEDURAL_OPTIMIZATION OFF)

# An archive has no list of what is seen. So all objects become one, in which only those names stay global.
file(STRINGS ${CLIENT_MAP} lines REGEX "^    [a-z_*]+;$")
list(FILTER lines EXCLUDE REGEX "^    \\*;$")
list(TRANSFORM lines REPLACE "[ ;]" "")
list(JOIN lines "\n" names)
file(CONFIGURE OUTPUT ${CLIENT_DIR}/names.txt CONTENT "${names}\n" @ONLY)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${CLIENT_MAP})
set(CLIENT_ARCHIVE ${CLIENT_DIR}/libarbiter-client.a)
add_custom_command(
    OUTPUT ${CLIENT_ARCHIVE}
    COMMAND ${CMAKE_C_COMPILER} -r -nostdlib -o ${CLIENT_DIR}/arbiter-client.o $<TARGET_OBJECTS:client_objects>
    COMMAND ${CMAKE_OBJCOPY} --wildcard --keep-global-symbols=${CLIENT_DIR}/names.txt --strip-debug
            ${CLIENT_DIR}/arbiter-client.o
    COMMAND ${CMAKE_COMMAND} -E rm -f ${CLIENT_ARCHIVE}
    COMMAND ${CMAKE_AR} qcs ${CLIENT_ARCHIVE} ${CLIENT_DIR}/arbiter-client.o
    DEPENDS client_objects $<TARGET_OBJECTS:client_objects> ${CLIENT_DIR}/names.txt COMMAND_EXPAND_LISTS VERBATIM)
add_custom_target(client_library ALL DEPENDS client_shared ${CLIENT_ARCHIVE})

install(TARGETS client_shared
    LIBRARY COMPONENT client NAMELINK_COMPONENT client-dev)
install(FILES ${CLIENT_ARCHIVE} DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT client-dev)
# Headers name each other as in the tree: below include/arbiter, which arbiter-client.pc tells the compiler.
foreach(header client/client.h client/client_event.h rules/command.h rules/legal.h rules/word.h wire/act_read.h)
    get_filename_component(folder ${header} DIRECTORY)
    install(FILES common/${header} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/arbiter/${folder} COMPONENT client-dev)
endforeach()
install(FILES ${CONTRACT_HEADERS} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/arbiter/contract COMPONENT client-dev)
install(FILES ${PROTO_FILES} DESTINATION ${CMAKE_INSTALL_DATADIR}/arbiter/proto COMPONENT client-dev)

# Where the libraries lie is found from where this file lies, so that a prefix may be moved.
file(RELATIVE_PATH CLIENT_UP /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
string(REGEX REPLACE "/$" "" CLIENT_UP "${CLIENT_UP}")
configure_file(common/client/arbiter-client.pc.in ${CLIENT_DIR}/arbiter-client.pc @ONLY)
install(FILES ${CLIENT_DIR}/arbiter-client.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT client-dev)
