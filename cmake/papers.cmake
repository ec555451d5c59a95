# Papers done again (src/analyse): their models, models/paper-*.yaml, are compiled in, and the rigid
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
target_sources(appell PRIVATE
  ${paper_bytes} src/analyse/cantilever.c src/analyse/continuum.c src/analyse/continuum_chain.c
  src/analyse/continuum_coefficients.c src/analyse/continuum_rod.c src/analyse/continuum_steps.c
  src/analyse/continuum_table.c src/analyse/continuum_taylor.c src/analyse/flexible.c src/analyse/flexible_chain.c
  src/analyse/flexible_energy.c src/analyse/flexible_forces.c src/analyse/flexible_impacts.c
  src/analyse/flexible_modes.c src/analyse/flexible_motion.c src/analyse/mobile.c src/analyse/ode45.c src/analyse/paper.c src/analyse/parallel.c src/analyse/parallel_denoc.c
  src/analyse/parallel_reactions.c src/analyse/parallel_steps.c
  src/analyse/rig.c src/analyse/small_motion.c)
