# SPDX-License-Identifier: Apache-2.0
# The command `appell`. It links the archives of HDF5, SUNDIALS, LAPACK, libyaml and jansson where the machine has
# them (Debian does): with their shared libraries, `appell --version` maps 54 of them, most for the network access
# of HDF5, which nobody uses. Elsewhere it links what the library links. docs/decisions/081-command-links-archives.md
file(GLOB cli CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/cli/*.c)
# the server of `run --live`; without its library the command says so
find_package(Threads REQUIRED)
if(MICROHTTPD_FOUND)
  list(FILTER cli EXCLUDE REGEX "/live_server_none\\.c$")
else()
  list(FILTER cli EXCLUDE REGEX "/live_(server|http)\\.c$")
endif()
add_executable(appell_command ${cli})
set_target_properties(appell_command PROPERTIES OUTPUT_NAME appell)
target_include_directories(appell_command PRIVATE ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/src
                                                  ${PROJECT_SOURCE_DIR}/include)
target_link_options(appell_command PRIVATE LINKER:--as-needed)
target_link_libraries(appell_command PRIVATE appell_papers appell_warnings Threads::Threads)
if(MICROHTTPD_FOUND) # loaded by `run --live` (cli/live_http.c), by its soname
  # words of readelf are those of the locale
  execute_process(COMMAND ${CMAKE_COMMAND} -E env LC_ALL=C ${CMAKE_READELF} -d ${MICROHTTPD_LINK_LIBRARIES}
                  OUTPUT_VARIABLE facts ERROR_QUIET)
  if(NOT facts MATCHES "soname: .(libmicrohttpd[^]]+)")
    set(CMAKE_MATCH_1 libmicrohttpd.so)
  endif()
  target_compile_definitions(appell_command PRIVATE APPELL_MICROHTTPD="${CMAKE_MATCH_1}")
  target_include_directories(appell_command SYSTEM PRIVATE ${MICROHTTPD_INCLUDE_DIRS})
  target_link_libraries(appell_command PRIVATE ${CMAKE_DL_LIBS})
endif()

# in the order of linking; names of Debian
set(command_archives)
set(command_lacks)
foreach(name jansson yaml hdf5_serial sz aec z ${APPELL_SUNDIALS} ${APPELL_LAPACK})
  find_library(command_${name} NAMES lib${name}.a)
  mark_as_advanced(command_${name})
  list(APPEND command_archives ${command_${name}})
  if(NOT command_${name})
    list(APPEND command_lacks ${name})
  endif()
endforeach()
# the runtime of Fortran, for LAPACK
foreach(name gfortran quadmath)
  execute_process(COMMAND ${CMAKE_C_COMPILER} -print-file-name=lib${name}.a OUTPUT_VARIABLE file
                  OUTPUT_STRIP_TRAILING_WHITESPACE)
  if(NOT IS_ABSOLUTE "${file}")
    list(APPEND command_lacks ${name})
  endif()
  list(APPEND command_archives ${file})
endforeach()
option(APPELL_ARCHIVES "Link the command with archives of HDF5, SUNDIALS, LAPACK, libyaml, jansson where they are" ON)
# archives may belong to other headers than those that were found (conda brings an HDF5 of its own): the command links
# them only if a program that does so builds and finds the version of the headers in the archive
set(command_archives_fit FALSE)
if(APPELL_ARCHIVES AND NOT command_lacks AND NOT APPELL_SANITIZE)
  file(WRITE ${CMAKE_BINARY_DIR}/archives_fit.c [=[
#include <hdf5.h>
#include <jansson.h>

int main(void) {
  unsigned a, b, c;
  json_decref(json_object());
  return H5get_libversion(&a, &b, &c) < 0 || a != H5_VERS_MAJOR || b != H5_VERS_MINOR || c != H5_VERS_RELEASE;
}
]=])
  set(command_headers "-DINCLUDE_DIRECTORIES=${APPELL_HDF5_INCLUDE_DIRS};${JANSSON_INCLUDE_DIRS}")
  if(CMAKE_CROSSCOMPILING)
    try_compile(command_archives_fit ${CMAKE_BINARY_DIR}/archives_fit ${CMAKE_BINARY_DIR}/archives_fit.c
      CMAKE_FLAGS "${command_headers}" LINK_LIBRARIES ${command_archives} ${CMAKE_DL_LIBS} Threads::Threads m)
  else()
    try_run(command_archives_result command_archives_build ${CMAKE_BINARY_DIR}/archives_fit
      ${CMAKE_BINARY_DIR}/archives_fit.c CMAKE_FLAGS "${command_headers}"
      LINK_LIBRARIES ${command_archives} ${CMAKE_DL_LIBS} Threads::Threads m)
    if(command_archives_build AND command_archives_result EQUAL 0)
      set(command_archives_fit TRUE)
    endif()
  endif()
  if(NOT command_archives_fit)
    message(STATUS "the command links shared libraries: the archives that were found do not fit the headers")
  endif()
endif()
if(command_archives_fit)
  add_dependencies(appell_command appell)
  set_property(TARGET appell_command APPEND PROPERTY LINK_DEPENDS $<TARGET_FILE:appell>)
  target_link_libraries(appell_command PRIVATE $<TARGET_FILE:appell> ${command_archives} PkgConfig::XML m)
else()
  target_link_libraries(appell_command PRIVATE appell PkgConfig::JANSSON m)
endif()
