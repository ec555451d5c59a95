/* SPDX-License-Identifier: Apache-2.0 */
/* page_none.c: stands in for the replay page in builds without npm. */
#include "show/page.h"

const unsigned char apl_viewer_page[] = {0};
const size_t apl_viewer_page_size = 0;
