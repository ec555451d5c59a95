/* SPDX-License-Identifier: Apache-2.0 */
/* The smallest user of an installed Appell: prints the version of the library. Asking for a result
   that does not exist makes sure that what the library itself depends on is linked. */
#include <appell/appell.h>

#include <stdio.h>

int main(void) {
  apl_result* res;

  if (apl_result_open("/nowhere.h5", &res, NULL) != APL_ERR_IO) return 1;
  return puts(apl_version()) < 0;
}
