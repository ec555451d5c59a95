# The command `appell`. It links the archives of HDF5, SUNDIALS, LAPACK, libyaml and jansson where the machine has
# them (Debian does): with their shared libraries, `appell --version` maps 54 of them, most for the network access
# of HDF5, which nobody uses. Elsewhere it links what the library links. docs/decisions/081-command-links-archives.md
file(GLOB cli CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/cli/*.c)
# the server of `run --live`; without its library the command says so
find_package(Threads REQUIRED)
if(MICROHTTPD_FOUND)
  list(FILTER cli EXCLUDE REGEX "/live_server_none\\.c$")
else()
  list(FILTER cli EXCLUDE REGEX "/live_server\\.c$")
endif()
add_executable(appell_command ${cli})
set_target_properties(appell_command PROPERTIES OUTPUT_NAME appell)
target_include_directories(appell_command PRIVATE ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/src
                                                  ${PROJECT_SOURCE_DIR}/include)
target_link_options(appell_command PRIVATE LINKER:--as-needed)
target_link_libraries(appell_command PRIVATE appell_papers appell_warnings Threads::Threads)
if(MICROHTTPD_FOUND)
  target_link_libraries(appell_command PRIVATE PkgConfig::MICROHTTPD)
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
if(APPELL_ARCHIVES AND NOT command_lacks AND NOT APPELL_SANITIZE)
  add_dependencies(appell_command appell)
  set_property(TARGET appell_command APPEND PROPERTY LINK_DEPENDS $<TARGET_FILE:appell>)
  target_link_libraries(appell_command PRIVATE $<TARGET_FILE:appell> ${command_archives} PkgConfig::XML m)
else()
  target_link_libraries(appell_command PRIVATE appell PkgConfig::JANSSON m)
endif()
