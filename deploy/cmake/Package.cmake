# Package: what is installed besides programs, and the Debian packages that `cpack` makes of a release.
#
# Each install(...) belongs to a component, and each component is a package: server (arbiter), client (libarbiter-client0),
# client-dev (libarbiter-client-dev), games (libarbiter-games0), games-dev (libarbiter-games-dev), python (python3-arbiter).

# Units run the programs of their own prefix: systemd finds them below /usr/lib and /usr/local/lib.
file(GLOB UNITS CONFIGURE_DEPENDS deploy/systemd/*)
install(CODE "
    set(into \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/lib/systemd/system\")
    foreach(unit ${UNITS})
        get_filename_component(name \${unit} NAME)
        file(READ \${unit} text)
        string(REPLACE /usr/local \${CMAKE_INSTALL_PREFIX} text \"\${text}\")
        file(WRITE \${into}/\${name} \"\${text}\")
    endforeach()
    message(STATUS \"Installing: \${into}\")")

# The client in Python: its messages are made by protoc now, so that who uses it needs neither protoc nor this tree.
find_program(PROTOC protoc)
if(PROTOC)
    set(PYTHON_INTO lib/python3/dist-packages/arbiter)
    install(DIRECTORY common/client/python/arbiter/ DESTINATION ${PYTHON_INTO} COMPONENT python
        FILES_MATCHING PATTERN "*.py")
    string(REPLACE ";" " " python_protos "${PROTO_FILES}")
    install(CODE "
        set(into \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${PYTHON_INTO}/generated\")
        file(MAKE_DIRECTORY \"\${into}\")
        foreach(proto ${python_protos})
            get_filename_component(folder \${proto} DIRECTORY)
            execute_process(COMMAND \"${PROTOC}\" --proto_path=\${folder} --proto_path=${CMAKE_CURRENT_SOURCE_DIR}/proto
                --python_out=\${into} \${proto} COMMAND_ERROR_IS_FATAL ANY)
        endforeach()" COMPONENT python)
    set(python python)
endif()

foreach(package arbiter libarbiter-client0 libarbiter-client-dev libarbiter-games0 libarbiter-games-dev python3-arbiter)
    string(REGEX REPLACE "^arbiter$" "server" component ${package})
    string(REGEX REPLACE "^libarbiter-|0$" "" component ${component})
    string(REGEX REPLACE "^python3.*" "python" component ${component})
    install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${package} RENAME copyright COMPONENT ${component})
endforeach()

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_CONTACT "The Arbiter authors <arbiter@localhost>")
set(CPACK_STRIP_FILES ON)
set(CPACK_SET_DESTDIR ON)       # Units and scripts name the folder in which they will lie.
set(CPACK_INSTALL_PREFIX /usr)
set(CPACK_COMPONENTS_ALL server ${python})
if(ARBITER_CLIENT_LIBRARY)
    list(APPEND CPACK_COMPONENTS_ALL client client-dev games games-dev)
endif()
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION games)

set(scripts ${CMAKE_CURRENT_SOURCE_DIR}/deploy/debian)
set(CPACK_DEBIAN_SERVER_PACKAGE_NAME arbiter)
set(CPACK_DEBIAN_SERVER_DESCRIPTION "Lobby, engine, fanout, watchdog, bots and gateway with its page, the command arbiter, and units for systemd.
After it is installed, systemctl enable --now arbiter.target opens http://127.0.0.1:8081.")
set(CPACK_DEBIAN_SERVER_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_SERVER_PACKAGE_DEPENDS "passwd")
set(CPACK_DEBIAN_SERVER_PACKAGE_CONTROL_EXTRA "${scripts}/server/postinst;${scripts}/server/prerm;${scripts}/server/postrm")
set(CPACK_DEBIAN_SERVER_PACKAGE_CONTROL_STRICT_PERMISSION ON)

set(CPACK_DEBIAN_CLIENT_PACKAGE_NAME libarbiter-client${PROJECT_VERSION_MAJOR})
set(CPACK_DEBIAN_CLIENT_DESCRIPTION "Takes part in games of an Arbiter server: library")
set(CPACK_DEBIAN_CLIENT_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_CLIENT_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)

set(CPACK_DEBIAN_CLIENT-DEV_PACKAGE_NAME libarbiter-client-dev)
set(CPACK_DEBIAN_CLIENT-DEV_DESCRIPTION "Takes part in games of an Arbiter server: headers and static library
A program of one's own is built with cc bot.c $(pkg-config --cflags --libs arbiter-client).")
set(CPACK_DEBIAN_CLIENT-DEV_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_CLIENT-DEV_PACKAGE_DEPENDS
    "libarbiter-client${PROJECT_VERSION_MAJOR} (= ${PROJECT_VERSION}), libprotobuf-c-dev, pkg-config")
set(CPACK_DEBIAN_CLIENT-DEV_PACKAGE_SUGGESTS "libzmq3-dev, libczmq-dev, libsodium-dev, libjansson-dev")

set(CPACK_DEBIAN_GAMES_PACKAGE_NAME libarbiter-games${PROJECT_VERSION_MAJOR})
set(CPACK_DEBIAN_GAMES_DESCRIPTION "Arbiter's games inside a program of one's own: library")
set(CPACK_DEBIAN_GAMES_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_GAMES_PACKAGE_SHLIBDEPS ON)

set(CPACK_DEBIAN_GAMES-DEV_PACKAGE_NAME libarbiter-games-dev)
set(CPACK_DEBIAN_GAMES-DEV_DESCRIPTION "Arbiter's games inside a program of one's own: header and static library
A program is built with cc player.c $(pkg-config --cflags --libs arbiter-games).")
set(CPACK_DEBIAN_GAMES-DEV_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_GAMES-DEV_PACKAGE_DEPENDS "libarbiter-games${PROJECT_VERSION_MAJOR} (= ${PROJECT_VERSION}), pkg-config")
set(CPACK_DEBIAN_GAMES-DEV_PACKAGE_SUGGESTS "libprotobuf-c-dev, libjansson-dev, libsodium-dev")

set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-arbiter)
set(CPACK_DEBIAN_PYTHON_DESCRIPTION "Takes part in games of an Arbiter server: Python")
set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
set(CPACK_DEBIAN_PYTHON_PACKAGE_ARCHITECTURE all)
set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS "python3, python3-zmq, python3-nacl, python3-protobuf")
set(CPACK_DEBIAN_PYTHON_PACKAGE_RECOMMENDS "libarbiter-games${PROJECT_VERSION_MAJOR}, python3-numpy") # For arbiter.env.
set(CPACK_DEBIAN_PYTHON_PACKAGE_CONTROL_EXTRA "${scripts}/python/postinst;${scripts}/python/prerm")
set(CPACK_DEBIAN_PYTHON_PACKAGE_CONTROL_STRICT_PERMISSION ON)
include(CPack)
