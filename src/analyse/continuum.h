/* continuum.h: the parts of the continuum paper, each a group of rows and its figures. */
#pragma once

#include "analyse/paper.h"

apl_status continuum_coefficients(apl_paper* paper, apl_error* err); /* continuum_taylor.c */
apl_status continuum_taylor(apl_paper* paper, apl_error* err);
apl_status continuum_table(apl_paper* paper, apl_error* err);       /* continuum_table.c  */
apl_status continuum_frequencies(apl_paper* paper, apl_error* err); /* continuum_chain.c  */
apl_status continuum_elastica(apl_paper* paper, apl_error* err);
apl_status continuum_release(apl_paper* paper, apl_error* err);
apl_status continuum_experiment(apl_paper* paper, apl_error* err); /* continuum_rod.c    */
