# Parts: part(NAME needs...) makes the library NAME from every .c file in common/NAME. A part whose folder has no source
# yet stands there empty, so that what needs it links.
function(part name)
    file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/common/${name}/*.c)
    if(sources)
        add_library(${name} STATIC ${sources})
        target_link_libraries(${name} PUBLIC ${ARGN} PRIVATE strict)
    else()
        add_library(${name} INTERFACE)
        target_link_libraries(${name} INTERFACE ${ARGN})
    endif()
endfunction()
