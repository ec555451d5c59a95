/* SPDX-License-Identifier: Apache-2.0 */
/* test_spec_parts.c: the pieces of the reader of model files: spec/form.h, rows.h, grammar.h,
   link.h, spec_impl.h, signal.h, gait.h, gait_joints.h, loop.h, file_impl.h, include.h and
   urdf_impl.h. */
#include "near.h"

#include "spec/file_impl.h"
#include "spec/form.h"
#include "spec/gait.h"
#include "spec/gait_joints.h"
#include "spec/grammar.h"
#include "spec/include.h"
#include "spec/link.h"
#include "spec/loop.h"
#include "spec/rows.h"
#include "spec/signal.h"
#include "spec/spec_impl.h"
#include "spec/urdf_impl.h"

#include <stdlib.h>
#include <string.h>

/* A text as a tree, with a reader for it. */
typedef struct desk {
  apl_pool pool;
  apl_report report;
  form_reader form;
  text_node* root;
} desk;

static void open_desk(desk* d, const char* text) {
  static const yaml_limits limits = {1 << 20, 64};
  *d = (desk){0};
  d->form = (form_reader){.report = &d->report, .pool = &d->pool};
  apl_form_where(&d->form, "%s: ", "here");
  d->root = apl_yaml_parse(text, strlen(text), &limits, &d->pool, &d->report);
  assert_non_null(d->root);
}

static void close_desk(desk* d) {
  apl_pool_free(&d->pool);
}

/* The last mistake has this sentence. */
static void expect_mistake(desk* d, const char* sentence) {
  CHECK_TRUE(d->report.count > 0, "no mistake, expected: %s", sentence);
  const apl_error* e = &d->report.item[d->report.count - 1];
  CHECK_TRUE(strcmp(e->text, sentence) == 0, "got: %s\nexpected: %s", e->text, sentence);
}

/* -------------------------------------------------------------------------------- the form ---- */

typedef struct lamp {
  double height, place[3];
  const char* colour;
  const char* note;
  bool lit;
  int bulbs;
  apl_pose at;
} lamp;

static const char* const colours[] = {"red", "green", NULL};
static const apl_field lamp_fields[] = {
    APL_FIELD_REQUIRED(lamp, height, "height", "m", "height"),
    APL_FIELD(lamp, place, "place", "m", "place", 1, 2, 3),
    CHOICE(lamp, colour, "colour", colours, TEXT("green"), "colour"),
    ROW(lamp, note, "note", APL_FORM_TEXT, TEXT(""), "note"),
    ROW(lamp, lit, "lit", APL_FORM_FLAG, NO, "lit"),
    ROW(lamp, bulbs, "bulbs", APL_FORM_WHOLE, WHOLE(2), "bulbs"),
    ROW(lamp, at, "at", APL_FORM_POSE, IDENTITY_POSE, "at"),
    APL_FIELD_END,
};

/* The defaults of rows.h are laid out as their members; sizes are those of the members. */
static void defaults(void** state) {
  (void)state;
  lamp l = {.height = 7};

  apl_fields_default(lamp_fields, &l);
  CHECK_NEAR(l.height, 7, 0); /* required: as it was */
  CHECK_NEAR(l.place[2], 3, 0);
  assert_string_equal(l.colour, "green");
  assert_string_equal(l.note, "");
  assert_false(l.lit);
  assert_int_equal(l.bulbs, 2);
  CHECK_NEAR(l.at.rotation.w, 1, 0);
  assert_int_equal(apl_field_size(&lamp_fields[1]), sizeof l.place);
  assert_int_equal(apl_field_size(&lamp_fields[4]), sizeof l.lit);
  assert_int_equal(apl_field_size(&lamp_fields[5]), sizeof l.bulbs);
  assert_int_equal(apl_field_size(&lamp_fields[6]), sizeof l.at);

  assert_ptr_equal(apl_field_missing(lamp_fields, 0), &lamp_fields[0]);
  assert_ptr_equal(apl_field_missing(lamp_fields, 2), &lamp_fields[0]);
  assert_null(apl_field_missing(lamp_fields, 1));

  /* a sentence that begins with a field leads to its place */
  const apl_mark mark[7] = {{3, 4}, {5, 6}, {0, 0}}, part = {1, 1};
  assert_int_equal(apl_field_blamed(lamp_fields, mark, part, "place must be finite").line, 5);
  assert_int_equal(apl_field_blamed(lamp_fields, mark, part, "placement is odd").line, 1);
  assert_int_equal(apl_field_blamed(lamp_fields, mark, part, "colour is not given").line, 1);
  assert_int_equal(apl_field_blamed(lamp_fields, NULL, part, "place is odd").line, 1);
}

