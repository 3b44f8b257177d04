# Faces: services/console/faces/face_NAME.c is how the game NAME looks in a terminal, and `face_NAME` its row. A game
# without such a file is shown by its words. face_NAME_board.c and the like are parts of a face.
set(FACES ${CMAKE_CURRENT_BINARY_DIR}/faces_list.h)
set(faces_text "/* faces_list.h: the faces found in services/console/faces; written by CMake. */\n")
foreach(name IN LISTS GAME_NAMES)
    file(GLOB face CONFIGURE_DEPENDS services/console/faces/face_${name}.c)
    if(face)
        string(APPEND faces_text "FACE(${name})\n")
    endif()
endforeach()
file(CONFIGURE OUTPUT ${FACES} CONTENT "${faces_text}" @ONLY)

# The words of games, for those without a face: words.json, compiled in.
file(GLOB WORDS_FILES CONFIGURE_DEPENDS common/games/*/words.json)
foreach(file IN LISTS WORDS_FILES)
    get_filename_component(folder ${file} DIRECTORY)
    get_filename_component(name ${folder} NAME)
    list(APPEND WORDED_GAMES ${name})
endforeach()
set(WORDS_LIST ${CMAKE_CURRENT_BINARY_DIR}/words_list.c ${CMAKE_CURRENT_BINARY_DIR}/words_list.h)
add_custom_command(
    OUTPUT ${WORDS_LIST}
    COMMAND ${CMAKE_COMMAND} -D ROOT=${CMAKE_CURRENT_SOURCE_DIR} -D FOLDER=${CMAKE_CURRENT_BINARY_DIR}
        -D "GAMES=${WORDED_GAMES}" -P ${CMAKE_CURRENT_SOURCE_DIR}/deploy/cmake/GameWords.cmake
    DEPENDS ${WORDS_FILES} deploy/cmake/GameWords.cmake ${FACES} VERBATIM)
