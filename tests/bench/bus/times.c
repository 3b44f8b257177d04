/* times.c: clocks and medians, and what every bench of the bus begins with. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "bus_bench.h"

uint64_t now_ns(void)
{
    struct timespec now;
    (void) clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t) now.tv_sec * SECOND + (uint64_t) now.tv_nsec;
}

void sleep_ms(long ms)
{
    struct timespec time = { .tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000 };
    (void) nanosleep(&time, NULL);
}

void times_add(struct times *times, double ms)
{
    if (times->count < times->capacity)
        times->ms[times->count++] = ms;
}

static int compare(const void *left, const void *right)
{
    double a = *(const double *) left, b = *(const double *) right;
    return (a > b) - (a < b);
}

double times_at(struct times *times, double share)
{
    if (times->count == 0)
        return 0;
    qsort(times->ms, times->count, sizeof *times->ms, compare);
    return times->ms[(uint32_t) (share * (times->count - 1))];
}

double median(double *numbers, uint32_t count)
{
    struct times times = { numbers, count, count };
    return times_at(&times, 0.5);
}

void say_load(void)
{
    double load[3] = { 0 };
    (void) getloadavg(load, 3);
    printf("load %.1f %.1f %.1f on %ld cores\n", load[0], load[1], load[2],
           sysconf(_SC_NPROCESSORS_ONLN));
}

/* The programs lie one folder above this one. */
static void find_programs(char folder[PATH_BYTES])
{
    ssize_t size = readlink("/proc/self/exe", folder, PATH_BYTES - 1);
    folder[size > 0 ? size : 0] = '\0';
    for (uint32_t i = 0; i < 2 && strrchr(folder, '/') != NULL; i++)
        *strrchr(folder, '/') = '\0';
}

void bench_begin(char programs[PATH_BYTES])
{
    struct rlimit files;
    (void) getrlimit(RLIMIT_NOFILE, &files);
    files.rlim_cur = files.rlim_max;
    (void) setrlimit(RLIMIT_NOFILE, &files);
    (void) setvbuf(stdout, NULL, _IOLBF, 0);
    find_programs(programs);
}