/* What is read in any unit is written so that it reads back to the same numbers. */
static void round_trip(void** state) {
  (void)state;
  desk d, again;
  lamp a = {0}, b = {0};
  apl_mark mark[7] = {{0, 0}};
  field_set set = {.field = lamp_fields, .out = &a, .mark = mark};
  text_out out = {0};
  const char* comma = "";

  open_desk(&d, "height: 35 cm\nplace: [1 mm, 2 m, 0.3]\nlit: true\nnote: 'a: b'\n"
                "at: {position: [0, 0, 1], rotation: {axis: z, angle: 90 deg}}\n");
  apl_fields_default(lamp_fields, &a);
  assert_true(apl_fields_read(&d.form, d.root, &set, 1));
  assert_int_equal(d.report.count, 0);
  CHECK_NEAR(a.height, 0.35, 1e-16);
  CHECK_NEAR(a.place[0], 1e-3, 1e-18);
  CHECK_NEAR(a.at.rotation.z, sqrt(0.5), 1e-15);
  assert_int_equal(a.bulbs, 2); /* not given: as it was */
  assert_true(set.given == (1u | 2u | 8u | 16u | 64u));
  assert_int_equal(mark[0].line, 1);
  assert_int_equal(mark[0].column, 9);
  assert_int_equal(mark[4].line, 3);

  apl_fields_write(&out, lamp_fields, &a, APL_ALL_FIELDS, &comma);
  char* text = apl_out_take(&out);
  assert_null(strstr(text, "bulbs")); /* as by default */
  assert_null(strstr(text, "colour"));
  char braces[512] = "{";
  strcat(strcat(braces, text), "}");
  free(text);
  open_desk(&again, braces);
  set.out = &b;
  apl_fields_default(lamp_fields, &b);
  assert_true(apl_fields_read(&again.form, again.root, &set, 1));
  CHECK_NEAR(b.height, a.height, 0);
  CHECK_ARRAY(b.place, a.place, 3, 0, 1);
  assert_string_equal(b.note, "a: b");
  assert_true(b.lit);
  CHECK_NEAR(b.at.rotation.z, a.at.rotation.z, 0);
  close_desk(&again);
  close_desk(&d);
}

/* All mistakes of a map are told, each with its place and what was there. */
static void mistakes(void** state) {
  (void)state;
  static const struct {
    const char *text, *sentence;
    int line, column;
  } bad[] = {
      {"height: 5 s\n", "here: height: expected a length such as '5 mm', got '5 s'", 1, 9},
      {"height: [1, 2]\n", "here: height: expected", 1, 9},
      {"place: [1, 2]\nheight: 1\n", "here: place: expected", 1, 8},
      {"height: 1\ncolour: blue\n", "here: colour: there is no 'blue'; take red or green", 2, 9},
      {"height: 1\nlit: maybe\n", "here: lit: expected", 2, 6},
      {"height: 1\nbulbs: 1.5\n", "here: bulbs: expected", 2, 8},
      {"height: 1\nat: up\n", "here: at: expected a pose such as", 2, 5},
      {"height: 1\nat: {rotation: {quaternion: [0, 0, 0, 0]}}\n",
       "here: at.rotation.quaternion: must not be zero", 2, 16},
      {"height: 1\nat: {rotation: {axis: x}}\n",
       "here: at.rotation. expected one of rpy, quaternion, or axis with angle", 2, 16},
      {"place: [1, 2, 3]\n", "height", 1, 1},
      {"height: 1\nheigth: 2\n", "heigth", 2, 1},
  };

  for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
    desk d;
    lamp a = {0};
    field_set set = {.field = lamp_fields, .out = &a};
    near_context("%s", bad[i].text);
    open_desk(&d, bad[i].text);
    assert_false(apl_fields_read(&d.form, d.root, &set, 1));
    assert_int_equal(d.report.count, 1);
    const apl_error* e = &d.report.item[0];
    CHECK_TRUE(strstr(e->text, bad[i].sentence) != NULL, "%s", e->text);
    assert_int_equal(e->status, APL_ERR_SYNTAX);
    assert_int_equal(e->line, bad[i].line);
    assert_int_equal(e->column, bad[i].column);
    close_desk(&d);
  }
  near_context("%s", "");

  desk d;
  lamp a = {0};
  field_set set = {.field = lamp_fields, .out = &a};
  open_desk(&d, "height: 5 s\nlit: 3\nbulbs: x\n");
  assert_false(apl_fields_read(&d.form, d.root, &set, 1));
  assert_int_equal(d.report.count, 3);
  assert_false(apl_form_refuse(&d.form, d.root->at, "lamp", "is %d", 5));
  expect_mistake(&d, "here: lamp: is 5");
  assert_false(apl_form_expected(&d.form, "lamp", d.root, "a list"));
  expect_mistake(&d, "here: lamp: expected a list, got a map");
  assert_false(apl_form_no_memory(&d.form, d.root->at));
  assert_int_equal(d.report.item[d.report.count - 1].status, APL_ERR_MEMORY);
  close_desk(&d);
}

