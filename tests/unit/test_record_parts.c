/* SPDX-License-Identifier: Apache-2.0 */
/* test_record_parts.c: record/sum.h, layout.h, part.h, disk.h, read_impl.h and write_impl.h: the
   pieces of result files. */
#define _XOPEN_SOURCE 700 /* symlink, mkfifo */
#include "near.h"

#include "record/disk.h"
#include "record/layout.h"
#include "record/part.h"
#include "record/read_impl.h"
#include "record/sum.h"
#include "record/write_impl.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "test_record_parts_XXXXXX";
static char name_room[8][200];

/* A name inside the folder of this test; eight of them are valid at a time. */
static const char* in(const char* name) {
  static int k;
  char* out = name_room[k++ % 8];
  snprintf(out, sizeof name_room[0], "%s/%s", folder, name);
  return out;
}

static void expect(const char* path, const char* text) {
  char got[100] = "";
  FILE* f = fopen(path, "r");
  assert_non_null(f);
  const size_t n = fread(got, 1, sizeof got - 1, f);
  got[n] = '\0';
  fclose(f);
  assert_string_equal(got, text);
}

/* ------------------------------------------------------------------------------------- sum ---- */

/* The definition in the header, by hand: rotate(0 xor 1, 29) = 2^29. */
static void sums(void** state) {
  (void)state;
  const uint64_t odd = 0x9e3779b97f4a7c15u;
  assert_true(apl_sum_word(0, 1) == ((uint64_t)1 << 29) * odd);
  assert_true(apl_sum_word(0, (uint64_t)1 << 35) == odd);
  assert_true(apl_sum_word(5, 5) == 0);

  /* every single bit of every number counts, order and length too */
  double x[3] = {1.5, -0.0, 3};
  const uint64_t before = apl_sum_numbers(7, x, 3);
  for (int i = 0; i < 3; ++i)
    for (int bit = 0; bit < 64; ++bit) {
      uint64_t word;
      memcpy(&word, &x[i], 8);
      const uint64_t other = word ^ (uint64_t)1 << bit;
      memcpy(&x[i], &other, 8);
      assert_true(apl_sum_numbers(7, x, 3) != before);
      memcpy(&x[i], &word, 8);
    }
  assert_true(apl_sum_numbers(7, x, 3) == before);
  assert_true(apl_sum_numbers(8, x, 3) != before);
  assert_true(apl_sum_numbers(7, x, 2) != before);
  assert_true(apl_sum_numbers(7, (double[]){1.5, 3, -0.0}, 3) != before);
  /* -0 and 0 are different bytes */
  assert_true(apl_sum_numbers(7, (double[]){1.5, 0.0, 3}, 3) != before);
  /* bytes: words of one byte each, then the length */
  assert_true(apl_sum_bytes(0, "a", 1) == apl_sum_word(apl_sum_word(0, 'a'), 1));
  assert_true(apl_sum_bytes(0, "\xff", 1) == apl_sum_word(apl_sum_word(0, 255), 1));
  assert_true(apl_sum_bytes(0, "ab", 2) != apl_sum_bytes(0, "ba", 2));
  assert_true(apl_sum_bytes(0, "", 0) == 0);
}

/* ---------------------------------------------------------------------------------- layout ---- */

static void types(void** state) {
  (void)state;
  const struct {
    hid_t type;
    size_t size;
    int members;
    const char* first;
  } all[] = {{apl_layout_event_type(), sizeof(layout_event), 7, "time"},
             {apl_layout_summary_type(), sizeof(layout_summary), 4, "value"},
             {apl_layout_at_type(), sizeof(layout_at), 5, "time"}};

  for (int i = 0; i < 3; ++i) {
    size_t used = 0;
    assert_true(all[i].type >= 0);
    assert_int_equal(H5Tget_size(all[i].type), all[i].size);
    assert_int_equal(H5Tget_nmembers(all[i].type), all[i].members);
    for (unsigned k = 0; k < (unsigned)all[i].members; ++k) {
      const hid_t item = H5Tget_member_type(all[i].type, k);
      used += H5Tget_size(item);
      H5Tclose(item);
    }
    assert_int_equal(used, all[i].size); /* no padding */
    char* name = H5Tget_member_name(all[i].type, 0);
    assert_string_equal(name, all[i].first);
    H5free_memory(name);
    H5Tclose(all[i].type);
  }
  const hid_t text = apl_layout_string(12), empty = apl_layout_string(0);
  assert_int_equal(H5Tget_size(text), 12);
  assert_int_equal(H5Tget_size(empty), 1); /* HDF5 has no strings of length zero */
  assert_int_equal(H5Tget_cset(text), H5T_CSET_UTF8);
  H5Tclose(text);
  H5Tclose(empty);
}

