# Man: manual pages. Each program is asked for its own when it is installed, as completion is (deploy/lib/man.py).
find_program(MAN_PYTHON python3 HINTS /usr/bin REQUIRED)
foreach(target arbiter ${SERVICE_TARGETS})
    string(APPEND MAN_PROGRAMS " \"$<TARGET_FILE:${target}>\"")
endforeach()
install(CODE "
    set(into \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_MANDIR}\")
    execute_process(COMMAND \"${MAN_PYTHON}\" \"${CMAKE_CURRENT_SOURCE_DIR}/deploy/lib/man.py\" ${PROJECT_VERSION} \"\${into}\"
                            ${MAN_PROGRAMS} COMMAND_ERROR_IS_FATAL ANY)
    message(STATUS \"Installing: \${into}\")")
