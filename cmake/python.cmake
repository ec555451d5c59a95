# SPDX-License-Identifier: Apache-2.0
# The Python package: cffi writes the C of appell._native, which is linked with the static library, and
# the package is put together in <build>/python: PYTHONPATH=build/release/python. The core never needs
# it. Not when sanitized: the interpreter would have to load the sanitizer first.
find_program(APPELL_PYTHON3 python3 PATHS /usr/bin NO_DEFAULT_PATH) # Debian's has cffi and numpy
if(NOT APPELL_PYTHON3)
  find_program(APPELL_PYTHON3 python3)
endif()
set(python_lacks 1)
if(APPELL_PYTHON3)
  execute_process(
    COMMAND ${APPELL_PYTHON3} -c "import cffi, numpy, os, sysconfig as s
include = s.get_path('include')
assert os.path.exists(os.path.join(include, 'Python.h'))
print(include, s.get_python_version(), sep=';', end='')"
    RESULT_VARIABLE python_lacks
    OUTPUT_VARIABLE python_facts
    ERROR_QUIET)
endif()
set(APPELL_PYTHON AUTO CACHE STRING "Build the Python package: ON, OFF, or AUTO (where it can be built)")
if(APPELL_PYTHON STREQUAL AUTO AND NOT python_lacks EQUAL 0)
  appell_left_out("python3-cffi, python3-dev or python3-numpy" "the Python package")
  return()
endif()
if(NOT APPELL_PYTHON OR APPELL_SANITIZE)
  return()
endif()
if(NOT python_lacks EQUAL 0)
  message(FATAL_ERROR "APPELL_PYTHON needs python3-cffi, python3-dev and python3-numpy for "
                      "'${APPELL_PYTHON3}'; install them or set it to OFF.")
endif()
list(GET python_facts 0 python_include)
list(GET python_facts 1 python_version)

set(python_source ${PROJECT_SOURCE_DIR}/python)
set(python_package ${PROJECT_BINARY_DIR}/python/appell)
set(python_c ${PROJECT_BINARY_DIR}/python-native.c)
add_custom_command(
  OUTPUT ${python_c}
  COMMAND ${APPELL_PYTHON3} ${python_source}/build_native.py ${python_source}/native.cdef ${python_c}
  DEPENDS ${python_source}/build_native.py ${python_source}/native.cdef
  COMMENT "Writing the C of the Python module"
  VERBATIM)
add_library(appell_native MODULE ${python_c})
# cffi keeps to the limited API: one module serves every Python from 3.9. One of an earlier build, made for
# a single Python, would be found first.
file(GLOB python_stale ${python_package}/_native.cpython-*)
if(python_stale)
  file(REMOVE ${python_stale})
endif()
set_target_properties(appell_native PROPERTIES PREFIX "" OUTPUT_NAME _native SUFFIX .abi3.so
                                               C_EXTENSIONS ON
                                               LIBRARY_OUTPUT_DIRECTORY ${python_package})
target_include_directories(appell_native SYSTEM PRIVATE ${python_include})
target_link_libraries(appell_native PRIVATE appell)
# a function of native.cdef that is not public would be called with guessed types
target_compile_options(appell_native PRIVATE -Werror=implicit-function-declaration)
target_link_options(appell_native PRIVATE -Wl,--exclude-libs,ALL)

file(GLOB python_files CONFIGURE_DEPENDS ${python_source}/appell/*.py
     ${python_source}/appell/*.pyi ${python_source}/appell/py.typed)
set(python_copies)
foreach(file ${python_files})
  get_filename_component(name ${file} NAME)
  add_custom_command(
    OUTPUT ${python_package}/${name}
    COMMAND ${CMAKE_COMMAND} -E copy ${file} ${python_package}/${name}
    DEPENDS ${file}
    VERBATIM)
  list(APPEND python_copies ${python_package}/${name})
endforeach()
add_custom_target(appell_python ALL DEPENDS ${python_copies})
add_dependencies(appell_python appell_native)

set(APPELL_PYTHON_HOME lib/python${python_version}/dist-packages
    CACHE STRING "where the Python package is installed, below the prefix")
set(python_home ${APPELL_PYTHON_HOME}/appell)
install(TARGETS appell_native LIBRARY DESTINATION ${python_home})
install(FILES ${python_files} DESTINATION ${python_home})
