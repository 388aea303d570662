#include "finding/rule.h"

#define LEAST_PERCENT 5

static const af_name names[] = {
    {"org.json.*", "*"},
    {"android.util.Json*", "*"},
    {"android.util.Xml", "*"},
    {"org.xmlpull.*", "*"},
    {"org.kxml2.*", "*"},
    {"com.android.org.kxml2.*", "*"},
    {"javax.xml.parsers.*", "parse*"},
    {"com.google.gson.*", "*"},
    {"com.squareup.moshi.*", "*"},
    {"kotlinx.serialization.*", "*"},
    {"com.fasterxml.jackson.*", "*"},
    {"com.alibaba.fastjson.*", "*"},
    {"com.google.protobuf.*", "*"},
    {"com.squareup.wire.*", "*"},
    {"java.io.ObjectInputStream", "*"},
    {"java.io.ObjectOutputStream", "*"},
    {NULL, NULL},
};

const af_rule af_rule_serialization = {
    .id = "serialization",
    .title = "Reading or writing JSON, XML or protobuf",
    .about = "JSON, XML, protobuf and their libraries take at least 5 % of the main thread",
    .weight = 140,
    .main_only = TRUE,
    .names = names,
    .wording = {"on JSON, XML or protobuf", LEAST_PERCENT, TRUE},
};
