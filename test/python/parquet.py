"""What pyarrow and DuckDB read in Parquet files, as JSON: rows, row groups, and whether both read the same."""

import json
import sys

import duckdb
import pyarrow.parquet

told = []
for path in sys.argv[1:]:
    file = pyarrow.parquet.ParquetFile(path)
    rows = file.read().to_pylist()
    relation = duckdb.sql(f"select * from '{path}'")
    same = [dict(zip(relation.columns, row)) for row in relation.fetchall()] == rows
    groups = [file.metadata.row_group(n).num_rows for n in range(file.num_row_groups)]
    told.append({"rows": rows if len(rows) < 5000 else len(rows), "groups": groups, "same": same})
print(json.dumps(told))
