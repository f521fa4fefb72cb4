"""What recorders and exports leave out, and the forms in which recorders write."""

from dataclasses import replace

from judge import files, octets as o

FORMS = {'btsnoop': lambda records: files.btsnoop(records),
         'monitor': lambda records: files.btsnoop(records, 2001), 'pklg': files.packet_logger}


def without_events(records):
    return [record for record in records if record.octets[0] != o.EVENT]


def without_commands(records):
    return [record for record in records if record.octets[0] != o.COMMAND]


def received_only(records):
    return [record for record in records if record.direction == 'rx']


def sent_only(records):
    return [record for record in records if record.direction == 'tx']


def second_half(records):
    return records[len(records) // 2:]


def first_half(records):
    return records[:len(records) // 2]


def cut_values(records):
    """As Android's filtered mode: of data, the headers and the opcode are kept."""
    return [replace(record, octets=record.octets[:12], original=len(record.octets))
            if record.octets[0] == o.ACL else record for record in records]


def data_only(records):
    return [record for record in records if record.octets[0] == o.ACL]


LEFT_OUT = [without_events, received_only, sent_only, second_half, first_half, cut_values, data_only]
