/* SPDX-License-Identifier: Apache-2.0 */
/* words.c: the words and titles of the kinds of joints and bodies. */
#include "spec/words.h"

#include "spec/spec_impl.h"

#include <string.h>

static int count_joints(void) {
  int n = 0;
  while (apl_joint_kinds[n] != NULL)
    ++n;
  return n;
}

static int count_bodies(void) {
  int n = 0;
  while (apl_body_kinds[n] != NULL)
    ++n;
  return n;
}

const char* apl_joint_word(int i) {
  return i >= 0 && i < count_joints() ? apl_joint_kinds[i]->word : NULL;
}

const char* apl_joint_title(int i) {
  return i >= 0 && i < count_joints() ? apl_joint_kinds[i]->title : NULL;
}

const char* apl_body_word(int i) {
  return i >= 0 && i < count_bodies() ? apl_body_kinds[i]->word : NULL;
}

const char* apl_body_title(int i) {
  return i >= 0 && i < count_bodies() ? apl_body_kinds[i]->title : NULL;
}

int apl_joint_find(const char* word) {
  for (int i = 0; apl_joint_kinds[i] != NULL; ++i) {
    if (strcmp(apl_joint_kinds[i]->word, word) == 0) return i;
  }
  return -1;
}

int apl_body_find(const char* word) {
  for (int i = 0; apl_body_kinds[i] != NULL; ++i) {
    if (strcmp(apl_body_kinds[i]->word, word) == 0) return i;
  }
  return -1;
}
