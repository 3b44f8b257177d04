# Client: libarbiter-client, with which a program outside this tree takes part: libraries, headers, arbiter-client.pc.
public_library(client client "PkgConfig::SODIUM;PkgConfig::ZMQ;PkgConfig::PROTOBUF_C;PkgConfig::JANSSON"
    client games game_rules rules core bus json wire dice clock base contract)
# Headers name each other as in the tree: below include/arbiter, which arbiter-client.pc tells the compiler.
foreach(header client/client.h client/client_event.h rules/command.h rules/legal.h rules/word.h wire/act_read.h)
    get_filename_component(folder ${header} DIRECTORY)
    install(FILES common/${header} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/arbiter/${folder} COMPONENT client-dev)
endforeach()
install(FILES ${CONTRACT_HEADERS} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/arbiter/contract COMPONENT client-dev)
install(FILES ${PROTO_FILES} DESTINATION ${CMAKE_INSTALL_DATADIR}/arbiter/proto COMPONENT client-dev)

# libarbiter-games: the rules of all games inside a program, for who trains players. It knows no bus.
public_library(games env "PkgConfig::SODIUM;PkgConfig::PROTOBUF_C;PkgConfig::JANSSON"
    env match search games game_rules rules json wire dice base contract)
install(FILES common/env/arbiter_games.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/arbiter COMPONENT games-dev)