/* Sums of records contain every member but the sum itself. */
static void record_sums(void** state) {
  (void)state;
  layout_event e = {.t = 1, .value = 2, .row = 3, .name = "hit", .text = "foot"};
  const uint64_t v2 = apl_layout_event_sum(&e, 2), v3 = apl_layout_event_sum(&e, 3);
  assert_true(v2 != v3);
  e.number[0] = 1; /* version 2 has no numbers */
  assert_true(apl_layout_event_sum(&e, 2) == v2 && apl_layout_event_sum(&e, 3) != v3);
  e.number[0] = 0;
  e.sum = 99;
  assert_true(apl_layout_event_sum(&e, 3) == v3);
  e.name[LAYOUT_KEY - 1] = 'x';
  assert_true(apl_layout_event_sum(&e, 3) != v3);
  e.name[LAYOUT_KEY - 1] = 0, e.row = 4;
  assert_true(apl_layout_event_sum(&e, 3) != v3);

  layout_summary s = {.value = 1, .key = "k", .text = "t"};
  const uint64_t whole = apl_layout_summary_sum(&s);
  s.sum = 5;
  assert_true(apl_layout_summary_sum(&s) == whole);
  s.text[LAYOUT_NOTE - 1] = 1;
  assert_true(apl_layout_summary_sum(&s) != whole);

  layout_at at = {.t = 1, .rows = 2, .events = 3, .count = 4};
  const uint64_t head = apl_layout_at_sum(&at);
  at.sum = 6;
  assert_true(apl_layout_at_sum(&at) == head);
  at.rows = 3, at.events = 2;
  assert_true(apl_layout_at_sum(&at) != head);
}

static herr_t noisy(hid_t stack, void* data) {
  (void)stack;
  ++*(int*)data;
  return 0;
}

