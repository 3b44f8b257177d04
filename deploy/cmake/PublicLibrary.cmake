# PublicLibrary: a library for programs outside this tree: shared and static, with a list of what it shows, and NAME.pc.
#
# It is every part that it stands on, compiled once more: without optimization over files, whose objects no other
# compiler could link. Of its symbols those in its map are seen from outside, and no other, in both libraries: a
# program may call its own functions as it likes.

# public_part(PART): the objects of one part, for all public libraries.
function(public_part part)
    if(TARGET public_${part})
        return()
    endif()
    get_target_property(sources ${part} SOURCES)
    list(FILTER sources INCLUDE REGEX "\\.c$")
    add_library(public_${part} OBJECT ${sources})
    target_include_directories(public_${part} SYSTEM PRIVATE ${CONTRACT_DIR})
    target_link_libraries(public_${part} PRIVATE PkgConfig::JANSSON PkgConfig::SODIUM PkgConfig::ZMQ PkgConfig::PROTOBUF_C)
    target_compile_options(public_${part} PRIVATE -ffunction-sections -fdata-sections)
    set_target_properties(public_${part} PROPERTIES INTERPROCEDURAL_OPTIMIZATION OFF)
    add_dependencies(public_${part} ${part}) # Generated sources are written once, by whoever owns them.
endfunction()

# public_library(NAME FOLDER LIBRARIES PARTS...): libarbiter-NAME from these parts, shown by common/FOLDER/NAME.map.
# What nobody outside can reach is left out, and with it libraries that only it wanted (--as-needed).
function(public_library name folder libraries)
    set(into ${CMAKE_CURRENT_BINARY_DIR}/public)
    set(map ${CMAKE_CURRENT_SOURCE_DIR}/common/${folder}/${name}.map)
    set(archive ${into}/libarbiter-${name}.a)
    file(MAKE_DIRECTORY ${into})
    foreach(part IN LISTS ARGN)
        public_part(${part})
        list(APPEND objects $<TARGET_OBJECTS:public_${part}>)
        list(APPEND parts public_${part})
    endforeach()
    add_library(${name}_shared SHARED ${objects})
    target_link_libraries(${name}_shared PRIVATE ${libraries})
    target_link_options(${name}_shared PRIVATE -Wl,--version-script=${map} -Wl,--gc-sections -Wl,--as-needed -Wl,--no-undefined)
    set_target_properties(${name}_shared PROPERTIES OUTPUT_NAME arbiter-${name} LINKER_LANGUAGE C LINK_DEPENDS ${map}
        VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR} INTERPROCEDURAL_OPTIMIZATION OFF)

    # An archive has no list of what is seen. So all objects become one, in which only those names stay global.
    file(STRINGS ${map} lines REGEX "^    [a-z_*]+;$")
    list(FILTER lines EXCLUDE REGEX "^    \\*;$")
    list(TRANSFORM lines REPLACE "[ ;]" "")
    list(JOIN lines "\n" names)
    file(CONFIGURE OUTPUT ${into}/${name}.txt CONTENT "${names}\n" @ONLY)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${map})
    add_custom_command(
        OUTPUT ${archive}
        COMMAND ${CMAKE_C_COMPILER} -r -nostdlib -o ${into}/arbiter-${name}.o ${objects}
        COMMAND ${CMAKE_OBJCOPY} --wildcard --keep-global-symbols=${into}/${name}.txt --strip-debug
                ${into}/arbiter-${name}.o
        COMMAND ${CMAKE_COMMAND} -E rm -f ${archive}
        COMMAND ${CMAKE_AR} qcs ${archive} ${into}/arbiter-${name}.o
        DEPENDS ${parts} ${objects} ${into}/${name}.txt COMMAND_EXPAND_LISTS VERBATIM)
    add_custom_target(${name}_library ALL DEPENDS ${name}_shared ${archive})

    install(TARGETS ${name}_shared LIBRARY COMPONENT ${name} NAMELINK_COMPONENT ${name}-dev)
    install(FILES ${archive} DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT ${name}-dev)
    # Where the libraries lie is found from where this file lies, so that a prefix may be moved.
    file(RELATIVE_PATH PREFIX_UP /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
    string(REGEX REPLACE "/$" "" PREFIX_UP "${PREFIX_UP}")
    configure_file(common/${folder}/arbiter-${name}.pc.in ${into}/arbiter-${name}.pc @ONLY)
    install(FILES ${into}/arbiter-${name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT ${name}-dev)
endfunction()
