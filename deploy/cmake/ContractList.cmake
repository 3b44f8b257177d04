# ContractList: writes contract_list.h, with a line MESSAGE(descriptor) for every message of the headers that
# FOLDER/headers.txt names, and for each of them NAME_fields.h, with a name FIELD_PACKAGE_MESSAGE_NAME for every field's number.
# What else lies in FOLDER was made from a .proto that is gone. What did not change is not touched: much includes it.
file(STRINGS ${FOLDER}/headers.txt headers)
set(text "/* contract_list.h: every message of every .proto; written by CMake. */\n")
set(list "")
foreach(header IN LISTS headers)
    string(APPEND text "#include \"${header}\"\n")
    file(STRINGS ${FOLDER}/${header} lines REGEX "^extern const ProtobufCMessageDescriptor ")
    foreach(line IN LISTS lines)
        string(REGEX REPLACE "^extern const ProtobufCMessageDescriptor ([a-z0-9_]+).*" "MESSAGE(\\1)" line ${line})
        string(APPEND list " \\\n    ${line}")
    endforeach()
    # A message's fields stand in its descriptor as { "name", number, ...: each on a line of its own.
    string(REPLACE ".pb-c.h" "" name ${header})
    set(fields "")
    file(STRINGS ${FOLDER}/${name}.pb-c.c lines
         REGEX "^static const ProtobufCFieldDescriptor |^    \"[A-Za-z0-9_]+\",$|^    [0-9]+,$")
    foreach(line IN LISTS lines)
        if(line MATCHES "^static const ProtobufCFieldDescriptor arbiter__([a-z0-9_]+)__field_descriptors")
            string(REPLACE "__" "_" message ${CMAKE_MATCH_1})
        elseif(line MATCHES "^    \"([A-Za-z0-9_]+)\",$")
            string(TOUPPER "FIELD_${message}_${CMAKE_MATCH_1}" field)
        elseif(line MATCHES "^    ([0-9]+),$")
            string(APPEND fields "    ${field} = ${CMAKE_MATCH_1},\n")
        endif()
    endforeach()
    string(TOUPPER ${name}_FIELDS_H guard)
    file(CONFIGURE OUTPUT ${FOLDER}/${name}_fields.h @ONLY CONTENT
         "/* ${name}_fields.h: the number of every field of ${name}.proto; written by CMake. */
#ifndef ${guard}\n#define ${guard}\nenum {\n${fields}};\n#endif\n")
endforeach()
file(CONFIGURE OUTPUT ${FOLDER}/contract_list.h CONTENT "${text}\n#define CONTRACT_MESSAGES${list}\n" @ONLY)
