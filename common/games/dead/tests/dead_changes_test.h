/* dead_changes_test.h: for tests of set-ups: one that stands exactly at the limits, and changes to it
 * with the place where each must be complained of. */
#ifndef ARBITER_DEAD_CHANGES_TEST_H
#define ARBITER_DEAD_CHANGES_TEST_H

#include <assert.h>
#include <jansson.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "games/dead/tests/dead_faults_test.h"

/* Three players, so eight characters: one for each ability. Each deck has fifteen cards, each of
 * the two rounds a crisis; crossroads has six fate cards. Card 46 lies in no deck. */
static const char *const base_parts[] = {
    "{'maxPlayers':3,"
    "'goal':{'rounds':2,'moral':5,'zombiesColony':1,'zombiesLocations':1,'childrenInColony':2,"
    "'survive':true},",
    "'locations':[{'name':'Well','identifier':30,'entrances':2,'survivorSpaces':2,'cards':[",
    "1,2,3,4,5,6,7,8,9,10,11,12,13,14,15]},"
    "{'colony':{'identifier':20,'entrances':4,'startCards':["
    "16,17,18,19,20,21,22,23,24,25,26,27,28,29,30]}},",
    "{'name':'Mill','identifier':10,'entrances':3,'survivorSpaces':1,'cards':["
    "31,32,33,34,35,36,37,38,39,40,41,42,43,44,45]}],",
    "'characters':["
    "{'identifier':1,'name':'Ada','status':10,'attack':1,'search':6,"
    "'ability':{'wound':{'before':'bite','after':'frostBite'}}},"
    "{'identifier':2,'name':'Bo','status':-3,'attack':6,'search':1,'ability':{'heal':{}}},"
    "{'identifier':3,'name':'Cy','status':7,'attack':2,'search':2,'ability':{'no_infection':{}}},"
    "{'identifier':4,'name':'Di','status':0,'attack':2,'search':2,'ability':{'feed':{'numFood':2}}}"
    ",",
    "{'identifier':5,'name':'Ed','status':12,'attack':2,'search':2,"
    "'ability':{'trash':{'numCards':5}}},"
    "{'identifier':6,'name':'Flo','status':44,'attack':2,'search':2,"
    "'ability':{'barricade':{'numBarricades':2,'maxActivations':1}}},"
    "{'identifier':7,'name':'Gus','status':43,'attack':2,'search':2,"
    "'ability':{'search':{'location':30,'numCards':1,'maxActivations':2}}},",
    "{'identifier':8,'name':'Hal','status':45,'attack':2,'search':2,"
    "'ability':{'kill':{'locationId':10,'dieValue':3,'numZombies':2,'maxActivations':1,"
    "'infectionDie':true,'children':false}}}],"
    "'crises':[{'food':{'identifier':-1,'moralChange':1,'requiredCards':1}},"
    "{'stuff':{'identifier':-1,'moralChange':2,'requiredCards':3}}],",
    "'crossroads':["
    "{'barricaded':{'identifier':1,'locationId':20,'consequence':{'changeFood':{'amount':-1}}}},"
    "{'moved':{'identifier':2,'consequence':{'changeMoral':{'amount':1}}}},"
    "{'searched':{'identifier':3,'consequence':{'spawnSurvivors':{'amount':1,'children':true}}}},"
    "{'equip':{'identifier':4,'consequence':{'spawnZombies':{'amount':1,'locationId':30}}}},",
    "{'wasteChanged':{'identifier':5,'amount':-2,'consequence':{'spawnZombies':{'amount':0}}}},"
    "{'equip':{'identifier':6,'consequence':{'choice':{'consequence1':{'changeFood':{'amount':2}},"
    "'consequence2':{'changeMoral':{'amount':-1}}}}}}],"
    "'cards':[",
};

static const char *const editions[] = { "base", "equipment", "crossroads" };

enum { IN_CROSSROADS = 1, IN_OTHERS = 2, IN_ALL = 3 };

/* A row: what becomes of the value at a pointer, and where the fault must then be (NULL: there is
 * none). NULL takes the value out; "-" as the last step puts it behind the others. '*' and '|' as
 * in dead_faults_test.h; in JSON, ' stands for ". */
