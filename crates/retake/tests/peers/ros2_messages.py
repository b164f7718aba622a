"""Compares bytes and hashes of messages with what rosbags makes of the same definitions."""

import json
import sys

import numpy
from rosbags.typesys import Stores, get_types_from_msg, get_typestore

NUMBERS = {"float64", "float32", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"}
entries = json.load(open(sys.argv[1]))
# What rosbags has of its own stays as it is; only the rest is read from our text.
store = get_typestore(Stores.ROS2_JAZZY)
plain = lambda name: "/".join((name.split("/")[0], name.split("/")[-1]))
full = {plain(entry["type"]): entry["type"] for entry in entries}


def named(node):
    """Puts the right names in: rosbags takes everything to be below msg."""
    if isinstance(node, str):
        return full.get(plain(node), node) if "/" in node else node
    return type(node)(map(named, node)) if isinstance(node, (tuple, list)) else node


for entry in entries:
    read = get_types_from_msg(entry["text"], entry["type"])
    read = {named(name): named(definition) for name, definition in read.items()}
    store.register({name: d for name, d in read.items() if name not in store.fielddefs})


def built(kind, value):
    """Makes the object that rosbags wants."""
    made = store.types[kind]
    fields = store.fielddefs[kind][1]
    return made(**{name: member(field, value.get(name)) for name, field in fields})


def member(field, value):
    node, detail = field
    if int(node) == 1:
        return value
    if int(node) == 2:
        return built(detail, value)
    inner = detail[0]
    if int(inner[0]) == 1 and inner[1][0] in NUMBERS:
        return numpy.array(value, dtype=inner[1][0])
    return [member(inner, one) for one in value]


for entry in entries:
    kind = entry["type"]
    value = entry["message"] or {"structure_needs_at_least_one_member": 0}
    message = built(kind, value)
    bytes_of_rosbags = bytes(store.serialize_cdr(message, kind))
    ours = bytes(entry["cdr"])
    assert bytes_of_rosbags == ours, (kind, bytes_of_rosbags.hex(), ours.hex())
    assert store.hash_rihs01(kind) == entry["hash"], (kind, store.hash_rihs01(kind), entry["hash"])
print(len(entries), "types are the same")
