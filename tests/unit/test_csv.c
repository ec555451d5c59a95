/* SPDX-License-Identifier: Apache-2.0 */
/* CSV: what is written comes back to the last bit; mistakes are named with line and column. */
#define _XOPEN_SOURCE 700
#include "near.h"

#include "record/record.h"
#include "text/table.h"

#include <float.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/appell-csv-XXXXXX";
static char path[100];
static char part[100];

static int make_folder(void** state) {
  (void)state;
  if (mkdtemp(folder) == NULL) return 1;
  snprintf(path, sizeof path, "%s/t.csv", folder);
  snprintf(part, sizeof part, "%s/t.csv.part", folder);
  return 0;
}

static int remove_folder(void** state) {
  (void)state;
  unlink(path);
  unlink(part);
  return rmdir(folder);
}

static void put_text(const char* text) {
  FILE* f = fopen(path, "wb");

  CHECK_TRUE(f != NULL && fputs(text, f) >= 0 && fclose(f) == 0, "%s cannot be written", path);
}

static const apl_channel channels[3] = {
    {"time", "s", ""}, {"arm.joint.angle", "rad", ""}, {"arm.port.position.z", NULL, NULL}};

static void test_round_trip(void** state) {
  const double rows[3][3] = {
      {0.0, 1.0 / 3.0, -0.1}, {DBL_MIN, DBL_MAX, -DBL_EPSILON}, {4.9e-324, -0.0, 1e22}};
  apl_csv* csv;
  apl_table* table;
  apl_error err;
  (void)state;

  /* a locale with a decimal comma changes nothing, where there is one */
  setlocale(LC_ALL, "de_DE.UTF-8");
  put_text("old");
  CHECK_OK(apl_csv_open(path, channels, 3, &csv, &err));
  CHECK_OK(apl_csv_units(csv, channels, &err));
  for (int i = 0; i < 3; i++)
    CHECK_OK(apl_csv_row(csv, rows[i], &err));
  const double bad[3] = {0.0, NEAR_NAN, 0.0};
  assert_int_equal(apl_csv_row(csv, bad, &err), APL_ERR_NOT_FINITE);
  assert_non_null(strstr(err.text, "arm.joint.angle"));
  assert_int_equal(access(part, F_OK), 0);
  CHECK_OK(apl_csv_close(csv, &err));
  assert_int_not_equal(access(part, F_OK), 0);

  CHECK_OK(apl_table_read(path, &table, &err));
  setlocale(LC_ALL, "C");
  assert_int_equal(table->nrow, 3);
  assert_int_equal(table->ncolumn, 3);
  assert_memory_equal(table->value, rows, sizeof rows);
  assert_string_equal(table->name[2], "arm.port.position.z");
  assert_string_equal(table->unit[1], "rad");
  assert_string_equal(table->unit[2], "");
  apl_table_free(table);
}

static void test_first_lines(void** state) {
  const double row[3] = {0.5, 1.0, -2.0};
  apl_csv* csv;
  char text[200] = "";
  (void)state;

  for (int units = 0; units < 2; units++) {
    CHECK_OK(apl_csv_open(path, channels, 3, &csv, NULL));
    if (units) CHECK_OK(apl_csv_units(csv, channels, NULL));
    CHECK_OK(apl_csv_row(csv, row, NULL));
    CHECK_OK(apl_csv_close(csv, NULL));
    FILE* f = fopen(path, "rb");
    memset(text, 0, sizeof text);
    assert_true(fread(text, 1, sizeof text - 1, f) > 0);
    fclose(f);
    assert_string_equal(
        text, units ? "time,arm.joint.angle,arm.port.position.z\n# units: s,rad,\n0.5,1,-2\n"
                    : "time,arm.joint.angle,arm.port.position.z\n0.5,1,-2\n");
  }
}

static void test_abandon(void** state) {
  apl_csv* csv;
  char text[10] = "";
  (void)state;

  put_text("old");
  CHECK_OK(apl_csv_open(path, channels, 3, &csv, NULL));
  apl_csv_abandon(csv);
  assert_int_not_equal(access(part, F_OK), 0);
  FILE* f = fopen(path, "rb");
  assert_true(fread(text, 1, 9, f) == 3);
  fclose(f);
  assert_string_equal(text, "old");
}

static void test_unwritable(void** state) {
  const double row[3] = {0.0, 0.0, 0.0};
  apl_csv* csv;
  apl_error err;
  struct stat info;
  (void)state;

  assert_int_equal(apl_csv_open("/nowhere/t.csv", channels, 3, &csv, &err), APL_ERR_IO);
  assert_non_null(strstr(err.text, "No such file"));
  assert_int_equal(apl_csv_open(folder, channels, 3, &csv, &err), APL_ERR_IO);

  /* a full disk: the device that always is one */
  apl_status st = apl_csv_open("/dev/full", channels, 3, &csv, &err);
  if (st == APL_OK) {
    apl_csv_row(csv, row, &err);
    st = apl_csv_close(csv, &err);
  }
  assert_int_equal(st, APL_ERR_IO);
  assert_non_null(strstr(err.text, "No space left"));

  /* devices are written, not replaced */
  CHECK_OK(apl_csv_open("/dev/null", channels, 3, &csv, &err));
  CHECK_OK(apl_csv_close(csv, &err));
  assert_true(stat("/dev/null", &info) == 0 && S_ISCHR(info.st_mode));
}

