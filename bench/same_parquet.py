"""Reads two Parquet files by pyarrow and by DuckDB in full: prints how many rows the second has, and whether all are the first's."""

import sys

import duckdb
import pyarrow.parquet

first, second = (f"'{path}'" for path in sys.argv[1:])
rows = pyarrow.parquet.read_table(sys.argv[2]).num_rows
differing = duckdb.sql(f"select count(*) from (from {first} except all from {second})").fetchall()
print(f"{rows}, {'the same' if differing == [(0,)] else 'NOT THE SAME'}")