/* Numbers with a unit for each; texts whose unit is known later. */
static void numbers(void** state) {
  (void)state;
  static const char* const unit[] = {"rad", "m"};
  desk d;
  double x[2];
  spec_quantity kept;

  open_desk(&d, "[90 deg, 5 mm]");
  assert_true(apl_numbers_read(&d.form, "k", d.root, unit, 2, x));
  CHECK_NEAR(x[0], 1.57079632679489662, 1e-15);
  CHECK_NEAR(x[1], 0.005, 1e-18);
  assert_false(apl_numbers_read(&d.form, "k", d.root->first->next, unit, 1, x)); /* mm, not rad */
  assert_int_equal(d.report.count, 1);

  assert_true(apl_quantity_keep(&d.form, "k", d.root->first, &kept));
  assert_string_equal(kept.text, "90 deg");
  assert_int_equal(kept.at.column, 2);
  assert_true(apl_quantity_form(&d.form, "k", &kept, "rad", x));
  CHECK_NEAR(x[0], 1.57079632679489662, 1e-15);
  assert_false(apl_quantity_form(&d.form, "k", &kept, "m", x));
  assert_int_equal(d.report.item[1].column, 2);
  close_desk(&d);
}

/* Poses and inertias as they are written. */
static void poses(void** state) {
  (void)state;
  const apl_field at = {.name = "at"}, inertia = {.name = "inertia", .count = 6, .unit = "kg m^2"};
  const double moment[6] = {1, 2.5, 0, 0, -0.125, 0};
  double got[6];
  apl_pose p;
  desk d;
  text_out out = {0};

  open_desk(&d, "[1, 2, 50 cm]");
  assert_true(apl_pose_form(&d.form, &at, d.root, &p));
  CHECK_NEAR(p.position.z, 0.5, 1e-16);
  CHECK_NEAR(p.rotation.w, 1, 0);
  apl_pose_write(&out, p);
  char* text = apl_out_take(&out);
  assert_string_equal(text, "[1, 2, 0.5]");
  free(text);
  close_desk(&d);

  out = (text_out){0};
  apl_inertia_write(&out, moment);
  text = apl_out_take(&out);
  assert_string_equal(text, "{xx: 1, yy: 2.5, xz: -0.125}");
  open_desk(&d, text);
  assert_true(apl_inertia_form(&d.form, &inertia, d.root, got));
  CHECK_ARRAY(got, moment, 6, 0, 1);
  free(text);
  close_desk(&d);

  open_desk(&d, "{a: [1, 2, 3, 4, 5, 6], b: [1, 2]}");
  assert_true(apl_inertia_form(&d.form, &inertia, d.root->first, got));
  CHECK_NEAR(got[5], 6, 0);
  assert_true(apl_alike_form(&d.form, &inertia, d.root->first, got));
  assert_false(apl_alike_form(&d.form, &inertia, d.root->first->next, got));
  close_desk(&d);
}

/* --------------------------------------------------------------------------------- signals ---- */

static void signals(void** state) {
  (void)state;
  /* the table is in the order of the enum, the words are different */
  assert_null(apl_signal_kinds[SIGNAL_PLAIN].word);
  assert_string_equal(apl_signal_kinds[SIGNAL_SINE].word, "sine");
  assert_string_equal(apl_signal_kinds[SIGNAL_DELAY].word, "delay");
  for (int i = 1; i < SIGNAL_TYPES; ++i) {
    assert_true(apl_signal_known(apl_signal_kinds[i].word));
    assert_non_null(apl_signal_kinds[i].field);
    for (int k = 1; k < i; ++k)
      assert_string_not_equal(apl_signal_kinds[i].word, apl_signal_kinds[k].word);
  }
  assert_false(apl_signal_known("sinus"));
  assert_string_not_equal(apl_signal_unit, apl_signal_rate_unit);

  /* read, written, read again */
  static const char* const text[] = {"30 deg", "{sine: {amplitude: 5 mm, frequency: 2}}",
                                     "{sum: [1, {ramp: {from: 0, to: 2, duration: 3}}]}",
                                     "{linear: {times: [0, 1, 2], values: [0, 3 m, 1]}}",
                                     "{expression: 't^2'}"};
  static const signal_type type[] = {SIGNAL_PLAIN, SIGNAL_SINE, SIGNAL_SUM, SIGNAL_LINEAR,
                                     SIGNAL_EXPRESSION};
  for (int i = 0; i < 5; ++i) {
    desk d, e;
    near_context("%s", text[i]);
    char line[200] = "a: ";
    open_desk(&d, strcat(line, text[i]));
    spec_signal* s = apl_signal_form(&d.form, d.root->first);
    CHECK_TRUE(s != NULL, "%s", d.report.item[0].text);
    assert_int_equal(s->type, type[i]);
    text_out out = {0};
    apl_signal_write(&out, s);
    char* first = apl_out_take(&out);
    char more[200] = "a: ";
    open_desk(&e, strcat(more, first));
    spec_signal* t = apl_signal_form(&e.form, e.root->first);
    CHECK_TRUE(t != NULL, "%s", first);
    out = (text_out){0};
    apl_signal_write(&out, t);
    char* second = apl_out_take(&out);
    assert_string_equal(first, second);
    assert_int_equal(t->type, type[i]);
    if (i == 1) assert_string_equal(t->amplitude.text, "5 mm");
    if (i == 2) assert_int_equal(t->part.n, 2);
    if (i == 3) assert_string_equal(t->values.item[1].text, "3 m");
    free(first);
    free(second);
    close_desk(&d);
    close_desk(&e);
  }
  near_context("%s", "");
  desk d;
  open_desk(&d, "{sinus: {amplitude: 1}}");
  assert_null(apl_signal_form(&d.form, d.root));
  assert_int_equal(d.report.count, 1);
  CHECK_TRUE(strstr(d.report.item[0].text, "sine") != NULL, "%s", d.report.item[0].text);
  close_desk(&d);
}

