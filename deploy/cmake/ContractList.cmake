# ContractList: writes contract_list.h, with a line MESSAGE(descriptor) for every message of the headers
# that FOLDER/headers.txt names. What else lies in FOLDER was made from a .proto that is gone.
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
endforeach()
# Not touched if nothing changed: much is compiled that includes it.
file(CONFIGURE OUTPUT ${FOLDER}/contract_list.h CONTENT "${text}\n#define CONTRACT_MESSAGES${list}\n" @ONLY)
