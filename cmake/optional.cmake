# SPDX-License-Identifier: Apache-2.0
# Optional tools and libraries. Without one of them the build works, and one line says what is left out.
# APPELL_HIDE treats some of them as missing, so that a test can see such a build on any machine.
set(APPELL_HIDE "" CACHE STRING
    "optional packages to treat as missing: npm, chromium, gnuplot, ffmpeg, libmicrohttpd")
set(APPELL_OPTIONAL npm chromium gnuplot ffmpeg libmicrohttpd)
foreach(name ${APPELL_HIDE})
  if(NOT name IN_LIST APPELL_OPTIONAL)
    message(FATAL_ERROR "APPELL_HIDE names '${name}', which is none of: ${APPELL_OPTIONAL}.")
  endif()
endforeach()

function(appell_left_out package what)
  message(STATUS "left out: ${what} (${package} is not installed)")
endfunction()

# appell_optional_program(VARIABLE program what): VARIABLE is the program's path, or false
function(appell_optional_program variable program what)
  if(program IN_LIST APPELL_HIDE)
    set(${variable} "" PARENT_SCOPE)
    appell_left_out(${program} "${what}")
    return()
  endif()
  find_program(${variable} ${program})
  mark_as_advanced(${variable})
  if(NOT ${variable})
    appell_left_out(${program} "${what}")
  endif()
endfunction()

appell_optional_program(APPELL_NPM npm "the replay page")
appell_optional_program(APPELL_CHROMIUM chromium "pictures and videos of results, and tests of pages in a browser")
appell_optional_program(APPELL_GNUPLOT gnuplot "figures by `appell plot`, until it is installed")
appell_optional_program(APPELL_FFMPEG ffmpeg "videos by `appell movie`, until it is installed")

if("libmicrohttpd" IN_LIST APPELL_HIDE)
  set(MICROHTTPD_FOUND FALSE)
else()
  pkg_check_modules(MICROHTTPD QUIET IMPORTED_TARGET libmicrohttpd)
endif()
if(NOT MICROHTTPD_FOUND)
  appell_left_out(libmicrohttpd "the live page of `appell run --live`")
endif()
