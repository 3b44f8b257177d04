# EnvSetups: env_setups_list.h, the set-ups that come with the games, written anew when one of them has changed.
foreach(name IN LISTS GAME_NAMES)
    if(NOT name MATCHES "_[0-9]+$")
        file(GLOB found CONFIGURE_DEPENDS configs/${name}/*.json common/games/${name}/setups/*.json)
        list(APPEND SETUP_FILES ${found})
        list(APPEND SETUP_GAMES ${name})
    endif()
endforeach()
set(SETUPS_LIST ${CMAKE_CURRENT_BINARY_DIR}/env_setups_list.h)
add_custom_command(
    OUTPUT ${SETUPS_LIST}
    COMMAND ${CMAKE_COMMAND} -D ROOT=${CMAKE_CURRENT_SOURCE_DIR} -D FOLDER=${CMAKE_CURRENT_BINARY_DIR}
        -D "GAMES=${SETUP_GAMES}" -P ${CMAKE_CURRENT_LIST_DIR}/EnvSetupsList.cmake
    DEPENDS ${SETUP_FILES} deploy/cmake/EnvSetupsList.cmake VERBATIM)
target_sources(env PRIVATE ${SETUPS_LIST})
