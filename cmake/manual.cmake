# SPDX-License-Identifier: Apache-2.0
# Run at install time: manual pages and shell completion, printed by the command that was just built.
#   APPELL  the command    SHARE  .../share, DESTDIR in front
execute_process(COMMAND ${APPELL} --help OUTPUT_VARIABLE help COMMAND_ERROR_IS_FATAL ANY)
string(REGEX REPLACE "\nexamples:.*" "" help "${help}")
string(REGEX MATCHALL "\n  [a-z]+" commands "${help}")
file(MAKE_DIRECTORY ${SHARE}/man/man1 ${SHARE}/bash-completion/completions ${SHARE}/zsh/site-functions
     ${SHARE}/fish/vendor_completions.d)
execute_process(COMMAND ${APPELL} man OUTPUT_FILE ${SHARE}/man/man1/appell.1 COMMAND_ERROR_IS_FATAL ANY)
foreach(command ${commands})
  string(STRIP "${command}" command)
  execute_process(COMMAND ${APPELL} man ${command} OUTPUT_FILE ${SHARE}/man/man1/appell-${command}.1
                  COMMAND_ERROR_IS_FATAL ANY)
endforeach()
execute_process(COMMAND ${APPELL} completion bash OUTPUT_FILE ${SHARE}/bash-completion/completions/appell
                COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${APPELL} completion zsh OUTPUT_FILE ${SHARE}/zsh/site-functions/_appell
                COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${APPELL} completion fish OUTPUT_FILE ${SHARE}/fish/vendor_completions.d/appell.fish
                COMMAND_ERROR_IS_FATAL ANY)
