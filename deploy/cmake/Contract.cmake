# Contract: C for every message. The conversations stand in proto/; a game may bring its own .proto in
# its folder, so that a game is one folder's work.
file(GLOB PROTO_FILES CONFIGURE_DEPENDS proto/*.proto common/games/*/*.proto)
find_program(PROTOC_C protoc-c REQUIRED)
set(CONTRACT_DIR ${CMAKE_CURRENT_BINARY_DIR}/contract)
file(MAKE_DIRECTORY ${CONTRACT_DIR})
# What a message file imports is written beside its C, so that a change makes anew what depends on it and nothing else.
foreach(proto IN LISTS PROTO_FILES)
    get_filename_component(name ${proto} NAME_WE)
    get_filename_component(folder ${proto} DIRECTORY)
    add_custom_command(
        OUTPUT ${CONTRACT_DIR}/${name}.pb-c.c ${CONTRACT_DIR}/${name}.pb-c.h
        COMMAND ${PROTOC_C} --proto_path=${folder} --proto_path=${CMAKE_CURRENT_SOURCE_DIR}/proto
                --c_out=${CONTRACT_DIR} --dependency_out=${CONTRACT_DIR}/${name}.d ${proto}
        DEPENDS ${proto} DEPFILE ${CONTRACT_DIR}/${name}.d VERBATIM)
    list(APPEND CONTRACT_SOURCES ${CONTRACT_DIR}/${name}.pb-c.c)
    list(APPEND CONTRACT_HEADERS ${CONTRACT_DIR}/${name}.pb-c.h)
    list(APPEND CONTRACT_FIELDS ${CONTRACT_DIR}/${name}_fields.h)
    string(APPEND headers_text "${name}.pb-c.h\n")
endforeach()
if(NOT CONTRACT_SOURCES)
    add_library(contract INTERFACE)   # No message yet.
    return()
endif()
# What goes for every message (tests, fuzzers) goes through this list, so that nobody has to keep it.
file(CONFIGURE OUTPUT ${CONTRACT_DIR}/headers.txt CONTENT "${headers_text}" @ONLY)
add_custom_command(
    OUTPUT ${CONTRACT_DIR}/contract_list.h ${CONTRACT_FIELDS}
    COMMAND ${CMAKE_COMMAND} -D FOLDER=${CONTRACT_DIR} -P ${CMAKE_CURRENT_LIST_DIR}/ContractList.cmake
    DEPENDS ${CONTRACT_SOURCES} ${CONTRACT_DIR}/headers.txt ${CMAKE_CURRENT_LIST_DIR}/ContractList.cmake VERBATIM)
add_library(contract STATIC ${CONTRACT_SOURCES} ${CONTRACT_HEADERS} ${CONTRACT_DIR}/contract_list.h ${CONTRACT_FIELDS})
target_include_directories(contract SYSTEM PUBLIC ${CMAKE_CURRENT_BINARY_DIR} ${CONTRACT_DIR})
target_link_libraries(contract PUBLIC PkgConfig::PROTOBUF_C)
