"""Reads a log with the reference implementation and prints what it finds, a line each."""

import sys

from mcap.exceptions import EndOfFile
from mcap.reader import make_reader
from mcap.records import Message
from mcap.stream_reader import StreamReader
from mcap_protobuf.decoder import DecoderFactory

finished, unfinished = sys.argv[1:]

with open(finished, "rb") as stream:
    reader = make_reader(stream, validate_crcs=True, decoder_factories=[DecoderFactory()])
    for schema, channel, message, decoded in reader.iter_decoded_messages(log_time_order=False):
        assert decoded.DESCRIPTOR.full_name == schema.name
        again = decoded.SerializeToString(deterministic=True)
        assert again == message.data, f"{channel.topic}: {decoded}"
        stamps = f"{message.log_time} {message.publish_time}"
        print("message", channel.topic, schema.name, stamps, message.data.hex())
    for attachment in reader.iter_attachments():
        print("attachment", attachment.name, attachment.media_type, attachment.data.hex())
    for metadata in reader.iter_metadata():
        print("metadata", metadata.name, metadata.metadata.get("world"))

with open(unfinished, "rb") as stream:
    count = 0
    try:
        for record in StreamReader(stream, validate_crcs=True).records:
            count += isinstance(record, Message)
    except EndOfFile:
        pass
    print("unfinished", count)
