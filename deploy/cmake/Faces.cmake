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