/* ------------------------------------------------------------------------ blocks and lists ---- */

/* The list of blocks has each once; words are found by their length; the closures match their
   numbers of locked directions: a body has 6 - along - about freedoms left. */
static void blocks(void** state) {
  (void)state;
  int n = 0;
#define X(name) ++n;
  GRAMMAR_BLOCKS(X)
#undef X
  int count = 0;
  for (const grammar_block* const* b = apl_grammar_blocks; *b != NULL; ++b, ++count) {
    assert_non_null((*b)->word);
    assert_non_null((*b)->title);
    for (const apl_field* f = (*b)->field; f != NULL && f->name != NULL; ++f)
      assert_non_null(f->sentence);
    if ((*b)->read != NULL) assert_ptr_equal(apl_block_find((*b)->word, strlen((*b)->word)), *b);
  }
  assert_int_equal(count, n);
  assert_ptr_equal(apl_block_find("links of iron", 5), &apl_block_links);
  assert_null(apl_block_find("link", 4));
  assert_null(apl_block_find("nothing", 7));

  static const struct {
    const char* word;
    int freedoms;
  } joint[] = {{"point", 3},       {"hinge", 1}, {"universal", 2}, {"slider", 1},
               {"cylindrical", 2}, {"weld", 0},  {"distance", 5},  {"planar-point", 4}};
  for (size_t i = 0; i < sizeof joint / sizeof *joint; ++i) {
    const int k = apl_closure_find(joint[i].word);
    assert_in_range(k, 0, CLOSURES - 1);
    assert_string_equal(apl_closure_kinds[k].word, joint[i].word);
    assert_int_equal(6 - apl_closure_kinds[k].along - apl_closure_kinds[k].about,
                     joint[i].freedoms);
  }
  assert_int_equal(apl_closure_find("weld"), CLOSURE_WELD);
  assert_int_equal(apl_closure_find("glue"), -1);
}

