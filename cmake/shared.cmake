# SPDX-License-Identifier: Apache-2.0
# The shared library, from the objects of the static one: every file is compiled once. Its soname changes with
# each minor version as long as the major one is 0: docs/deprecation.md. Users get appell::appell (shared) or
# appell::static; the command, the tests and Python link the static one.
get_target_property(appell_parts appell SOURCES) # object libraries among them: $<TARGET_OBJECTS:appell_hot_..>
list(FILTER appell_parts INCLUDE REGEX "TARGET_OBJECTS")
add_library(appell_shared SHARED $<TARGET_OBJECTS:appell> ${appell_parts})
add_library(appell::appell ALIAS appell_shared)
set_target_properties(appell_shared PROPERTIES OUTPUT_NAME appell EXPORT_NAME appell VERSION ${PROJECT_VERSION}
                      SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
target_include_directories(appell_shared INTERFACE $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
                                                   $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
target_link_libraries(appell_shared PRIVATE PkgConfig::YAML PkgConfig::XML PkgConfig::JANSSON PkgConfig::APPELL_HDF5
                                            ${APPELL_SUNDIALS} ${APPELL_LAPACK} m)
target_link_options(appell_shared PRIVATE LINKER:--as-needed LINKER:--no-undefined)
