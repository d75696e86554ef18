"""A Parquet file as pyarrow, pandas and DuckDB read it, and a CSV file as pandas does, as JSON."""

import json
import math
import sys

import duckdb
import pandas
import pyarrow.parquet


def plain(value):
    if value is None or value is pandas.NaT or (isinstance(value, float) and math.isnan(value)):
        return None
    if hasattr(value, "tolist"):
        return value.tolist()
    return value.isoformat() if hasattr(value, "isoformat") else value


def rows(records):
    return [{name: plain(value) for name, value in record.items()} for record in records]


parquet, csv = sys.argv[1:]
table = pyarrow.parquet.read_table(parquet)
relation = duckdb.sql(f"select * from '{parquet}'")
moments = [
    f'epoch_ms("{name}") as "{name}"'
    for name, kind in zip(relation.columns, relation.types)
    if str(kind) == "TIMESTAMP WITH TIME ZONE"
]
# What DuckDB gives to Python as datetime needs yet another package.
counted = relation.select("*" + (f" replace ({', '.join(moments)})" if moments else ""))
frame = pandas.read_parquet(parquet)
print(
    json.dumps(
        {
            "types": {
                "pyarrow": {field.name: str(field.type) for field in table.schema},
                "duckdb": dict(zip(relation.columns, map(str, relation.types))),
                "pandas": {name: str(kind) for name, kind in frame.dtypes.items()},
                "csv": {name: str(kind) for name, kind in pandas.read_csv(csv).dtypes.items()},
            },
            "rows": {
                "pyarrow": rows(table.to_pylist()),
                "duckdb": rows(dict(zip(relation.columns, row)) for row in counted.fetchall()),
                "pandas": rows(frame.to_dict("records")),
                "csv": pandas.read_csv(csv, dtype=str, keep_default_na=False).to_dict("records"),
            },
        }
    )
)
