/* SPDX-License-Identifier: Apache-2.0 */
/* quantity.h: a number with an optional unit: "5 mm", "200 GPa", "0.1 N m", "9.81 m/s^2";
   also "0.1 Nm", "0.1 N·m", "3 m²", "30°", "300 g cm2". */
#pragma once

#include "base/error.h"

#include <stdbool.h>

/* Read `text` as a quantity of the SI unit `unit` ("kg m^2"; "1" for plain numbers) and give it in
   that unit. A number without a unit is in it already. On failure err has one sentence. */
apl_status apl_quantity_read(const char* text, const char* unit, double* out, apl_error* err);

/* True if the text begins like a number. Distinguishes "5 mm" from a word. */
bool apl_quantity_looks(const char* text);