/* A shape, the laws of a ground and a list of names: read, then written to the same. */
static void small_blocks(void** state) {
  (void)state;
  desk d;
  spec_shape shape = {0};
  spec_word* word;
  int n;
  text_out out = {0};
  const char* comma = "";

  open_desk(&d, "{type: box, size: [1, 2 cm, 3], name: lid, at: [0, 0, 1]}");
  assert_true(apl_shape_read(&d.form, d.root, &shape));
  assert_string_equal(shape.type, "box");
  CHECK_NEAR(shape.size[1], 0.02, 1e-17);
  CHECK_NEAR(shape.at.position.z, 1, 0);
  assert_true(apl_shape_touches(&shape));
  assert_null(apl_shape_bad_size(&shape));
  shape.size[2] = 0;
  assert_ptr_equal(apl_shape_bad_size(&shape), &shape.size[2]);
  shape.size[2] = 3;
  apl_shape_write(&out, &shape);
  char* text = apl_out_take(&out);
  CHECK_TRUE(strstr(text, "box") != NULL && strstr(text, "0.02") != NULL, "%s", text);
  free(text);
  shape.use = APL_USE_PICTURE;
  assert_false(apl_shape_touches(&shape));
  close_desk(&d);

  open_desk(&d, "{of: arm, with: [a, b], bad: {x: 1}}");
  assert_true(apl_names_read(&d.form, "of", apl_node_get(d.root, "of"), &word, &n));
  assert_int_equal(n, 1);
  assert_string_equal(word[0].text, "arm");
  assert_true(apl_names_read(&d.form, "with", apl_node_get(d.root, "with"), &word, &n));
  assert_int_equal(n, 2);
  out = (text_out){0};
  apl_names_write(&out, "with", word, n, &comma);
  text = apl_out_take(&out);
  CHECK_TRUE(strstr(text, "with: [\"a\", \"b\"]") != NULL, "%s", text);
  free(text);
  assert_false(apl_names_read(&d.form, "bad", apl_node_get(d.root, "bad"), &word, &n));
  close_desk(&d);

  apl_surface g = apl_surface_default();
  open_desk(&d, "{law: {normal: hunt-crossley, stiffness: 1e6, restitution: 0.5},"
                " friction: {law: coulomb, coefficient: 0.3}}");
  CHECK_TRUE(apl_laws_read(&d.form, "ground 'g'", apl_node_get(d.root, "law"),
                           apl_node_get(d.root, "friction"), &g),
             "%s", d.report.item[0].text);
  out = (text_out){0};
  apl_laws_write(&out, &g, "");
  text = apl_out_take(&out);
  CHECK_TRUE(strstr(text, "normal: hunt-crossley") != NULL && strstr(text, "0.3") != NULL, "%s",
             text);
  free(text);
  assert_false(apl_laws_read(&d.form, "ground 'g'", apl_node_get(d.root, "friction"), NULL, &g));
  CHECK_TRUE(strstr(d.report.item[0].text, "ground 'g'.law.") == d.report.item[0].text, "%s",
             d.report.item[0].text);
  assert_false(apl_surface_has_directions(&g));
  close_desk(&d);
}

/* -------------------------------------------------------------------------------- the spec ---- */

static void spec(void** state) {
  (void)state;
  apl_spec* s;
  CHECK_OK(apl_spec_new(&s));
  assert_true(apl_spec_fine(s));
  assert_int_equal(apl_joint_find("no such joint"), -1);
  assert_string_equal(apl_joint_kinds[apl_joint_find("revolute")]->word, "revolute");
  assert_string_equal(apl_body_kinds[apl_body_find("rigid")]->word, "rigid");

  /* units of a joint follow from those of its coordinates */
  const apl_joint_kind *turn = apl_joint_kinds[apl_joint_find("revolute")],
                       *slide = apl_joint_kinds[apl_joint_find("prismatic")];
  assert_string_equal(apl_joint_unit(turn, MEASURE_COORDINATE, 0), "rad");
  assert_string_equal(apl_joint_unit(turn, MEASURE_EFFORT, 0), "N m");
  assert_string_equal(apl_joint_unit(turn, MEASURE_INTEGRAL, 0), "N m/(rad s)");
  assert_string_equal(apl_joint_unit(slide, MEASURE_STIFFNESS, 0), "N/m");
  assert_string_equal(apl_joint_unit(slide, MEASURE_DAMPING, 0), "N s/m");
  assert_string_equal(apl_joint_unit(slide, MEASURE_VELOCITY, 0), "m/s");

  /* copies and lists in its pool */
  char name[] = "arm";
  const char* kept = apl_spec_keep(s, name);
  name[0] = 'x';
  assert_string_equal(kept, "arm");
  int* list = apl_spec_grow(s, NULL, 0, sizeof *list);
  for (int i = 0; i < 100; ++i) {
    list[i] = i * i;
    list = apl_spec_grow(s, list, i + 1, sizeof *list);
    assert_non_null(list);
  }
  for (int i = 0; i < 100; ++i)
    assert_int_equal(list[i], i * i);

  const int link = apl_spec_link(s, "arm", "world", "revolute", "rigid");
  assert_string_equal(apl_spec_link_of(s, link)->name, "arm");
  assert_true(apl_spec_check_name(s, "link", "hand_2"));
  assert_null(apl_spec_link_of(s, 7));
  assert_false(apl_spec_fine(s));
  assert_null(apl_spec_link_of(s, link)); /* after a mistake */

  /* the mistake goes to a report, and building goes on */
  apl_report report = {0};
  assert_false(apl_spec_settle(s, (apl_mark){4, 2}, &report));
  assert_int_equal(report.count, 1);
  assert_int_equal(report.item[0].line, 4);
  assert_true(apl_spec_settle(s, (apl_mark){4, 2}, &report));
  assert_true(apl_spec_fine(s));
  assert_false(apl_spec_check_name(s, "link", "2 hands"));
  assert_non_null(strstr(apl_spec_error(s)->text, "2 hands"));
  assert_false(apl_spec_settle(s, (apl_mark){1, 1}, &report));
  apl_spec_no_memory(s);
  assert_int_equal(apl_spec_error(s)->status, APL_ERR_MEMORY);
  apl_spec_free(s);

  /* columns, one after the other */
  apl_pool pool = {0};
  const double x[3] = {1, 2, 3}, y[3] = {4, 5, 6};
  const apl_columns* one = apl_columns_with(&pool, NULL, "x", x, 3);
  const apl_columns* two = apl_columns_with(&pool, one, "y", y, 3);
  assert_int_equal(one->ncolumn, 1);
  assert_int_equal(two->ncolumn, 2);
  assert_int_equal(two->nrow, 3);
  assert_string_equal(two->name[1], "y");
  CHECK_ARRAY(two->value[0], x, 3, 0, 1);
  CHECK_ARRAY(two->value[1], y, 3, 0, 1);
  apl_pool_free(&pool);
}

