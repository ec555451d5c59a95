/* SPDX-License-Identifier: Apache-2.0 */
/* pack.c: the state of a system as the vector y, and back; what is remembered beside y.

     y = [q, v, bristles, sums of servos, angles of satellites, impulses of contacts, ledger] */
#include "system/system_impl.h"

#include "dynamics/passes.h"
#include "system/system.h"

#include <string.h>

/* How many numbers stand between the sums of servos and the ledger: angles and impulses. */
static int middle(const apl_system* s) {
  return s->nsat + s->npair;
}

int apl_system_ledger_at(const apl_system* s) {
  return s->nq + s->nv + s->nz + middle(s);
}

int apl_system_size(const apl_system* s) {
  return apl_system_ledger_at(s) + NLEDGER;
}

int apl_system_error_size(const apl_system* s) {
  return s->nq + s->nv + s->nz;
}

int apl_system_active_size(const apl_system* s) {
  return apl_system_ledger_at(s) + s->ledger.nactive;
}

/* The bristles of all contacts that have them follow each other in y. */
static void save_bristles(apl_system* s, double* y) {
  for (int i = 0; i < s->npair; ++i) {
    if (!s->model->pair[i].bristles) continue;
    memcpy(y, apl_state_contact(s->state, i)->z, 2 * sizeof *y);
    y += 2;
  }
}
static void load_bristles(apl_system* s, const double* y) {
  for (int i = 0; i < s->npair; ++i) {
    if (!s->model->pair[i].bristles) continue;
    memcpy(apl_state_contact(s->state, i)->z, y, 2 * sizeof *y);
    y += 2;
  }
}
void apl_system_pack(apl_system* s, double* y) {
  double *z = y + s->nq + s->nv, *ledger = y + apl_system_ledger_at(s);

  memcpy(y, apl_q(s->state), sizeof *y * (size_t)s->nq);
  memcpy(y + s->nq, apl_v(s->state), sizeof *y * (size_t)s->nv);
  save_bristles(s, z);
  for (int i = 0; i < s->drives.nintegral; ++i)
    z[s->nz - s->drives.nintegral + i] = *apl_system_sum(s, i);
  memcpy(z + s->nz, s->along.angle, sizeof *y * (size_t)middle(s));
  for (int i = 0; i < NLEDGER; ++i)
    ledger[i] = s->ledger.account[s->ledger.order[i]];
}

void apl_system_restore(apl_system* s, double t, const double* y) {
  const double* ledger = y + apl_system_ledger_at(s);

  for (int i = 0; i < NLEDGER; ++i)
    s->ledger.account[s->ledger.order[i]] = ledger[i];
  apl_system_unpack(s, t, y);
}

void apl_system_place(apl_system* s, double t, const double* y) {
  const double* z = y + s->nq + s->nv;

  memcpy(apl_q(s->state), y, sizeof *y * (size_t)s->nq);
  memcpy(apl_v(s->state), y + s->nq, sizeof *y * (size_t)s->nv);
  if (s->nz > 0) load_bristles(s, z);
  for (int i = 0; i < s->drives.nintegral; ++i)
    *apl_system_sum(s, i) = z[s->nz - s->drives.nintegral + i];
  apl_system_drive(s, t);
}

void apl_system_unpack_along(apl_system* s, const double* y) {
  const double *z = y + s->nq + s->nv, *ledger = y + apl_system_ledger_at(s);

  if (middle(s) > 0) memcpy(s->along.angle, z + s->nz, sizeof *y * (size_t)middle(s));
  for (int i = 0; i < s->ledger.nactive; ++i)
    s->ledger.account[s->ledger.order[i]] = ledger[i];
}

void apl_system_unpack(apl_system* s, double t, const double* y) {
  apl_system_unpack_along(s, y);
  apl_system_place(s, t, y);
}

/* ---------------------------------------------------------------------------------- memory ---- */

/* The memories of all kinds of couplings follow each other. */
int apl_system_memory_size(const apl_system* s) {
  int n = 0;

  for (int i = 0; i < s->kinds.n; ++i) {
    const coupling_kind* kind = apl_kinds[s->kinds.list[i]];
    if (kind->memory_size != NULL) n += kind->memory_size(s);
  }
  return n;
}

void apl_system_memories(apl_system* s, apl_store* memory) {
  if (memory->out == NULL) s->revision += 1;
  for (int i = 0; i < s->kinds.n; ++i) {
    const coupling_kind* kind = apl_kinds[s->kinds.list[i]];
    if (kind->memory_size == NULL) continue;
    apl_store part = apl_store_part(memory, kind->memory_size(s));
    kind->memory(s, &part);
    apl_store_join(memory, &part);
  }
}
