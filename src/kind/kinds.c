/* SPDX-License-Identifier: Apache-2.0 */
/* kinds.c: the list of kinds of couplings, from APL_KINDS of system/kind.h. */
#include "kind/kinds.h"

#define APL_KIND_ENTRY(word) &apl_kind_##word,
const coupling_kind* const apl_kinds[NKIND] = {APL_KINDS(APL_KIND_ENTRY)};
#undef APL_KIND_ENTRY