/* Blocks inside a link: numbers of freedoms, limits, and the refusal of joints with several. */
static void link_blocks(void** state) {
  (void)state;
  desk d;
  apl_spec* s;
  text_out out = {0};

  CHECK_OK(apl_spec_new(&s));
  const int arm = apl_spec_link(s, "arm", "world", "revolute", "rigid");
  const int ball = apl_spec_link(s, "ball", "world", "spherical", "rigid");
  open_desk(&d, "damping: 2\nlimits: {lower: -90 deg, upper: 1, effort: 3, enforced: true}\n"
                "list: [1, 2, 3]\nbad: {lower: 2, upper: 1}\nno: {enforced: true}\n");
  link_reader l = {.form = d.form, .spec = s, .link = s->link[arm], .index = arm};
  apl_freedoms_read(&l, "damping", apl_node_get(d.root, "damping"), MEASURE_DAMPING, 1);
  CHECK_NEAR(s->link[arm]->damping[0], 2, 0);
  apl_limits_read(&l, apl_node_get(d.root, "limits"));
  assert_int_equal(d.report.count, 0);
  CHECK_NEAR(s->link[arm]->lower[0], -1.57079632679489662, 1e-15);
  CHECK_NEAR(s->link[arm]->limits.effort, 3, 0);
  apl_limits_write(&out, s->link[arm]);
  char* text = apl_out_take(&out);
  CHECK_TRUE(strstr(text, ", limits: {lower: -1.57") == text && strstr(text, "effort: 3") != NULL &&
                 strstr(text, "velocity") == NULL,
             "%s", text);
  free(text);
  apl_limits_read(&l, apl_node_get(d.root, "bad"));
  expect_mistake(&d, "link 'arm': joint.limits.lower: must not be above upper, got 2 and 1");
  apl_limits_read(&l, apl_node_get(d.root, "no"));
  expect_mistake(&d,
                 "link 'arm': joint.limits.enforced: needs `effort`, the largest torque or force");

  l.link = s->link[ball], l.index = ball;
  apl_freedoms_read(&l, "damping", apl_node_get(d.root, "damping"), MEASURE_DAMPING, 3);
  CHECK_NEAR(s->link[ball]->damping[2], 2, 0); /* one for all */
  apl_freedoms_read(&l, "damping", apl_node_get(d.root, "list"), MEASURE_DAMPING, 3);
  CHECK_NEAR(s->link[ball]->damping[0], 1, 0);
  CHECK_NEAR(s->link[ball]->damping[2], 3, 0);
  assert_false(apl_one_freedom(&l, "limits", apl_node_get(d.root, "limits")));
  expect_mistake(&d, "here: limits: needs a joint with exactly one freedom, not a spherical joint");
  assert_false(apl_list_expected(&l, "rotors", apl_node_get(d.root, "limits")));
  assert_true(apl_list_expected(&l, "rotors", apl_node_get(d.root, "list")));

  const double value[3] = {1, 2, 3}, same[3] = {1, 2, 3};
  out = (text_out){0};
  apl_freedoms_write(&out, "damping", value, same, 3);
  assert_null(out.text);
  apl_freedoms_write(&out, "damping", value, NULL, 3);
  text = apl_out_take(&out);
  assert_string_equal(text, ", damping: [1, 2, 3]");
  free(text);
  apl_spec_free(s);
  close_desk(&d);
}

/* ----------------------------------------------------------------------------------- gaits ---- */