static void test_accepted(void** state) {
  static const char* const text[] = {
      "a,b\n1,2\n3,4\n",
      "a,b\r\n1,2\r\n3,4",
      "\xef\xbb\xbf# a comment\n\n a , b \n\t1 ,\t2\n# another, one\n3.0,4e0\n\n",
      "# units: m, s\na,b\n+1,2.\n0.3e1,.4E+1\n",
      "a,b\n# units: m, s\n1,2\n3,4\n# units: kg, kg\n",
  };
  const double want[4] = {1.0, 2.0, 3.0, 4.0};
  (void)state;

  for (int k = 0; k < 5; k++) {
    apl_table* table;
    near_context("text %d", k);
    put_text(text[k]);
    CHECK_OK(apl_table_read(path, &table, NULL));
    assert_int_equal(table->nrow, 2);
    assert_string_equal(table->name[1], "b");
    CHECK_ARRAY(table->value, want, 4, 0.0, 1.0);
    assert_string_equal(table->unit[1], k >= 3 ? "s" : "");
    apl_table_free(table);
  }
  put_text("only.names\n");
  apl_table* table;
  CHECK_OK(apl_table_read(path, &table, NULL));
  assert_int_equal(table->nrow, 0);
  apl_table_free(table);
}

static void test_refused(void** state) {
  static const struct {
    const char* text;
    int line, column;
    const char* word;
  } bad[] = {
      {"", 1, 1, "empty"},
      {"# only a comment\n", 1, 1, "empty"},
      {"1,2\n3,4\n", 1, 1, "first name"},
      {"a,b\n1,2,3\n", 2, 5, "more numbers than names"},
      {"a,b\n1\n", 2, 2, "fewer numbers than there are names"},
      {"a,b\n1,\n", 2, 3, "a number is missing"},
      {"a,b\n,1\n", 2, 1, "a number is missing"},
      {"a,b\n1,2\n3,x\n", 3, 3, "'x' is not a number"},
      {"a,b\n1,nan\n", 2, 3, "not a number"},
      {"a,b\n1,inf\n", 2, 3, "not a number"},
      {"a,b\n1,0x10\n", 2, 3, "not a number"},
      {"a,b\n1,1e999\n", 2, 3, "too large"},
      {"a,b\n1,2 3\n", 2, 5, "end of the line"},
      {"a,b\n1;2\n", 2, 2, "comma was expected"},
      {"a,b\n1 2\n", 2, 3, "comma was expected"},
      {"a,b\n1,1.2.3\n", 2, 3, "not a number"},
      {"a,b,a\n", 1, 5, "second column"},
      {"a,,b\n", 1, 3, "cannot name"},
      {"a,b c\n", 1, 3, "cannot name"},
      {"a,\"b\"\n", 1, 3, "cannot name"},
  };
  apl_table* table;
  apl_error err;
  (void)state;

  for (int k = 0; k < (int)(sizeof bad / sizeof *bad); k++) {
    near_context("text %d", k);
    put_text(bad[k].text);
    assert_int_equal(apl_table_read(path, &table, &err), APL_ERR_SYNTAX);
    assert_null(table);
    CHECK_TRUE(strstr(err.text, bad[k].word) != NULL, "'%s' does not say '%s'", err.text,
               bad[k].word);
    CHECK_TRUE(err.line == bad[k].line && err.column == bad[k].column, "at %d:%d instead of %d:%d",
               err.line, err.column, bad[k].line, bad[k].column);
    assert_int_equal(apl_table_read(path, &table, NULL), APL_ERR_SYNTAX);
  }

  FILE* f = fopen(path, "wb");
  fwrite("a\n1\0\n", 1, 5, f);
  fclose(f);
  assert_int_equal(apl_table_read(path, &table, &err), APL_ERR_SYNTAX);
  assert_non_null(strstr(err.text, "not text"));
  assert_int_equal(apl_table_read("/nowhere.csv", &table, &err), APL_ERR_IO);
  assert_int_equal(apl_table_read(folder, &table, &err), APL_ERR_IO);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_round_trip), cmocka_unit_test(test_first_lines),
      cmocka_unit_test(test_abandon),    cmocka_unit_test(test_unwritable),
      cmocka_unit_test(test_accepted),   cmocka_unit_test(test_refused),
  };
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