/* Names that lead out of the file are refused; HDF5 stays quiet meanwhile, and speaks again. */
static void objects(void** state) {
  (void)state;
  const hid_t file = H5Fcreate(in("links.h5"), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  const hid_t space = H5Screate(H5S_SCALAR);
  int said = 0;

  assert_true(file >= 0);
  H5Dclose(H5Dcreate2(file, "own", H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  H5Gclose(H5Gcreate2(file, "group", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  assert_true(H5Lcreate_soft("/own", file, "soft", H5P_DEFAULT, H5P_DEFAULT) >= 0);
  assert_true(H5Lcreate_external("other.h5", "/own", file, "far", H5P_DEFAULT, H5P_DEFAULT) >= 0);
  const hid_t plist = H5Pcreate(H5P_DATASET_CREATE);
  const hsize_t one = 1;
  const hid_t line = H5Screate_simple(1, &one, NULL);
  H5Pset_external(plist, "raw.bin", 0, 8);
  H5Dclose(H5Dcreate2(file, "raw", H5T_NATIVE_DOUBLE, line, H5P_DEFAULT, plist, H5P_DEFAULT));
  H5Pclose(plist);
  H5Sclose(line);
  H5Sclose(space);

  H5Eset_auto2(H5E_DEFAULT, noisy, &said);
  const layout_quiet quiet = apl_layout_hush();
  const hid_t set = apl_layout_open_set(file, "own"), group = apl_layout_open_group(file, "group");
  assert_true(set >= 0 && group >= 0);
  assert_true(apl_layout_open_set(file, "soft") < 0);
  assert_true(apl_layout_open_set(file, "far") < 0);
  assert_true(apl_layout_open_set(file, "raw") < 0);
  assert_true(apl_layout_open_set(file, "nobody") < 0);
  assert_true(apl_layout_open_set(file, "group") < 0);
  assert_true(apl_layout_open_group(file, "own") < 0);
  assert_int_equal(said, 0);
  apl_layout_speak(quiet);
  H5Dopen2(file, "nobody", H5P_DEFAULT);
  assert_true(said > 0);
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  H5Dclose(set);
  H5Gclose(group);
  H5Fclose(file);
}

/* ------------------------------------------------------------------------------------ part ---- */

/* The file appears under its name only when it is kept; an old one keeps its permissions. */
static void part(void** state) {
  (void)state;
  const char* path = in("out.txt");
  apl_part p;
  apl_error err = {0};
  struct stat info;

  CHECK_OK(apl_part_open(&p, path, false, &err));
  assert_int_equal(write(p.fd, "new", 3), 3);
  assert_int_not_equal(access(path, F_OK), 0);
  assert_int_equal(access(in("out.txt.part"), F_OK), 0);
  CHECK_OK(apl_part_keep(&p, &err));
  assert_int_equal(p.fd, -1);
  expect(path, "new");
  assert_int_not_equal(access(in("out.txt.part"), F_OK), 0);

  assert_int_equal(chmod(path, 0640), 0);
  CHECK_OK(apl_part_open(&p, path, false, &err));
  assert_int_equal(write(p.fd, "newer", 5), 5);
  expect(path, "new");
  CHECK_OK(apl_part_keep(&p, &err));
  expect(path, "newer");
  assert_int_equal(stat(path, &info), 0);
  assert_int_equal(info.st_mode & 07777, 0640);

  /* dropped: the old file stays, the part remains or is erased */
  CHECK_OK(apl_part_open(&p, path, false, &err));
  apl_part_drop(&p, false);
  assert_int_equal(access(in("out.txt.part"), F_OK), 0);
  CHECK_OK(apl_part_open(&p, path, false, &err)); /* the remains of a dead run are no obstacle */
  apl_part_drop(&p, true);
  assert_int_not_equal(access(in("out.txt.part"), F_OK), 0);
  expect(path, "newer");

  /* an incomplete file steps aside */
  CHECK_OK(apl_part_open(&p, path, false, &err));
  assert_true(apl_part_step_aside(&p, "failed"));
  assert_int_equal(write(p.fd, "half", 4), 4);
  CHECK_OK(apl_part_keep(&p, &err));
  expect(path, "newer");
  expect(in("out.failed.txt"), "half");
}

/* Links are followed, also to a file that is not there yet; circles are not. */
static void links(void** state) {
  (void)state;
  apl_part p;
  apl_error err = {0};

  assert_int_equal(symlink("target.txt", in("link")), 0);
  char* to = apl_part_resolve(in("link"));
  assert_non_null(to);
  const size_t n = strlen(to);
  assert_true(to[0] == '/' && n > 11 && strcmp(to + n - 11, "/target.txt") == 0);
  CHECK_OK(apl_part_open(&p, in("link"), false, &err));
  assert_int_equal(write(p.fd, "x", 1), 1);
  CHECK_OK(apl_part_keep(&p, &err));
  expect(in("target.txt"), "x");
  struct stat info;
  assert_int_equal(lstat(in("link"), &info), 0);
  assert_true(S_ISLNK(info.st_mode));
  char* again = apl_part_resolve(in("link")); /* the same name, now that the file exists */
  assert_string_equal(again, to);
  free(again);
  free(to);

  assert_int_equal(symlink("b", in("a")), 0);
  assert_int_equal(symlink("a", in("b")), 0);
  errno = 0;
  assert_null(apl_part_resolve(in("a")));
  assert_int_equal(errno, ELOOP);
}

static void refused(void** state) {
  (void)state;
  apl_part p;
  apl_error err = {0};

  assert_int_equal(apl_part_check("", &err), APL_ERR_ARGUMENT);
  assert_string_equal(err.text, "the name of the file to write is empty");
  assert_int_equal(apl_part_check(NULL, &err), APL_ERR_ARGUMENT);
  assert_int_equal(apl_part_check(folder, &err), APL_ERR_IO);
  assert_non_null(strstr(err.text, "cannot be written: it is a directory"));
  assert_int_equal(apl_part_check(in("no/where.txt"), &err), APL_ERR_IO);
  assert_non_null(strstr(err.text, "No such file or directory"));
  CHECK_OK(apl_part_check(in("future.txt"), &err));
  assert_int_not_equal(access(in("future.txt"), F_OK), 0); /* it touches nothing */

  /* devices are written directly, if that is wanted; a pipe needs a reader */
  assert_int_equal(apl_part_open(&p, "/dev/null", false, &err), APL_ERR_IO);
  assert_non_null(strstr(err.text, "it is not an ordinary file"));
  CHECK_OK(apl_part_open(&p, "/dev/null", true, &err));
  assert_null(p.part);
  CHECK_OK(apl_part_keep(&p, &err));
  assert_int_equal(mkfifo(in("pipe"), 0600), 0);
  assert_int_equal(apl_part_open(&p, in("pipe"), true, &err), APL_ERR_IO);
  assert_non_null(strstr(err.text, "nobody reads it"));
}

/* ------------------------------------------------------------------------------------ disk ---- */

/* HDF5 writes through the disk, and the file opens with the usual driver, without the flag "open
   for writing" even while it is. After a failed write nothing more reaches the file. */
static void disk(void** state) {
  (void)state;
  apl_disk d = {.fd = open(in("disk.h5"), O_RDWR | O_CREAT, 0600)};
  hid_t driver = -1;
  const hid_t access_list = apl_disk_access(&d, &driver);
  const double value = 42.5;
  double got = 0;

  assert_true(d.fd >= 0 && access_list >= 0 && driver >= 0);
  assert_true(H5Pset_libver_bounds(access_list, H5F_LIBVER_V110, H5F_LIBVER_LATEST) >= 0);
  const hid_t file = H5Fcreate("any name", H5F_ACC_TRUNC, H5P_DEFAULT, access_list);
  assert_true(file >= 0);
  const hid_t space = H5Screate(H5S_SCALAR);
  const hid_t set =
      H5Dcreate2(file, "x", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  assert_true(H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, &value) >= 0);
  assert_true(H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0);
  assert_int_not_equal(access("any name", F_OK), 0);

  /* a second reader, while it is open */
  const hid_t reader = H5Fopen(in("disk.h5"), H5F_ACC_RDONLY, H5P_DEFAULT);
  assert_true(reader >= 0);
  const hid_t other = H5Dopen2(reader, "x", H5P_DEFAULT);
  assert_true(H5Dread(other, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, &got) >= 0);
  CHECK_NEAR(got, value, 0);
  H5Dclose(other);
  H5Fclose(reader);
  H5Dclose(set);
  assert_true(H5Fclose(file) >= 0);
  assert_int_equal(d.error, 0);

  /* a disk that fails: the file cannot be written */
  apl_disk broken = {.fd = open(in("disk.h5"), O_RDONLY)};
  hid_t second = -1;
  const hid_t list = apl_disk_access(&broken, &second);
  const hid_t failing = H5Fcreate("any name", H5F_ACC_TRUNC, H5P_DEFAULT, list);
  if (failing >= 0) H5Fclose(failing);
  assert_int_equal(broken.error, EBADF);
  H5Sclose(space);
  H5Pclose(access_list);
  H5Pclose(list);
  H5FDunregister(driver);
  H5FDunregister(second);
  close(d.fd);
  close(broken.fd);
}

/* ----------------------------------------------------------------------------- write, read ---- */

static const apl_channel CHANNEL[2] = {{"time", "s", "time"}, {"x", "m", "a place"}};

/* A record as its writer has it; the parts of the file as the reader finds them. */
static void members(void** state) {
  (void)state;
  const apl_record_head head = {
      .name = "n", .model = "m", .channel = CHANNEL, .nchannel = 2, .nstate = 3};
  const char* path = in("members.h5");
  apl_record* rec;
  apl_result* res;
  apl_error err = {0};

  CHECK_OK(apl_record_open(path, &head, &rec, &err));
  assert_int_equal(rec->nchannel, 2);
  assert_int_equal(rec->nstate, 3);
  assert_string_equal(rec->channel[1], "x");
  assert_int_equal(rec->rows.block, LAYOUT_BLOCK_MAX);
  assert_int_equal(rec->rows.bytes, 2 * sizeof(double));
  for (int i = 0; i < 5; ++i) {
    CHECK_OK(apl_record_row(rec, (double[]){0.1 * i, i * i}, &err));
    assert_int_equal(rec->rows.n, i + 1);
    assert_int_equal(rec->sums.n, i + 1);
  }
  CHECK_OK(apl_record_event(rec, 0.2, "hit", "foot", 7, &err));
  assert_int_equal(rec->events.n, 1);
  CHECK_OK(apl_record_checkpoint(rec, 0.4, (double[]){1, 2, 3}, NULL, &err));
  assert_int_equal(rec->ncheckpoint, 1);
  assert_int_equal(rec->rows.held, 0); /* it flushes */
  const apl_summary line = {.key = "steps", .value = 12, .text = ""};
  CHECK_OK(apl_record_close(rec, "finished", &line, 1, &err));

  CHECK_OK(apl_result_open(path, &res, &err));
  assert_int_equal(res->version, LAYOUT_VERSION);
  assert_int_equal(res->nrow, 5);
  assert_int_equal(res->nchannel, 2);
  assert_int_equal(res->nevent, 1);
  assert_int_equal(res->nsummary, 1);
  assert_string_equal(res->channel[1].unit, "m");
  CHECK_NEAR(res->checkpoint->y[2], 3, 0);
  assert_int_equal(res->checkpoint->rows, 5);

  /* lengths of data sets of one dimension; the matrix of rows is none */
  const hid_t events = apl_layout_open_set(res->file, "events");
  assert_int_equal(apl_result_length(res, events), 1);
  assert_int_equal(apl_result_length(res, res->sums), 5);
  assert_int_equal(apl_result_length(res, res->rows), -1);
  H5Dclose(events);

  /* the checksum that texts carry is that of their bytes */
  const hid_t group = H5Dopen2(res->file, "channels", H5P_DEFAULT);
  uint64_t sum = 0;
  assert_true(apl_result_sum(res, group, &sum));
  assert_true(sum != 0);
  H5Dclose(group);

  /* fields without a final zero, and control characters */
  assert_string_equal(apl_result_keep(res, "abcdef", 3), "abc");
  assert_string_equal(apl_result_keep(res, "ab\0def", 6), "ab");
  assert_string_equal(apl_result_keep(res, "a\033[2J\n", 6), "a?[2J?");

  /* reading a part again gives the same; a sentence for a damaged one */
  CHECK_OK(apl_result_read_events(res, &err));
  assert_int_equal(res->nevent, 1);
  assert_string_equal(res->event[0].name, "hit");
  CHECK_NEAR(res->event[0].value, 7, 0);
  CHECK_OK(apl_result_read_summary(res, &err));
  CHECK_NEAR(res->summary[0].value, 12, 0);
  CHECK_OK(apl_result_read_channels(res, &err));
  CHECK_OK(apl_result_read_checkpoint(res, &err));
  CHECK_NEAR(res->checkpoint->t, 0.4, 0);
  assert_int_not_equal(apl_result_damaged(res, "the table of events", &err), APL_OK);
  assert_non_null(strstr(err.text, "the table of events"));
  assert_non_null(strstr(err.text, "members.h5"));
  apl_result_free(res);
}

/* A record whose disk has failed says so from then on, with the reason of the disk. */
static void broken(void** state) {
  (void)state;
  const apl_record_head head = {.channel = CHANNEL, .nchannel = 2};
  apl_record* rec;
  apl_error err = {0};

  CHECK_OK(apl_record_open(in("broken.h5"), &head, &rec, &err));
  rec->disk.error = ENOSPC;
  assert_int_equal(apl_record_broken(rec), APL_ERR_IO);
  assert_non_null(strstr(rec->error.text, "No space left on device"));
  rec->disk.error = EIO;
  assert_int_equal(apl_record_broken(rec), APL_ERR_IO);
  assert_non_null(strstr(rec->error.text, "No space left on device")); /* the first one stays */
  assert_int_equal(apl_record_row(rec, (double[]){0, 0}, &err), APL_ERR_IO);
  assert_non_null(strstr(err.text, "No space left on device"));
  apl_record_abandon(rec);
}

static int open_folder(void** state) {
  (void)state;
  return mkdtemp(folder) == NULL;
}

static int close_folder(void** state) {
  static const char* const left[] = {
      "links.h5", "out.txt", "out.failed.txt", "link",       "target.txt",    "a",
      "b",        "pipe",    "disk.h5",        "members.h5", "broken.h5.part"};
  (void)state;
  for (size_t i = 0; i < sizeof left / sizeof *left; ++i)
    unlink(in(left[i]));
  return rmdir(folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sums),    cmocka_unit_test(types), cmocka_unit_test(record_sums),
      cmocka_unit_test(objects), cmocka_unit_test(part),  cmocka_unit_test(links),
      cmocka_unit_test(refused), cmocka_unit_test(disk),  cmocka_unit_test(members),
      cmocka_unit_test(broken),
  };
  return cmocka_run_group_tests(tests, open_folder, close_folder);
}
