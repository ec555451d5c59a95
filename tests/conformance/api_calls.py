#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""api_calls.py OUT.c: a test for every public function, called with wrong arguments, for test_api.c.

The functions are read from include/appell/*.h, so none can be forgotten. The table below gives each argument a right
value and wrong ones; an argument without a row is an error. One test calls its function with right values, and then
with each wrong value, the other arguments being right.
"""
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))
import check_api  # noqa: E402  (it knows how public functions look)

DECLARATION = re.compile(r"APL_API\s+([\w \t*]*?[ \t*])(apl_\w+)\s*\(([^;]*?)\)\s*;", re.DOTALL)


class Row:
    """Values of an argument as C expressions. `wrong` must be refused, `may` must be accepted, `hard` may be either:
    what is checked there is that nothing is read or written where it should not be."""

    def __init__(self, right, wrong=(), may=(), hard=()):
        self.right, self.wrong, self.may, self.hard = right, wrong, may, hard


INDEX = ("-1", "1000", "INT_MAX", "INT_MIN")
NO = ("NULL",)
ROOM = Row("room", NO)  # memory for results
MAYBE = Row("room", may=NO)  # the same, where NULL is documented
WORDS = ("NULL", '""')
NUMBERS = ("NEAR_NAN", "NEAR_INFINITY", "-1e300")

# the key is "function.argument", else "type argument", else "type"
TABLE = {
    # objects
    "const apl_model* model": Row("the.model", NO),
    "const apl_model* variant": Row("the.model", NO),
    "apl_model* model": Row("own_model()", may=NO),
    "const apl_file* file": Row("the.file", NO),
    "apl_recorder_new.file": Row("the.file", may=NO),
    "apl_file* file": Row("own_file()", may=NO),
    "apl_spec* spec": Row("take_spec()", NO),
    "const apl_spec* spec": Row("take_spec()", NO),
    "apl_spec_free.spec": Row("own_spec()", may=NO),
    "apl_state* state": Row("take_state(APL_SCALAR)", NO),
    "const apl_state* state": Row("take_state(APL_LANES)", NO),
    "apl_lane_parameters.state": Row("take_state(APL_LANES)", ("NULL", "take_state(APL_SCALAR)")),
    "apl_contact_get.state": Row("take_state(APL_LANES)", NO),
    "apl_state_free.state": Row("own_state()", may=NO),
    "apl_system* system": Row("take_system()", NO),
    "const apl_system* system": Row("take_system()", NO),
    "apl_system_free.system": Row("own_system()", may=NO),
    "apl_signal* signal": Row("own_signal()", may=NO),
    "apl_system_motion.signal": Row("own_signal()", NO),
    "const apl_signal* signal": Row("take_signal()", NO),
    "apl_signal* const* part": Row("own_parts()", ("NULL", "hollow_parts()")),
    "apl_derivatives* room": Row("take_derivatives()", NO),
    "apl_derivatives_free.room": Row("own_derivatives()", may=NO),
    "apl_closing* closing": Row("take_closing()", NO),
    "apl_closing_free.closing": Row("own_closing()", may=NO),
    "apl_linear_system* linear": Row("own_linear()", may=NO),
    "apl_modes* modes": Row("own_modes()", may=NO),
    "const apl_modes* modes": Row("take_modes()", NO),
    "apl_recorder* recorder": Row("take_recorder(false)", NO),
    "const apl_recorder* recorder": Row("take_recorder(true)", NO),
    "apl_recorder_free.recorder": Row("own_recorder()", may=NO),
    "apl_result* res": Row("the.result", NO),
    "const apl_result* res": Row("the.result", NO),
    "apl_result_free.res": Row("own_result()", may=NO),

    # what may be told and asked
    "apl_error* err": Row("&err", may=NO),
    "apl_report* report": Row("&report", may=NO),
    "apl_run_report* report": Row("&(apl_run_report){0}", may=NO),
    "apl_actuation* report": Row("&(apl_actuation){0}", may=NO),
    "apl_assembly* report": Row("&(apl_assembly){0}", may=NO),
    "apl_equilibrium_report* report": Row("&(apl_equilibrium_report){0}", may=NO),
    "const apl_equilibrium_options* options": Row("&the.equilibrium", ("&(apl_equilibrium_options){0}",), may=NO),
    "const apl_modes_options* options": Row("&the.modes", may=NO, hard=("&(apl_modes_options){.exact = -1}",)),
    "const apl_load_options* options": Row("&the.load", (
        "&(apl_load_options){.max_bytes = 1 << 20, .max_depth = 64, .nset = 1}",
        "&(apl_load_options){.max_bytes = 1 << 20, .max_depth = 64, .set = &no_word, .nset = 1}",
        "&(apl_load_options){.max_bytes = 1 << 20, .max_depth = 64, .nset = -1}"), may=NO),
    "const apl_linearize_options* options": Row("&(apl_linearize_options){0}", (
        "&(apl_linearize_options){.output = &no_word, .noutput = 1}", "&(apl_linearize_options){.input = &no_word, .ninput = 1}",
        "&(apl_linearize_options){.output = &no_word, .noutput = -1}", "&(apl_linearize_options){.input = &no_word, .ninput = -1}"),
        may=NO),
    "const apl_run_options* options": Row("&the.run", ("NULL", "&(apl_run_options){0}", "bad_run(NULL, 0)",
                                                       'bad_run("none", 0)', 'bad_run("auto", 1)', 'bad_run("auto", -1)')),
    "const apl_run_options* run": Row("&the.run", NO, hard=("bad_run(NULL, 0)", 'bad_run("auto", 1)', 'bad_run("auto", -1)')),
    "const apl_recorder_options* options": Row("&(apl_recorder_options){0}", (
        "NULL", "&(apl_recorder_options){.nrecord = 1}", "&(apl_recorder_options){.record = &no_word, .nrecord = 1}",
        "&(apl_recorder_options){.record = &no_word, .nrecord = -1}", '&(apl_recorder_options){.resume = "/no/such"}')),
    "const apl_closure* closure": Row('&(apl_closure){.from = "arm.tip", .to = "world", .type = "point", .at = {.rotation = {1, 0, 0, 0}}, .axis = {0, 0, 1}, .cross = {1, 0, 0}}',
                                      ("NULL", "&(apl_closure){0}", '&(apl_closure){.from = "arm.tip", .type = "none"}')),
    "const apl_surface* ground": Row("&the.surface", ("NULL", "&(apl_surface){0}", "&(apl_surface){.normal = {0, 0, 1}}")),

    # results that are objects: the object is freed where it was made
    **{f"apl_{x}** out": Row("&made", NO) for x in (
        "closing", "derivatives", "file", "linear_system", "model", "modes", "recorder", "result", "signal", "spec",
        "state", "system")},
    "apl_contact* out": ROOM, "apl_footing_forces* out": ROOM, "apl_beam_shape* out": ROOM,
    "apl_beam_section* section": ROOM, "void* memory": Row("room", ("NULL", "(char*)room + 8")),

    # arrays of numbers
    "double*": ROOM, "const double*": Row("zeros", NO), "const int*": Row("none", may=NO),
    **{f"apl_{way}_derivatives.{x}": MAYBE for way in ("inverse", "forward") for x in ("dq", "dv", "du")},
    "apl_forward_derivatives.dtau": MAYBE,
    "apl_tendons.length": MAYBE, "apl_tendons.tension": MAYBE, "apl_modes_shape.real": MAYBE, "apl_modes_shape.imag": MAYBE,
    "apl_port_motion.twist": MAYBE, "apl_port_motion.acceleration": MAYBE,
    "double y[3]": ROOM, "apl_signal_points.t": Row("rising", NO), "const double* value": Row("ones", ("NULL", "not_finite")),

    # indices, counts and choices
    "int": Row("0", INDEX),
    "apl_spec_beam_shape.link": Row("1", ("0", *INDEX)),
    "int lane": Row("0", ("-1", "4", "INT_MAX")),
    "apl_spec_tendon_along.discs": Row("0", ("-1", "INT_MIN"), hard=("INT_MAX",)),
    "apl_result_read.first": Row("0", ("-1", "3", "INT_MAX", "INT_MIN")),
    "apl_result_read.count": Row("1", ("-1", "1000", "INT_MAX", "INT_MIN"), may=("0",)),
    "apl_spec_beam_shape.n": Row("2", ("-1", "INT_MIN"), may=("0",)),
    "apl_results_page.n": Row("1", ("-1", "0", "INT_MIN")),
    "apl_signal_points.n": Row("2", ("-1", "0", "INT_MIN")),
    "apl_signal_sum.n": Row("2", ("-1", "INT_MIN"), hard=("0",)),
    "apl_spec_put.n": Row("1", ("-1", "0", "1000", "INT_MIN")),
    "apl_kind kind": Row("APL_COORDINATES", ("(apl_kind)-1", "(apl_kind)1000")),
    "apl_axes axes": Row("APL_WORLD_AXES", hard=("(apl_axes)-1", "(apl_axes)1000")),
    "apl_number number": Row("APL_SCALAR", ("(apl_number)-1", "(apl_number)1000")),
    "apl_mode_kind kind": Row("APL_MODE_RIGID", ("(apl_mode_kind)-1", "(apl_mode_kind)1000")),
    "apl_status status": Row("APL_OK", hard=("(apl_status)-1", "(apl_status)1000")),
    "apl_result_word word": Row("APL_RESULT_NAME", ("(apl_result_word)-1", "(apl_result_word)1000")),
    "unsigned how": Row("APL_READY", hard=("0", "~0u")),
    "bool": Row("true", may=("false",)),
    "apl_file_parse.size": Row("strlen(FILE_TEXT)", ("0",)),
    "apl_state_place.size": Row("ROOM_SIZE", ("0", "64")),

    # words
    "const char*": Row('"arm"', NO),
    "apl_spec_link.name": Row('"new"', WORDS), "apl_spec_link.on": Row('"arm"', may=(), hard=WORDS),
    "apl_spec_link.joint": Row('"revolute"', WORDS), "apl_spec_link.body": Row('"rigid"', WORDS),
    "apl_spec_port.name": Row('"new"', WORDS), "apl_spec_rotor.name": Row('"new"', WORDS),
    "apl_spec_tendon.name": Row('"new"', WORDS), "apl_spec_ground.name": Row('"new"', WORDS),
    "apl_spec_input.name": Row('"new"', WORDS), "apl_spec_input.target": Row('"arm.joint.angle"', NO, hard=('""',)),
    "apl_spec_contact.port": Row('"arm.tip"', NO, hard=('""',)), "apl_spec_contact.ground": Row('"floor"', may=WORDS),
    "apl_spec_tendon_port.port": Row('"arm.tip"', WORDS), "apl_spec_tendon_along.link": Row('"beam"', WORDS),
    "apl_spec_word.path": Row('"body.directions"', WORDS), "apl_spec_word.words": Row('"bend-x"', NO),
    "apl_spec_word.link": Row("1", INDEX),
    "apl_spec_put.path": Row('"body.mass"', WORDS), "apl_spec_number.path": Row('"body.mass"', WORDS),
    "apl_spec_vec3.path": Row('"body.com"', WORDS),
    "apl_file_load.path": Row("the.path", WORDS), "apl_file_parse.text": Row("FILE_TEXT", NO),
    "apl_result_open.path": Row("the.saved", WORDS), "apl_recorder_save.path": Row("the.other", WORDS),
    "apl_results_page.path": Row("the.page", WORDS), "const char* const* result": Row("&the.saved", ("NULL", "&no_word")),
    "apl_signal_expression.formula": Row('"2 * t"', WORDS), "apl_signal_points.shape": Row('"linear"', WORDS),
    "apl_system_stop.sentence": Row('"enough"', may=NO),

    # numbers and small values: which of them make sense is the business of other tests
    "double": Row("0.5", hard=NUMBERS),
    "apl_spec_tendon_along.from": Row("0.25", hard=NUMBERS), "apl_spec_tendon_along.to": Row("0.75", hard=NUMBERS),
    "apl_pose at": Row("apl_pose_identity()", hard=("(apl_pose){0}", "(apl_pose){{NEAR_NAN, 0, 0}, {1, 0, 0, 0}}")),
    "apl_vec3": Row("(apl_vec3){0, 0, 1}", hard=("(apl_vec3){0}", "(apl_vec3){NEAR_NAN, 0, 0}")),
    "apl_wrench wrench": Row("(apl_wrench){0}"),
}

# functions whose right call depends on what was built (a page), or which only return what they are told
OPEN = ("apl_results_page",)
USED = set()  # keys of the table that some argument has
# what is left when a call has not taken it
AFTER = {"apl_signal_sum": "if (st != APL_OK || a_n == 0) free_parts();"}


def functions():
    """[(return type, name, [(type, argument)])] of every public function."""
    out = []
    for header in sorted((ROOT / "include/appell").glob("*.h")):
        text = check_api.COMMENT.sub(" ", header.read_text(encoding="utf-8"))
        for kind, name, words in DECLARATION.findall(text):
            arguments = []
            for word in words.split(","):
                word = " ".join(word.split())
                if word == "void":
                    continue
                found = re.fullmatch(r"(.*?[ *])(\w+)(\[\d+\])?", word)
                arguments.append((found[1].strip() + ("*" if found[3] else ""), found[2], word))
            out.append((" ".join(kind.split()), name, arguments))
    return out


def row_of(function, argument):
    kind, name, word = argument
    for key in (f"{function}.{name}", word, kind):
        if key in TABLE:
            USED.add(key)
            return TABLE[key]
    sys.exit(f"api_calls.py: the table has no values for `{word}` of {function}()")


def test_of(kind, name, arguments):
    """The text of one test."""
    rows = [row_of(name, a) for a in arguments]
    cases = [("right", -1, "")]
    for i, row in enumerate(rows):
        cases += [(what, i, value) for what in ("wrong", "may", "hard") for value in getattr(row, what)]
    lines = [f"static void call_{name}(void** unused) {{", "  (void)unused;", f"  for (int k = 0; k < {len(cases)}; ++k) {{"]
    texts = ['"with right values"' if i < 0 else f'"{arguments[i][1]} = " {c_text(value)}' for _, i, value in cases]
    lines.append(f"    static const char* const text[] = {{{', '.join(texts)}}};")
    lines.append(f"    static const char what[] = \"{''.join(what[0] for what, _, _ in cases)}\";")
    lines.append("    (void)what;")
    lines.append(f'    near_context("{name}() %s", text[k]);')
    made = next((t[:-2] for t, n, _ in arguments if t.endswith("**") and not t.startswith("const")), None)
    if made:
        lines.append(f"    {made}* made = NULL;")
    for i, (argument, row) in enumerate(zip(arguments, rows)):
        value = row.right
        for k, (_, at, wrong) in reversed(list(enumerate(cases))):
            if at == i:
                value = f"k == {k} ? {wrong} : {value}"
        lines.append(f"    {argument[0]} a_{argument[1]} = {value};")
    call = f"{name}({', '.join('a_' + n for _, n, _ in arguments)})"
    lines.append(f"    {call};" if kind == "void" else f"    {kind} st = {call};")
    names = [n for _, n, _ in arguments]
    open_call = "true" if name in OPEN else "false"
    if kind == "apl_status":
        told = "a_err == NULL ? NULL : &err" if "err" in names else "NULL"
        report = "a_report" if ("apl_report*", "report") in [(t, n) for t, n, _ in arguments] else "NULL"
        lines.append(f"    check_status(what[k], {open_call}, st, {told}, {report});")
        if made:
            lines.append("    CHECK_TRUE(st == APL_OK || made == NULL, \"it failed, and left an object\");")
    elif ("apl_spec*", "spec") in [(t, n) for t, n, _ in arguments] and name != "apl_spec_free":
        lines.append("    check_spec(what[k], a_spec);")
        if kind != "void":
            lines.append("    CHECK_TRUE(what[k] != 'w' || st == -1, \"its value is %d\", st);")
    elif kind == "const char*":
        lines.append("    CHECK_TRUE(what[k] != 'w' || st == NULL || st[0] == '\\0' , \"its value is '%s'\", st);")
    elif kind == "int":
        lines.append("    CHECK_TRUE(what[k] != 'w' || st == 0 || st == -1, \"its value is %d\", st);")
    elif kind == "const apl_error*":
        lines.append("    CHECK_TRUE(st != NULL, \"there is no error\");")
    elif kind.endswith("*"):
        lines.append("    CHECK_TRUE(what[k] != 'w' || st == NULL, \"it is not NULL\");")
    elif kind != "void":
        lines.append("    (void)st;")
    if name in AFTER:
        lines.append(f"    {AFTER[name]}")
    if made:
        lines.append(f"    {made}_free(made);")
    lines += ["    give_back();", "  }", "}", ""]
    return "\n".join(lines)


def c_text(value):
    return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'


def main():
    found = functions()
    missing = set(check_api.public_functions(ROOT)) - {name for _, name, _ in found}
    if missing:
        sys.exit(f"api_calls.py: no declaration was found of {', '.join(sorted(missing))}")
    text = "/* Made by api_calls.py from include/appell. */\n" + "\n".join(test_of(*one) for one in found)
    if set(TABLE) != USED:
        sys.exit(f"api_calls.py: no public function has {', '.join(sorted(set(TABLE) - USED))}")
    text += "\nstatic const struct CMUnitTest calls[] = {\n"
    text += "".join(f"    cmocka_unit_test(call_{name}),\n" for _, name, _ in found) + "};\n"
    Path(sys.argv[1]).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
