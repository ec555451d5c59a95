# SPDX-License-Identifier: Apache-2.0
# The models of the papers as C, so that `appell paper` works wherever it is installed:
#   cmake -DOUT=FILE.c "-DMODELS=a.yaml;b.yaml" -P embed.cmake
set(bytes "")
set(table "")
set(i 0)
foreach(model ${MODELS})
  get_filename_component(name ${model} NAME_WE)
  file(READ ${model} hex HEX)
  string(REGEX REPLACE "(................................)" "\\1\n" hex "${hex}")
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," hex "${hex}")
  string(APPEND bytes "static const unsigned char text${i}[] = {\n${hex}};\n")
  string(APPEND table "    {\"${name}\", text${i}, sizeof text${i}},\n")
  math(EXPR i "${i} + 1")
endforeach()
file(WRITE ${OUT} "/* written by cmake/embed.cmake */\n#include \"papers/rig.h\"\n\n${bytes}\n\
const rig_text apl_rig_models[] = {\n${table}    {NULL, NULL, 0},\n};\n")