static void gait_joints(void** state) {
  (void)state;
  apl_spec* s;
  desk d;
  CHECK_OK(apl_spec_new(&s));
  apl_spec_link(s, "head", "world", "floating", "rigid");
  apl_spec_link(s, "a", "head", "revolute", "rigid");
  apl_spec_link(s, "b", "a.end", "revolute", "rigid");
  apl_spec_link(s, "plate", "b", "fixed", "rigid");
  apl_spec_link(s, "c", "plate", "revolute", "rigid");
  apl_spec_link(s, "side", "head", "prismatic", "rigid");

  static const struct {
    const char* text;
    int n, link[3];
    const char* sentence;
  } of[] = {
      {"{joints: [c, a]}", 2, {4, 1}, NULL},
      {"{chain: [a, c]}", 3, {1, 2, 4}, NULL}, /* the fixed plate has no joint to move */
      {"{chain: [head, b]}", 2, {1, 2}, NULL},
      {"{joints: [a, side]}", 0, {0}, "'side' moves in m and 'a' in rad"},
      {"{joints: [a, a]}", 0, {0}, "'a' is listed twice"},
      {"{joints: [head]}", 0, {0}, "must have exactly one freedom"},
      {"{joints: [d]}", 0, {0}, "there is no link 'd'"},
      {"{chain: [side, c]}", 0, {0}, "'c' is not carried by 'side'"},
      {"{chain: [a]}", 0, {0}, "expected [first, last]"},
      {"{chain: [head, head]}", 0, {0}, "a gait needs at least 2 links"},
      {"{joints: [a], chain: [a, c]}", 0, {0}, "give either joints or chain"},
      {"{waves: 1}", 0, {0}, "give either joints or chain"},
      {"{joints: a}", 0, {0}, "expected a list"},
  };
  for (size_t i = 0; i < sizeof of / sizeof *of; ++i) {
    near_context("%s", of[i].text);
    open_desk(&d, of[i].text);
    spec_gait gait = {0};
    gait_reader g = {.spec = s, .form = &d.form, .node = d.root, .out = &gait};
    const bool ok = apl_gait_joints(&g);
    assert_int_equal(ok, of[i].sentence == NULL);
    if (ok) {
      assert_int_equal(gait.n, of[i].n);
      for (int k = 0; k < gait.n; ++k)
        assert_int_equal(gait.link[k], of[i].link[k]);
      assert_string_equal(g.unit, "rad");
    } else {
      assert_int_equal(d.report.count, 1);
      CHECK_TRUE(strstr(d.report.item[0].text, of[i].sentence) != NULL, "%s",
                 d.report.item[0].text);
    }
    close_desk(&d);
  }
  near_context("%s", "");
  apl_spec_free(s);

  const apl_gait usual = apl_gait_default();
  assert_string_equal(usual.type, "wave");
  CHECK_TRUE(isinf(usual.stop_at), "it stops at %g", usual.stop_at);
  CHECK_NEAR(usual.ramp_up, 0, 0);
  assert_null(usual.offset);
}

/* --------------------------------------------------------------------------------- include ---- */

/* `as: left` renames what the included file declares, wherever a name can be, and nothing else. */
static void include_names(void** state) {
  (void)state;
  desk d;
  apl_file file = {0};
  open_desk(&d, "links: [{name: hand, on: world}]\nsignals: {wave: 1}\ngrounds: {floor: {}}\n");
  include_work c = {.file = &file, .report = &d.report, .item = d.root, .inner = d.root};
  c.in.as = "left";

  assert_string_equal(apl_include_rename(&c, "links.*.name", "hand"), "left_hand");
  assert_string_equal(apl_include_rename(&c, "links.*.on", "hand.tip"), "left_hand.tip");
  assert_string_equal(apl_include_rename(&c, "links.*.on", "world"), "world");
  assert_string_equal(apl_include_rename(&c, "links.*.body.type", "hand"), "hand");
  assert_string_equal(apl_include_rename(&c, "motion.*", "wave"), "left_wave");
  assert_string_equal(apl_include_rename(&c, "motion.*.sum.*.delay.of", "wave"), "left_wave");
  assert_string_equal(apl_include_rename(&c, "grounds.KEY", "floor"), "left_floor");
  d.root->first->next->next->first->shared = true; /* the entry floor of grounds */
  assert_string_equal(apl_include_rename(&c, "grounds.KEY", "floor"), "floor");
  assert_string_equal(apl_include_rename(&c, "contacts.*.with", "floor"), "floor");
  c.in.as = "";
  assert_string_equal(apl_include_rename(&c, "links.*.name", "hand"), "hand");
  assert_string_equal(apl_include_join(&c, "a", "-", "b"), "a-b");
  assert_true(apl_include_keys_are_names("signals"));
  assert_false(apl_include_keys_are_names("links"));
  assert_false(apl_include_refuse(&c, "there is no '%s'", "x"));
  assert_int_equal(d.report.count, 1);
  apl_pool_free(&file.pool);
  close_desk(&d);
}

