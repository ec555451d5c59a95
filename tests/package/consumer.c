/* The smallest user of an installed Appell: prints the version of the library. */
#include <appell/appell.h>

#include <stdio.h>

int main(void) {
  return puts(apl_version()) < 0;
}
