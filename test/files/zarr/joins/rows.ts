/** The table of cases of docs/joins.md, a sentence for each set of files that make_joins.py makes. */

/** Sentences by the names of cases, and those by rows of the table. */
export const ROWS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "times, their bounds and climatology bounds": {
    own_start_1: "joins files that count days from their own start",
    reference_years_kerchunk302:
      "joins files whose units have other reference years (kerchunk#302)",
    time_types: "joins times of other types in the same units",
    times_of_other_types_and_units: "joins times of other types and other units",
    bounds_of_own_units: "joins bounds that have units of their own",
    climatology: "joins climatology bounds by the units of each file",
    unsorted_names: "sorts files by their first time, whatever their names are",
    single_steps: "joins files of a single step",
    no_steps: "leaves out a file without times, and says so",
    times_not_exact: "refuses times that cannot be written exactly in the units of the first file",
    vague_units: "refuses units without a fixed length, such as months",
    packed_times: "refuses packed times",
    backwards: "refuses times that decrease",
    duplicate_dates: "refuses a file that has a time twice",
    no_time: "refuses files without times",
    float_times: "joins times in single precision beside doubles",
    bounds_before_time: "joins bounds whose first dimension is not time",
    fills_of_bounds: "joins bounds of other fill values if none of their values is missing",
  },
  calendars: {
    calendars: "refuses other calendars",
    calendar_names: "joins noleap and 365_day",
    calendar_names_of_leap_years: "joins all_leap and 366_day",
    gregorian: "joins standard, gregorian and proleptic_gregorian after 1582",
    gregorian_before_1582: "refuses standard beside proleptic_gregorian before 1582",
    calendars_that_count_from_the_year_1:
      "joins standard and proleptic_gregorian that count from the year 1, where they differ by two days",
    before_1582: "joins times before 1582 in one calendar",
    months_of_30_days: "joins months of a calendar with years of 360 days",
    leap_seconds: "refuses a calendar that it does not know, such as one with leap seconds",
  },
  "equal chunks": {
    aligned: "passes on the stored chunks of files of the same form",
    aligned_blocks: "passes on chunks of several steps if files end at the ends of chunks",
    last_partial: "passes on a partial chunk at the end of the last file",
    packed_alike: "passes on values that are packed alike",
    with_levels: "passes on values on levels",
    last_partial_unfiltered: "decodes a last chunk that HDF5 stores without filters",
    edges_of_the_grid_unfiltered:
      "decodes chunks at the edge of the grid that HDF5 stores without filters",
  },
  "files that end within a chunk, or have other chunks": {
    years_in_blocks_of_30: "cuts smaller chunks where a common divisor is large enough",
    leap_years_VirtualiZarr330: "joins years of 365 and 366 days (VirtualiZarr#330)",
    no_common_divisor: "puts chunks together from several files where there is no common divisor",
    chunk_lengths: "decodes the chunks of files with another chunk length",
    other_chunks_of_the_last_file: "decodes the chunks of a last file with chunks of another shape",
    time_not_first: "joins variables whose first dimension is not time",
  },
  "values in one piece": {
    classic: "joins files of NetCDF-3",
    classic_several: "joins files of NetCDF-3 with several variables",
    contiguous: "passes on ranges of bytes of contiguous values",
    contiguous_small: "puts small contiguous values together to chunks of several files",
    contiguous_beside_chunks: "cuts contiguous values like the chunks of other files",
    contiguous_beside_compressed: "compresses contiguous values like the chunks of other files",
    classic_beside_netcdf4: "joins a file of NetCDF-3 with files of NetCDF-4",
    contiguous_beside_smaller_chunks:
      "decodes contiguous values where the chunks of other files are no ranges of bytes in them",
    time_not_first_in_one_piece:
      "decodes contiguous values whose first dimension is not time, as a chunk is no range of bytes in them",
  },
  "filters and byte order": {
    levels_of_deflate: "passes on chunks of other levels of deflate",
    filters: "encodes the chunks of the minority like those of the majority",
    checksums: "encodes chunks that end in a checksum like those of the majority",
    szip: "encodes chunks compressed with szip like those of the majority",
    uncompressed_beside: "encodes uncompressed chunks like those of the majority",
    endian: "turns round the bytes of big-endian files",
  },
  "packing and fill values": {
    fills: "decodes values where only fill values differ",
    fills_of_packed: "decodes packed values where fill values differ",
    missing_values: "decodes values where missing_value differs",
    packed_differently_VirtualiZarr1004:
      "unpacks values of other scales and offsets (VirtualiZarr#1004)",
    packed_beside_floats_VirtualiZarr1059:
      "unpacks packed values beside floats (VirtualiZarr#1059)",
    whole_numbers_of_other_fill: "decodes whole numbers of other fill values",
    whole_numbers_of_other_size: "refuses whole numbers of other sizes",
    valid_ranges: "leaves out valid ranges that differ, and says so",
    units_of_data: "refuses other units of the data",
    fill_in_some_files: "decodes values of which some files say no fill value",
  },
  "coordinates without time": {
    grids: "refuses grids of another size",
    shifted: "refuses shifted latitudes",
    rounding: "takes latitudes that differ by rounding from the first file, and says so",
    heights: "refuses another height",
    descending: "joins files with latitudes from north to south",
    names_of_stations: "joins files with the same texts without time",
    other_names_of_stations: "refuses other texts without time",
    levels_of_other_number: "refuses another number of levels",
    levels_of_other_units: "refuses levels in other units",
    bounds_of_levels: "refuses other bounds of levels",
    poles: "refuses another pole of the grid mapping",
    same_pole: "joins files of the same grid mapping",
    curvilinear: "joins files with the same latitudes and longitudes of two dimensions",
    curvilinear_shifted: "refuses other latitudes of two dimensions",
    curvilinear_rounding:
      "takes latitudes of two dimensions that differ by rounding from the first file",
  },
  "variables without time, and missing ones": {
    fixed_fields: "refuses a field without time that differs",
    fields_packed_differently:
      "refuses a field without time whose stored values are equal and mean something else",
    fills_of_fields:
      "joins fields without time of other fill values if none of their values is missing",
    fills_of_fields_that_are_used:
      "refuses fields without time of other fill values if some values are missing",
    missing_refused: "refuses a variable that some files lack",
    missing_filled: "fills a variable that some files lack, if that is asked for",
  },
  "overlaps and gaps": {
    overlap: "uses shared steps of the longer file, and says so",
    overlap_in_blocks: "puts chunks together where shared steps do not end at the ends of chunks",
    overlap_strict: "refuses shared steps, if that is asked for",
    copies: "uses one of two equal files, and says so",
    within: "uses the longer of two files if one lies within the other",
    several_overlaps: "uses shared steps of the longest file where several files overlap",
    other_variables_at_the_same_times: "refuses files of other variables at the same times",
    other_variables_at_some_times:
      "refuses files of other variables at some of the same times, also if missing ones are filled",
    time_twice: "refuses a variable that has the time axis twice",
    interleaved: "refuses files whose times interleave",
    gap: "joins files with a gap between them, and says so",
    gap_strict: "refuses a gap, if that is asked for",
  },
  "attributes of files": {
    files_of_two_members: "refuses files that say that they are of different datasets",
    attributes_of_files:
      "keeps equal global attributes, lists tracking_id, and leaves out others that differ",
  },
  "groups, grids without rows, ensembles": {
    groups: "refuses files with variables in groups",
    unstructured: "joins files of a grid without rows and columns",
    unstructured_shifted: "refuses other cells of a grid without rows and columns",
    with_texts: "joins texts along time",
    members: "passes on the chunks of members along a new axis",
    members_packed_differently: "unpacks members that are packed differently",
    members_of_other_times: "refuses members of other times",
    members_of_other_heights: "refuses members of other heights",
    variables: "puts variables of one grid and time side by side",
    variables_of_other_time_units: "puts variables side by side whose times have other units",
    members_of_other_time_units: "joins members whose times have other units",
    variables_twice: "refuses a variable that several datasets have",
    variables_of_other_grids: "refuses variables of other grids",
  },
  "damaged files": {
    damaged: "refuses a set with a file that cannot be read",
  },
};