/* Settings change the tree before it is read; mistakes carry the number of the setting. */
static void settings(void** state) {
  (void)state;
  static const yaml_limits limits = {1 << 20, 64};
  static const char* const set[] = {"links.arm.body.mass=3 kg", "arm.on=base", "run.to=5",
                                    "include.0.as=x", "links.nobody.on=1"};
  desk d;
  open_desk(&d, "links: [{name: arm, on: world, body: {mass: 1}}]\nrun: {to: 1}\n");

  apl_settings_apply(d.root, set, 5, SETTINGS_OTHERS, &limits, &d.pool, &d.report);
  const text_node* arm = apl_node_get(d.root, "links")->first;
  assert_string_equal(apl_node_get(apl_node_get(arm, "body"), "mass")->text, "3 kg");
  assert_string_equal(apl_node_get(arm, "on")->text, "base");
  assert_string_equal(apl_node_get(apl_node_get(d.root, "run"), "to")->text, "5");
  assert_null(apl_node_get(d.root, "include"));
  assert_int_equal(d.report.count, 1);
  assert_int_equal(d.report.item[0].line, -5);
  CHECK_TRUE(strstr(d.report.item[0].text, "nobody") != NULL, "%s", d.report.item[0].text);
  close_desk(&d);
}

/* ------------------------------------------------------------------------------------ URDF ---- */

static void urdf_numbers(void** state) {
  (void)state;
  static const char text[] =
      "<robot>\n<origin xyz='1 2 3' rpy='0 0 1.5'/>\n<a v='1 2'/>\n<a v='1, 2, 3'/>\n"
      "<a v='1 2 3 4'/>\n<a v='1,5 2 3'/>\n<a v='nan 1 1'/>\n<b/></robot>";
  apl_load_options options = apl_load_options_default();
  apl_report report = {0};
  apl_file file = {0};
  xml_doc* doc = apl_xml_parse(text, sizeof text - 1, &report);
  urdf u = {.file = &file, .options = &options, .report = &report, .robot = apl_xml_root(doc)};
  const xml_node* node = apl_xml_first(u.robot);
  double x[3] = {7, 7, 7};

  const apl_pose at = apl_urdf_origin(&u, node);
  CHECK_NEAR(at.position.y, 2, 0);
  CHECK_NEAR(at.rotation.z, sin(0.75), 1e-15);
  CHECK_NEAR(apl_urdf_origin(&u, NULL).rotation.w, 1, 0);
  assert_int_equal(file.nnote, 0);

  node = apl_xml_next(node); /* too few: refused, out is untouched */
  assert_false(apl_urdf_numbers(&u, node, "v", 3, x));
  CHECK_NEAR(x[0], 7, 0);
  assert_int_equal(report.count, 1);
  assert_int_equal(report.item[0].line, 3);
  assert_non_null(strstr(report.item[0].text, "<a>: 'v' needs 3 finite numbers, got '1 2'"));
  assert_int_equal(file.note[0].verdict, APL_REFUSED);

  node = apl_xml_next(node); /* commas: a doubt */
  assert_true(apl_urdf_numbers(&u, node, "v", 3, x));
  CHECK_NEAR(x[2], 3, 0);
  assert_int_equal(report.count, 1);
  assert_int_equal(file.note[1].verdict, APL_DOUBTED);
  node = apl_xml_next(node); /* more than asked for: a doubt; with `strict` a mistake */
  options.strict = true;
  assert_true(apl_urdf_numbers(&u, node, "v", 3, x));
  assert_int_equal(report.count, 2);
  options.strict = false;
  node = apl_xml_next(node);
  assert_false(apl_urdf_numbers(&u, node, "v", 3, x));
  node = apl_xml_next(node);
  assert_false(apl_urdf_numbers(&u, node, "v", 3, x));
  assert_int_equal(report.count, 4);
  assert_false(apl_urdf_numbers(&u, node, "w", 3, x)); /* not there: no mistake yet ... */
  assert_int_equal(report.count, 4);
  assert_false(apl_urdf_required(&u, u.robot, NULL, "mass", "value", 1, x)); /* ... here it is */
  assert_non_null(strstr(report.item[4].text, "<robot> needs <mass value=\"..\"/>"));

  const int before = file.nnote;
  apl_urdf_unknown(&u, apl_xml_next(node), "link 'x'");
  assert_int_equal(file.nnote, before + 1);
  assert_string_equal(file.note[before].text, "<b> of link 'x': this element is not known");
  assert_int_equal(file.note[before].verdict, APL_IGNORED);
  apl_xml_free(doc);
  apl_pool_free(&file.pool);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(defaults),    cmocka_unit_test(round_trip),
      cmocka_unit_test(mistakes),    cmocka_unit_test(numbers),
      cmocka_unit_test(poses),       cmocka_unit_test(signals),
      cmocka_unit_test(blocks),      cmocka_unit_test(small_blocks),
      cmocka_unit_test(spec),        cmocka_unit_test(link_blocks),
      cmocka_unit_test(gait_joints), cmocka_unit_test(include_names),
      cmocka_unit_test(settings),    cmocka_unit_test(urdf_numbers),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
