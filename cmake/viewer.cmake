# SPDX-License-Identifier: Apache-2.0
# The replay page: viewer/ is bundled by npm into one HTML file and compiled in as bytes. Without npm,
# or when npm cannot reach its registry, the library builds all the same and apl_page_write says so.
find_package(Python3 COMPONENTS Interpreter)
set(APPELL_VIEWER AUTO CACHE STRING "Build the replay page with npm: ON, OFF, or AUTO (where npm is found)")
if(APPELL_VIEWER STREQUAL AUTO)
  if(APPELL_NPM AND Python3_FOUND)
    set(APPELL_VIEWER ON)
  else()
    set(APPELL_VIEWER OFF)
  endif()
endif()

set(viewer_dir ${PROJECT_BINARY_DIR}/viewer)
set(viewer_page ${viewer_dir}/dist/viewer.html)
set(viewer_bytes ${PROJECT_SOURCE_DIR}/src/show/page_none.c)
if(APPELL_VIEWER)
  if(NOT (APPELL_NPM AND Python3_FOUND))
    message(FATAL_ERROR "APPELL_VIEWER needs npm and python3; install them or set it to OFF.")
  endif()
  set(viewer_bytes ${viewer_dir}/page_bytes.c)
  file(GLOB viewer_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/viewer/src/*
       ${PROJECT_SOURCE_DIR}/viewer/*.js ${PROJECT_SOURCE_DIR}/viewer/*.json
       ${PROJECT_SOURCE_DIR}/viewer/*.html ${PROJECT_SOURCE_DIR}/viewer/.npmrc)
  add_custom_command(
    OUTPUT ${viewer_bytes}
    COMMAND Python3::Interpreter ${PROJECT_SOURCE_DIR}/tools/build_viewer.py
            --npm ${APPELL_NPM} ${PROJECT_SOURCE_DIR}/viewer ${viewer_dir}
    DEPENDS ${PROJECT_SOURCE_DIR}/tools/build_viewer.py ${viewer_sources}
    COMMENT "Bundling the replay page"
    VERBATIM)
endif()

add_library(appell_viewer OBJECT src/show/page.c ${viewer_bytes})
target_include_directories(appell_viewer PRIVATE include src)
target_link_libraries(appell_viewer PRIVATE appell_warnings)
target_sources(appell PRIVATE $<TARGET_OBJECTS:appell_viewer>)
