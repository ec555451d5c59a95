# SPDX-License-Identifier: Apache-2.0
# Papers done again (papers), linked by the command: their models, models/paper-*.yaml, are compiled in, and the rigid
# chain that the flexible paper compares with.
file(GLOB paper_models CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/models/paper-*.yaml)
list(APPEND paper_models ${PROJECT_SOURCE_DIR}/models/bouncing-chain.yaml)
set(paper_bytes ${PROJECT_BINARY_DIR}/paper_models.c)
add_custom_command(
  OUTPUT ${paper_bytes}
  COMMAND ${CMAKE_COMMAND} "-DMODELS=${paper_models}" -DOUT=${paper_bytes}
          -P ${PROJECT_SOURCE_DIR}/cmake/embed.cmake
  DEPENDS ${paper_models} ${PROJECT_SOURCE_DIR}/cmake/embed.cmake
  COMMENT "Embedding the models of the papers"
  VERBATIM)
file(GLOB papers CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/papers/*.c)
add_library(appell_papers OBJECT ${paper_bytes} ${papers})
target_include_directories(appell_papers PRIVATE ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
target_link_libraries(appell_papers PRIVATE appell_warnings)
