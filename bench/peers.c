/* SPDX-License-Identifier: Apache-2.0 */
/* peers.c: the one list of comparators. CMake defines BENCH_<NAME> for those that it found. */
#include "peer.h"

#include <stddef.h>

extern const peer_ops peer_pinocchio, peer_pinocchio_world, peer_rbdl, peer_mujoco, peer_kdl,
    peer_simbody;

const peer_ops* const peer_list[] = {
#ifdef BENCH_PINOCCHIO
    &peer_pinocchio,
    &peer_pinocchio_world,
#endif
#ifdef BENCH_RBDL
    &peer_rbdl,
#endif
#ifdef BENCH_MUJOCO
    &peer_mujoco,
#endif
#ifdef BENCH_KDL
    &peer_kdl,
#endif
#ifdef BENCH_SIMBODY
    &peer_simbody,
#endif
    NULL,
};
