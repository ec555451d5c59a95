/* systems.h: models and systems that a test cannot do without: it fails with the sentence. */
#pragma once

#include <appell/appell.h>

/* Frees the spec. */
apl_model* systems_model(apl_spec* spec);
apl_system* systems_new(const apl_model* model);
