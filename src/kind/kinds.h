/* kinds.h: the tables of all kinds, each at the foot of its file, and what kinds share. */
#pragma once

#include "system/system_impl.h"

#define APL_KIND_TABLE(word) extern const coupling_kind apl_kind_##word;
APL_KINDS(APL_KIND_TABLE)
#undef APL_KIND_TABLE
