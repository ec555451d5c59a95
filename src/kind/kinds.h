/* SPDX-License-Identifier: Apache-2.0 */
/* kinds.h: the tables of all coupling kinds, each defined at the end of its file, and helpers that
   kinds share. */
#pragma once

#include "system/system_impl.h"

#define APL_KIND_TABLE(word) extern const coupling_kind apl_kind_##word;
APL_KINDS(APL_KIND_TABLE)
#undef APL_KIND_TABLE