struct change {
    int         in;
    const char *at, *value, *place;
};

static inline json_t *of_text(const char *text)
{
    char   quoted[8192];
    size_t size = strlen(text);
    assert_true(size < sizeof quoted);
    for (size_t i = 0; i <= size; i++)
        quoted[i] = text[i] == '\'' ? '"' : text[i];
    json_error_t error;
    json_t      *json = json_loads(quoted, JSON_DECODE_ANY, &error);
    if (json == NULL)
        fail_msg("%s: %s", text, error.text);
    return json;
}

/* The set-up that all changes start from. */
static inline json_t *base_setup(const char *edition)
{
    char   text[8192] = "";
    size_t used = 0;
    for (size_t i = 0; i < sizeof base_parts / sizeof *base_parts; i++)
        used += (size_t) snprintf(text + used, sizeof text - used, "%s", base_parts[i]);
    for (int id = 1; id <= 46; id++)
        used += (size_t) snprintf(text + used, sizeof text - used,
                                  id % 5 == 0 ? "{'food':{'identifier':%d,'amount':3}}%s"
                                              : "{'stuff':{'identifier':%d}}%s",
                                  id, id < 46 ? "," : "]}");
    json_t *setup = of_text(text);
    if (strcmp(edition, "crossroads") != 0)
        json_object_del(setup, "crossroads");
    return setup;
}

static inline json_t *child_of(json_t *json, const char *step)
{
    return json_is_array(json) ? json_array_get(json, (size_t) strtoul(step, NULL, 10))
                               : json_object_get(json, step);
}

/* Puts a value at a pointer, or takes one out; returns what the set-up then is. */
static inline json_t *changed(json_t *setup, const struct change *change)
{
    char    path[128], *last = NULL;
    json_t *around = setup;
    if (*change->at == '\0') {
        json_decref(setup);
        return of_text(change->value);
    }
    snprintf(path, sizeof path, "%s", change->at);
    for (char *rest = NULL, *step = strtok_r(path, "/", &rest); step != NULL;
         step = strtok_r(NULL, "/", &rest)) {
        if (last != NULL)
            around = child_of(around, last);
        last = step;
    }
    assert(last != NULL);
    if (json_is_object(around) && change->value == NULL)
        assert_int_equal(json_object_del(around, last), 0);
    else if (json_is_object(around))
        json_object_set_new(around, last, of_text(change->value));
    else if (change->value == NULL)
        assert_int_equal(json_array_remove(around, (size_t) strtoul(last, NULL, 10)), 0);
    else if (strcmp(last, "-") == 0)
        json_array_append_new(around, of_text(change->value));
    else
        json_array_set_new(around, (size_t) strtoul(last, NULL, 10), of_text(change->value));
    return setup;
}

static inline size_t configure_json(json_t *setup, const char *edition)
{
    char  *text = json_dumps(setup, JSON_ENCODE_ANY | JSON_COMPACT);
    size_t size = configure(text, strlen(text), edition);
    free(text);
    json_decref(setup);
    return size;
}

/* 1 if the verdict or a place is not as it should be. */
static inline int judge(size_t size, const char *place, const char *edition, const char *what)
{
    if (place == NULL ? size > 0 : size == 0 && faults_are_at(place))
        return 0;
    print_error("%s, %s: expected %s, came\n%s", edition, what, place == NULL ? "no fault" : place,
                log_.seen);
    return 1;
}

/* Makes each change of a table in every edition it is meant for; returns how many were misjudged. */
static inline int misjudged(const struct change *changes, size_t count)
{
    int wrong = 0;
    for (int e = 0; e < 3; e++)
        for (size_t i = 0; i < count; i++) {
            const struct change *change = &changes[i];
            char                 what[256];
            if ((change->in & (e == 2 ? IN_CROSSROADS : IN_OTHERS)) == 0)
                continue;
            snprintf(what, sizeof what, "%s := %s", change->at,
                     change->value != NULL ? change->value : "nothing");
            size_t size = configure_json(changed(base_setup(editions[e]), change), editions[e]);
            wrong += judge(size, change->place, editions[e], what);
        }
    return wrong;
}

#endif
