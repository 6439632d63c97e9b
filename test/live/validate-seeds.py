"""Validates rule sets against a JSON Schema with another implementation: validate-seeds.py SCHEMA FILE...

Prints a JSON object of file name to number of errors.
"""

import json
import sys
from pathlib import Path

import yaml
from jsonschema import Draft202012Validator

schema = json.loads(Path(sys.argv[1]).read_text("utf-8"))
Draft202012Validator.check_schema(schema)
validator = Draft202012Validator(schema)
result = {}
for name in sys.argv[2:]:
    value = yaml.safe_load(Path(name).read_text("utf-8"))
    result[name] = len(list(validator.iter_errors(value)))
print(json.dumps(result))
