"""Filters, ids and values of Qdrant's REST models as its embedded engine wants them."""

import uuid

import numpy
import qdrant_edge as edge
from qdrant_client.http import models


class Refused(Exception):
    def __init__(self, status, message):
        super().__init__(message)
        self.status = status


def plain(value):
    """The binding turns True into 1 unless it is a numpy boolean."""
    if isinstance(value, bool):
        return numpy.bool_(value)
    if isinstance(value, list):
        return [plain(item) for item in value]
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    return value


def point_id(value):
    """The engine keeps UUIDs as such; any spelling of one is accepted."""
    if isinstance(value, int):
        return value
    try:
        return uuid.UUID(str(value))
    except ValueError as error:
        raise Refused(400, f"Format error in JSON body: value {value} is not a valid point ID") from error


def to_filter(given):
    if given is None:
        return None
    many = lambda part: None if part is None else [to_condition(one) for one in (part if isinstance(part, list) else [part])]
    least = given.min_should and edge.MinShould(many(given.min_should.conditions), given.min_should.min_count)
    return edge.Filter(must=many(given.must), should=many(given.should), must_not=many(given.must_not), min_should=least)


def to_condition(given):
    if isinstance(given, models.Filter):
        return to_filter(given)
    if isinstance(given, models.HasIdCondition):
        return edge.HasIdCondition({point_id(one) for one in given.has_id})
    if isinstance(given, models.IsEmptyCondition):
        return edge.IsEmptyCondition(given.is_empty.key)
    if isinstance(given, models.IsNullCondition):
        return edge.IsNullCondition(given.is_null.key)
    if isinstance(given, models.NestedCondition):
        return edge.NestedCondition(given.nested.key, to_filter(given.nested.filter))
    if not isinstance(given, models.FieldCondition):
        raise Refused(400, f"{type(given).__name__} is not supported here")
    parts = {"match": None if given.match is None else to_match(given.match)}
    if given.range is not None:
        limits = given.range.model_dump(exclude_none=True)
        parts["range"] = edge.RangeFloat(**limits)
    if given.values_count is not None:
        parts["values_count"] = edge.ValuesCount(**given.values_count.model_dump(exclude_none=True))
    if given.is_empty is not None:
        parts["is_empty"] = given.is_empty
    if given.is_null is not None:
        parts["is_null"] = given.is_null
    return edge.FieldCondition(given.key, **{name: part for name, part in parts.items() if part is not None})


def to_match(given):
    if isinstance(given, models.MatchValue):
        return edge.MatchValue(plain(given.value))
    if isinstance(given, models.MatchAny):
        return edge.MatchAny(list(given.any))
    if isinstance(given, models.MatchExcept):
        return edge.MatchExcept(list(given.except_))
    raise Refused(400, f"{type(given).__name__} is not supported here")
