"""Reads what Toolwright exports with programs that are not ours: Google's protobuf with
OpenTelemetry's definitions, and Prometheus's own parser of OpenMetrics. Reads standard input, prints
what it understood. Run by the test `independent`; installed by scripts/telemetry.sh."""

import json
import sys

from google.protobuf.json_format import MessageToDict
from opentelemetry.proto.collector.metrics.v1.metrics_service_pb2 import ExportMetricsServiceRequest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from prometheus_client.openmetrics.parser import text_string_to_metric_families


def message(kind, data):
    read = kind()
    assert read.ParseFromString(data) == len(data)
    return MessageToDict(read, preserving_proto_field_name=True)


def families(data):
    return [
        {"name": family.name, "type": family.type, "unit": family.unit, "samples": len(family.samples)}
        for family in text_string_to_metric_families(data.decode())
    ]


READERS = {
    "traces": lambda data: message(ExportTraceServiceRequest, data),
    "metrics": lambda data: message(ExportMetricsServiceRequest, data),
    "exposition": families,
}
json.dump(READERS[sys.argv[1]](sys.stdin.buffer.read()), sys.stdout)
