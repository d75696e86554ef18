// Made from openapi.yaml by `npm run generate`; never edited.
export interface paths {
    "/databrowser/overview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Flavours and their facets
         * @description The flavours that can be searched, and the names of the facets in each: DRS standards, those that administrators
         *     have made for all, and with an access token the caller's own.
         */
        get: operations["getOverview"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/databrowser/data-search/{flavour}/{uniq_key}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the locations of data
         * @description The locations of everything that matches, one a line, sorted by `file` in descending order. The list is
         *     streamed and has no limit. A transfer that fails on the way is broken off, so that a list which
         *     arrived whole is complete. Line breaks inside a location are percent-encoded.
         *
         *     With `uri` as the key, only entries that have a URI are listed.
         *
         *     Where the service hides what its caller may not read on the disk (`HIDE_UNREADABLE`), such files are left out;
         *     counts of facets have them all the same, as have `start`.
         *
         *     With `group_by` and `need`, or with `require_all_on`, only files of groups that are complete (operation
         *     `findComplete`) are listed, and those that meet for one of them a need `on` fewer facets.
         */
        get: operations["searchData"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/databrowser/download/{flavour}/{uniq_key}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download the files that are found
         * @description All files that match, as a script or a list that downloads them from `data-portal/files`. `as` says in which form; `format`
         *     with one of these words is the same, and with other values the facet.
         *
         *     - `sh`: a script for any POSIX shell, with curl or wget. It downloads several files at once, resumes, verifies, and goes on
         *       when it is run again. `sh FILE -h` shows its options. It has no token: it reads one from `CLIMATE_NEXTGEN_TOKEN` or a file.
         *     - `aria2`: an input file of aria2, with checksums. `metalink`: Metalink 4 (RFC 5854).
         *     - `urls`: addresses, one per line. `sha256sum`: the checksums, for `sha256sum -c`.
         *     - `globus`: pairs of paths for `globus transfer --batch`.
         *
         *     The list is streamed and has no limit. A transfer that fails on the way is broken off; a script that is not complete does
         *     nothing. Zarr stores and data that are not on the service's machine are left out; the script reports how many.
         */
        get: operations["downloadData"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/databrowser/download/{flavour}/{uniq_key}/metalink": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download the files that are found, by Metalink
         * @description All files that match, with names, sizes, checksums and addresses for download managers (Metalink 4, RFC 5854), as `download`
         *     gives it with `as=metalink`.
         */
        get: operations["downloadMetalink"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/databrowser/metadata-search/{flavour}/{uniq_key}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count the facet values of what is found
         * @description How many entries match, and which facet values they have, each with its number of entries.
         *     Values are lower case and sorted; counts are strings. The answer has an `ETag`: send it back in
         *     `If-None-Match`, and an unchanged answer is 304 without a body. With `choices=true` the values of a facet stay that
         *     another choice in it would give. Of each facet, 10,000 values are shown at the most; `more_values` leads to the others.
         *
         *     It needs no access token, but for `facets=user`: the names of users are not listed to strangers. For the same reason
         *     `user` takes wildcards and exclusions only with a token.
         */
        get: operations["searchMetadata"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/databrowser/summary/{flavour}/{uniq_key}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * How much is found
         * @description How many files and datasets a search finds, how many bytes they are, of which period, in which formats and on which
         *     kinds of storage; and an estimate of how long its path list, its intake-esm catalogue and its STAC archive would be,
         *     judged by some of the entries, as a rule within a fifth.
         *
         *     Not every entry says how large its file is: `sized_files` tells how many do, and `bytes` is the sum of these. Nor has
         *     every one the name of a dataset (`dataset_id`) or a period with an end.
         */
        get: operations["summarize"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/databrowser/why/{flavour}/{uniq_key}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Why nothing is found, or so little
         * @description For each constraint of a search (a key with its values, included or excluded, a period, a region) how many files would
         *     be found without it. Where nothing is found, `excluding` is a set of constraints that exclude everything together:
         *     without any one of them something is found that the others let through. Of up to eight constraints there is
         *     no smaller set.
         *
         *     For a value that nothing has which the other constraints let through, `near` has up to five that something has: the
         *     same letters with other `-`, `_`, `.`, blanks or case; values that begin alike; those of two slips at the most; or, for
         *     a variable that was called by its standard or long name, its short name. Names of users are not told.
         */
        get: operations["explain"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/databrowser/suggest/{flavour}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What a typed text may mean
         * @description Reads a text such as `tas historical MPI 1990-2000 Europe` and suggests for each part of it values of facets, periods,
         *     regions and datasets. A part is a word, several words that together are a name or a period, or a text in double quotes;
         *     `facet=text` asks for the values of one facet. At most eight parts are read.
         *
         *     A value matches by its code, its long name, or the standard and long names that files have: `exact`, `prefix` if the
         *     code begins with the text, `word` if a word of code or name does. Only where nothing does, `near` has similar spellings. Upper and lower case,
         *     `-`, `_`, `.` and blanks do not matter. Regions are those of IPCC AR6 and everyday ones, such as Europe.
         *
         *     The suggestions of a part are ordered by how they match, then by their count: how many files the search finds with it and
         *     with the first suggestions of the parts before it, in place of what both say of the same facet. Those that find
         *     nothing come last. `best` has the first suggestion of each part that finds something.
         *
         *     With `begins=true` the whole text is the beginning of values, as shells complete them.
         */
        get: operations["suggest"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/databrowser/coverage/{flavour}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What there is of each pair of values of two facets
         * @description A matrix: the values of one facet as rows, those of another as columns, and in each cell how much a search finds that has both.
         *     A file with several values of a facet is in the row or column of each of them; the same facet may be both, which
         *     tells which values occur together. Only cells of which a file is found are in the answer; its values are lower case
         *     and sorted. `cells` says what is counted:
         *
         *     - `files`;
         *     - `datasets`, by their names (`dataset_id`);
         *     - `bytes`, the sum of the sizes that are known;
         *     - `members`, the different values of the facet for ensemble members;
         *     - `years`: how long the periods of the files are together, in years of 365.2425 days. What several files cover counts once. A
         *       period that is open on a side, as of constant data, has no length.
         *
         *     Where the files of a cell do not say it (no size, no closed period), the cell has 0. `known_files` tells of how many of the files
         *     that are found it is known.
         *
         *     As CSV (`Accept: text/csv` or `format=csv`) it is a table, whose first line has the name of the rows' facet and the
         *     values of the columns; where no file is found a cell is empty. Operation `showCoverageCsv` gives nothing else.
         *
         *     More than 1,000,000 cells, as many as there are rows times columns, are 413 with their number, as are
         *     periods, members or datasets of cells that are too many to be gone through.
         */
        get: operations["showCoverage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/databrowser/coverage/{flavour}/csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What there is of each pair of values of two facets, as CSV
         * @description The matrix of operation `showCoverage` as a table, whatever `Accept` says. The first line has the name of the rows' facet
         *     and the values of the columns; a cell is empty if no file is found. Here `format` is only a facet.
         */
        get: operations["showCoverageCsv"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/databrowser/boxes/{flavour}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The regions of what is found, each once
         * @description Which boxes the files of a search have, in degrees as they were registered, and how many files have each: the most frequent
         *     first, 1,000 at the most. `box_count` tells how many there are in all; files of other spellings of the same four
         *     numbers count for one box. Of more than 10,000 boxes, as they are written, it counts these spellings, and in an index of
         *     several shards it tells about how many there are.
         */
        get: operations["listBoxes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/databrowser/years/{flavour}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * How many files there are in which years
         * @description How many of the files that a search finds cover each of some stretches of years, as a timeline draws them. `bars` begin at a
         *     multiple of their length, which is the shortest of 1, 2, 5, 10, 20, ... years with which they are not too many; a file counts in
         *     each that it has a moment of. Files count that say when they begin and when they end (`known_files`); of what is open
         *     at one end, or constant, no bar tells. `first` and `last` are the years of all of them, whatever `since` is.
         */
        get: operations["countYears"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/databrowser/datasets/{flavour}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The datasets of what is found, with their periods
         * @description A page of datasets, sorted by their names (`dataset_id`) or as `sort` says: how many files and bytes of each are found, in which
         *     versions, what they cover in time, where gaps are, and where files overlap. Only files count that the search finds. Files that do
         *     not say enough for a name come last, all together, as one without a name; so every file that is found is of one of them.
         *
         *     `periods` go from where files say that they begin to where they end. A period goes on where the next step of the
         *     files' frequency is there, be it a year, a month or, of all others, a day; else a gap begins. `overlaps` are what two or more files cover that
         *     differ in nothing else: neither in version nor format, kind of storage, or a facet.
         *
         *     A page has fewer datasets than `limit` where they have more than 10,000 files together; `after` and `next` say whether more follow.
         *     A dataset of more than 3,000,000 files is 413.
         */
        get: operations["listDatasets"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/databrowser/complete/{flavour}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Which groups of files have everything
         * @description Groups of files with the same values of some facets, as models or their members, that have all that is needed, and
         *     what those lack that have nearly all. What is needed is said by `need`, or by `require_all_on` in the meaning of
         *     intake-esm. A file with several values of a facet belongs to several groups, one without a value to none. Values are
         *     in lower case, as they compare in any case.
         *
         *     The groups are those of the files that meet some need; of all that is found where no need is on all facets of
         *     `group_by`, and with `require_all_on`. Periods are taken to whole steps of the files' frequency: years, months, else
         *     days. Where `from` or `to` is left out, the period that must be covered begins or ends where the files' does. Constant
         *     data are there at every time, files without a period at none.
         *
         *     `links` lead to lists of the files of the complete groups. More than 100,000 groups, or needed files of more than
         *     3,000,000, are refused with 413.
         */
        get: operations["findComplete"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/databrowser/extended-search/{flavour}/{uniq_key}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Documents with chosen fields, page by page or as a table
         * @description What is found, with the `fields` that are asked for, sorted by `file` in descending order. In which form says `format`,
         *     and else `Accept`: JSON, where nothing is said; CSV; or Parquet.
         *
         *     **JSON** is a page of `limit` documents, and beside them how many match and, if `facets` are asked for, which facet
         *     values they have, as in a metadata search: of all that matches, whatever page it is. `next` is the address of the next
         *     page; a page far behind costs as much as the first. A walk over all pages gives each document once. Where entries are
         *     added meanwhile, those that stand before a page are not seen any more; where they are taken away, nothing is
         *     seen twice. A facet or a detail of which an entry may have several values is always a list; a period is
         *     `A to B`, a box has its four sides in degrees; what an entry does not have is left out.
         *
         *     **CSV** (RFC 4180, UTF-8, a line of names at the top) and **Parquet** are streamed whole, where no `limit` is given. A
         *     transfer that fails on the way is broken off; of Parquet the end is missing then, without which nothing reads it.
         *     `bbox` has four columns, `bbox_west`, `bbox_east`, `bbox_south` and `bbox_north`. In a CSV cell the values of a list are
         *     joined by `;`, with a backslash before each `;` and each backslash in them; an apostrophe stands before a text that a
         *     spreadsheet would take for a formula, and before one that begins with an apostrophe: take one away. Numbers are
         *     left alone. In Parquet lists are lists of texts, sizes 64-bit integers, moments timestamps in UTC; which columns
         *     there are, and of which type, depends on the fields alone. A moment that lies more than 270,000 years away is null there.
         *     Operations `searchExtendedCsv` and `searchExtendedParquet` give nothing else.
         *
         *     `format` is a facet as well: `json`, `csv` and `parquet`, as they are written here, are forms of the answer, and any
         *     other value is searched for (`format=CSV` finds files of that format).
         *
         *     Where the service hides what its caller may not read on the disk (`HIDE_UNREADABLE`), such files are left out, so
         *     that a page may have fewer documents; counts of facets have them all the same.
         *
         *     It needs no access token, but for the names of users, in `fields` or `facets`.
         *
         *     With `group_by` and `need`, or with `require_all_on`, CSV and Parquet have only files of groups that are complete
         *     (operation `findComplete`), and those that meet for one of them a need `on` fewer facets. Pages of JSON do not take
         *     them.
         */
        get: operations["searchExtended"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/databrowser/extended-search/{flavour}/{uniq_key}/csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Documents with chosen fields, as CSV
         * @description The table of operation `searchExtended` with `format=csv`, whatever `Accept` says: all that is found, sorted by `file` in
         *     descending order, streamed. A transfer that fails on the way is broken off.
         *     Here `format` is only a facet.
         */
        get: operations["searchExtendedCsv"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/databrowser/extended-search/{flavour}/{uniq_key}/parquet": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Documents with chosen fields, as Parquet
         * @description The table of operation `searchExtended` with `format=parquet`, whatever `Accept` says: all that is found, sorted by `file` in
         *     descending order, streamed. Of a transfer that fails the end is missing, without which nothing reads it.
         *     Here `format` is only a facet.
         */
        get: operations["searchExtendedParquet"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/databrowser/intake-catalogue/{flavour}/{uniq_key}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * An intake-esm catalogue of what is found
         * @description A catalogue that [intake-esm](https://intake-esm.readthedocs.io) opens by this very address:
         *     `intake.open_esm_datastore("<address>")`. Its columns are the facets under the flavour's names; facet
         *     values are arrays, except `fs_type`. Three columns beside them are texts: `dataset_id`, the name of the
         *     dataset in its standard, with the version where all versions are searched; `group_id`, the facets that the
         *     variables of one run have in common, by which files are grouped; and `data_format`. Files of a group are
         *     joined along `time`, their variables united.
         *
         *     The catalogue is streamed and has no limit. A transfer that fails on the way is broken off.
         *
         *     Where the service hides what its caller may not read on the disk (`HIDE_UNREADABLE`), such files are left out;
         *     counts of facets have them all the same, as have `start` and `max-results`.
         *
         *     With `group_by` and `need`, or with `require_all_on`, only files of groups that are complete (operation
         *     `findComplete`) are listed, and those that meet for one of them a need `on` fewer facets.
         */
        get: operations["createIntakeCatalogue"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/databrowser/stac-catalogue/{flavour}/{uniq_key}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A static STAC catalogue of what is found
         * @description A zip archive that holds a self-contained static [STAC](https://stacspec.org) 1.1 catalogue: `catalog.json`, a
         *     collection and an item for each entry, with relative links. Items have the entry's box, period and
         *     facets, and assets for its location and its intake-esm catalogue. An entry without a period holds for
         *     all times, and does not widen the collection's. CMIP6 items carry fields of the CMIP6 extension.
         *
         *     The archive is streamed and has no limit. A transfer that fails on the way is broken off.
         *
         *     Where the service hides what its caller may not read on the disk (`HIDE_UNREADABLE`), such files are left out;
         *     counts of facets have them all the same, as have `start` and `max-results`.
         *
         *     With `group_by` and `need`, or with `require_all_on`, only files of groups that are complete (operation
         *     `findComplete`) are listed, and those that meet for one of them a need `on` fewer facets.
         */
        get: operations["createStacCatalogue"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/databrowser/cart/{flavour}/{uniq_key}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * What several searches find together, as one list or catalogue
         * @description Everything that at least one of the searches finds, each entry once: for many datasets and searches that no address
         *     has room for. Each search has the parameters that `metadata-search` takes, and may be in a flavour of its own; the
         *     answer is in the words of the flavour in the path.
         *
         *     `format` says in which form: `paths`, the locations, one a line, as `data-search` lists them; `zarr`, the addresses of
         *     their zarr streams, as `load` does, with an access token; `intake` and `stac`, the catalogues; `csv`, a table with
         *     `fields`, as `extended-search` has it; `sh`, `aria2`, `metalink`, `urls`, `sha256sum` and `globus`, a download of the files
         *     as `download` gives it. `as`, the former name of `format`, is accepted. With `multi-version` in any of the searches, catalogues and tables tell versions.
         *
         *     Sorted by `file` in descending order; where some searches are of all versions and some of the newest, what those
         *     of all versions find comes first. The answer is streamed and has no limit; a transfer that fails on the way is broken off.
         *
         *     Where the service hides what its caller may not read on the disk (`HIDE_UNREADABLE`), such files are left out.
         */
        post: operations["downloadCart"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/databrowser/flavours": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Flavours and what they call the facets
         * @description Every flavour that can be searched, with the facets that it names differently: those that are built in, those for
         *     all, and with an access token the caller's own.
         */
        get: operations["listFlavours"];
        put?: never;
        /**
         * Make a flavour
         * @description A name, and what facets are called under it; every other facet keeps its native name. A search in it is the same
         *     search as in `native`, under other names. It is the caller's alone, who sends the access token with every search
         *     in it; an administrator can make one for all.
         *
         *     Names begin with a letter, and have letters from a to z, digits, `_` and `-`. Refused is a name that two facets
         *     would have, the native name of another facet, a name that means something else in a search or an answer (`time`,
         *     `start`, `file`, `dataset_id`, ...), and the name of a built-in flavour; case, `-` and `_` make no difference.
         *     Other instances of the service know it within seconds.
         */
        post: operations["addFlavour"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/databrowser/flavours/{flavour}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Change a flavour
         * @description Changes the name, the names of facets, or whether it is for all; what is left out stays. A new mapping takes the
         *     place of the old one. What is for all, administrators change.
         */
        put: operations["changeFlavour"];
        post?: never;
        /**
         * Take a flavour out
         * @description A flavour of the caller's own, or as an administrator one for all. Data are not touched; addresses that have its
         *     name, in catalogues too, lead nowhere any more.
         */
        delete: operations["deleteFlavour"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/databrowser/userdata": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Register data of your own
         * @description Makes files findable in the flavour `user`, for everybody, under the name of the token's user. The whole body is
         *     checked first: unless every entry is right, nothing is stored. What was added is found by the next search.
         *
         *     A path on the service's own machine is brought to its one form, links resolved; `uri` must lead to the same. Of
         *     what the service can read there you may register what lies in a folder of yours (as the service is set up), what
         *     belongs to you on the machine, and what is public in the index already; anything else is 422. What is not
         *     there is registered as it is named: it is found, but gives no right to read.
         *
         *     A file that is registered already, by you, by somebody else or in the public catalogue, stays as it is and
         *     is counted as a duplicate. Should a request fail with 500 or 503, send the same body again: that completes it.
         */
        post: operations["addUserData"];
        /**
         * Take your own data out again
         * @description Deletes those of the caller's own entries for which every key of the body holds; `{}` means all of them. Entries of
         *     others are never touched. The files themselves stay where they are.
         *
         *     Keys are native facet names, `file`, `uri` and `version`. Values are compared as in a search, with the wildcards
         *     `*` and `?`, but nothing in them negates; `time` and `bbox` match what overlaps them.
         */
        delete: operations["deleteUserData"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/v2/authorize": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Sign in with a browser
         * @description The authorization endpoint of the code flow with PKCE (RFC 6749, 4.1; RFC 7636; RFC 9700): a page for people, where no program
         *     sees the password. The answer goes to `redirect_uri` with `code`, `state` and `iss` (RFC 9207), or with `error` and
         *     `error_description`; where client or address are not known, to nobody. A code is good for one use within a minute; one that
         *     comes again ends the tokens that it gave.
         *
         *     Whoever has signed in for the service's own page is not asked again with the same browser for eight hours, until they sign
         *     out, or their account ends or gets another password; for other clients they always are. With an outside identity provider
         *     (`OIDC_DISCOVERY_URL`) the page is the provider's, and the answer comes from there. Parameters that are not known are ignored.
         */
        get: operations["authorize"];
        put?: never;
        /**
         * Send the form of the sign-in page
         * @description What the sign-in page sends; of no use to programs, as it is taken only with the cookie and the key of a form that was made for
         *     the same browser, from a page of this service. Failed sign-ins are limited as those of `auth/v2/token`.
         */
        post: operations["signIn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/v2/token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get an access token and a refresh token
         * @description A request has the fields of one of three grants (RFC 6749, 4.1.3, 4.3.2 and 6):
         *
         *     | grant | fields | `grant_type` |
         *     |---|---|---|
         *     | password | `username`, `password` | `password`, or left out |
         *     | refresh token | `refresh_token` | `refresh_token`, or left out |
         *     | authorization code, of somebody who signed in on the page `auth/v2/authorize` | `code`, `redirect_uri`, `code_verifier` | `authorization_code`, needed |
         *
         *     `client_id`, `client_secret` and `scope` go with each of them.
         *
         *     A refresh token works once: the answer has its successor. One that comes back after it was used ends
         *     the whole chain of its successors, since somebody else may have it (RFC 9700, 4.14.2). Of requests that
         *     refresh the same token at the same moment one gets the successor and the others 401; a request counts as
         *     simultaneous when it comes before the first one is answered.
         *
         *     Failed sign-ins are limited for each name at an address, and for each address; very many for one name make the
         *     answers to it slower. A service that is busy with sign-ins answers 503 with `Retry-After`.
         */
        post: operations["issueToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/v2/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check an access token
         * @description Whose the access token is, and until when it is valid.
         */
        get: operations["tokenStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/v2/userinfo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Who is signed in
         * @description The claims about the holder of the access token (OpenID Connect Core 1.0, 5.3).
         */
        get: operations["userInfo"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/v2/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Give a token up
         * @description Ends a refresh token with all its successors, or an access token (RFC 7009). A token that is not known is
         *     answered with 200 as well.
         */
        post: operations["revokeToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/v2/introspect": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * What a token is worth
         * @description Whether a token is valid, and what it says (RFC 7662). Asked by the holder of an access token, or by a client
         *     that shows its secret, in the form or in HTTP Basic authentication; anybody else gets 401.
         */
        post: operations["introspectToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/v2/script-tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Your tokens for scripts
         * @description Those that have not ended, the newest first. The tokens themselves are shown once only, when they are made.
         */
        get: operations["listScriptTokens"];
        put?: never;
        /**
         * Make a token for scripts
         * @description A token that is used as an access token is, in `Authorization: Bearer`, for as long as was said: for jobs and notebooks that cannot
         *     ask for a password. It ends when it is revoked, with the account, and when the account gets another password. An account has 20
         *     at the most. With such a token no others can be made, listed or ended. Accounts of an outside identity provider have none.
         */
        post: operations["createScriptToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/v2/script-tokens/{token_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke a token for scripts
         * @description Ends a token of the caller's; other instances follow within two seconds.
         */
        delete: operations["endScriptToken"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/v2/jwks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The keys that verify access tokens
         * @description The public keys as a JSON Web Key Set (RFC 7517); after a rotation also the earlier ones.
         */
        get: operations["jwks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/openid-configuration": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What this service can do, as OpenID Connect Discovery has it
         * @description The endpoints and abilities of the issuer (OpenID Connect Discovery 1.0, section 4).
         */
        get: operations["openidConfiguration"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/oauth-authorization-server": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What this service can do, as RFC 8414 has it
         * @description The endpoints and abilities of the issuer, below its address; RFC 8414 itself wants them between the host and
         *     the path, where they are as well.
         */
        get: operations["authorizationServerMetadata"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/oauth-authorization-server/api/climate-nextgen": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What this service can do, where RFC 8414 wants it
         * @description The endpoints and abilities of the issuer, at the address of RFC 8414, section 3.1.
         */
        get: operations["authorizationServerMetadataAtRoot"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/databrowser/load/{flavour}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Zarr streams of what is found
         * @description The address of a zarr stream for everything that matches, one a line, in the order of a list. An address
         *     is always the same for the same data, and needs an access token to be read. With
         *     `catalogue-type=intake`, an intake-esm catalogue whose locations are these addresses, as operation `createZarrCatalogue`
         *     gives it.
         *
         *     With `join=dataset` there is one address for each dataset that is found, a store of all its files: docs/joins.md says what
         *     is joined and what is refused. Such an address belongs to the files in their present state: once one of them changes, it
         *     is 409, and a new list has a new address. It is kept for 90 days after its last use. Up to 50,000 files are joined at once.
         *
         *     Where the service hides what its caller may not read on the disk (`HIDE_UNREADABLE`), such files are left out;
         *     counts of facets have them all the same, as have `start`.
         */
        get: operations["loadData"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/databrowser/load/{flavour}/{uniq_key}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Zarr streams of what is found, by file or URI
         * @description The address of a zarr stream for everything that matches, one a line, in the order of a list. An address
         *     is always the same for the same data, and needs an access token to be read. With
         *     `catalogue-type=intake`, an intake-esm catalogue whose locations are these addresses, as operation `createZarrCatalogue`
         *     gives it.
         *
         *     With `join=dataset` there is one address for each dataset that is found, a store of all its files: docs/joins.md says what
         *     is joined and what is refused. Such an address belongs to the files in their present state: once one of them changes, it
         *     is 409, and a new list has a new address. It is kept for 90 days after its last use. Up to 50,000 files are joined at once.
         *
         *     Where the service hides what its caller may not read on the disk (`HIDE_UNREADABLE`), such files are left out;
         *     counts of facets have them all the same, as have `start`.
         */
        get: operations["loadDataByKey"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/databrowser/load/{flavour}/{uniq_key}/intake": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * An intake-esm catalogue of zarr streams
         * @description The catalogue that operation `loadDataByKey` makes with `catalogue-type=intake`: its locations are the addresses of zarr
         *     streams, which need an access token to be read.
         *
         *     Where the service hides what its caller may not read on the disk (`HIDE_UNREADABLE`), such files are left out.
         */
        get: operations["createZarrCatalogue"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/data-portal/zarr/join": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * One zarr stream of many files
         * @description An address for each dataset among the files that are named, or that a search finds: a zarr store of all its files. Files
         *     of several datasets are joined only if that is asked for: `by=member` joins the members of an ensemble along a new axis,
         *     `by=variables` puts variables of one grid and time side by side. Of several versions the newest is used. The
         *     address is made without reading the files; whether they can be joined is known when it is opened, or from its plan.
         */
        post: operations["joinData"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/data-portal/zarr/{store}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A page about a zarr stream
         * @description Dimensions, variables, attributes, chunking and sizes, and the lines of Python that open it.
         */
        get: operations["showZarr"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/data-portal/zarr/{store}/plan": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * How files are joined
         * @description Of a joined store: its files in their order, what of each variable is passed on as it is stored and what is decoded, gaps
         *     and overlaps, or why the files are not joined. A page for browsers (`Accept: text/html`), else JSON.
         */
        get: operations["showJoinPlan"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/data-portal/zarr/{store}/{key}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a key of a zarr stream
         * @description Metadata and chunks of a data set as a zarr store: `.zmetadata`, `.zgroup`, `.zattrs`, `.zarray` and chunks of
         *     zarr v2, or the keys of an existing store as they are. Open it with
         *     `xarray.open_zarr(address, storage_options={"headers": {"Authorization": "Bearer ..."}})`.
         *
         *     At the address that ends in `.zarr3` the same data are a zarr v3 store: `zarr.json` with consolidated metadata in each
         *     group, and the same chunks under the same keys.
         *
         *     Public data can be read with any valid token, a user's own data with that user's only, and what the
         *     operator has opened to everybody (`PUBLIC`) without one. 404 means that
         *     there is no such document or that a chunk was never written; a failure is never a 404, and a key that is
         *     neither a document nor a chunk of one of the arrays is 400.
         *
         *     An attribute that is not a number is a bare `NaN` in a document, as Python's zarr writes and needs it;
         *     to a script (by `Sec-Fetch-Mode` or `User-Agent`), whose JSON has no such token, it is the text `"NaN"`.
         */
        get: operations["readZarr"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/data-portal/files/{id}/{file_name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download a file
         * @description The file of a data set, unchanged, whole or in part (`Range` with one range; several ranges get the whole file). The entity
         *     tag changes with the file, so that `If-Range` continues an interrupted download safely. `Repr-Digest` (RFC 9530) is the
         *     checksum of the whole file, if the index knows it and the file has not changed since. A file that is replaced, shortened or
         *     removed while it is sent breaks the transfer.
         *
         *     Who may read the zarr stream of the data may read the file. A zarr store has many files: it is read as a stream (409).
         */
        get: operations["readFile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/data-portal/references/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * References to the chunks in a file
         * @description The metadata of a file as zarr v2, and for each chunk the path of the file, its offset and its length, in kerchunk's form:
         *     a program on a machine that has the same file system opens the data with fsspec's `reference` file system or xarray's engine
         *     `kerchunk`, and reads the file itself, without this service. The references hold as long as the file does not change.
         *
         *     Small arrays, and chunks that have no range of bytes in the file, are in the references themselves, up to 8 MiB in all.
         *     A variable with more of them is left out; the attribute `_left_out` of its group names it.
         *
         *     Who may read the zarr stream of the data may read the references. A zarr store has many files, and needs none (409).
         *     A client reads this document as a whole: data of more than 1,000,000 chunks are 413. Operation `readParquetReferences` has
         *     the same in files of which a client reads what it needs.
         */
        get: operations["readReferences"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/data-portal/references/{id}/parquet": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * References to the chunks in a file, as Parquet
         * @description What operation `readReferences` gives, as a zip archive of a folder of Parquet files, in the layout of fsspec's
         *     `LazyReferenceMapper`: a client reads the references that it needs, in the archive or in the unpacked folder. A group is a
         *     folder of its own. Data of more than 5,000,000 chunks are 413.
         */
        get: operations["readParquetReferences"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/data-portal/preview/{store}/{variable}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A slice of a variable
         * @description Values of one variable of a data set as an array of float32 that `np.load` reads: decoded and sampled here, so that a
         *     map of a field whose stored chunks are large, or a series through many chunks, is one small answer. Values are
         *     unpacked (`scale_factor`, `add_offset`, `_Unsigned`), and missing ones (`_FillValue`, `missing_value`) are NaN, as
         *     xarray has them; times stay numbers.
         *
         *     Of a dimension that has more indexes than samples are wanted, sample `i` of `m` is index
         *     `floor((i + 0.5) * n / m)` of the `n` in the stretch. Whoever may read the stream of the data may read this.
         */
        get: operations["previewData"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/data-portal/zarr-utils/html": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A page about the zarr stream of an address
         * @description The same page, for an address as the load operations give it.
         */
        get: operations["showZarrOfAddress"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/data-portal/share-zarr": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * An address that needs no token
         * @description For notebooks and browsers that cannot send headers: an address of the stream that anybody can read until it
         *     expires. It is signed, and tells nobody who shared it. It ends before when it is taken back, with the account of
         *     who shared it, and, as all shared addresses do, when the service's keys are rotated.
         */
        post: operations["shareZarr"];
        /**
         * Take a shared address back
         * @description Ends an address that the caller has shared; from then on reading it is 401.
         */
        delete: operations["unshareZarr"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/data-portal/share/{ticket}/files/{id}/{file_name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download a shared file
         * @description As reading a file, with the ticket in the address instead of a token, until it expires.
         */
        get: operations["readSharedFile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/data-portal/share/{ticket}/{store}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A page about a shared zarr stream
         * @description The page about the data, at an address that opens in a browser as it is: the ticket in it stands for a token,
         *     until it expires.
         */
        get: operations["showSharedZarr"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/data-portal/share/{ticket}/{store}/{key}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a key of a shared zarr stream
         * @description As reading a zarr stream, with the ticket in the address instead of a token, until it expires.
         */
        get: operations["readSharedZarr"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/stac": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Where a STAC client begins
         * @description The catalogue as a STAC API 1.0.0: each item is a dataset, in its newest version, with its files as assets; each project is a
         *     collection. Items, names and filters are those that ESGF's clients use. Browsers get a page that says what to do with the address
         *     (`Accept: text/html`). docs/stac-api.md has examples for pystac-client.
         */
        get: operations["stacLanding"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/stac/conformance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Which parts of the standards hold
         * @description The conformance classes of STAC API, OGC API - Features and CQL2 that this service fulfils.
         */
        get: operations["stacConformance"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/stac/api": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * This contract, as the landing page links it
         * @description The same document as `/openapi.json`, under the media type that OGC API - Features wants for it.
         */
        get: operations["stacApi"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/stac/collections": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The projects
         * @description Each project is a collection. With `q`, `bbox` or `datetime` those that have a dataset that matches all of them.
         */
        get: operations["stacCollections"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/stac/collections/{collection}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A project
         * @description The collection of a project, with the extent of its data.
         */
        get: operations["stacCollection"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/stac/collections/{collection}/items": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The datasets of a project
         * @description A page of the items of a collection that match.
         *
         *     A dataset is found if one of its files matches all conditions. Filters are CQL2; names of properties are those of `queryables`, with
         *     or without the part before the colon. A property that a dataset lacks is null. `datetime` stands for the period of the data.
         *
         *
         *     Sorted by id unless `sortby` says otherwise. `numberMatched` is exact. A page may have fewer items than `limit`, if its datasets have
         *     more than 10,000 files together: the link `next` says whether there are more. `limit` is at most 1000.
         *     `collections`, which pystac-client sends here as well, must name this collection.
         */
        get: operations["stacItems"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/stac/collections/{collection}/items/{item}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A dataset
         * @description An item by its id, `<dataset_id>.<version>`. Searches find the newest version of each dataset; older ones are here, with `latest` false.
         */
        get: operations["stacItem"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/stac/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Search datasets
         * @description Items of all collections that match.
         *
         *     A dataset is found if one of its files matches all conditions. Filters are CQL2; names of properties are those of `queryables`, with
         *     or without the part before the colon. A property that a dataset lacks is null. `datetime` stands for the period of the data.
         *
         *
         *     Sorted by id unless `sortby` says otherwise. `numberMatched` is exact. A page may have fewer items than `limit`, if its datasets have
         *     more than 10,000 files together: the link `next` says whether there are more. `limit` is at most 1000.
         */
        get: operations["stacSearch"];
        put?: never;
        /**
         * Search datasets, with the search in the body
         * @description The same as the search by GET.
         *
         *     A dataset is found if one of its files matches all conditions. Filters are CQL2; names of properties are those of `queryables`, with
         *     or without the part before the colon. A property that a dataset lacks is null. `datetime` stands for the period of the data.
         *
         *
         *     Sorted by id unless `sortby` says otherwise. `numberMatched` is exact. A page may have fewer items than `limit`, if its datasets have
         *     more than 10,000 files together: the link `next` says whether there are more. `limit` is at most 1000.
         */
        post: operations["postStacSearch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/stac/queryables": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What filters can compare
         * @description The properties of items as a JSON Schema, with the values of those that have few.
         */
        get: operations["stacQueryables"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/stac/collections/{collection}/queryables": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What filters can compare in a project
         * @description The properties of the items of a collection as a JSON Schema. Filters in the collection can have no others.
         */
        get: operations["stacCollectionQueryables"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/stac/aggregations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What can be counted
         * @description The aggregations that `aggregate` knows.
         */
        get: operations["stacAggregations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/stac/collections/{collection}/aggregations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What can be counted in a project
         * @description The aggregations that `aggregate` knows in a collection.
         */
        get: operations["stacCollectionAggregations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/stac/aggregate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count datasets
         * @description Numbers of the items that match.
         *
         *     A dataset is found if one of its files matches all conditions. Filters are CQL2; names of properties are those of `queryables`, with
         *     or without the part before the colon. A property that a dataset lacks is null. `datetime` stands for the period of the data.
         *
         *
         *     Counts datasets, not files: `total_count`; `datetime_min`, `datetime_max` and `datetime_frequency`, by the years in which periods
         *     begin; and for each property of a standard the datasets of each value, such as `cmip6_source_id_frequency`.
         */
        get: operations["stacAggregate"];
        put?: never;
        /**
         * Count datasets, with the search in the body
         * @description Numbers of the items that match.
         *
         *     A dataset is found if one of its files matches all conditions. Filters are CQL2; names of properties are those of `queryables`, with
         *     or without the part before the colon. A property that a dataset lacks is null. `datetime` stands for the period of the data.
         *
         *
         *     Counts datasets, not files: `total_count`; `datetime_min`, `datetime_max` and `datetime_frequency`, by the years in which periods
         *     begin; and for each property of a standard the datasets of each value, such as `cmip6_source_id_frequency`.
         */
        post: operations["postStacAggregate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/stac/collections/{collection}/aggregate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count the datasets of a project
         * @description Numbers of the items of a collection that match.
         *
         *     A dataset is found if one of its files matches all conditions. Filters are CQL2; names of properties are those of `queryables`, with
         *     or without the part before the colon. A property that a dataset lacks is null. `datetime` stands for the period of the data.
         *
         *
         *     Counts datasets, not files: `total_count`; `datetime_min`, `datetime_max` and `datetime_frequency`, by the years in which periods
         *     begin; and for each property of a standard the datasets of each value, such as `cmip6_source_id_frequency`.
         */
        get: operations["stacCollectionAggregate"];
        put?: never;
        /**
         * Count the datasets of a project, with the search in the body
         * @description Numbers of the items of a collection that match.
         *
         *     A dataset is found if one of its files matches all conditions. Filters are CQL2; names of properties are those of `queryables`, with
         *     or without the part before the colon. A property that a dataset lacks is null. `datetime` stands for the period of the data.
         *
         *
         *     Counts datasets, not files: `total_count`; `datetime_min`, `datetime_max` and `datetime_frequency`, by the years in which periods
         *     begin; and for each property of a standard the datasets of each value, such as `cmip6_source_id_frequency`.
         */
        post: operations["postStacCollectionAggregate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ping": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Whether the process lives
         * @description Answers as long as the process lives, whatever becomes of the search backend.
         */
        get: operations["ping"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ready": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Whether the search backend answers
         * @description For load balancers and orchestrators; 503 while Solr cannot be searched, or what the service must remember cannot be written. Also at `/ready`, at the root of the service's host.
         */
        get: operations["ready"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * How the service is
         * @description What works and what does not, for people: a page for browsers (`Accept: text/html`), else JSON. The status of the
         *     answer is 200 also while something has failed, as the answer itself is there; what has failed stands in it. For load
         *     balancers there is `ready`. What is looked at is looked at every few seconds while somebody asks, for all who ask
         *     together; the answer does not wait for what hangs. Also at `/status`, at the root of the service's host.
         */
        get: operations["showStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What is measured, for Prometheus
         * @description In the text format of Prometheus. For callers on the service's own machine that come through no proxy; for others, and where the service has a port of its own for it, there is nothing here.
         */
        get: operations["metrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /**
         * @description A DRS standard, or a flavour that somebody has made. Which ones there are, `databrowser/overview` tells.
         * @example native
         * @example cmip6
         * @example cmip5
         * @example cordex
         * @example nextgems
         * @example cmip7
         * @example cordex-cmip6
         * @example user
         */
        Flavour: string;
        /**
         * @description Native facets with what they are called; facets that are left out keep their native names.
         * @example {
         *       "model": "gcm",
         *       "experiment": "scenario"
         *     }
         */
        FacetNames: {
            [key: string]: string;
        };
        Cart: {
            format: components["schemas"]["CartFormat"];
            layout?: components["schemas"]["DownloadLayout"];
            /** @description What is wanted is found by at least one of them. */
            searches: components["schemas"]["CartSearch"][];
            /**
             * @description Of a table, the columns, in their order, by the names of `extended-search`; the location and the facets where left out.
             * @example [
             *       "file",
             *       "variable_id",
             *       "size"
             *     ]
             */
            fields?: components["schemas"]["FieldName"][];
        };
        /**
         * @description What is made of all that is found.
         * @enum {string}
         */
        CartFormat: "paths" | "zarr" | "intake" | "stac" | "csv" | "sh" | "aria2" | "metalink" | "urls" | "sha256sum" | "globus";
        /**
         * @description What the locations of a catalogue are, other than those of the index.
         * @enum {string}
         */
        DataLocation: "https";
        /**
         * @description What is made for the download of files.
         * @enum {string}
         */
        DownloadForm: "sh" | "aria2" | "metalink" | "urls" | "sha256sum" | "globus";
        /**
         * @description Of a download, whether files are saved in folders by the names of their datasets (`drs`, where left out) or in none.
         * @enum {string}
         */
        DownloadLayout: "drs" | "flat";
        CartSearch: {
            /**
             * @description In whose words its parameters are; where left out, those of the path.
             * @example cmip6
             */
            flavour?: string;
            parameters?: components["schemas"]["SearchParameters"];
        };
        /**
         * @description Parameters of a search by their names, each with its values, as `metadata-search` takes them (all but `facets`).
         *     Without any it finds everything.
         * @example {
         *       "variable_id": [
         *         "tas",
         *         "pr"
         *       ],
         *       "time": [
         *         "1985 to 1994"
         *       ]
         *     }
         */
        SearchParameters: {
            [key: string]: string[];
        };
        FlavourRequest: {
            /**
             * @description How it stands in addresses; 64 characters at the most.
             * @example my-lab
             */
            flavour_name: string;
            mapping: components["schemas"]["FacetNames"];
            /** @description Whether it is for all; only administrators make such. Left out: false. */
            is_global?: boolean;
        };
        FlavourChange: {
            /**
             * @description The new name.
             * @example our-lab
             */
            flavour_name?: string;
            mapping?: components["schemas"]["FacetNames"];
            /** @description Whether it is for all from now on. */
            is_global?: boolean;
        };
        FlavourDefinition: {
            flavour_name: components["schemas"]["Flavour"];
            mapping: components["schemas"]["FacetNames"];
            /** @description Whether everybody can search in it. */
            is_global: boolean;
            /** @description Whose it is: the caller's name, `global` where it is for all, or `built in`. */
            owner: string;
        };
        FlavourList: {
            /** @description How many there are. */
            total: number;
            flavours: components["schemas"]["FlavourDefinition"][];
        };
        /**
         * @description How files are joined.
         * @enum {string}
         */
        JoinKind: "dataset" | "member" | "variables";
        /**
         * @description What becomes of variables that some files lack.
         * @enum {string}
         */
        MissingVariables: "fill";
        JoinRequest: {
            /** @description Files as the index names them; or else a search. */
            files?: string[];
            /**
             * @description In whose words the parameters are; where left out, those of the service.
             * @example cmip6
             */
            flavour?: string;
            parameters?: components["schemas"]["SearchParameters"];
            by?: components["schemas"]["JoinKind"];
            missing?: components["schemas"]["MissingVariables"];
            /** @description Whether files with gaps or overlaps in time are not joined. Left out: false. */
            strict?: boolean;
        };
        Joins: {
            joins: components["schemas"]["Join"][];
        };
        Join: {
            /** @description The name of the dataset; a star stands for what differs. */
            name: string;
            /** @description The address of its zarr stream; that of the file if there is only one. */
            url: string;
            /** @description The address of its plan; not of a single file. */
            plan?: string;
            /** @description How many files it has. */
            files: number;
            /** @description Files that are not used, and why. */
            notes: string[];
        };
        JoinPlan: {
            state: components["schemas"]["JoinState"];
            /** @description Why the files are not joined, with the names of those that do not fit. */
            reason?: string;
            axis?: components["schemas"]["JoinedAxis"];
            /** @description Members or variables of which each has its files. */
            members?: string[];
            /** @description In their order along the axis. */
            files?: components["schemas"]["JoinedFile"][];
            arrays?: components["schemas"]["JoinedArray"][];
            gaps?: string[];
            overlaps?: string[];
            notes?: string[];
        };
        /** @enum {string} */
        JoinState: "joined" | "refused";
        JoinedAxis: {
            name: string;
            steps: number;
            units: string;
            calendar: string;
        };
        JoinedFile: {
            file: string;
            group: string;
            /** @description Index of its first step on the axis. */
            start: number;
            steps: number;
            /** @description Date of its first step in its calendar. */
            first: string;
            last: string;
        };
        JoinedArray: {
            name: string;
            mode: components["schemas"]["ChunkMode"];
            chunks: number;
            /** @description Chunks that are stored bytes of a file. */
            passed: number;
            reasons: string[];
        };
        /**
         * @description Where the chunks of a variable come from.
         * @enum {string}
         */
        ChunkMode: "passed" | "decoded" | "mixed" | "computed" | "shared";
        /**
         * @description The key under which a location is listed.
         * @enum {string}
         */
        UniqKey: "file" | "uri";
        /** @description A value, compared whole. `*` and `?` are wildcards; a value that begins with `!`, `-` or `not ` excludes. */
        FilterValue: string;
        /**
         * @description How data relate to a period or a region: they overlap it, lie wholly inside it, or one file covers the whole of it.
         * @default flexible
         * @enum {string}
         */
        Selection: "flexible" | "strict" | "file";
        /**
         * @description What the cells of a coverage tell.
         * @enum {string}
         */
        CellKind: "files" | "datasets" | "bytes" | "members" | "years";
        /**
         * @description A version of zarr.
         * @default 2
         * @enum {string}
         */
        ZarrVersion: "2" | "3";
        /**
         * @description The kind of a catalogue.
         * @enum {string}
         */
        CatalogueKind: "intake";
        /** @description The name of a facet in the flavour, or several separated by commas. */
        FacetName: string;
        /** @description The name of a field, or several separated by commas. */
        FieldName: string;
        /** @description What each group of files must have, such as `variable_id:tas;experiment_id:historical`. */
        Requirement: string;
        /** @description A period, such as `1985 to 1994`. */
        Period: string;
        /** @description A region in degrees, `min_lon,max_lon,min_lat,max_lat`. */
        Region: string;
        /** @description `name=value`, the value as that of any filter. */
        FilterItem: string;
        Overview: {
            /** @description The flavours that can be searched. */
            flavours: components["schemas"]["Flavour"][];
            attributes: components["schemas"]["FlavourFacets"];
        };
        /** @description The names of the facets in each flavour. */
        FlavourFacets: {
            [key: string]: string[];
        };
        /** @description A value of a search that no entry has. */
        UnknownValue: {
            /** @description The key that it was given for. */
            name: string;
            value: string;
            /** @description Values that there are and that are spelled much like it, the nearest first; three at the most. */
            near: string[];
        };
        MetadataSearchResult: {
            /** @description How many entries match. */
            total_count: number;
            facets: components["schemas"]["FacetCounts"];
            facet_mapping: components["schemas"]["FacetMapping"];
            /** @description The most important facets; clients may hide the others by default. */
            primary_facets: string[];
            more_values?: components["schemas"]["MoreByFacet"];
            known_files?: components["schemas"]["FileCounts"];
            /**
             * @description Values of the search that no entry has in any version, twenty at the most; values with wildcards and names of
             *     users are not looked at. Not there where it could not be found out in time.
             */
            unknown_values?: components["schemas"]["UnknownValue"][];
            links?: components["schemas"]["SearchLinks"];
        };
        /**
         * @description For each facet with more than 10,000 values, which are shown up to there: how many it has, and the address of the
         *     next ones (`metadata-search` with `values_after`). Not there where all are shown.
         */
        MoreByFacet: {
            [key: string]: components["schemas"]["MoreValues"];
        };
        MoreValues: {
            /** @description How many values the facet has. */
            count: number;
            /** @description Address of the values after the last one shown. */
            next: string;
        };
        /**
         * @description For each detail that was counted (`units`, `license`, ...), how many of the entries have it among which it was
         *     counted: not every one does. Not there where none was asked for.
         */
        FileCounts: {
            [key: string]: number;
        };
        /** @description For each returned facet its native name and its name in the flavour. */
        FacetMapping: {
            [key: string]: string;
        };
        /** @description For each facet an array in which a value and its number of entries alternate. */
        FacetCounts: {
            [key: string]: string[];
        };
        /** @description Where to go on; only there where nothing is found. */
        SearchLinks: {
            /** @description Address of operation `explain` for the same search. */
            why: string;
        };
        ExtendedSearchResult: {
            /** @description How many entries match. */
            total_count: number;
            facets: components["schemas"]["FacetCounts"];
            facet_mapping: components["schemas"]["FacetMapping"];
            /** @description The most important facets; clients may hide the others by default. */
            primary_facets: string[];
            more_values?: components["schemas"]["MoreByFacet"];
            known_files?: components["schemas"]["FileCounts"];
            /**
             * @description Values of the search that no entry has in any version, twenty at the most; values with wildcards and names of
             *     users are not looked at. Not there where it could not be found out in time.
             */
            unknown_values?: components["schemas"]["UnknownValue"][];
            links?: components["schemas"]["SearchLinks"];
            /** @description A page of what matches, with the fields that were asked for. */
            documents: components["schemas"]["SearchedDocument"][];
            /** @description Where the next page begins; null where this is the last one. */
            after: string | null;
            /** @description The address of the next page; null where this is the last one. */
            next: string | null;
        };
        /**
         * @description What an entry has of the fields that were asked for: a text, a number, a truth value, a list of texts, or, as `bbox`,
         *     a Box.
         */
        SearchedDocument: {
            [key: string]: unknown;
        };
        /** @description A region in degrees, as it was registered. */
        Box: {
            west: number;
            east: number;
            south: number;
            north: number;
        };
        Boxes: {
            /** @description How many files are found. */
            total_count: number;
            /** @description How many of them have a box. */
            known_files: number;
            /** @description How many different boxes they have. */
            box_count: number;
            /** @description The boxes, the most frequent first. */
            boxes: components["schemas"]["BoxCount"][];
        };
        BoxCount: {
            west: number;
            east: number;
            south: number;
            north: number;
            files: number;
        };
        Years: {
            /** @description How many files are found. */
            total_count: number;
            /** @description How many of them say when they begin and when they end. */
            known_files: number;
            /** @description The year in which the first of these begins. */
            first: number | null;
            /** @description The year in which the last of these ends. */
            last: number | null;
            years_per_bar: number;
            /** @description The stretches of years, one after the other. */
            bars: components["schemas"]["YearBar"][];
        };
        YearBar: {
            first: number;
            /** @description The last year that is in it. */
            last: number;
            /** @description How many files have a moment of it. */
            files: number;
        };
        Datasets: {
            /** @description How many files are found. */
            total_count: number;
            /** @description How many datasets they are of, by their names as they are written; about, in an index of several shards where files of one dataset lie in different ones. */
            dataset_count: number;
            /** @description How many of the files do not say of which dataset they are. */
            unnamed_files: number;
            /** @description A page of them. */
            datasets: components["schemas"]["Dataset"][];
            /** @description Where the next page begins; null where this is the last one. */
            after: string | null;
            /** @description The address of the next page; null where this is the last one. */
            next: string | null;
        };
        /** @description What the files of a dataset say that a search finds. */
        Dataset: {
            /** @description Its name as it is written, without a version; null of the files that do not say one. */
            dataset_id: string | null;
            /** @description How many files are found. */
            files: number;
            /** @description The sizes of the files together where they are known; a sum above 2^53 has 15 digits. */
            bytes: number;
            /** @description Of how many files the size is known. */
            sized_files: number;
            /** @description How many of the files were withdrawn by those who made them. */
            retracted: number;
            /** @description The versions of the files, the last first; 100 at the most. */
            versions: components["schemas"]["DatasetVersion"][];
            /** @description How many versions there are. */
            version_count: number;
            /** @description Where the first period begins; null where it is open, or there is none. */
            start: string | null;
            /** @description Where the last period ends; null where it is open, or there is none. */
            end: string | null;
            /** @description How many files say a period; constant data say one that is open on both sides. */
            dated_files: number;
            /** @description What the files cover, one after the other; 200 at the most. */
            periods: components["schemas"]["Stretch"][];
            /** @description How many periods there are. */
            period_count: number;
            /** @description What lies between the periods that are told. */
            gaps: components["schemas"]["Stretch"][];
            /** @description What several files cover that differ in nothing else; 200 at the most. */
            overlaps: components["schemas"]["Stretch"][];
            /** @description How many overlaps there are. */
            overlap_count: number;
            /** @description The formats of the files, sorted. */
            formats: components["schemas"]["FormatCount"][];
            /** @description Kinds of storage, sorted, with what lies on each. */
            storage: components["schemas"]["StorageCount"][];
            facets: components["schemas"]["DatasetFacets"];
            /** @description The boxes of the files; 20 at the most. */
            boxes: components["schemas"]["Box"][];
            /** @description How many different boxes there are; 1,000 are counted at the most. */
            box_count: number;
            /** @description One of the files, on a disk if there is one; null if its caller may not know of it. */
            example: components["schemas"]["DatasetExample"] | null;
        };
        /**
         * @description An order of datasets: by name, the most bytes first, the newest in the index first, or the earliest begin first.
         * @default name
         * @enum {string}
         */
        DatasetOrder: "name" | "size" | "newest" | "start";
        /** @description Facets of which all its files have the same one value, with that value as it is written. */
        DatasetFacets: {
            [key: string]: string;
        };
        /** @description One of the files of a dataset. */
        DatasetExample: {
            file: string;
            uri?: string;
        };
        StorageCount: {
            fs_type: string;
            files: number;
            bytes: number;
            sized_files: number;
        };
        FormatCount: {
            format: string;
            files: number;
        };
        DatasetVersion: {
            version: string;
            files: number;
            retracted: number;
        };
        /** @description A period in UTC, ISO 8601; null where it is open. */
        Stretch: {
            start: string | null;
            end: string | null;
        };
        Complete: {
            /** @description The facets. */
            group_by: string[];
            /** @description What each group must have. */
            needs: components["schemas"]["GroupNeed"][];
            /** @description How many groups there are. */
            group_count: number;
            /** @description How many of them are complete. */
            complete_count: number;
            /** @description How many files the complete groups have, where that was counted on the way. */
            files?: number;
            /** @description The complete groups, by their values in lower case, sorted. */
            complete: components["schemas"]["FileGroup"][];
            /** @description Groups that are not complete, first those that lack the fewest needs, then by their values. */
            near_misses: components["schemas"]["NearMiss"][];
            links: components["schemas"]["CompleteLinks"];
        };
        GroupNeed: {
            /** @description As it was written. */
            need: string;
            /** @description The facets of which a file must be of the group. */
            on: string[];
            /** @description Where the period begins that must be covered. */
            from?: string;
            /** @description Where it ends. */
            to?: string;
        };
        /** @description Addresses of lists of the files of the complete groups. */
        CompleteLinks: {
            path_list: string;
            intake_catalogue: string;
            stac_archive: string;
        };
        NearMiss: {
            group: components["schemas"]["FileGroup"];
            /** @description What the group lacks. */
            missing: components["schemas"]["MissingNeed"][];
        };
        MissingNeed: {
            /** @description The place of the need in `needs`. */
            need: number;
            /**
             * @description The periods that are missing, where a period is needed; of one group at most 100 are told. null is
             *     an end that is open.
             */
            gaps?: components["schemas"]["NeedGap"][];
        };
        NeedGap: {
            from: string | null;
            to: string | null;
        };
        /** @description The value of each facet of `group_by`. */
        FileGroup: {
            [key: string]: string;
        };
        Why: {
            /** @description How many files are found. */
            total_count: number;
            /** @description The constraints of the search, what is included before what is excluded. */
            constraints: components["schemas"]["SearchConstraint"][];
            /**
             * @description Keys of the constraints that exclude everything together; none where there is nothing at all to be found, null
             *     where something is found.
             */
            excluding: string[] | null;
        };
        SearchConstraint: {
            /** @description The key; of what is excluded with `_not_` at its end. */
            name: string;
            /** @description Its values, without what negates them. */
            values: string[];
            /** @description How many files would be found without it. */
            count_without: number;
            /** @description Values of it that no file has which the other constraints let through; of the first 50 of the search. */
            unmatched: components["schemas"]["UnmatchedValue"][];
        };
        UnmatchedValue: {
            value: string;
            /** @description Values instead of it with which something is found, nearest first, then those of most files. */
            near: components["schemas"]["NearValue"][];
        };
        NearValue: {
            value: string;
            /** @description How many files have it that the other constraints let through; where these let nothing through, without those of them that match nothing by themselves. */
            count: number;
        };
        Suggestions: {
            /** @description How many files the search finds without the text. */
            total_count: number;
            /** @description The parts of the text that were read, in its order. */
            parts: components["schemas"]["SuggestedPart"][];
            /** @description Parts for which nothing was found, or which are too many. */
            not_understood: string[];
            best: components["schemas"]["BestSuggestions"];
        };
        SuggestedPart: {
            text: string;
            suggestions: components["schemas"]["Suggestion"][];
        };
        Suggestion: {
            kind: components["schemas"]["SuggestionKind"];
            /** @description The key with which a search takes it. */
            name: string;
            /** @description In lower case, without escapes; of a period as in `time`, of a region as in `bbox`. */
            value: string;
            /** @description Its long name, or that of the region. */
            label?: string;
            similarity: components["schemas"]["SuggestionSimilarity"];
            /** @description How many files are found with it. */
            count: number;
        };
        /**
         * @description What is suggested.
         * @enum {string}
         */
        SuggestionKind: "value" | "period" | "region" | "dataset";
        /**
         * @description How it matches the text.
         * @enum {string}
         */
        SuggestionSimilarity: "exact" | "prefix" | "word" | "near";
        BestSuggestions: {
            /** @description The first suggestion of each part that finds something. */
            filters: components["schemas"]["SuggestedFilter"][];
            /** @description How many files the search finds with all of them. A period or region is in place of that of the search; a value adds to those of its facet. */
            count: number;
        };
        SuggestedFilter: {
            name: string;
            value: string;
        };
        Coverage: {
            /** @description The facet of the rows. */
            rows: string;
            /** @description The facet of the columns. */
            columns: string;
            cells: components["schemas"]["CellKind"];
            /** @description How many files are found, also those that have no value of one of the facets. */
            total_count: number;
            /** @description Of how many of them it is known what the cells tell; left out for files. */
            known_files?: number;
            /** @description Values of the rows that have a cell, sorted. */
            row_values: string[];
            /** @description Values of the columns that have a cell, sorted. */
            column_values: string[];
            /** @description Each cell as the index of its row, the index of its column, and its number; sorted by row and column. */
            values: number[][];
        };
        Summary: {
            /** @description How many files are found. */
            files: number;
            /** @description How many datasets they are of, by their names as they are written; about, in an index of several shards where files of one dataset lie in different ones. */
            datasets: number;
            /** @description The sizes of the files together where they are known; a sum above 2^53 has 15 digits. */
            bytes: number;
            /** @description Of how many files the size is known. */
            sized_files: number;
            /** @description Where the earliest period begins; null where none of the files has one that begins. */
            start: string | null;
            /** @description Where the latest period ends; null where none of the files has one that ends. */
            end: string | null;
            /** @description The formats of the files, sorted. */
            formats: components["schemas"]["FormatCount"][];
            /** @description Kinds of storage, sorted, with what lies on each. */
            storage: components["schemas"]["StorageCount"][];
            /** @description How many of the files were withdrawn by those who made them. */
            retracted: number;
            estimated_bytes: components["schemas"]["EstimatedSizes"];
        };
        /** @description Estimates of how long lists of this search would be. */
        EstimatedSizes: {
            path_list: number;
            intake_catalogue: number;
            stac_archive: number;
        };
        /** @description Which data to share, by `url` or `uuid`, and for how long. */
        ShareRequest: {
            /** @description The address of its zarr stream or of its file. */
            url?: string;
            /** @description Its identifier. */
            uuid?: string;
            /** @description Seconds until the address expires: 86400 where left out. */
            ttl_seconds?: number;
        };
        /** @description Which shared address ends. */
        UnshareRequest: {
            /** @description The shared address. */
            url: string;
        };
        /** @description References in kerchunk's form, version 1. */
        References: {
            /** @description The version of this form. */
            version: number;
            /**
             * @description Keys of zarr v2 -> a document or a chunk as text, in base64 after `base64:`; or the path of a file, an offset and a
             *     length in bytes.
             */
            refs: {
                [key: string]: unknown;
            };
        };
        SharedZarr: {
            /** @description The address of the shared stream. */
            url: string;
            /** @description The address of the file itself, unless the data are a store of many files. */
            file_url?: string;
            /** @description When it expires, in seconds since 1970. */
            expires: number;
        };
        /** @description An intake-esm catalogue (ESM collection specification 0.1.0). */
        IntakeCatalogue: {
            /** @description Version of the catalogue specification. */
            esmcat_version: string;
            /** @description The columns of the catalogue. */
            attributes: components["schemas"]["IntakeAttribute"][];
            assets: components["schemas"]["IntakeAssets"];
            /** @description Identifies the catalogue. */
            id: string;
            /** @description What was searched. */
            description: string;
            title: string;
            /** @description When it was made: ISO 8601, UTC, without a time zone. */
            last_updated: string;
            aggregation_control: components["schemas"]["IntakeAggregationControl"];
            /**
             * @description An entry has its location and each column of the attributes. A facet with exactly one value in every entry is a
             *     string, any other an array of strings; `description` names the columns with arrays.
             */
            catalog_dict: {
                [key: string]: unknown;
            }[];
        };
        IntakeAttribute: {
            column_name: string;
            vocabulary: string;
        };
        /** @description Which columns hold the location and its format. */
        IntakeAssets: {
            column_name: string;
            format_column_name: string;
        };
        /** @description How entries become datasets. */
        IntakeAggregationControl: {
            variable_column_name: string;
            groupby_attrs: string[];
            aggregations: components["schemas"]["IntakeAggregation"][];
        };
        IntakeAggregation: {
            type: components["schemas"]["IntakeAggregationKind"];
            attribute_name: string;
            options: components["schemas"]["IntakeOptions"];
        };
        IntakeOptions: {
            [key: string]: string;
        };
        /**
         * @description How entries that differ in the attribute are joined.
         * @enum {string}
         */
        IntakeAggregationKind: "union" | "join_existing";
        Status: {
            status: string;
        };
        ServiceStatus: {
            state: components["schemas"]["HealthState"];
            checks: components["schemas"]["ServiceCheck"][];
        };
        ServiceCheck: {
            /** @description What is looked at; `data-2` is the second folder of data. */
            name: string;
            state: components["schemas"]["HealthState"];
            /** @description One sentence for people. */
            says: string;
            /** @description When it was first seen in this state, as ISO 8601 in UTC; missing before the first look. */
            since?: string;
            /** @description How many seconds ago it was looked at; missing before the first look. */
            age?: number;
        };
        /**
         * @description The state of all is the worst of its parts; `unknown` is what could not be looked at, which is no failure.
         * @enum {string}
         */
        HealthState: "ok" | "unknown" | "warning" | "failed";
        UserDataRequest: {
            /** @description The entries to add. */
            user_metadata: components["schemas"]["UserMetadataEntry"][];
            facets?: components["schemas"]["CommonFacets"];
        };
        /**
         * @description Facets of all entries, by their native names; an entry's own value wins.
         * @example {
         *       "project": "my-project",
         *       "product": "output"
         *     }
         */
        CommonFacets: {
            [key: string]: string;
        };
        /**
         * @description A file. What is declared here can be searched. Anything else, such as `additional_info`, is kept with the entry
         *     and never searched; a key that looks like a misspelled one (`modle`), or is another flavour's name of a facet, is
         *     refused, but under `extra` any key will do. Where an array is declared, one value may stand alone. Whose the entry
         *     is follows from the token: a `user` has no effect, nor has what the service finds out itself: `dataset_id`, `added`,
         *     `updated`, `time_start`, `time_end`, and, of a file of yours on its machine, `size` and `modified`.
         */
        UserMetadataEntry: {
            /** @description Path of the data file. */
            file: string;
            /** @description Variable name, or all of them where a file holds several. */
            variable: string[];
            /**
             * @description A period as in a search: `[A TO B]`, `A to B` or `A`, ISO 8601, UTC unless a zone is given; `fx` of data that do
             *     not change, which every period finds. Days that only a model's calendar has, such as 30 February, become the last
             *     one of February.
             */
            time: string;
            /** @description Time frequency, such as `mon`. */
            time_frequency: string;
            /** @description URI of the file. */
            uri?: string;
            /** @description Version of the data set. */
            version?: string;
            /** @description The region, `min_lon,max_lon,min_lat,max_lat` or `ENVELOPE(west,east,north,south)`, in degrees. */
            bbox?: string;
            /** @description What is kept with the entry and never searched, under any name. */
            extra?: {
                [key: string]: unknown;
            };
            /**
             * @description Project that the data were made for; one or several.
             * @example [
             *       "CMIP6"
             *     ]
             */
            project?: string[];
            /**
             * @description Product, activity or region; one or several.
             * @example [
             *       "CMIP"
             *     ]
             */
            product?: string[];
            /**
             * @description Institution that made the data; one or several.
             * @example [
             *       "MPI-M"
             *     ]
             */
            institute?: string[];
            /**
             * @description Model, or source; one or several.
             * @example [
             *       "MPI-ESM1-2-LR"
             *     ]
             */
            model?: string[];
            /**
             * @description Experiment or simulation; one or several.
             * @example [
             *       "historical"
             *     ]
             */
            experiment?: string[];
            /**
             * @description Part of the climate system; one or several.
             * @example [
             *       "atmos"
             *     ]
             */
            realm?: string[];
            /**
             * @description Ensemble member; one or several.
             * @example [
             *       "r1i1p1f1"
             *     ]
             */
            ensemble?: string[];
            /**
             * @description Kind of mean in time; one or several.
             * @example [
             *       "mean"
             *     ]
             */
            time_aggregation?: string[];
            /**
             * @description Kind of storage
             * @example posix
             */
            fs_type?: string;
            /**
             * @description Label of the grid; one or several.
             * @example [
             *       "gn"
             *     ]
             */
            grid_label?: string[];
            /**
             * @description Table of the variable in its project; one or several.
             * @example [
             *       "Amon"
             *     ]
             */
            cmor_table?: string[];
            /**
             * @description Driving model; one or several.
             * @example [
             *       "MPI-M-MPI-ESM-LR"
             *     ]
             */
            driving_model?: string[];
            /**
             * @description Format of the file
             * @example nc
             */
            format?: string;
            /**
             * @description Identifier of the grid; one or several.
             * @example [
             *       "n320"
             *     ]
             */
            grid_id?: string[];
            /**
             * @description Kind of levels; one or several.
             * @example [
             *       "2d"
             *     ]
             */
            level_type?: string[];
            /**
             * @description Name of the regional model; one or several.
             * @example [
             *       "CLMcom-CCLM4-8-17"
             *     ]
             */
            rcm_name?: string[];
            /**
             * @description Version of the regional run; one or several.
             * @example [
             *       "v1"
             *     ]
             */
            rcm_version?: string[];
            /**
             * @description Region that the data cover, by its name; one or several.
             * @example [
             *       "glb"
             *     ]
             */
            region?: string[];
            /**
             * @description What was done to the variable in time and space, and where it is given; one or several.
             * @example [
             *       "tavg-h2m-hxy-u"
             *     ]
             */
            branding_suffix?: string[];
            /**
             * @description Collection of the catalogue
             * @example sample
             */
            dataset?: string;
            /**
             * @description Bytes of the file; of a zarr store those of its files together
             * @example 84022
             */
            size?: number;
            /**
             * @description Checksum of the file with the name of its algorithm
             * @example sha256:f7ef24b424dd92e88740bcafd42df540202778f6d0c205bc32618c0eae377da2
             */
            checksum?: string;
            /**
             * @description When the file was changed, ISO 8601
             * @example 2019-07-10T12:00:00Z
             */
            modified?: string;
            /**
             * @description Identifier that the file was given when it was made; one or several.
             * @example [
             *       "hdl:21.14100/3e8b0b0f-213c-54d3-808f-d41a77f9dc48"
             *     ]
             */
            tracking_id?: string[];
            /**
             * @description CF standard name of the variable; one or several.
             * @example [
             *       "air_temperature"
             *     ]
             */
            standard_name?: string[];
            /**
             * @description Name of the variable for people; one or several.
             * @example [
             *       "Near-Surface Air Temperature"
             *     ]
             */
            long_name?: string[];
            /**
             * @description Units of the variable; one or several.
             * @example [
             *       "K"
             *     ]
             */
            units?: string[];
            /**
             * @description Resolution of the grid, roughly
             * @example 250 km
             */
            nominal_resolution?: string;
            /**
             * @description Terms under which the data may be used
             * @example CC BY 4.0
             */
            license?: string;
            /**
             * @description Address of a page about the data
             * @example https://furtherinfo.es-doc.org/CMIP6.MPI-M.MPI-ESM1-2-LR.historical.none.r1i1p1f1
             */
            further_info_url?: string;
            /**
             * @description Whether the data were withdrawn by those who made them
             * @example true
             */
            retracted?: boolean;
        };
        /** @description Native facet name, `file`, `uri` or `version` -> value; all must hold. */
        UserDataSelection: {
            [key: string]: string;
        };
        /**
         * @description The fields of one grant: `username` and `password`; or `refresh_token`; or `code`, `redirect_uri` and `code_verifier`.
         *     Parameters that are not known are ignored, and empty ones count as left out (RFC 6749, 3.2).
         */
        TokenRequest: {
            /** @description `password`, `refresh_token` or `authorization_code`, as the rest says; may be left out but with a code. */
            grant_type?: string;
            /** @description Password grant: the login name. */
            username?: string;
            /**
             * Format: password
             * @description Password grant: the login password.
             */
            password?: string;
            /** @description Refresh grant: a refresh token that was not used yet. */
            refresh_token?: string;
            /** @description Code grant: a code of `auth/v2/authorize`. */
            code?: string;
            /** @description Code grant: where the code was sent to. */
            redirect_uri?: string;
            /** @description Code grant: the text whose hash the code was asked for with (RFC 7636). */
            code_verifier?: string;
            /** @description Application identifier; a default one where left out. */
            client_id?: string;
            /**
             * Format: password
             * @description Of a client that has one.
             */
            client_secret?: string;
            /** @description The scopes that are wanted; all where left out. */
            scope?: string;
        };
        /** @description The fields of the sign-in page, and what was asked for, as `auth/v2/authorize` has it. */
        SignInForm: {
            response_type?: string;
            client_id?: string;
            redirect_uri?: string;
            scope?: string;
            state?: string;
            code_challenge?: string;
            code_challenge_method?: string;
            prompt?: string;
            /** @description Login name. */
            username?: string;
            /**
             * Format: password
             * @description Login password.
             */
            password?: string;
            /** @description Belongs to the cookie of the browser that the form was made for. */
            form_key?: string;
        };
        ScriptTokenRequest: {
            /**
             * @description What it is for; no two of an account have the same.
             * @example nightly job
             */
            name: string;
            /** @description Seconds for which it lives: 30 days where left out, 366 at the most. */
            ttl_seconds?: number;
        };
        ScriptToken: {
            /** @description By which it is revoked; not the token. */
            token_id: string;
            /** @description What it is for. */
            name: string;
            /** @description When it was made, in seconds since 1970. */
            created: number;
            /** @description When it ends by itself, in seconds since 1970. */
            expires: number;
        };
        MadeScriptToken: {
            /** @description By which it is revoked; not the token. */
            token_id: string;
            /** @description What it is for. */
            name: string;
            /** @description When it was made, in seconds since 1970. */
            created: number;
            /** @description When it ends by itself, in seconds since 1970. */
            expires: number;
            /** @description The token; it is shown this once. */
            token: string;
        };
        ScriptTokenList: {
            /** @description So many an account may have. */
            most: number;
            script_tokens: components["schemas"]["ScriptToken"][];
        };
        Token: {
            /** @description Bearer access token. */
            access_token: string;
            /**
             * @description How it is sent.
             * @constant
             */
            token_type: "Bearer";
            /** @description When the access token expires, in seconds since 1970. */
            expires: number;
            /** @description Seconds until then. */
            expires_in: number;
            /** @description Gets a new access token; works once. */
            refresh_token: string;
            /** @description When the refresh token expires, in seconds since 1970. */
            refresh_expires: number;
            /** @description Seconds until then. */
            refresh_expires_in: number;
            /** @description Scope names, separated by spaces. */
            scope: string;
        };
        TokenStatus: {
            /** @description Identifies the holder; a UUID for accounts of this service. */
            sub: string;
            /** @description When the access token expires, in seconds since 1970. */
            exp: number;
            /** @description The holder's e-mail address; empty where none is known. */
            email: string;
        };
        UserInfo: {
            /** @description Identifies the holder. */
            sub: string;
            /** @description The login name. */
            preferred_username: string;
            /** @description The e-mail address. */
            email?: string;
        };
        RevocationRequest: {
            /** @description An access token or a refresh token. */
            token: string;
            /** @description Ignored: the kinds cannot be confused. */
            token_type_hint?: string;
            /** @description The client that the token was issued to. */
            client_id?: string;
            /**
             * Format: password
             * @description Of a client that has one.
             */
            client_secret?: string;
        };
        IntrospectionRequest: {
            /** @description An access token or a refresh token. */
            token: string;
            /** @description Ignored: the kinds cannot be confused. */
            token_type_hint?: string;
            /** @description The client that the token was issued to. */
            client_id?: string;
            /**
             * Format: password
             * @description Of a client that has one.
             */
            client_secret?: string;
        };
        Introspection: {
            /** @description Whether the token is valid. */
            active: boolean;
            iss?: string;
            aud?: string;
            sub?: string;
            username?: string;
            client_id?: string;
            scope?: string;
            /** @description `Bearer` for an access token, `refresh_token` for the other kind. */
            token_type?: string;
            jti?: string;
            iat?: number;
            nbf?: number;
            exp?: number;
        };
        JsonWebKeySet: {
            keys: components["schemas"]["JsonWebKey"][];
        };
        /** @description A public key (RFC 7517). */
        JsonWebKey: {
            /** @constant */
            kty: "EC";
            /** @constant */
            crv: "P-256";
            /** @constant */
            use: "sig";
            /** @constant */
            alg: "ES256";
            kid: string;
            x: string;
            y: string;
        };
        /** @description RFC 8414, section 2, and OpenID Connect Discovery 1.0, section 3. */
        IssuerMetadata: {
            issuer: string;
            authorization_endpoint: string;
            token_endpoint: string;
            revocation_endpoint: string;
            introspection_endpoint: string;
            userinfo_endpoint: string;
            jwks_uri: string;
            /** @description Where a browser ends its session with the outside provider, if accounts are there and it has such a place (RP-Initiated Logout 1.0). */
            end_session_endpoint?: string;
            grant_types_supported: string[];
            response_types_supported: string[];
            response_modes_supported: string[];
            prompt_values_supported: string[];
            code_challenge_methods_supported: string[];
            /** @description False where an outside provider answers, under its own name. */
            authorization_response_iss_parameter_supported: boolean;
            subject_types_supported: string[];
            id_token_signing_alg_values_supported: string[];
            scopes_supported: string[];
            claims_supported: string[];
            token_endpoint_auth_methods_supported: string[];
            revocation_endpoint_auth_methods_supported: string[];
            introspection_endpoint_auth_methods_supported: string[];
        };
        /** @description A problem as RFC 9457 describes it. */
        Problem: {
            /** @description Identifies the kind of problem. */
            type: string;
            /** @description Names the kind of problem. */
            title: string;
            /** @description The HTTP status. */
            status: number;
            /** @description What went wrong this time. */
            detail: string;
            /** @description The code of RFC 6749 or RFC 6750, where the error has to do with tokens. */
            error?: string;
            /** @description The same as `detail`, under the name of RFC 6749. */
            error_description?: string;
            /** @description Each parameter that was refused. */
            errors?: components["schemas"]["ParameterError"][];
        } & {
            [key: string]: unknown;
        };
        /**
         * @description Which part of the request has a parameter.
         * @enum {string}
         */
        ParameterLocation: "path" | "query" | "header" | "body";
        /**
         * @description A parameter that was refused. The member `in` has the value of `location` as well, under its former name, which is a
         *     keyword in many languages.
         */
        ParameterError: {
            /** @description The parameter. */
            name: string;
            location: components["schemas"]["ParameterLocation"];
            /** @description Why it was refused. */
            reason: string;
        } & {
            [key: string]: unknown;
        };
        /** @description A link of STAC. The links `next` of searches by POST have the method and the whole body of the next request. */
        StacLink: {
            rel: string;
            href: string;
            type?: string;
            title?: string;
            method?: components["schemas"]["LinkMethod"];
            merge?: boolean;
            body?: {
                [key: string]: unknown;
            };
        };
        /**
         * @description How a link is followed.
         * @enum {string}
         */
        LinkMethod: "GET" | "POST";
        /**
         * @description The reference system of a filter's geometries: longitudes and latitudes in degrees.
         * @constant
         */
        FilterCrs: "http://www.opengis.net/def/crs/OGC/1.3/CRS84";
        /**
         * @description The language of a filter, both of CQL2 1.0.
         * @enum {string}
         */
        FilterLanguage: "cql2-text" | "cql2-json";
        /** @description A property by which items are sorted, ascending if nothing else is said. */
        StacSortKey: {
            field: string;
            direction?: components["schemas"]["SortDirection"];
        };
        /**
         * @description The order of a property.
         * @enum {string}
         */
        SortDirection: "asc" | "desc";
        /** @description Parts of items to give, and to leave out; where there are none, the usual ones. */
        ChosenFields: {
            include?: string[] | null;
            exclude?: string[] | null;
        };
        /** @description An aggregation; with a value, or with buckets of values and their numbers of datasets. */
        StacAggregation: {
            name: string;
            data_type: string;
        } & {
            [key: string]: unknown;
        };
        /** @description The landing page of a STAC API (STAC API 1.0.0, core). */
        StacCatalog: {
            /** @constant */
            type: "Catalog";
            stac_version: string;
            id: string;
            title: string;
            description: string;
            conformsTo: string[];
            links: components["schemas"]["StacLink"][];
        };
        /** @description Conformance classes (OGC API - Features 1.0). */
        StacConformance: {
            conformsTo: string[];
        };
        /** @description A STAC collection (STAC 1.1.0); each is a project. */
        StacCollection: {
            /** @constant */
            type: "Collection";
            stac_version: string;
            stac_extensions?: string[];
            id: string;
            title: string;
            description: string;
            license: string;
            keywords?: string[];
            extent: {
                [key: string]: unknown;
            };
            summaries?: {
                [key: string]: unknown;
            };
            links: components["schemas"]["StacLink"][];
        };
        /** @description Collections, with their number. */
        StacCollections: {
            collections: components["schemas"]["StacCollection"][];
            links: components["schemas"]["StacLink"][];
            numberMatched: number;
            numberReturned: number;
        };
        /** @description A STAC item (STAC 1.1.0); each is a dataset. `fields` of a search can leave out any part. */
        StacItem: {
            /** @constant */
            type?: "Feature";
            stac_version?: string;
            stac_extensions?: string[];
            id?: string;
            collection?: string;
            bbox?: number[];
            properties?: {
                [key: string]: unknown;
            };
            links?: components["schemas"]["StacLink"][];
            assets?: {
                [key: string]: unknown;
            };
        } & {
            [key: string]: unknown;
        };
        /** @description A page of items; `numMatched` and `numReturned` are for older clients. */
        StacItems: {
            /** @constant */
            type: "FeatureCollection";
            features: components["schemas"]["StacItem"][];
            links: components["schemas"]["StacLink"][];
            numberMatched: number;
            numberReturned: number;
            numMatched: number;
            numReturned: number;
        };
        /** @description A JSON Schema of properties that filters can compare (OGC API - Features, part 3). */
        StacSchema: {
            $schema: string;
            $id: string;
            /** @constant */
            type: "object";
            title: string;
            properties: {
                [key: string]: unknown;
            };
            additionalProperties: boolean;
        };
        /** @description Aggregations with their names and kinds, and in answers of `aggregate` with their values. */
        StacAggregations: {
            /** @constant */
            type?: "AggregationCollection";
            aggregations: components["schemas"]["StacAggregation"][];
            links: components["schemas"]["StacLink"][];
        };
        /** @description A search as a body (STAC API 1.0.0, item search); its members mean what the parameters by GET mean. */
        StacSearch: {
            collections?: string[];
            ids?: string[];
            bbox?: number[];
            datetime?: string;
            intersects?: {
                [key: string]: unknown;
            };
            q?: string[];
            filter?: {
                [key: string]: unknown;
            };
            "filter-lang"?: components["schemas"]["FilterLanguage"];
            "filter-crs"?: components["schemas"]["FilterCrs"];
            query?: {
                [key: string]: unknown;
            };
            conf?: {
                [key: string]: unknown;
            };
            limit?: number;
            token?: string;
            sortby?: components["schemas"]["StacSortKey"][];
            fields?: components["schemas"]["ChosenFields"];
        };
        /** @description What to count, of which items; the other members are those of a search. */
        StacAggregate: {
            aggregations?: string[];
            collections?: string[];
            ids?: string[];
            bbox?: number[];
            datetime?: string;
            intersects?: {
                [key: string]: unknown;
            };
            q?: string[];
            filter?: {
                [key: string]: unknown;
            };
            /** @description Another name of `filter`, which clients of ESGF use. */
            filter_exp?: {
                [key: string]: unknown;
            };
            "filter-lang"?: components["schemas"]["FilterLanguage"];
            "filter-crs"?: components["schemas"]["FilterCrs"];
            query?: {
                [key: string]: unknown;
            };
            conf?: {
                [key: string]: unknown;
            };
        };
    };
    responses: {
        /** @description The issuer's metadata. */
        IssuerDocument: {
            headers: {
                "Cache-Control": components["headers"]["ShortLived"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "issuer": "https://data.example.org/api/climate-nextgen",
                 *       "authorization_endpoint": "https://data.example.org/api/climate-nextgen/auth/v2/authorize",
                 *       "token_endpoint": "https://data.example.org/api/climate-nextgen/auth/v2/token",
                 *       "revocation_endpoint": "https://data.example.org/api/climate-nextgen/auth/v2/revoke",
                 *       "introspection_endpoint": "https://data.example.org/api/climate-nextgen/auth/v2/introspect",
                 *       "userinfo_endpoint": "https://data.example.org/api/climate-nextgen/auth/v2/userinfo",
                 *       "jwks_uri": "https://data.example.org/api/climate-nextgen/auth/v2/jwks",
                 *       "grant_types_supported": [
                 *         "authorization_code",
                 *         "password",
                 *         "refresh_token"
                 *       ],
                 *       "response_types_supported": [
                 *         "code"
                 *       ],
                 *       "response_modes_supported": [
                 *         "query"
                 *       ],
                 *       "prompt_values_supported": [
                 *         "none",
                 *         "login"
                 *       ],
                 *       "code_challenge_methods_supported": [
                 *         "S256"
                 *       ],
                 *       "authorization_response_iss_parameter_supported": true,
                 *       "subject_types_supported": [
                 *         "public"
                 *       ],
                 *       "id_token_signing_alg_values_supported": [
                 *         "ES256"
                 *       ],
                 *       "scopes_supported": [
                 *         "profile",
                 *         "email"
                 *       ],
                 *       "claims_supported": [
                 *         "sub",
                 *         "email",
                 *         "preferred_username"
                 *       ],
                 *       "token_endpoint_auth_methods_supported": [
                 *         "none",
                 *         "client_secret_basic",
                 *         "client_secret_post"
                 *       ],
                 *       "revocation_endpoint_auth_methods_supported": [
                 *         "none",
                 *         "client_secret_basic",
                 *         "client_secret_post"
                 *       ],
                 *       "introspection_endpoint_auth_methods_supported": [
                 *         "client_secret_basic",
                 *         "client_secret_post"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["IssuerMetadata"];
            };
        };
        /** @description The page on which somebody signs in. */
        SignInPage: {
            headers: {
                "Cache-Control": components["headers"]["NoStore"];
                [name: string]: unknown;
            };
            content: {
                /** @example <!doctype html> */
                "text/html": string;
            };
        };
        /**
         * @description To the client's address, with a code or an error; the first may come with a cookie that is sent to this address alone, and
         *     no script can read. With an outside identity provider, to that.
         */
        ToTheClient: {
            headers: {
                /** @description Where to go. */
                Location?: string;
                "Cache-Control": components["headers"]["NoStore"];
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description A page that says why no answer goes to anybody, as client or address are not known. */
        NotToTheClient: {
            headers: {
                "Cache-Control": components["headers"]["NoStore"];
                [name: string]: unknown;
            };
            content: {
                /** @example <!doctype html> */
                "text/html": string;
            };
        };
        /** @description Not with a token for scripts, and not for accounts of an outside identity provider. */
        NotWithThisToken: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:climate-nextgen:problem:not-with-this-token",
                 *       "title": "Not allowed",
                 *       "status": 403,
                 *       "detail": "A token for scripts cannot make, list or end tokens for scripts: sign in for that."
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description A parameter is unknown or has a value that is not valid; `errors` names each. */
        InvalidParameters: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:climate-nextgen:problem:invalid-parameters",
                 *       "title": "Invalid parameters",
                 *       "status": 422,
                 *       "detail": "modle: is not a facet of native; did you mean model?",
                 *       "errors": [
                 *         {
                 *           "name": "modle",
                 *           "location": "query",
                 *           "in": "query",
                 *           "reason": "is not a facet of native; did you mean model?"
                 *         }
                 *       ]
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The request is not one that this endpoint understands (RFC 6749, 5.2). */
        MalformedRequest: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:climate-nextgen:problem:invalid-token-request",
                 *       "title": "Invalid request",
                 *       "status": 400,
                 *       "detail": "Either username and password or a refresh token is needed.",
                 *       "error": "invalid_request",
                 *       "error_description": "Either username and password or a refresh token is needed."
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description There is no body, or it is not JSON. */
        MalformedBody: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:climate-nextgen:problem:malformed-body",
                 *       "title": "Malformed body",
                 *       "status": 400,
                 *       "detail": "The body cannot be read."
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description What is for all, only administrators of the service may make or change. */
        AdministratorsOnly: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:climate-nextgen:problem:administrators-only",
                 *       "title": "Not allowed",
                 *       "status": 403,
                 *       "detail": "Only administrators may make, change or delete flavours that are for all."
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The caller has no such flavour, and there is none for all. */
        NoSuchFlavour: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:climate-nextgen:problem:no-such-flavour",
                 *       "title": "No such flavour",
                 *       "status": 404,
                 *       "detail": "Flavour \"my-lba\" does not exist for you; did you mean my-lab?"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description There is such a flavour already. */
        NameTaken: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:climate-nextgen:problem:name-taken",
                 *       "title": "Name taken",
                 *       "status": 409,
                 *       "detail": "There is a flavour my-lab."
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Credentials or a token are missing or rejected; `error` is the code of RFC 6749 or RFC 6750. */
        Unauthorized: {
            headers: {
                "WWW-Authenticate": components["headers"]["WWWAuthenticate"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:climate-nextgen:problem:invalid-token",
                 *       "title": "Token rejected",
                 *       "status": 401,
                 *       "detail": "The access token has expired.",
                 *       "error": "invalid_token",
                 *       "error_description": "The access token has expired."
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The body is larger than such a request can be. */
        BodyTooLarge: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:climate-nextgen:problem:body-too-large",
                 *       "title": "Body too large",
                 *       "status": 413,
                 *       "detail": "The body may have at most 16384 bytes."
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The body is of another media type than this operation takes. */
        UnsupportedMediaType: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:climate-nextgen:problem:unsupported-media-type",
                 *       "title": "Unsupported media type",
                 *       "status": 415,
                 *       "detail": "The body must be application/x-www-form-urlencoded."
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description More than one account, or one network address, may have: requests, streams at once, bytes or time of decoding a
         *     day. Before that, answers come more slowly.
         */
        TooManyRequests: {
            headers: {
                "Retry-After": components["headers"]["RetryAfter"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:climate-nextgen:problem:too-many-requests",
                 *       "title": "Too many requests",
                 *       "status": 429,
                 *       "detail": "There are too many requests of one caller; please wait."
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Too many failed sign-ins for this name or from this address, or too many requests. */
        TooManyAttempts: {
            headers: {
                "Retry-After": components["headers"]["RetryAfter"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:climate-nextgen:problem:too-many-attempts",
                 *       "title": "Too many attempts",
                 *       "status": 429,
                 *       "detail": "There were too many failed sign-ins; please wait."
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Nothing is found. */
        NoEntries: {
            headers: {
                "Unknown-Values": components["headers"]["UnknownValues"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:climate-nextgen:problem:no-entries",
                 *       "title": "No entries found",
                 *       "status": 400,
                 *       "detail": "No entry matches this search."
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Nothing is found. */
        NoItems: {
            headers: {
                "Unknown-Values": components["headers"]["UnknownValues"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:climate-nextgen:problem:no-items",
                 *       "title": "No entries found",
                 *       "status": 404,
                 *       "detail": "No entry matches this search."
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The data are another user's, or lie outside the folders that may be read. */
        Forbidden: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:climate-nextgen:problem:not-yours",
                 *       "title": "Not allowed",
                 *       "status": 403,
                 *       "detail": "These data are another user's."
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The key is neither a document nor a chunk of an array that the metadata know. */
        UnknownKey: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:climate-nextgen:problem:unknown-key",
                 *       "title": "Unknown key",
                 *       "status": 400,
                 *       "detail": "This is no document, and no chunk of an array that the metadata know."
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description There is no such data set, no such document in it, or the chunk was never written. */
        NoSuchData: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:climate-nextgen:problem:no-such-data",
                 *       "title": "Not found",
                 *       "status": 404,
                 *       "detail": "There is no data set of this identifier."
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The files of a joined store do not fit together, or one of them has changed since the address was made. `detail` names them. */
        CannotJoin: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:climate-nextgen:problem:cannot-join",
                 *       "title": "Not joined",
                 *       "status": 409,
                 *       "detail": "The units of tas differ: \"K\" in tas_1985.nc, \"degC\" in tas_1986.nc."
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The data are a zarr store, which has many files. `detail` has the address of its stream. */
        NotOneFile: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:climate-nextgen:problem:not-one-file",
                 *       "title": "Not a single file",
                 *       "status": 409,
                 *       "detail": "These data are a zarr store of many files; read them at https://data.example.org/api/climate-nextgen/data-portal/zarr/5f0c2b1e-8d0a-8b3e-9c55-2f6f3a1d9b7e.zarr."
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The file has none of the entity tags in `If-Match`. */
        PreconditionFailed: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:climate-nextgen:problem:precondition-failed",
                 *       "title": "Precondition failed",
                 *       "status": 412,
                 *       "detail": "The file has changed, its entity tag is another one."
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The data are in the index, but their file is not there any more. */
        DataGone: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:climate-nextgen:problem:data-gone",
                 *       "title": "Gone",
                 *       "status": 410,
                 *       "detail": "The file of these data is not there any more."
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The chunk, once decoded, or what must be read to find it, is more than the service holds for one reading (128 MiB for a chunk). Chunks that pass through as they are stored have no limit. */
        DataTooLarge: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:climate-nextgen:problem:data-too-large",
                 *       "title": "Data too large",
                 *       "status": 413,
                 *       "detail": "A chunk of this variable has 200 MiB once it is decoded; those above 128 MiB are not decoded here."
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The data are of a format that is not read. */
        UnreadableFormat: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:climate-nextgen:problem:unreadable-format",
                 *       "title": "Format not readable",
                 *       "status": 415,
                 *       "detail": "GRIB is not a format that is read."
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The range lies outside the value. */
        RangeNotSatisfiable: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:climate-nextgen:problem:range-not-satisfiable",
                 *       "title": "Range not satisfiable",
                 *       "status": 416,
                 *       "detail": "The value has 1000 bytes."
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The data, or the search backend, cannot be read at the moment. */
        DataUnavailable: {
            headers: {
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:climate-nextgen:problem:data-unavailable",
                 *       "title": "Data unavailable",
                 *       "status": 503,
                 *       "detail": "The data cannot be read at the moment."
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description More is found than max-results allows, or than is worked out at once. */
        TooManyResults: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:climate-nextgen:problem:too-many-results",
                 *       "title": "Too many results",
                 *       "status": 413,
                 *       "detail": "The search finds 355 entries, but max-results is 100."
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The address and the headers of the request are larger than is read. */
        HeadersTooLarge: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:climate-nextgen:problem:headers-too-large",
                 *       "title": "Headers too large",
                 *       "status": 431,
                 *       "detail": "The headers are too large."
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The service failed. What went wrong is in its log, not in the answer. */
        InternalError: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:climate-nextgen:problem:internal-error",
                 *       "title": "Internal error",
                 *       "status": 500,
                 *       "detail": "The service failed to answer this request."
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The search backend cannot be reached, or did not answer in time. */
        SearchUnavailable: {
            headers: {
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:climate-nextgen:problem:search-unavailable",
                 *       "title": "Search backend unavailable",
                 *       "status": 503,
                 *       "detail": "The search backend cannot be reached at the moment."
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description A parameter is unknown or has a value that is not valid, or the body cannot be read; `errors` names each. */
        InvalidStacRequest: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:climate-nextgen:problem:invalid-request",
                 *       "title": "Invalid request",
                 *       "status": 400,
                 *       "detail": "bbox: must be four numbers, west,south,east,north, or six with heights",
                 *       "errors": [
                 *         {
                 *           "name": "bbox",
                 *           "location": "query",
                 *           "in": "query",
                 *           "reason": "must be four numbers, west,south,east,north, or six with heights"
                 *         }
                 *       ]
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description No collection or item of this id is there. */
        NoSuchStacPart: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:climate-nextgen:problem:no-such-item",
                 *       "title": "Not found",
                 *       "status": 404,
                 *       "detail": "No collection has the id \"CMIP8\"."
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
    };
    parameters: {
        /**
         * @description The flavour whose facet names are used: a DRS standard, one that is for all, or one of the caller's own, for which
         *     the access token must be sent.
         * @example cmip6
         */
        InFlavour: components["schemas"]["Flavour"];
        /**
         * @description Whether the flavour for all is meant, or the caller's own. Without it the caller's own, and where there is none of
         *     that name the one for all.
         */
        OfAll: boolean;
        /**
         * @description Whether locations are file paths or URIs.
         * @example file
         */
        ByKey: components["schemas"]["UniqKey"];
        /** @description How many of the first results to leave out. */
        Start: number;
        /** @description Refuse with 413 when more than this number is found; -1 for no limit. */
        MaxResults: number;
        /** @description Search every version of a data set, not only the newest one. */
        MultiVersion: boolean;
        /**
         * @description Use the flavour's facet names, in the query and in the answer. With `false` both use the native ones,
         *     and `facet_mapping` tells how to translate them.
         */
        Translate: boolean;
        /** @description Use the flavour's facet names in the query; with `false`, the native ones. */
        TranslateKeys: boolean;
        /**
         * @description The facets to count, by their names in the flavour; several times or separated by commas.
         *     `*` and `all` mean all, as does leaving it out. By their names, `standard_name`, `long_name`, `units`,
         *     `nominal_resolution`, `license` and `retracted` are counted as well, where files have them.
         */
        Facets: components["schemas"]["FacetName"][];
        /**
         * @description What somebody typed, possibly unfinished; leave it out where nothing is typed.
         * @example tas historical 1990-2000
         */
        TypedText: string;
        /** @description Whether the text, blanks included, is the beginning of values. Without a text, all values are suggested. */
        Begins: boolean;
        /** @description How many suggestions to give for each part at the most; without `begins`, no more than 20. */
        SuggestionLimit: number;
        /**
         * @description Shows only the values of facets that sort after this one, in lower case. `more_values` of an answer has the address
         *     with it, where a facet has more values than an answer shows.
         */
        ValuesAfter: string;
        /**
         * @description Count each facet as if the search did not restrict it itself, by included or excluded values; all else of the search
         *     holds. So its counts are what each other choice of a value would give. `total_count` is of the search as it is.
         */
        Choices: boolean;
        /**
         * @description What is told of each document: facets by their names in the flavour, `file`, `uri`, `version`, `time`, `bbox` and details
         *     such as `size`, `dataset_id` or `checksum`; several times or separated by commas. `*` and `all` mean the location and the
         *     facets of the flavour, as does leaving it out.
         * @example [
         *       "file",
         *       "variable_id",
         *       "time",
         *       "size"
         *     ]
         */
        Fields: components["schemas"]["FieldName"][];
        /** @description The facets to count, as a metadata search takes them; none where it is left out. Not with CSV and Parquet. */
        PageFacets: components["schemas"]["FacetName"][];
        /**
         * @description How many documents to give at the most: of a page 100 where it is left out, and never more than 10,000; of CSV and Parquet
         *     all.
         */
        PageLimit: number;
        /** @description How many rows to give at the most; all if left out. */
        RowLimit: number;
        /** @description Where a page begins, as the `after` of the page before says. Not with CSV and Parquet. */
        After: string;
        /** @description The first year of ISO's calendar that has to be in a bar; without it, that in which the first file begins. */
        Since: number;
        /** @description How many bars to make at the most. */
        Bars: number;
        /** @description How many datasets to give at the most. */
        DatasetLimit: number;
        /**
         * @description The order of the datasets: `name`; `size`, the most bytes first; `newest`, those first whose files came into the index last;
         *     `start`, those first whose files begin earliest. Datasets whose files do not say it come last, and those with the same value go
         *     by name. By name, pages are exact whatever changes meanwhile; in other orders, a page begins behind as many datasets as came before it.
         */
        DatasetSort: components["schemas"]["DatasetOrder"];
        /** @description Where a page begins, as the `after` of the page before says. */
        AfterDataset: string;
        /**
         * @description One to four facets by their names in the flavour, several times or separated by commas: files with the same values of
         *     them are a group. Together with `need`, or alone, which means the same as `require_all_on`.
         */
        GroupBy: components["schemas"]["FacetName"][];
        /**
         * @description What each group must have, of `group_by`; up to 50 times. `variable_id:areacella;table_id:fx;on=source_id` asks for a
         *     file with both values. A name that is given again in it means any of its values; details that are texts have values,
         *     too. With `on=`, names of `group_by` separated by commas, the file need only be of the same values of these. With
         *     `from=` and `to=` (dates, as in `time`) files that meet the need must cover the period without a gap. Before `;`,
         *     `:`, `*`, `?` and `\`, `\` takes the character literally; there are no wildcards.
         */
        Need: components["schemas"]["Requirement"][];
        /**
         * @description What intake-esm calls so, in the place of `group_by` and `need`: groups of files with the same values of these facets
         *     that have every combination of the values which the other keys of the search include. Values with wildcards,
         *     excluded ones, periods and regions only filter. Up to 1,000 combinations.
         */
        RequireAllOn: components["schemas"]["FacetName"][];
        /** @description How many of the groups that are not complete are told, those first that lack the least. */
        Near: number;
        /** @description The form of the download; `sh` if none is given. */
        AsForm: components["schemas"]["DownloadForm"];
        /**
         * @description Where the files are saved: `drs`, where left out, in a folder for each part of the dataset's name and its version, `flat` in none. A
         *     file whose path another one has already is saved in a folder named by its identifier.
         */
        Layout: components["schemas"]["DownloadLayout"];
        /**
         * @description `https`: locations are the addresses of the files at this service (operation `readFile`), for programs that read over HTTP.
         *     Zarr stores have the address of their stream; data that are not on the service's machine keep their location.
         */
        Location: components["schemas"]["DataLocation"];
        /** @description Make a catalogue of this type whose locations are the addresses. */
        CatalogueType: components["schemas"]["CatalogueKind"];
        /**
         * @description Join files to one store: those of a `dataset` along time; the datasets of the members of an ensemble along a new axis
         *     besides (`member`); datasets that differ in their variable side by side (`variables`). Not with `catalogue-type`.
         */
        JoinBy: components["schemas"]["JoinKind"];
        /**
         * @description Of joined files: what becomes of a variable that some files lack. Left out, such files are not joined; with `fill` their
         *     values are missing values.
         */
        JoinMissing: components["schemas"]["MissingVariables"];
        /** @description Whether files with gaps or overlaps in time are not joined. */
        JoinStrict: boolean;
        /** @description The version of zarr of the streams. With `3` their addresses end in `.zarr3` instead of `.zarr`. */
        ZarrFormat: components["schemas"]["ZarrVersion"];
        /**
         * @description The data set, `<uuid>.zarr` as zarr v2, `<uuid>.zarr3` as zarr v3.
         * @example 5f0c2b1e-8d0a-8b3e-9c55-2f6f3a1d9b7e.zarr
         */
        Store: string;
        /**
         * @description The identifier of the data set, as in the address of its zarr stream.
         * @example 5f0c2b1e-8d0a-8b3e-9c55-2f6f3a1d9b7e
         */
        FileId: string;
        /**
         * @description The name of the file, without its folder. A client that takes the name from the address gets the right one.
         * @example tas_Amon_MPI-ESM1-2-LR_historical_r1i1p1f1_gn_198501-198912.nc
         */
        FileName: string;
        /**
         * @description The key in the store; it may hold slashes, as in `tas/0.0.0`.
         * @example .zmetadata
         */
        ZarrKey: string;
        /**
         * @description The variable; names of groups stand before it, as in `forecast/tas`.
         * @example tas
         */
        Variable: string;
        /**
         * @description What of each dimension, separated by commas: an index from 0, a stretch such as `2:8`, or `:` for all of it. One or two
         *     dimensions may be kept, or none. Without it the last two are, whole, and the others are at 0.
         * @example 5,:,:
         */
        SliceIndex: string;
        /**
         * @description So many samples at most of the last dimension that is kept: up to 2048 beside another one (1024 where it is left out),
         *     up to 1048576 where it is the only one.
         * @example 512
         */
        SliceWidth: number;
        /**
         * @description So many samples at most of the first of two dimensions; 1024 where it is left out.
         * @example 256
         */
        SliceHeight: number;
        /**
         * @description What was signed when the data were shared.
         * @example eyJ.x.y
         */
        Ticket: string;
        /** @description The address of a zarr stream. */
        ZarrAddress: string;
        /** @description A part of the value, `bytes=first-last`; several parts are not given. */
        Range: string;
        /** @description Entity tags; a file with another one is not sent (412). */
        IfMatch: string;
        /** @description A date of HTTP. A file that has not changed since then is not sent again; ignored with `If-None-Match`. */
        IfModifiedSince: string;
        /** @description The `ETag` for which the range is meant. */
        IfRange: string;
        /**
         * @description The facet whose values are the rows, by its name in the flavour; `time` and `bbox` are none of them. Where all versions are
         *     searched it may be `version`; it may also be a detail whose values are counted, such as `standard_name`.
         * @example source_id
         */
        Rows: string;
        /**
         * @description The facet whose values are the columns, as that of the rows.
         * @example experiment_id
         */
        Columns: string;
        /** @description What each cell tells; `files` if left out. */
        Cells: components["schemas"]["CellKind"];
        /**
         * @description A period: `A to B`, `A to`, `to B`, `[A TO B]` or `A`, with ISO 8601 dates that may be truncated (`2000`,
         *     `2000-03`, `2000-03-01T06`); without a time zone they are UTC. A truncated end reaches to the end of
         *     its unit. Years beyond 9999 or before 0 have a sign or five digits (`-20000 to -19000`, `12000`); year 0 is 1 BC.
         *     `not ` or `!` before it excludes. Constant data overlap and cover every period; `fx` means them alone.
         */
        Time: components["schemas"]["Period"][];
        /**
         * @description How data relate to `time`: `flexible` overlap the period, `strict` lie wholly inside it, `file` cover
         *     the whole period alone.
         */
        TimeSelect: components["schemas"]["Selection"];
        /**
         * @description A region, `min_lon,max_lon,min_lat,max_lat` in degrees, longitudes from -180 to 360. With min_lon > max_lon
         *     it crosses the antimeridian. `not ` or `!` before it excludes.
         */
        Bbox: components["schemas"]["Region"][];
        /**
         * @description How data relate to `bbox`: `flexible` overlap the region, `strict` lie wholly inside it, `file` cover
         *     the whole region alone.
         */
        BboxSelect: components["schemas"]["Selection"];
        /**
         * @description Filters whose names have no parameter of their own here, each as `name=value`, such as
         *     `experiment_id_not_=ssp*`: a facet of the flavour with `_not_` after its name excludes. The same can be written
         *     as a query parameter, `?experiment_id_not_=ssp*`.
         * @example [
         *       "experiment_id_not_=ssp*"
         *     ]
         */
        Filter: components["schemas"]["FilterItem"][];
        /**
         * @description Project that the data were made for. In native, cmip5, cordex, nextgems and user and wherever `translate=false`. `!` before a value excludes it.
         * @example [
         *       "CMIP6"
         *     ]
         */
        FilterProject: components["schemas"]["FilterValue"][];
        /**
         * @description Product, activity or region. In native, cmip5 and user and wherever `translate=false`. `!` before a value excludes it.
         * @example [
         *       "CMIP"
         *     ]
         */
        FilterProduct: components["schemas"]["FilterValue"][];
        /**
         * @description Institution that made the data. In native and user and wherever `translate=false`. `!` before a value excludes it.
         * @example [
         *       "MPI-M"
         *     ]
         */
        FilterInstitute: components["schemas"]["FilterValue"][];
        /**
         * @description Model, or source. In native, cordex and user and wherever `translate=false`. `!` before a value excludes it.
         * @example [
         *       "MPI-ESM1-2-LR"
         *     ]
         */
        FilterModel: components["schemas"]["FilterValue"][];
        /**
         * @description Experiment or simulation. In native, cmip5, cordex and user and wherever `translate=false`. `!` before a value excludes it.
         * @example [
         *       "historical"
         *     ]
         */
        FilterExperiment: components["schemas"]["FilterValue"][];
        /**
         * @description Frequency in time. In native, cmip5, cordex, nextgems and user and wherever `translate=false`. `!` before a value excludes it.
         * @example [
         *       "mon"
         *     ]
         */
        FilterTimeFrequency: components["schemas"]["FilterValue"][];
        /**
         * @description Part of the climate system. In every flavour. `!` before a value excludes it.
         * @example [
         *       "atmos"
         *     ]
         */
        FilterRealm: components["schemas"]["FilterValue"][];
        /**
         * @description Variable. In native, cmip5, cordex and user and wherever `translate=false`. `!` before a value excludes it.
         * @example [
         *       "tas"
         *     ]
         */
        FilterVariable: components["schemas"]["FilterValue"][];
        /**
         * @description Ensemble member. In native, cordex and user and wherever `translate=false`. `!` before a value excludes it.
         * @example [
         *       "r1i1p1f1"
         *     ]
         */
        FilterEnsemble: components["schemas"]["FilterValue"][];
        /**
         * @description Kind of mean in time. In native, cmip6, cmip5, cordex, cmip7, cordex-cmip6 and user and wherever `translate=false`. `!` before a value excludes it.
         * @example [
         *       "mean"
         *     ]
         */
        FilterTimeAggregation: components["schemas"]["FilterValue"][];
        /**
         * @description Kind of storage. In every flavour. `!` before a value excludes it.
         * @example [
         *       "posix"
         *     ]
         */
        FilterFsType: components["schemas"]["FilterValue"][];
        /**
         * @description Label of the grid. In every flavour. `!` before a value excludes it.
         * @example [
         *       "gn"
         *     ]
         */
        FilterGridLabel: components["schemas"]["FilterValue"][];
        /**
         * @description Table of the variable in its project. In native, cmip5, cordex, nextgems and user and wherever `translate=false`. `!` before a value excludes it.
         * @example [
         *       "Amon"
         *     ]
         */
        FilterCmorTable: components["schemas"]["FilterValue"][];
        /**
         * @description Driving model. In native, cmip6, cmip5, cordex, nextgems, cmip7 and user and wherever `translate=false`. `!` before a value excludes it.
         * @example [
         *       "MPI-M-MPI-ESM-LR"
         *     ]
         */
        FilterDrivingModel: components["schemas"]["FilterValue"][];
        /**
         * @description Format of the file. In every flavour. `!` before a value excludes it.
         * @example [
         *       "nc"
         *     ]
         */
        FilterFormat: components["schemas"]["FilterValue"][];
        /**
         * @description Identifier of the grid. In every flavour. `!` before a value excludes it.
         * @example [
         *       "n320"
         *     ]
         */
        FilterGridId: components["schemas"]["FilterValue"][];
        /**
         * @description Kind of levels. In every flavour. `!` before a value excludes it.
         * @example [
         *       "2d"
         *     ]
         */
        FilterLevelType: components["schemas"]["FilterValue"][];
        /**
         * @description Name of the regional model. In every flavour. `!` before a value excludes it.
         * @example [
         *       "CLMcom-CCLM4-8-17"
         *     ]
         */
        FilterRcmName: components["schemas"]["FilterValue"][];
        /**
         * @description Version of the regional run. In native, cmip6, cmip5, cordex, nextgems, cmip7 and user and wherever `translate=false`. `!` before a value excludes it.
         * @example [
         *       "v1"
         *     ]
         */
        FilterRcmVersion: components["schemas"]["FilterValue"][];
        /**
         * @description Region that the data cover, by its name. In native, cmip7 and user and wherever `translate=false`. `!` before a value excludes it.
         * @example [
         *       "glb"
         *     ]
         */
        FilterRegion: components["schemas"]["FilterValue"][];
        /**
         * @description What was done to the variable in time and space, and where it is given. In native, cmip7 and user and wherever `translate=false`. `!` before a value excludes it.
         * @example [
         *       "tavg-h2m-hxy-u"
         *     ]
         */
        FilterBrandingSuffix: components["schemas"]["FilterValue"][];
        /**
         * @description Collection of the catalogue. In every flavour. `!` before a value excludes it.
         * @example [
         *       "sample"
         *     ]
         */
        FilterDataset: components["schemas"]["FilterValue"][];
        /**
         * @description User who registered the data. In native and user. `!` before a value excludes it.
         * @example [
         *       "demo"
         *     ]
         */
        FilterUser: components["schemas"]["FilterValue"][];
        /**
         * @description Project that the data were made for. In cmip6 and cmip7 (`project` in native). `!` before a value excludes it.
         * @example [
         *       "CMIP6"
         *     ]
         */
        FilterMipEra: components["schemas"]["FilterValue"][];
        /**
         * @description Product, activity or region. In cmip6 and cmip7 (`product` in native). `!` before a value excludes it.
         * @example [
         *       "CMIP"
         *     ]
         */
        FilterActivityId: components["schemas"]["FilterValue"][];
        /**
         * @description Institution that made the data. In cmip6, cmip5, nextgems, cmip7 and cordex-cmip6 (`institute` in native). `!` before a value excludes it.
         * @example [
         *       "MPI-M"
         *     ]
         */
        FilterInstitutionId: components["schemas"]["FilterValue"][];
        /**
         * @description Model, or source. In cmip6, nextgems, cmip7 and cordex-cmip6 (`model` in native). `!` before a value excludes it.
         * @example [
         *       "MPI-ESM1-2-LR"
         *     ]
         */
        FilterSourceId: components["schemas"]["FilterValue"][];
        /**
         * @description Experiment or simulation. In cmip6 and cmip7 (`experiment` in native). Product, activity or region. In nextgems (`product` in native). `!` before a value excludes it.
         * @example [
         *       "historical"
         *     ]
         */
        FilterExperimentId: components["schemas"]["FilterValue"][];
        /**
         * @description Frequency in time. In cmip6, cmip7 and cordex-cmip6 (`time_frequency` in native). `!` before a value excludes it.
         * @example [
         *       "mon"
         *     ]
         */
        FilterFrequency: components["schemas"]["FilterValue"][];
        /**
         * @description Variable. In cmip6, nextgems, cmip7 and cordex-cmip6 (`variable` in native). `!` before a value excludes it.
         * @example [
         *       "tas"
         *     ]
         */
        FilterVariableId: components["schemas"]["FilterValue"][];
        /**
         * @description Ensemble member. In cmip6, cmip5 and nextgems (`ensemble` in native). `!` before a value excludes it.
         * @example [
         *       "r1i1p1f1"
         *     ]
         */
        FilterMemberId: components["schemas"]["FilterValue"][];
        /**
         * @description Table of the variable in its project. In cmip6 (`cmor_table` in native). `!` before a value excludes it.
         * @example [
         *       "Amon"
         *     ]
         */
        FilterTableId: components["schemas"]["FilterValue"][];
        /**
         * @description Model, or source. In cmip5 (`model` in native). `!` before a value excludes it.
         * @example [
         *       "MPI-ESM-LR"
         *     ]
         */
        FilterModelId: components["schemas"]["FilterValue"][];
        /**
         * @description Product, activity or region. In cordex (`product` in native). `!` before a value excludes it.
         * @example [
         *       "EUR-11"
         *     ]
         */
        FilterDomain: components["schemas"]["FilterValue"][];
        /**
         * @description Institution that made the data. In cordex (`institute` in native). `!` before a value excludes it.
         * @example [
         *       "CLMcom"
         *     ]
         */
        FilterInstitution: components["schemas"]["FilterValue"][];
        /**
         * @description Experiment or simulation. In nextgems (`experiment` in native). `!` before a value excludes it.
         * @example [
         *       "ngc3028"
         *     ]
         */
        FilterSimulationId: components["schemas"]["FilterValue"][];
        /**
         * @description Kind of mean in time. In nextgems (`time_aggregation` in native). `!` before a value excludes it.
         * @example [
         *       "mean"
         *     ]
         */
        FilterTimeReduction: components["schemas"]["FilterValue"][];
        /**
         * @description Ensemble member. In cmip7 (`ensemble` in native). `!` before a value excludes it.
         * @example [
         *       "r1i1p1f1"
         *     ]
         */
        FilterVariantLabel: components["schemas"]["FilterValue"][];
        /**
         * @description Project that the data were made for. In cordex-cmip6 (`project` in native). `!` before a value excludes it.
         * @example [
         *       "CORDEX"
         *     ]
         */
        FilterProjectId: components["schemas"]["FilterValue"][];
        /**
         * @description Product, activity or region. In cordex-cmip6 (`product` in native). `!` before a value excludes it.
         * @example [
         *       "EUR-11"
         *     ]
         */
        FilterDomainId: components["schemas"]["FilterValue"][];
        /**
         * @description Experiment or simulation. In cordex-cmip6 (`experiment` in native). `!` before a value excludes it.
         * @example [
         *       "historical"
         *     ]
         */
        FilterDrivingExperimentId: components["schemas"]["FilterValue"][];
        /**
         * @description Ensemble member. In cordex-cmip6 (`ensemble` in native). `!` before a value excludes it.
         * @example [
         *       "r1i1p1"
         *     ]
         */
        FilterDrivingVariantLabel: components["schemas"]["FilterValue"][];
        /**
         * @description Driving model. In cordex-cmip6 (`driving_model` in native). `!` before a value excludes it.
         * @example [
         *       "MPI-M-MPI-ESM-LR"
         *     ]
         */
        FilterDrivingSourceId: components["schemas"]["FilterValue"][];
        /**
         * @description Version of the regional run. In cordex-cmip6 (`rcm_version` in native). `!` before a value excludes it.
         * @example [
         *       "v1"
         *     ]
         */
        FilterVersionRealization: components["schemas"]["FilterValue"][];
        /**
         * @description Path of the file, with regard to case. In every flavour. `!` before a value excludes it.
         * @example [
         *       "*\/tas_Amon_*"
         *     ]
         */
        FilterFile: components["schemas"]["FilterValue"][];
        /**
         * @description URI of the file, with regard to case. In every flavour. `!` before a value excludes it.
         * @example [
         *       "*\/tas_Amon_*"
         *     ]
         */
        FilterUri: components["schemas"]["FilterValue"][];
        /**
         * @description Version of the data set. In every flavour with `multi-version=true` only. `!` before a value excludes it.
         * @example [
         *       "v20190710"
         *     ]
         */
        FilterVersion: components["schemas"]["FilterValue"][];
        /**
         * @description Name of the dataset in its standard, without a version. In every flavour. `!` before a value excludes it.
         * @example [
         *       "CMIP6.CMIP.MPI-M.MPI-ESM1-2-LR.historical.r1i1p1f1.Amon.tas.gn"
         *     ]
         */
        FilterDatasetId: components["schemas"]["FilterValue"][];
        /**
         * @description Checksum of the file with the name of its algorithm. In every flavour. `!` before a value excludes it.
         * @example [
         *       "sha256:f7ef24b424dd92e88740bcafd42df540202778f6d0c205bc32618c0eae377da2"
         *     ]
         */
        FilterChecksum: components["schemas"]["FilterValue"][];
        /**
         * @description Identifier that the file was given when it was made. In every flavour. `!` before a value excludes it.
         * @example [
         *       "hdl:21.14100/3e8b0b0f-213c-54d3-808f-d41a77f9dc48"
         *     ]
         */
        FilterTrackingId: components["schemas"]["FilterValue"][];
        /**
         * @description CF standard name of the variable. In every flavour. `!` before a value excludes it.
         * @example [
         *       "air_temperature"
         *     ]
         */
        FilterStandardName: components["schemas"]["FilterValue"][];
        /**
         * @description Name of the variable for people. In every flavour. `!` before a value excludes it.
         * @example [
         *       "Near-Surface Air Temperature"
         *     ]
         */
        FilterLongName: components["schemas"]["FilterValue"][];
        /**
         * @description Units of the variable. In every flavour. `!` before a value excludes it.
         * @example [
         *       "K"
         *     ]
         */
        FilterUnits: components["schemas"]["FilterValue"][];
        /**
         * @description Resolution of the grid, roughly. In every flavour. `!` before a value excludes it.
         * @example [
         *       "250 km"
         *     ]
         */
        FilterNominalResolution: components["schemas"]["FilterValue"][];
        /**
         * @description Terms under which the data may be used. In every flavour. `!` before a value excludes it.
         * @example [
         *       "CC BY 4.0"
         *     ]
         */
        FilterLicense: components["schemas"]["FilterValue"][];
        /**
         * @description Address of a page about the data. In every flavour. `!` before a value excludes it.
         * @example [
         *       "https://furtherinfo.es-doc.org/CMIP6.MPI-M.MPI-ESM1-2-LR.historical.none.r1i1p1f1"
         *     ]
         */
        FilterFurtherInfoUrl: components["schemas"]["FilterValue"][];
        /**
         * @description Whether the data were withdrawn by those who made them: true or false. In every flavour. `!` before a value excludes it.
         * @example [
         *       "true"
         *     ]
         */
        FilterRetracted: components["schemas"]["FilterValue"][];
        /** @description The `ETag` of an answer that the client has kept. */
        IfNoneMatch: string;
        /**
         * @description The project, in any case.
         * @example CMIP6
         */
        StacCollectionId: string;
        /**
         * @description The id of the item.
         * @example CMIP6.CMIP.MPI-M.MPI-ESM1-2-LR.historical.r1i1p1f1.Amon.tas.gn.v20190710
         */
        StacItemId: string;
        /**
         * @description Projects, separated by commas.
         * @example CMIP6,CMIP7
         */
        StacCollectionIds: string;
        /**
         * @description Ids of items, separated by commas; at most 1000.
         * @example CMIP6.CMIP.MPI-M.MPI-ESM1-2-LR.historical.r1i1p1f1.Amon.tas.gn.v20190710
         */
        StacIds: string;
        /**
         * @description A box that the data meet: west,south,east,north in degrees. A west beyond the east crosses the antimeridian.
         * @example -10,35,30,70
         */
        StacBbox: string;
        /**
         * @description A moment or an interval of RFC 3339 that the data meet: A, A/B, A/.. or ../B.
         * @example 1990-01-01T00:00:00Z/1999-12-31T23:59:59Z
         */
        StacDatetime: string;
        /**
         * @description A GeoJSON geometry that the data meet; not together with bbox.
         * @example {"type":"Point","coordinates":[10,50]}
         */
        StacIntersects: string;
        /**
         * @description Words, separated by commas, of which one must occur in the names of the data.
         * @example temperature
         */
        StacQ: string;
        /**
         * @description A filter in CQL2.
         * @example variable_id = 'tas'
         */
        StacFilter: string;
        /**
         * @description The language of the filter; cql2-text if it is left out.
         * @example cql2-text
         */
        StacFilterLang: components["schemas"]["FilterLanguage"];
        /**
         * @description The reference system of the geometries in the filter: longitudes and latitudes in degrees.
         * @example http://www.opengis.net/def/crs/OGC/1.3/CRS84
         */
        StacFilterCrs: components["schemas"]["FilterCrs"];
        /**
         * @description Conditions on properties as JSON, as STAC's query extension writes them.
         * @example {"start_datetime":{"gte":"1850-01-01"}}
         */
        StacQuery: string;
        /**
         * @description Items of a page; more than 1000 are taken as 1000.
         * @example 10
         */
        StacLimit: number;
        /**
         * @description Collections of a page; more than 1000 are taken as 1000.
         * @example 10
         */
        StacCollectionLimit: number;
        /**
         * @description The place of a page, from the link `next` of the page before it.
         * @example WyJhIl0
         */
        StacToken: string;
        /**
         * @description Properties, separated by commas, the first one first; with - before it in descending order.
         * @example -properties.start_datetime,id
         */
        StacSortby: string;
        /**
         * @description Parts of items to give, separated by commas; with - before it one to leave out.
         * @example id,properties.start_datetime,-assets
         */
        StacFields: string;
        /**
         * @description The aggregations, separated by commas. Without them total_count.
         * @example total_count,cmip6_source_id_frequency
         */
        StacAggregationNames: string;
    };
    requestBodies: never;
    headers: {
        /** @description Changes whenever the answer does (RFC 9110, 8.8.3). */
        ETag: string;
        /** @description The answer may be kept but must be revalidated. */
        CacheControl: string;
        /** @description When the file was changed last, in whole seconds. */
        LastModified: string;
        /** @description A part can be requested, in bytes. */
        AcceptRanges: "bytes";
        /** @description The part that is sent, and the length of the whole. */
        ContentRange: string;
        /**
         * @description The checksum of the whole file (RFC 9530), if the index knows it.
         * @example sha-256=:9+8ktCTdkuiHQLyv1C31QCAneLltDCBbwyYYwOrjd6I=:
         */
        ReprDigest: string;
        /** @description The name under which the file is saved (RFC 6266). */
        FileName: string;
        /** @description The answer is of this moment, and is not kept. */
        NotKept: string;
        /** @description The answer depends on who asks, and is kept for nobody else. */
        CallersOwn: string;
        /** @description The headers of a request by which the answer may differ. */
        Vary: string;
        /** @description A file name that tells what was searched. */
        ContentDisposition: string;
        /**
         * @description Values of the search that no entry has in any version, which as a rule are misspelled: a List (RFC 9651) of Strings
         *     `key=value`, or Display Strings where that is not plain ASCII, each with the parameter `near` if there is a
         *     value that is spelled much like it. There is no such header where all values are known, nor where that could not be
         *     found out in time.
         * @example "variable_id=tass";near="tas", "source_id=xyz"
         */
        UnknownValues: string;
        /**
         * @description Where nothing is found, the address of operation `explain` for the same search, with the relation `help` (RFC 8288). There is no
         *     such header where that would be longer than 1024 characters.
         * @example <http://127.0.0.1:7777/api/climate-nextgen/databrowser/why/cmip6/file?variable_id=tass>; rel="help"
         */
        WhyLink: string;
        /** @description Seconds after which another try makes sense. */
        RetryAfter: number;
        /**
         * @description The limits of a caller (draft-ietf-httpapi-ratelimit-headers-10): `q` of what `qu` says, requests where it says nothing, in `w` seconds.
         * @example "requests";q=250;w=5, "streams";q=32;qu="concurrent-requests"
         */
        RateLimitPolicy: string;
        /**
         * @description The limit that is used up, here and in any answer that was slowed down because of it: `r` is left, for `t` seconds.
         * @example "requests";r=0;t=3
         */
        RateLimit: string;
        /** @description The answer must not be kept. */
        NoStore: "no-store";
        /** @description The same for HTTP/1.0 (RFC 6749, 5.1). */
        Pragma: "no-cache";
        /** @description How long the answer may be kept. */
        ShortLived: string;
        /** @description The scheme, and where a token or credentials were sent what is wrong with them (RFC 6750, 3). */
        WWWAuthenticate: string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getOverview: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Every flavour with the names of its facets. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CallersOwn"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "flavours": [
                     *         "native",
                     *         "cmip6"
                     *       ],
                     *       "attributes": {
                     *         "native": [
                     *           "project",
                     *           "product",
                     *           "institute",
                     *           "model"
                     *         ],
                     *         "cmip6": [
                     *           "mip_era",
                     *           "activity_id",
                     *           "institution_id",
                     *           "source_id"
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Overview"];
                };
            };
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["SearchUnavailable"];
        };
    };
    searchData: {
        parameters: {
            query?: {
                /** @description How many of the first results to leave out. */
                start?: components["parameters"]["Start"];
                /** @description Search every version of a data set, not only the newest one. */
                "multi-version"?: components["parameters"]["MultiVersion"];
                /** @description Use the flavour's facet names in the query; with `false`, the native ones. */
                translate?: components["parameters"]["TranslateKeys"];
                /**
                 * @description A period: `A to B`, `A to`, `to B`, `[A TO B]` or `A`, with ISO 8601 dates that may be truncated (`2000`,
                 *     `2000-03`, `2000-03-01T06`); without a time zone they are UTC. A truncated end reaches to the end of
                 *     its unit. Years beyond 9999 or before 0 have a sign or five digits (`-20000 to -19000`, `12000`); year 0 is 1 BC.
                 *     `not ` or `!` before it excludes. Constant data overlap and cover every period; `fx` means them alone.
                 */
                time?: components["parameters"]["Time"];
                /**
                 * @description How data relate to `time`: `flexible` overlap the period, `strict` lie wholly inside it, `file` cover
                 *     the whole period alone.
                 */
                time_select?: components["parameters"]["TimeSelect"];
                /**
                 * @description A region, `min_lon,max_lon,min_lat,max_lat` in degrees, longitudes from -180 to 360. With min_lon > max_lon
                 *     it crosses the antimeridian. `not ` or `!` before it excludes.
                 */
                bbox?: components["parameters"]["Bbox"];
                /**
                 * @description How data relate to `bbox`: `flexible` overlap the region, `strict` lie wholly inside it, `file` cover
                 *     the whole region alone.
                 */
                bbox_select?: components["parameters"]["BboxSelect"];
                /**
                 * @description One to four facets by their names in the flavour, several times or separated by commas: files with the same values of
                 *     them are a group. Together with `need`, or alone, which means the same as `require_all_on`.
                 */
                group_by?: components["parameters"]["GroupBy"];
                /**
                 * @description What each group must have, of `group_by`; up to 50 times. `variable_id:areacella;table_id:fx;on=source_id` asks for a
                 *     file with both values. A name that is given again in it means any of its values; details that are texts have values,
                 *     too. With `on=`, names of `group_by` separated by commas, the file need only be of the same values of these. With
                 *     `from=` and `to=` (dates, as in `time`) files that meet the need must cover the period without a gap. Before `;`,
                 *     `:`, `*`, `?` and `\`, `\` takes the character literally; there are no wildcards.
                 */
                need?: components["parameters"]["Need"];
                /**
                 * @description What intake-esm calls so, in the place of `group_by` and `need`: groups of files with the same values of these facets
                 *     that have every combination of the values which the other keys of the search include. Values with wildcards,
                 *     excluded ones, periods and regions only filter. Up to 1,000 combinations.
                 */
                require_all_on?: components["parameters"]["RequireAllOn"];
                /**
                 * @description Project that the data were made for. In native, cmip5, cordex, nextgems and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "CMIP6"
                 *     ]
                 */
                project?: components["parameters"]["FilterProject"];
                /**
                 * @description Product, activity or region. In native, cmip5 and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "CMIP"
                 *     ]
                 */
                product?: components["parameters"]["FilterProduct"];
                /**
                 * @description Institution that made the data. In native and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "MPI-M"
                 *     ]
                 */
                institute?: components["parameters"]["FilterInstitute"];
                /**
                 * @description Model, or source. In native, cordex and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "MPI-ESM1-2-LR"
                 *     ]
                 */
                model?: components["parameters"]["FilterModel"];
                /**
                 * @description Experiment or simulation. In native, cmip5, cordex and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "historical"
                 *     ]
                 */
                experiment?: components["parameters"]["FilterExperiment"];
                /**
                 * @description Frequency in time. In native, cmip5, cordex, nextgems and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "mon"
                 *     ]
                 */
                time_frequency?: components["parameters"]["FilterTimeFrequency"];
                /**
                 * @description Part of the climate system. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "atmos"
                 *     ]
                 */
                realm?: components["parameters"]["FilterRealm"];
                /**
                 * @description Variable. In native, cmip5, cordex and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "tas"
                 *     ]
                 */
                variable?: components["parameters"]["FilterVariable"];
                /**
                 * @description Ensemble member. In native, cordex and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "r1i1p1f1"
                 *     ]
                 */
                ensemble?: components["parameters"]["FilterEnsemble"];
                /**
                 * @description Kind of mean in time. In native, cmip6, cmip5, cordex, cmip7, cordex-cmip6 and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "mean"
                 *     ]
                 */
                time_aggregation?: components["parameters"]["FilterTimeAggregation"];
                /**
                 * @description Kind of storage. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "posix"
                 *     ]
                 */
                fs_type?: components["parameters"]["FilterFsType"];
                /**
                 * @description Label of the grid. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "gn"
                 *     ]
                 */
                grid_label?: components["parameters"]["FilterGridLabel"];
                /**
                 * @description Table of the variable in its project. In native, cmip5, cordex, nextgems and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "Amon"
                 *     ]
                 */
                cmor_table?: components["parameters"]["FilterCmorTable"];
                /**
                 * @description Driving model. In native, cmip6, cmip5, cordex, nextgems, cmip7 and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "MPI-M-MPI-ESM-LR"
                 *     ]
                 */
                driving_model?: components["parameters"]["FilterDrivingModel"];
                /**
                 * @description Format of the file. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "nc"
                 *     ]
                 */
                format?: components["parameters"]["FilterFormat"];
                /**
                 * @description Identifier of the grid. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "n320"
                 *     ]
                 */
                grid_id?: components["parameters"]["FilterGridId"];
                /**
                 * @description Kind of levels. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "2d"
                 *     ]
                 */
                level_type?: components["parameters"]["FilterLevelType"];
                /**
                 * @description Name of the regional model. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "CLMcom-CCLM4-8-17"
                 *     ]
                 */
                rcm_name?: components["parameters"]["FilterRcmName"];
                /**
                 * @description Version of the regional run. In native, cmip6, cmip5, cordex, nextgems, cmip7 and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "v1"
                 *     ]
                 */
                rcm_version?: components["parameters"]["FilterRcmVersion"];
                /**
                 * @description Region that the data cover, by its name. In native, cmip7 and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "glb"
                 *     ]
                 */
                region?: components["parameters"]["FilterRegion"];
                /**
                 * @description What was done to the variable in time and space, and where it is given. In native, cmip7 and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "tavg-h2m-hxy-u"
                 *     ]
                 */
                branding_suffix?: components["parameters"]["FilterBrandingSuffix"];
                /**
                 * @description Collection of the catalogue. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "sample"
                 *     ]
                 */
                dataset?: components["parameters"]["FilterDataset"];
                /**
                 * @description User who registered the data. In native and user. `!` before a value excludes it.
                 * @example [
                 *       "demo"
                 *     ]
                 */
                user?: components["parameters"]["FilterUser"];
                /**
                 * @description Project that the data were made for. In cmip6 and cmip7 (`project` in native). `!` before a value excludes it.
                 * @example [
                 *       "CMIP6"
                 *     ]
                 */
                mip_era?: components["parameters"]["FilterMipEra"];
                /**
                 * @description Product, activity or region. In cmip6 and cmip7 (`product` in native). `!` before a value excludes it.
                 * @example [
                 *       "CMIP"
                 *     ]
                 */
                activity_id?: components["parameters"]["FilterActivityId"];
                /**
                 * @description Institution that made the data. In cmip6, cmip5, nextgems, cmip7 and cordex-cmip6 (`institute` in native). `!` before a value excludes it.
                 * @example [
                 *       "MPI-M"
                 *     ]
                 */
                institution_id?: components["parameters"]["FilterInstitutionId"];
                /**
                 * @description Model, or source. In cmip6, nextgems, cmip7 and cordex-cmip6 (`model` in native). `!` before a value excludes it.
                 * @example [
                 *       "MPI-ESM1-2-LR"
                 *     ]
                 */
                source_id?: components["parameters"]["FilterSourceId"];
                /**
                 * @description Experiment or simulation. In cmip6 and cmip7 (`experiment` in native). Product, activity or region. In nextgems (`product` in native). `!` before a value excludes it.
                 * @example [
                 *       "historical"
                 *     ]
                 */
                experiment_id?: components["parameters"]["FilterExperimentId"];
                /**
                 * @description Frequency in time. In cmip6, cmip7 and cordex-cmip6 (`time_frequency` in native). `!` before a value excludes it.
                 * @example [
                 *       "mon"
                 *     ]
                 */
                frequency?: components["parameters"]["FilterFrequency"];
                /**
                 * @description Variable. In cmip6, nextgems, cmip7 and cordex-cmip6 (`variable` in native). `!` before a value excludes it.
                 * @example [
                 *       "tas"
                 *     ]
                 */
                variable_id?: components["parameters"]["FilterVariableId"];
                /**
                 * @description Ensemble member. In cmip6, cmip5 and nextgems (`ensemble` in native). `!` before a value excludes it.
                 * @example [
                 *       "r1i1p1f1"
                 *     ]
                 */
                member_id?: components["parameters"]["FilterMemberId"];
                /**
                 * @description Table of the variable in its project. In cmip6 (`cmor_table` in native). `!` before a value excludes it.
                 * @example [
                 *       "Amon"
                 *     ]
                 */
                table_id?: components["parameters"]["FilterTableId"];
                /**
                 * @description Model, or source. In cmip5 (`model` in native). `!` before a value excludes it.
                 * @example [
                 *       "MPI-ESM-LR"
                 *     ]
                 */
                model_id?: components["parameters"]["FilterModelId"];
                /**
                 * @description Product, activity or region. In cordex (`product` in native). `!` before a value excludes it.
                 * @example [
                 *       "EUR-11"
                 *     ]
                 */
                domain?: components["parameters"]["FilterDomain"];
                /**
                 * @description Institution that made the data. In cordex (`institute` in native). `!` before a value excludes it.
                 * @example [
                 *       "CLMcom"
                 *     ]
                 */
                institution?: components["parameters"]["FilterInstitution"];
                /**
                 * @description Experiment or simulation. In nextgems (`experiment` in native). `!` before a value excludes it.
                 * @example [
                 *       "ngc3028"
                 *     ]
                 */
                simulation_id?: components["parameters"]["FilterSimulationId"];
                /**
                 * @description Kind of mean in time. In nextgems (`time_aggregation` in native). `!` before a value excludes it.
                 * @example [
                 *       "mean"
                 *     ]
                 */
                time_reduction?: components["parameters"]["FilterTimeReduction"];
                /**
                 * @description Ensemble member. In cmip7 (`ensemble` in native). `!` before a value excludes it.
                 * @example [
                 *       "r1i1p1f1"
                 *     ]
                 */
                variant_label?: components["parameters"]["FilterVariantLabel"];
                /**
                 * @description Project that the data were made for. In cordex-cmip6 (`project` in native). `!` before a value excludes it.
                 * @example [
                 *       "CORDEX"
                 *     ]
                 */
                project_id?: components["parameters"]["FilterProjectId"];
                /**
                 * @description Product, activity or region. In cordex-cmip6 (`product` in native). `!` before a value excludes it.
                 * @example [
                 *       "EUR-11"
                 *     ]
                 */
                domain_id?: components["parameters"]["FilterDomainId"];
                /**
                 * @description Experiment or simulation. In cordex-cmip6 (`experiment` in native). `!` before a value excludes it.
                 * @example [
                 *       "historical"
                 *     ]
                 */
                driving_experiment_id?: components["parameters"]["FilterDrivingExperimentId"];
                /**
                 * @description Ensemble member. In cordex-cmip6 (`ensemble` in native). `!` before a value excludes it.
                 * @example [
                 *       "r1i1p1"
                 *     ]
                 */
                driving_variant_label?: components["parameters"]["FilterDrivingVariantLabel"];
                /**
                 * @description Driving model. In cordex-cmip6 (`driving_model` in native). `!` before a value excludes it.
                 * @example [
                 *       "MPI-M-MPI-ESM-LR"
                 *     ]
                 */
                driving_source_id?: components["parameters"]["FilterDrivingSourceId"];
                /**
                 * @description Version of the regional run. In cordex-cmip6 (`rcm_version` in native). `!` before a value excludes it.
                 * @example [
                 *       "v1"
                 *     ]
                 */
                version_realization?: components["parameters"]["FilterVersionRealization"];
                /**
                 * @description Path of the file, with regard to case. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "*\/tas_Amon_*"
                 *     ]
                 */
                file?: components["parameters"]["FilterFile"];
                /**
                 * @description URI of the file, with regard to case. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "*\/tas_Amon_*"
                 *     ]
                 */
                uri?: components["parameters"]["FilterUri"];
                /**
                 * @description Version of the data set. In every flavour with `multi-version=true` only. `!` before a value excludes it.
                 * @example [
                 *       "v20190710"
                 *     ]
                 */
                version?: components["parameters"]["FilterVersion"];
                /**
                 * @description Name of the dataset in its standard, without a version. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "CMIP6.CMIP.MPI-M.MPI-ESM1-2-LR.historical.r1i1p1f1.Amon.tas.gn"
                 *     ]
                 */
                dataset_id?: components["parameters"]["FilterDatasetId"];
                /**
                 * @description Checksum of the file with the name of its algorithm. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "sha256:f7ef24b424dd92e88740bcafd42df540202778f6d0c205bc32618c0eae377da2"
                 *     ]
                 */
                checksum?: components["parameters"]["FilterChecksum"];
                /**
                 * @description Identifier that the file was given when it was made. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "hdl:21.14100/3e8b0b0f-213c-54d3-808f-d41a77f9dc48"
                 *     ]
                 */
                tracking_id?: components["parameters"]["FilterTrackingId"];
                /**
                 * @description CF standard name of the variable. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "air_temperature"
                 *     ]
                 */
                standard_name?: components["parameters"]["FilterStandardName"];
                /**
                 * @description Name of the variable for people. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "Near-Surface Air Temperature"
                 *     ]
                 */
                long_name?: components["parameters"]["FilterLongName"];
                /**
                 * @description Units of the variable. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "K"
                 *     ]
                 */
                units?: components["parameters"]["FilterUnits"];
                /**
                 * @description Resolution of the grid, roughly. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "250 km"
                 *     ]
                 */
                nominal_resolution?: components["parameters"]["FilterNominalResolution"];
                /**
                 * @description Terms under which the data may be used. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "CC BY 4.0"
                 *     ]
                 */
                license?: components["parameters"]["FilterLicense"];
                /**
                 * @description Address of a page about the data. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "https://furtherinfo.es-doc.org/CMIP6.MPI-M.MPI-ESM1-2-LR.historical.none.r1i1p1f1"
                 *     ]
                 */
                further_info_url?: components["parameters"]["FilterFurtherInfoUrl"];
                /**
                 * @description Whether the data were withdrawn by those who made them: true or false. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "true"
                 *     ]
                 */
                retracted?: components["parameters"]["FilterRetracted"];
                /**
                 * @description Filters whose names have no parameter of their own here, each as `name=value`, such as
                 *     `experiment_id_not_=ssp*`: a facet of the flavour with `_not_` after its name excludes. The same can be written
                 *     as a query parameter, `?experiment_id_not_=ssp*`.
                 * @example [
                 *       "experiment_id_not_=ssp*"
                 *     ]
                 */
                filter?: components["parameters"]["Filter"];
            };
            header?: never;
            path: {
                /**
                 * @description The flavour whose facet names are used: a DRS standard, one that is for all, or one of the caller's own, for which
                 *     the access token must be sent.
                 * @example cmip6
                 */
                flavour: components["parameters"]["InFlavour"];
                /**
                 * @description Whether locations are file paths or URIs.
                 * @example file
                 */
                uniq_key: components["parameters"]["ByKey"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One location a line; nothing at all when nothing matches. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CallersOwn"];
                    Vary: components["headers"]["Vary"];
                    "Unknown-Values": components["headers"]["UnknownValues"];
                    Link: components["headers"]["WhyLink"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example /pool/data/CMIP6/data/CMIP/MPI-M/MPI-ESM1-2-LR/historical/r1i1p1f1/Amon/tas/gn/v20190710/tas_Amon_MPI-ESM1-2-LR_historical_r1i1p1f1_gn_185001-186912.nc */
                    "text/plain": string;
                };
            };
            401: components["responses"]["Unauthorized"];
            413: components["responses"]["TooManyResults"];
            422: components["responses"]["InvalidParameters"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["SearchUnavailable"];
        };
    };
    downloadData: {
        parameters: {
            query?: {
                /** @description The form of the download; `sh` if none is given. */
                as?: components["parameters"]["AsForm"];
                /**
                 * @description Where the files are saved: `drs`, where left out, in a folder for each part of the dataset's name and its version, `flat` in none. A
                 *     file whose path another one has already is saved in a folder named by its identifier.
                 */
                layout?: components["parameters"]["Layout"];
                /** @description How many of the first results to leave out. */
                start?: components["parameters"]["Start"];
                /** @description Search every version of a data set, not only the newest one. */
                "multi-version"?: components["parameters"]["MultiVersion"];
                /** @description Use the flavour's facet names in the query; with `false`, the native ones. */
                translate?: components["parameters"]["TranslateKeys"];
                /**
                 * @description A period: `A to B`, `A to`, `to B`, `[A TO B]` or `A`, with ISO 8601 dates that may be truncated (`2000`,
                 *     `2000-03`, `2000-03-01T06`); without a time zone they are UTC. A truncated end reaches to the end of
                 *     its unit. Years beyond 9999 or before 0 have a sign or five digits (`-20000 to -19000`, `12000`); year 0 is 1 BC.
                 *     `not ` or `!` before it excludes. Constant data overlap and cover every period; `fx` means them alone.
                 */
                time?: components["parameters"]["Time"];
                /**
                 * @description How data relate to `time`: `flexible` overlap the period, `strict` lie wholly inside it, `file` cover
                 *     the whole period alone.
                 */
                time_select?: components["parameters"]["TimeSelect"];
                /**
                 * @description A region, `min_lon,max_lon,min_lat,max_lat` in degrees, longitudes from -180 to 360. With min_lon > max_lon
                 *     it crosses the antimeridian. `not ` or `!` before it excludes.
                 */
                bbox?: components["parameters"]["Bbox"];
                /**
                 * @description How data relate to `bbox`: `flexible` overlap the region, `strict` lie wholly inside it, `file` cover
                 *     the whole region alone.
                 */
                bbox_select?: components["parameters"]["BboxSelect"];
                /**
                 * @description One to four facets by their names in the flavour, several times or separated by commas: files with the same values of
                 *     them are a group. Together with `need`, or alone, which means the same as `require_all_on`.
                 */
                group_by?: components["parameters"]["GroupBy"];
                /**
                 * @description What each group must have, of `group_by`; up to 50 times. `variable_id:areacella;table_id:fx;on=source_id` asks for a
                 *     file with both values. A name that is given again in it means any of its values; details that are texts have values,
                 *     too. With `on=`, names of `group_by` separated by commas, the file need only be of the same values of these. With
                 *     `from=` and `to=` (dates, as in `time`) files that meet the need must cover the period without a gap. Before `;`,
                 *     `:`, `*`, `?` and `\`, `\` takes the character literally; there are no wildcards.
                 */
                need?: components["parameters"]["Need"];
                /**
                 * @description What intake-esm calls so, in the place of `group_by` and `need`: groups of files with the same values of these facets
                 *     that have every combination of the values which the other keys of the search include. Values with wildcards,
                 *     excluded ones, periods and regions only filter. Up to 1,000 combinations.
                 */
                require_all_on?: components["parameters"]["RequireAllOn"];
                /**
                 * @description Project that the data were made for. In native, cmip5, cordex, nextgems and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "CMIP6"
                 *     ]
                 */
                project?: components["parameters"]["FilterProject"];
                /**
                 * @description Product, activity or region. In native, cmip5 and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "CMIP"
                 *     ]
                 */
                product?: components["parameters"]["FilterProduct"];
                /**
                 * @description Institution that made the data. In native and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "MPI-M"
                 *     ]
                 */
                institute?: components["parameters"]["FilterInstitute"];
                /**
                 * @description Model, or source. In native, cordex and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "MPI-ESM1-2-LR"
                 *     ]
                 */
                model?: components["parameters"]["FilterModel"];
                /**
                 * @description Experiment or simulation. In native, cmip5, cordex and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "historical"
                 *     ]
                 */
                experiment?: components["parameters"]["FilterExperiment"];
                /**
                 * @description Frequency in time. In native, cmip5, cordex, nextgems and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "mon"
                 *     ]
                 */
                time_frequency?: components["parameters"]["FilterTimeFrequency"];
                /**
                 * @description Part of the climate system. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "atmos"
                 *     ]
                 */
                realm?: components["parameters"]["FilterRealm"];
                /**
                 * @description Variable. In native, cmip5, cordex and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "tas"
                 *     ]
                 */
                variable?: components["parameters"]["FilterVariable"];
                /**
                 * @description Ensemble member. In native, cordex and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "r1i1p1f1"
                 *     ]
                 */
                ensemble?: components["parameters"]["FilterEnsemble"];
                /**
                 * @description Kind of mean in time. In native, cmip6, cmip5, cordex, cmip7, cordex-cmip6 and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "mean"
                 *     ]
                 */
                time_aggregation?: components["parameters"]["FilterTimeAggregation"];
                /**
                 * @description Kind of storage. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "posix"
                 *     ]
                 */
                fs_type?: components["parameters"]["FilterFsType"];
                /**
                 * @description Label of the grid. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "gn"
                 *     ]
                 */
                grid_label?: components["parameters"]["FilterGridLabel"];
                /**
                 * @description Table of the variable in its project. In native, cmip5, cordex, nextgems and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "Amon"
                 *     ]
                 */
                cmor_table?: components["parameters"]["FilterCmorTable"];
                /**
                 * @description Driving model. In native, cmip6, cmip5, cordex, nextgems, cmip7 and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "MPI-M-MPI-ESM-LR"
                 *     ]
                 */
                driving_model?: components["parameters"]["FilterDrivingModel"];
                /**
                 * @description Format of the file. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "nc"
                 *     ]
                 */
                format?: components["parameters"]["FilterFormat"];
                /**
                 * @description Identifier of the grid. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "n320"
                 *     ]
                 */
                grid_id?: components["parameters"]["FilterGridId"];
                /**
                 * @description Kind of levels. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "2d"
                 *     ]
                 */
                level_type?: components["parameters"]["FilterLevelType"];
                /**
                 * @description Name of the regional model. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "CLMcom-CCLM4-8-17"
                 *     ]
                 */
                rcm_name?: components["parameters"]["FilterRcmName"];
                /**
                 * @description Version of the regional run. In native, cmip6, cmip5, cordex, nextgems, cmip7 and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "v1"
                 *     ]
                 */
                rcm_version?: components["parameters"]["FilterRcmVersion"];
                /**
                 * @description Region that the data cover, by its name. In native, cmip7 and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "glb"
                 *     ]
                 */
                region?: components["parameters"]["FilterRegion"];
                /**
                 * @description What was done to the variable in time and space, and where it is given. In native, cmip7 and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "tavg-h2m-hxy-u"
                 *     ]
                 */
                branding_suffix?: components["parameters"]["FilterBrandingSuffix"];
                /**
                 * @description Collection of the catalogue. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "sample"
                 *     ]
                 */
                dataset?: components["parameters"]["FilterDataset"];
                /**
                 * @description User who registered the data. In native and user. `!` before a value excludes it.
                 * @example [
                 *       "demo"
                 *     ]
                 */
                user?: components["parameters"]["FilterUser"];
                /**
                 * @description Project that the data were made for. In cmip6 and cmip7 (`project` in native). `!` before a value excludes it.
                 * @example [
                 *       "CMIP6"
                 *     ]
                 */
                mip_era?: components["parameters"]["FilterMipEra"];
                /**
                 * @description Product, activity or region. In cmip6 and cmip7 (`product` in native). `!` before a value excludes it.
                 * @example [
                 *       "CMIP"
                 *     ]
                 */
                activity_id?: components["parameters"]["FilterActivityId"];
                /**
                 * @description Institution that made the data. In cmip6, cmip5, nextgems, cmip7 and cordex-cmip6 (`institute` in native). `!` before a value excludes it.
                 * @example [
                 *       "MPI-M"
                 *     ]
                 */
                institution_id?: components["parameters"]["FilterInstitutionId"];
                /**
                 * @description Model, or source. In cmip6, nextgems, cmip7 and cordex-cmip6 (`model` in native). `!` before a value excludes it.
                 * @example [
                 *       "MPI-ESM1-2-LR"
                 *     ]
                 */
                source_id?: components["parameters"]["FilterSourceId"];
                /**
                 * @description Experiment or simulation. In cmip6 and cmip7 (`experiment` in native). Product, activity or region. In nextgems (`product` in native). `!` before a value excludes it.
                 * @example [
                 *       "historical"
                 *     ]
                 */
                experiment_id?: components["parameters"]["FilterExperimentId"];
                /**
                 * @description Frequency in time. In cmip6, cmip7 and cordex-cmip6 (`time_frequency` in native). `!` before a value excludes it.
                 * @example [
                 *       "mon"
                 *     ]
                 */
                frequency?: components["parameters"]["FilterFrequency"];
                /**
                 * @description Variable. In cmip6, nextgems, cmip7 and cordex-cmip6 (`variable` in native). `!` before a value excludes it.
                 * @example [
                 *       "tas"
                 *     ]
                 */
                variable_id?: components["parameters"]["FilterVariableId"];
                /**
                 * @description Ensemble member. In cmip6, cmip5 and nextgems (`ensemble` in native). `!` before a value excludes it.
                 * @example [
                 *       "r1i1p1f1"
                 *     ]
                 */
                member_id?: components["parameters"]["FilterMemberId"];
                /**
                 * @description Table of the variable in its project. In cmip6 (`cmor_table` in native). `!` before a value excludes it.
                 * @example [
                 *       "Amon"
                 *     ]
                 */
                table_id?: components["parameters"]["FilterTableId"];
                /**
                 * @description Model, or source. In cmip5 (`model` in native). `!` before a value excludes it.
                 * @example [
                 *       "MPI-ESM-LR"
                 *     ]
                 */
                model_id?: components["parameters"]["FilterModelId"];
                /**
                 * @description Product, activity or region. In cordex (`product` in native). `!` before a value excludes it.
                 * @example [
                 *       "EUR-11"
                 *     ]
                 */
                domain?: components["parameters"]["FilterDomain"];
                /**
                 * @description Institution that made the data. In cordex (`institute` in native). `!` before a value excludes it.
                 * @example [
                 *       "CLMcom"
                 *     ]
                 */
                institution?: components["parameters"]["FilterInstitution"];
                /**
                 * @description Experiment or simulation. In nextgems (`experiment` in native). `!` before a value excludes it.
                 * @example [
                 *       "ngc3028"
                 *     ]
                 */
                simulation_id?: components["parameters"]["FilterSimulationId"];
                /**
                 * @description Kind of mean in time. In nextgems (`time_aggregation` in native). `!` before a value excludes it.
                 * @example [
                 *       "mean"
                 *     ]
                 */
                time_reduction?: components["parameters"]["FilterTimeReduction"];
                /**
                 * @description Ensemble member. In cmip7 (`ensemble` in native). `!` before a value excludes it.
                 * @example [
                 *       "r1i1p1f1"
                 *     ]
                 */
                variant_label?: components["parameters"]["FilterVariantLabel"];
                /**
                 * @description Project that the data were made for. In cordex-cmip6 (`project` in native). `!` before a value excludes it.
                 * @example [
                 *       "CORDEX"
                 *     ]
                 */
                project_id?: components["parameters"]["FilterProjectId"];
                /**
                 * @description Product, activity or region. In cordex-cmip6 (`product` in native). `!` before a value excludes it.
                 * @example [
                 *       "EUR-11"
                 *     ]
                 */
                domain_id?: components["parameters"]["FilterDomainId"];
                /**
                 * @description Experiment or simulation. In cordex-cmip6 (`experiment` in native). `!` before a value excludes it.
                 * @example [
                 *       "historical"
                 *     ]
                 */
                driving_experiment_id?: components["parameters"]["FilterDrivingExperimentId"];
                /**
                 * @description Ensemble member. In cordex-cmip6 (`ensemble` in native). `!` before a value excludes it.
                 * @example [
                 *       "r1i1p1"
                 *     ]
                 */
                driving_variant_label?: components["parameters"]["FilterDrivingVariantLabel"];
                /**
                 * @description Driving model. In cordex-cmip6 (`driving_model` in native). `!` before a value excludes it.
                 * @example [
                 *       "MPI-M-MPI-ESM-LR"
                 *     ]
                 */
                driving_source_id?: components["parameters"]["FilterDrivingSourceId"];
                /**
                 * @description Version of the regional run. In cordex-cmip6 (`rcm_version` in native). `!` before a value excludes it.
                 * @example [
                 *       "v1"
                 *     ]
                 */
                version_realization?: components["parameters"]["FilterVersionRealization"];
                /**
                 * @description Path of the file, with regard to case. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "*\/tas_Amon_*"
                 *     ]
                 */
                file?: components["parameters"]["FilterFile"];
                /**
                 * @description URI of the file, with regard to case. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "*\/tas_Amon_*"
                 *     ]
                 */
                uri?: components["parameters"]["FilterUri"];
                /**
                 * @description Version of the data set. In every flavour with `multi-version=true` only. `!` before a value excludes it.
                 * @example [
                 *       "v20190710"
                 *     ]
                 */
                version?: components["parameters"]["FilterVersion"];
                /**
                 * @description Name of the dataset in its standard, without a version. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "CMIP6.CMIP.MPI-M.MPI-ESM1-2-LR.historical.r1i1p1f1.Amon.tas.gn"
                 *     ]
                 */
                dataset_id?: components["parameters"]["FilterDatasetId"];
                /**
                 * @description Checksum of the file with the name of its algorithm. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "sha256:f7ef24b424dd92e88740bcafd42df540202778f6d0c205bc32618c0eae377da2"
                 *     ]
                 */
                checksum?: components["parameters"]["FilterChecksum"];
                /**
                 * @description Identifier that the file was given when it was made. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "hdl:21.14100/3e8b0b0f-213c-54d3-808f-d41a77f9dc48"
                 *     ]
                 */
                tracking_id?: components["parameters"]["FilterTrackingId"];
                /**
                 * @description CF standard name of the variable. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "air_temperature"
                 *     ]
                 */
                standard_name?: components["parameters"]["FilterStandardName"];
                /**
                 * @description Name of the variable for people. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "Near-Surface Air Temperature"
                 *     ]
                 */
                long_name?: components["parameters"]["FilterLongName"];
                /**
                 * @description Units of the variable. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "K"
                 *     ]
                 */
                units?: components["parameters"]["FilterUnits"];
                /**
                 * @description Resolution of the grid, roughly. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "250 km"
                 *     ]
                 */
                nominal_resolution?: components["parameters"]["FilterNominalResolution"];
                /**
                 * @description Terms under which the data may be used. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "CC BY 4.0"
                 *     ]
                 */
                license?: components["parameters"]["FilterLicense"];
                /**
                 * @description Address of a page about the data. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "https://furtherinfo.es-doc.org/CMIP6.MPI-M.MPI-ESM1-2-LR.historical.none.r1i1p1f1"
                 *     ]
                 */
                further_info_url?: components["parameters"]["FilterFurtherInfoUrl"];
                /**
                 * @description Whether the data were withdrawn by those who made them: true or false. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "true"
                 *     ]
                 */
                retracted?: components["parameters"]["FilterRetracted"];
                /**
                 * @description Filters whose names have no parameter of their own here, each as `name=value`, such as
                 *     `experiment_id_not_=ssp*`: a facet of the flavour with `_not_` after its name excludes. The same can be written
                 *     as a query parameter, `?experiment_id_not_=ssp*`.
                 * @example [
                 *       "experiment_id_not_=ssp*"
                 *     ]
                 */
                filter?: components["parameters"]["Filter"];
            };
            header?: never;
            path: {
                /**
                 * @description The flavour whose facet names are used: a DRS standard, one that is for all, or one of the caller's own, for which
                 *     the access token must be sent.
                 * @example cmip6
                 */
                flavour: components["parameters"]["InFlavour"];
                /**
                 * @description Whether locations are file paths or URIs.
                 * @example file
                 */
                uniq_key: components["parameters"]["ByKey"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The script or the list, also if nothing matches. */
            200: {
                headers: {
                    "Content-Disposition": components["headers"]["ContentDisposition"];
                    "Cache-Control": components["headers"]["CallersOwn"];
                    Vary: components["headers"]["Vary"];
                    "Unknown-Values": components["headers"]["UnknownValues"];
                    Link: components["headers"]["WhyLink"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example #!/bin/sh
                     *     # Downloads the files that are listed at the end.
                     */
                    "text/plain": string;
                    /** @example <?xml version="1.0" encoding="UTF-8"?> */
                    "application/metalink4+xml": string;
                };
            };
            401: components["responses"]["Unauthorized"];
            413: components["responses"]["TooManyResults"];
            422: components["responses"]["InvalidParameters"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["SearchUnavailable"];
        };
    };
    downloadMetalink: {
        parameters: {
            query?: {
                /**
                 * @description Where the files are saved: `drs`, where left out, in a folder for each part of the dataset's name and its version, `flat` in none. A
                 *     file whose path another one has already is saved in a folder named by its identifier.
                 */
                layout?: components["parameters"]["Layout"];
                /** @description How many of the first results to leave out. */
                start?: components["parameters"]["Start"];
                /** @description Search every version of a data set, not only the newest one. */
                "multi-version"?: components["parameters"]["MultiVersion"];
                /** @description Use the flavour's facet names in the query; with `false`, the native ones. */
                translate?: components["parameters"]["TranslateKeys"];
                /**
                 * @description A period: `A to B`, `A to`, `to B`, `[A TO B]` or `A`, with ISO 8601 dates that may be truncated (`2000`,
                 *     `2000-03`, `2000-03-01T06`); without a time zone they are UTC. A truncated end reaches to the end of
                 *     its unit. Years beyond 9999 or before 0 have a sign or five digits (`-20000 to -19000`, `12000`); year 0 is 1 BC.
                 *     `not ` or `!` before it excludes. Constant data overlap and cover every period; `fx` means them alone.
                 */
                time?: components["parameters"]["Time"];
                /**
                 * @description How data relate to `time`: `flexible` overlap the period, `strict` lie wholly inside it, `file` cover
                 *     the whole period alone.
                 */
                time_select?: components["parameters"]["TimeSelect"];
                /**
                 * @description A region, `min_lon,max_lon,min_lat,max_lat` in degrees, longitudes from -180 to 360. With min_lon > max_lon
                 *     it crosses the antimeridian. `not ` or `!` before it excludes.
                 */
                bbox?: components["parameters"]["Bbox"];
                /**
                 * @description How data relate to `bbox`: `flexible` overlap the region, `strict` lie wholly inside it, `file` cover
                 *     the whole region alone.
                 */
                bbox_select?: components["parameters"]["BboxSelect"];
                /**
                 * @description One to four facets by their names in the flavour, several times or separated by commas: files with the same values of
                 *     them are a group. Together with `need`, or alone, which means the same as `require_all_on`.
                 */
                group_by?: components["parameters"]["GroupBy"];
                /**
                 * @description What each group must have, of `group_by`; up to 50 times. `variable_id:areacella;table_id:fx;on=source_id` asks for a
                 *     file with both values. A name that is given again in it means any of its values; details that are texts have values,
                 *     too. With `on=`, names of `group_by` separated by commas, the file need only be of the same values of these. With
                 *     `from=` and `to=` (dates, as in `time`) files that meet the need must cover the period without a gap. Before `;`,
                 *     `:`, `*`, `?` and `\`, `\` takes the character literally; there are no wildcards.
                 */
                need?: components["parameters"]["Need"];
                /**
                 * @description What intake-esm calls so, in the place of `group_by` and `need`: groups of files with the same values of these facets
                 *     that have every combination of the values which the other keys of the search include. Values with wildcards,
                 *     excluded ones, periods and regions only filter. Up to 1,000 combinations.
                 */
                require_all_on?: components["parameters"]["RequireAllOn"];
                /**
                 * @description Project that the data were made for. In native, cmip5, cordex, nextgems and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "CMIP6"
                 *     ]
                 */
                project?: components["parameters"]["FilterProject"];
                /**
                 * @description Product, activity or region. In native, cmip5 and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "CMIP"
                 *     ]
                 */
                product?: components["parameters"]["FilterProduct"];
                /**
                 * @description Institution that made the data. In native and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "MPI-M"
                 *     ]
                 */
                institute?: components["parameters"]["FilterInstitute"];
                /**
                 * @description Model, or source. In native, cordex and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "MPI-ESM1-2-LR"
                 *     ]
                 */
                model?: components["parameters"]["FilterModel"];
                /**
                 * @description Experiment or simulation. In native, cmip5, cordex and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "historical"
                 *     ]
                 */
                experiment?: components["parameters"]["FilterExperiment"];
                /**
                 * @description Frequency in time. In native, cmip5, cordex, nextgems and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "mon"
                 *     ]
                 */
                time_frequency?: components["parameters"]["FilterTimeFrequency"];
                /**
                 * @description Part of the climate system. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "atmos"
                 *     ]
                 */
                realm?: components["parameters"]["FilterRealm"];
                /**
                 * @description Variable. In native, cmip5, cordex and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "tas"
                 *     ]
                 */
                variable?: components["parameters"]["FilterVariable"];
                /**
                 * @description Ensemble member. In native, cordex and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "r1i1p1f1"
                 *     ]
                 */
                ensemble?: components["parameters"]["FilterEnsemble"];
                /**
                 * @description Kind of mean in time. In native, cmip6, cmip5, cordex, cmip7, cordex-cmip6 and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "mean"
                 *     ]
                 */
                time_aggregation?: components["parameters"]["FilterTimeAggregation"];
                /**
                 * @description Kind of storage. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "posix"
                 *     ]
                 */
                fs_type?: components["parameters"]["FilterFsType"];
                /**
                 * @description Label of the grid. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "gn"
                 *     ]
                 */
                grid_label?: components["parameters"]["FilterGridLabel"];
                /**
                 * @description Table of the variable in its project. In native, cmip5, cordex, nextgems and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "Amon"
                 *     ]
                 */
                cmor_table?: components["parameters"]["FilterCmorTable"];
                /**
                 * @description Driving model. In native, cmip6, cmip5, cordex, nextgems, cmip7 and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "MPI-M-MPI-ESM-LR"
                 *     ]
                 */
                driving_model?: components["parameters"]["FilterDrivingModel"];
                /**
                 * @description Format of the file. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "nc"
                 *     ]
                 */
                format?: components["parameters"]["FilterFormat"];
                /**
                 * @description Identifier of the grid. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "n320"
                 *     ]
                 */
                grid_id?: components["parameters"]["FilterGridId"];
                /**
                 * @description Kind of levels. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "2d"
                 *     ]
                 */
                level_type?: components["parameters"]["FilterLevelType"];
                /**
                 * @description Name of the regional model. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "CLMcom-CCLM4-8-17"
                 *     ]
                 */
                rcm_name?: components["parameters"]["FilterRcmName"];
                /**
                 * @description Version of the regional run. In native, cmip6, cmip5, cordex, nextgems, cmip7 and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "v1"
                 *     ]
                 */
                rcm_version?: components["parameters"]["FilterRcmVersion"];
                /**
                 * @description Region that the data cover, by its name. In native, cmip7 and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "glb"
                 *     ]
                 */
                region?: components["parameters"]["FilterRegion"];
                /**
                 * @description What was done to the variable in time and space, and where it is given. In native, cmip7 and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "tavg-h2m-hxy-u"
                 *     ]
                 */
                branding_suffix?: components["parameters"]["FilterBrandingSuffix"];
                /**
                 * @description Collection of the catalogue. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "sample"
                 *     ]
                 */
                dataset?: components["parameters"]["FilterDataset"];
                /**
                 * @description User who registered the data. In native and user. `!` before a value excludes it.
                 * @example [
                 *       "demo"
                 *     ]
                 */
                user?: components["parameters"]["FilterUser"];
                /**
                 * @description Project that the data were made for. In cmip6 and cmip7 (`project` in native). `!` before a value excludes it.
                 * @example [
                 *       "CMIP6"
                 *     ]
                 */
                mip_era?: components["parameters"]["FilterMipEra"];
                /**
                 * @description Product, activity or region. In cmip6 and cmip7 (`product` in native). `!` before a value excludes it.
                 * @example [
                 *       "CMIP"
                 *     ]
                 */
                activity_id?: components["parameters"]["FilterActivityId"];
                /**
                 * @description Institution that made the data. In cmip6, cmip5, nextgems, cmip7 and cordex-cmip6 (`institute` in native). `!` before a value excludes it.
                 * @example [
                 *       "MPI-M"
                 *     ]
                 */
                institution_id?: components["parameters"]["FilterInstitutionId"];
                /**
                 * @description Model, or source. In cmip6, nextgems, cmip7 and cordex-cmip6 (`model` in native). `!` before a value excludes it.
                 * @example [
                 *       "MPI-ESM1-2-LR"
                 *     ]
                 */
                source_id?: components["parameters"]["FilterSourceId"];
                /**
                 * @description Experiment or simulation. In cmip6 and cmip7 (`experiment` in native). Product, activity or region. In nextgems (`product` in native). `!` before a value excludes it.
                 * @example [
                 *       "historical"
                 *     ]
                 */
                experiment_id?: components["parameters"]["FilterExperimentId"];
                /**
                 * @description Frequency in time. In cmip6, cmip7 and cordex-cmip6 (`time_frequency` in native). `!` before a value excludes it.
                 * @example [
                 *       "mon"
                 *     ]
                 */
                frequency?: components["parameters"]["FilterFrequency"];
                /**
                 * @description Variable. In cmip6, nextgems, cmip7 and cordex-cmip6 (`variable` in native). `!` before a value excludes it.
                 * @example [
                 *       "tas"
                 *     ]
                 */
                variable_id?: components["parameters"]["FilterVariableId"];
                /**
                 * @description Ensemble member. In cmip6, cmip5 and nextgems (`ensemble` in native). `!` before a value excludes it.
                 * @example [
                 *       "r1i1p1f1"
                 *     ]
                 */
                member_id?: components["parameters"]["FilterMemberId"];
                /**
                 * @description Table of the variable in its project. In cmip6 (`cmor_table` in native). `!` before a value excludes it.
                 * @example [
                 *       "Amon"
                 *     ]
                 */
                table_id?: components["parameters"]["FilterTableId"];
                /**
                 * @description Model, or source. In cmip5 (`model` in native). `!` before a value excludes it.
                 * @example [
                 *       "MPI-ESM-LR"
                 *     ]
                 */
                model_id?: components["parameters"]["FilterModelId"];
                /**
                 * @description Product, activity or region. In cordex (`product` in native). `!` before a value excludes it.
                 * @example [
                 *       "EUR-11"
                 *     ]
                 */
                domain?: components["parameters"]["FilterDomain"];
                /**
                 * @description Institution that made the data. In cordex (`institute` in native). `!` before a value excludes it.
                 * @example [
                 *       "CLMcom"
                 *     ]
                 */
                institution?: components["parameters"]["FilterInstitution"];
                /**
                 * @description Experiment or simulation. In nextgems (`experiment` in native). `!` before a value excludes it.
                 * @example [
                 *       "ngc3028"
                 *     ]
                 */
                simulation_id?: components["parameters"]["FilterSimulationId"];
                /**
                 * @description Kind of mean in time. In nextgems (`time_aggregation` in native). `!` before a value excludes it.
                 * @example [
                 *       "mean"
                 *     ]
                 */
                time_reduction?: components["parameters"]["FilterTimeReduction"];
                /**
                 * @description Ensemble member. In cmip7 (`ensemble` in native). `!` before a value excludes it.
                 * @example [
                 *       "r1i1p1f1"
                 *     ]
                 */
                variant_label?: components["parameters"]["FilterVariantLabel"];
                /**
                 * @description Project that the data were made for. In cordex-cmip6 (`project` in native). `!` before a value excludes it.
                 * @example [
                 *       "CORDEX"
                 *     ]
                 */
                project_id?: components["parameters"]["FilterProjectId"];
                /**
                 * @description Product, activity or region. In cordex-cmip6 (`product` in native). `!` before a value excludes it.
                 * @example [
                 *       "EUR-11"
                 *     ]
                 */
                domain_id?: components["parameters"]["FilterDomainId"];
                /**
                 * @description Experiment or simulation. In cordex-cmip6 (`experiment` in native). `!` before a value excludes it.
                 * @example [
                 *       "historical"
                 *     ]
                 */
                driving_experiment_id?: components["parameters"]["FilterDrivingExperimentId"];
                /**
                 * @description Ensemble member. In cordex-cmip6 (`ensemble` in native). `!` before a value excludes it.
                 * @example [
                 *       "r1i1p1"
                 *     ]
                 */
                driving_variant_label?: components["parameters"]["FilterDrivingVariantLabel"];
                /**
                 * @description Driving model. In cordex-cmip6 (`driving_model` in native). `!` before a value excludes it.
                 * @example [
                 *       "MPI-M-MPI-ESM-LR"
                 *     ]
                 */
                driving_source_id?: components["parameters"]["FilterDrivingSourceId"];
                /**
                 * @description Version of the regional run. In cordex-cmip6 (`rcm_version` in native). `!` before a value excludes it.
                 * @example [
                 *       "v1"
                 *     ]
                 */
                version_realization?: components["parameters"]["FilterVersionRealization"];
                /**
                 * @description Path of the file, with regard to case. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "*\/tas_Amon_*"
                 *     ]
                 */
                file?: components["parameters"]["FilterFile"];
                /**
                 * @description URI of the file, with regard to case. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "*\/tas_Amon_*"
                 *     ]
                 */
                uri?: components["parameters"]["FilterUri"];
                /**
                 * @description Version of the data set. In every flavour with `multi-version=true` only. `!` before a value excludes it.
                 * @example [
                 *       "v20190710"
                 *     ]
                 */
                version?: components["parameters"]["FilterVersion"];
                /**
                 * @description Name of the dataset in its standard, without a version. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "CMIP6.CMIP.MPI-M.MPI-ESM1-2-LR.historical.r1i1p1f1.Amon.tas.gn"
                 *     ]
                 */
                dataset_id?: components["parameters"]["FilterDatasetId"];
                /**
                 * @description Checksum of the file with the name of its algorithm. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "sha256:f7ef24b424dd92e88740bcafd42df540202778f6d0c205bc32618c0eae377da2"
                 *     ]
                 */
                checksum?: components["parameters"]["FilterChecksum"];
                /**
                 * @description Identifier that the file was given when it was made. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "hdl:21.14100/3e8b0b0f-213c-54d3-808f-d41a77f9dc48"
                 *     ]
                 */
                tracking_id?: components["parameters"]["FilterTrackingId"];
                /**
                 * @description CF standard name of the variable. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "air_temperature"
                 *     ]
                 */
                standard_name?: components["parameters"]["FilterStandardName"];
                /**
                 * @description Name of the variable for people. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "Near-Surface Air Temperature"
                 *     ]
                 */
                long_name?: components["parameters"]["FilterLongName"];
                /**
                 * @description Units of the variable. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "K"
                 *     ]
                 */
                units?: components["parameters"]["FilterUnits"];
                /**
                 * @description Resolution of the grid, roughly. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "250 km"
                 *     ]
                 */
                nominal_resolution?: components["parameters"]["FilterNominalResolution"];
                /**
                 * @description Terms under which the data may be used. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "CC BY 4.0"
                 *     ]
                 */
                license?: components["parameters"]["FilterLicense"];
                /**
                 * @description Address of a page about the data. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "https://furtherinfo.es-doc.org/CMIP6.MPI-M.MPI-ESM1-2-LR.historical.none.r1i1p1f1"
                 *     ]
                 */
                further_info_url?: components["parameters"]["FilterFurtherInfoUrl"];
                /**
                 * @description Whether the data were withdrawn by those who made them: true or false. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "true"
                 *     ]
                 */
                retracted?: components["parameters"]["FilterRetracted"];
                /**
                 * @description Filters whose names have no parameter of their own here, each as `name=value`, such as
                 *     `experiment_id_not_=ssp*`: a facet of the flavour with `_not_` after its name excludes. The same can be written
                 *     as a query parameter, `?experiment_id_not_=ssp*`.
                 * @example [
                 *       "experiment_id_not_=ssp*"
                 *     ]
                 */
                filter?: components["parameters"]["Filter"];
            };
            header?: never;
            path: {
                /**
                 * @description The flavour whose facet names are used: a DRS standard, one that is for all, or one of the caller's own, for which
                 *     the access token must be sent.
                 * @example cmip6
                 */
                flavour: components["parameters"]["InFlavour"];
                /**
                 * @description Whether locations are file paths or URIs.
                 * @example file
                 */
                uniq_key: components["parameters"]["ByKey"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The list, also if nothing matches. */
            200: {
                headers: {
                    "Content-Disposition": components["headers"]["ContentDisposition"];
                    "Cache-Control": components["headers"]["CallersOwn"];
                    Vary: components["headers"]["Vary"];
                    "Unknown-Values": components["headers"]["UnknownValues"];
                    Link: components["headers"]["WhyLink"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example <?xml version="1.0" encoding="UTF-8"?> */
                    "application/metalink4+xml": string;
                };
            };
            401: components["responses"]["Unauthorized"];
            413: components["responses"]["TooManyResults"];
            422: components["responses"]["InvalidParameters"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["SearchUnavailable"];
        };
    };
    searchMetadata: {
        parameters: {
            query?: {
                /**
                 * @description The facets to count, by their names in the flavour; several times or separated by commas.
                 *     `*` and `all` mean all, as does leaving it out. By their names, `standard_name`, `long_name`, `units`,
                 *     `nominal_resolution`, `license` and `retracted` are counted as well, where files have them.
                 */
                facets?: components["parameters"]["Facets"];
                /**
                 * @description Count each facet as if the search did not restrict it itself, by included or excluded values; all else of the search
                 *     holds. So its counts are what each other choice of a value would give. `total_count` is of the search as it is.
                 */
                choices?: components["parameters"]["Choices"];
                /**
                 * @description Shows only the values of facets that sort after this one, in lower case. `more_values` of an answer has the address
                 *     with it, where a facet has more values than an answer shows.
                 */
                values_after?: components["parameters"]["ValuesAfter"];
                /** @description Search every version of a data set, not only the newest one. */
                "multi-version"?: components["parameters"]["MultiVersion"];
                /**
                 * @description Use the flavour's facet names, in the query and in the answer. With `false` both use the native ones,
                 *     and `facet_mapping` tells how to translate them.
                 */
                translate?: components["parameters"]["Translate"];
                /**
                 * @description A period: `A to B`, `A to`, `to B`, `[A TO B]` or `A`, with ISO 8601 dates that may be truncated (`2000`,
                 *     `2000-03`, `2000-03-01T06`); without a time zone they are UTC. A truncated end reaches to the end of
                 *     its unit. Years beyond 9999 or before 0 have a sign or five digits (`-20000 to -19000`, `12000`); year 0 is 1 BC.
                 *     `not ` or `!` before it excludes. Constant data overlap and cover every period; `fx` means them alone.
                 */
                time?: components["parameters"]["Time"];
                /**
                 * @description How data relate to `time`: `flexible` overlap the period, `strict` lie wholly inside it, `file` cover
                 *     the whole period alone.
                 */
                time_select?: components["parameters"]["TimeSelect"];
                /**
                 * @description A region, `min_lon,max_lon,min_lat,max_lat` in degrees, longitudes from -180 to 360. With min_lon > max_lon
                 *     it crosses the antimeridian. `not ` or `!` before it excludes.
                 */
                bbox?: components["parameters"]["Bbox"];
                /**
                 * @description How data relate to `bbox`: `flexible` overlap the region, `strict` lie wholly inside it, `file` cover
                 *     the whole region alone.
                 */
                bbox_select?: components["parameters"]["BboxSelect"];
                /**
                 * @description Project that the data were made for. In native, cmip5, cordex, nextgems and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "CMIP6"
                 *     ]
                 */
                project?: components["parameters"]["FilterProject"];
                /**
                 * @description Product, activity or region. In native, cmip5 and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "CMIP"
                 *     ]
                 */
                product?: components["parameters"]["FilterProduct"];
                /**
                 * @description Institution that made the data. In native and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "MPI-M"
                 *     ]
                 */
                institute?: components["parameters"]["FilterInstitute"];
                /**
                 * @description Model, or source. In native, cordex and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "MPI-ESM1-2-LR"
                 *     ]
                 */
                model?: components["parameters"]["FilterModel"];
                /**
                 * @description Experiment or simulation. In native, cmip5, cordex and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "historical"
                 *     ]
                 */
                experiment?: components["parameters"]["FilterExperiment"];
                /**
                 * @description Frequency in time. In native, cmip5, cordex, nextgems and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "mon"
                 *     ]
                 */
                time_frequency?: components["parameters"]["FilterTimeFrequency"];
                /**
                 * @description Part of the climate system. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "atmos"
                 *     ]
                 */
                realm?: components["parameters"]["FilterRealm"];
                /**
                 * @description Variable. In native, cmip5, cordex and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "tas"
                 *     ]
                 */
                variable?: components["parameters"]["FilterVariable"];
                /**
                 * @description Ensemble member. In native, cordex and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "r1i1p1f1"
                 *     ]
                 */
                ensemble?: components["parameters"]["FilterEnsemble"];
                /**
                 * @description Kind of mean in time. In native, cmip6, cmip5, cordex, cmip7, cordex-cmip6 and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "mean"
                 *     ]
                 */
                time_aggregation?: components["parameters"]["FilterTimeAggregation"];
                /**
                 * @description Kind of storage. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "posix"
                 *     ]
                 */
                fs_type?: components["parameters"]["FilterFsType"];
                /**
                 * @description Label of the grid. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "gn"
                 *     ]
                 */
                grid_label?: components["parameters"]["FilterGridLabel"];
                /**
                 * @description Table of the variable in its project. In native, cmip5, cordex, nextgems and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "Amon"
                 *     ]
                 */
                cmor_table?: components["parameters"]["FilterCmorTable"];
                /**
                 * @description Driving model. In native, cmip6, cmip5, cordex, nextgems, cmip7 and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "MPI-M-MPI-ESM-LR"
                 *     ]
                 */
                driving_model?: components["parameters"]["FilterDrivingModel"];
                /**
                 * @description Format of the file. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "nc"
                 *     ]
                 */
                format?: components["parameters"]["FilterFormat"];
                /**
                 * @description Identifier of the grid. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "n320"
                 *     ]
                 */
                grid_id?: components["parameters"]["FilterGridId"];
                /**
                 * @description Kind of levels. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "2d"
                 *     ]
                 */
                level_type?: components["parameters"]["FilterLevelType"];
                /**
                 * @description Name of the regional model. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "CLMcom-CCLM4-8-17"
                 *     ]
                 */
                rcm_name?: components["parameters"]["FilterRcmName"];
                /**
                 * @description Version of the regional run. In native, cmip6, cmip5, cordex, nextgems, cmip7 and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "v1"
                 *     ]
                 */
                rcm_version?: components["parameters"]["FilterRcmVersion"];
                /**
                 * @description Region that the data cover, by its name. In native, cmip7 and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "glb"
                 *     ]
                 */
                region?: components["parameters"]["FilterRegion"];
                /**
                 * @description What was done to the variable in time and space, and where it is given. In native, cmip7 and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "tavg-h2m-hxy-u"
                 *     ]
                 */
                branding_suffix?: components["parameters"]["FilterBrandingSuffix"];
                /**
                 * @description Collection of the catalogue. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "sample"
                 *     ]
                 */
                dataset?: components["parameters"]["FilterDataset"];
                /**
                 * @description User who registered the data. In native and user. `!` before a value excludes it.
                 * @example [
                 *       "demo"
                 *     ]
                 */
                user?: components["parameters"]["FilterUser"];
                /**
                 * @description Project that the data were made for. In cmip6 and cmip7 (`project` in native). `!` before a value excludes it.
                 * @example [
                 *       "CMIP6"
                 *     ]
                 */
                mip_era?: components["parameters"]["FilterMipEra"];
                /**
                 * @description Product, activity or region. In cmip6 and cmip7 (`product` in native). `!` before a value excludes it.
                 * @example [
                 *       "CMIP"
                 *     ]
                 */
                activity_id?: components["parameters"]["FilterActivityId"];
                /**
                 * @description Institution that made the data. In cmip6, cmip5, nextgems, cmip7 and cordex-cmip6 (`institute` in native). `!` before a value excludes it.
                 * @example [
                 *       "MPI-M"
                 *     ]
                 */
                institution_id?: components["parameters"]["FilterInstitutionId"];
                /**
                 * @description Model, or source. In cmip6, nextgems, cmip7 and cordex-cmip6 (`model` in native). `!` before a value excludes it.
                 * @example [
                 *       "MPI-ESM1-2-LR"
                 *     ]
                 */
                source_id?: components["parameters"]["FilterSourceId"];
                /**
                 * @description Experiment or simulation. In cmip6 and cmip7 (`experiment` in native). Product, activity or region. In nextgems (`product` in native). `!` before a value excludes it.
                 * @example [
                 *       "historical"
                 *     ]
                 */
                experiment_id?: components["parameters"]["FilterExperimentId"];
                /**
                 * @description Frequency in time. In cmip6, cmip7 and cordex-cmip6 (`time_frequency` in native). `!` before a value excludes it.
                 * @example [
                 *       "mon"
                 *     ]
                 */
                frequency?: components["parameters"]["FilterFrequency"];
                /**
                 * @description Variable. In cmip6, nextgems, cmip7 and cordex-cmip6 (`variable` in native). `!` before a value excludes it.
                 * @example [
                 *       "tas"
                 *     ]
                 */
                variable_id?: components["parameters"]["FilterVariableId"];
                /**
                 * @description Ensemble member. In cmip6, cmip5 and nextgems (`ensemble` in native). `!` before a value excludes it.
                 * @example [
                 *       "r1i1p1f1"
                 *     ]
                 */
                member_id?: components["parameters"]["FilterMemberId"];
                /**
                 * @description Table of the variable in its project. In cmip6 (`cmor_table` in native). `!` before a value excludes it.
                 * @example [
                 *       "Amon"
                 *     ]
                 */
                table_id?: components["parameters"]["FilterTableId"];
                /**
                 * @description Model, or source. In cmip5 (`model` in native). `!` before a value excludes it.
                 * @example [
                 *       "MPI-ESM-LR"
                 *     ]
                 */
                model_id?: components["parameters"]["FilterModelId"];
                /**
                 * @description Product, activity or region. In cordex (`product` in native). `!` before a value excludes it.
                 * @example [
                 *       "EUR-11"
                 *     ]
                 */
                domain?: components["parameters"]["FilterDomain"];
                /**
                 * @description Institution that made the data. In cordex (`institute` in native). `!` before a value excludes it.
                 * @example [
                 *       "CLMcom"
                 *     ]
                 */
                institution?: components["parameters"]["FilterInstitution"];
                /**
                 * @description Experiment or simulation. In nextgems (`experiment` in native). `!` before a value excludes it.
                 * @example [
                 *       "ngc3028"
                 *     ]
                 */
                simulation_id?: components["parameters"]["FilterSimulationId"];
                /**
                 * @description Kind of mean in time. In nextgems (`time_aggregation` in native). `!` before a value excludes it.
                 * @example [
                 *       "mean"
                 *     ]
                 */
                time_reduction?: components["parameters"]["FilterTimeReduction"];
                /**
                 * @description Ensemble member. In cmip7 (`ensemble` in native). `!` before a value excludes it.
                 * @example [
                 *       "r1i1p1f1"
                 *     ]
                 */
                variant_label?: components["parameters"]["FilterVariantLabel"];
                /**
                 * @description Project that the data were made for. In cordex-cmip6 (`project` in native). `!` before a value excludes it.
                 * @example [
                 *       "CORDEX"
                 *     ]
                 */
                project_id?: components["parameters"]["FilterProjectId"];
                /**
                 * @description Product, activity or region. In cordex-cmip6 (`product` in native). `!` before a value excludes it.
                 * @example [
                 *       "EUR-11"
                 *     ]
                 */
                domain_id?: components["parameters"]["FilterDomainId"];
                /**
                 * @description Experiment or simulation. In cordex-cmip6 (`experiment` in native). `!` before a value excludes it.
                 * @example [
                 *       "historical"
                 *     ]
                 */
                driving_experiment_id?: components["parameters"]["FilterDrivingExperimentId"];
                /**
                 * @description Ensemble member. In cordex-cmip6 (`ensemble` in native). `!` before a value excludes it.
                 * @example [
                 *       "r1i1p1"
                 *     ]
                 */
                driving_variant_label?: components["parameters"]["FilterDrivingVariantLabel"];
                /**
                 * @description Driving model. In cordex-cmip6 (`driving_model` in native). `!` before a value excludes it.
                 * @example [
                 *       "MPI-M-MPI-ESM-LR"
                 *     ]
                 */
                driving_source_id?: components["parameters"]["FilterDrivingSourceId"];
                /**
                 * @description Version of the regional run. In cordex-cmip6 (`rcm_version` in native). `!` before a value excludes it.
                 * @example [
                 *       "v1"
                 *     ]
                 */
                version_realization?: components["parameters"]["FilterVersionRealization"];
                /**
                 * @description Path of the file, with regard to case. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "*\/tas_Amon_*"
                 *     ]
                 */
                file?: components["parameters"]["FilterFile"];
                /**
                 * @description URI of the file, with regard to case. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "*\/tas_Amon_*"
                 *     ]
                 */
                uri?: components["parameters"]["FilterUri"];
                /**
                 * @description Version of the data set. In every flavour with `multi-version=true` only. `!` before a value excludes it.
                 * @example [
                 *       "v20190710"
                 *     ]
                 */
                version?: components["parameters"]["FilterVersion"];
                /**
                 * @description Name of the dataset in its standard, without a version. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "CMIP6.CMIP.MPI-M.MPI-ESM1-2-LR.historical.r1i1p1f1.Amon.tas.gn"
                 *     ]
                 */
                dataset_id?: components["parameters"]["FilterDatasetId"];
                /**
                 * @description Checksum of the file with the name of its algorithm. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "sha256:f7ef24b424dd92e88740bcafd42df540202778f6d0c205bc32618c0eae377da2"
                 *     ]
                 */
                checksum?: components["parameters"]["FilterChecksum"];
                /**
                 * @description Identifier that the file was given when it was made. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "hdl:21.14100/3e8b0b0f-213c-54d3-808f-d41a77f9dc48"
                 *     ]
                 */
                tracking_id?: components["parameters"]["FilterTrackingId"];
                /**
                 * @description CF standard name of the variable. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "air_temperature"
                 *     ]
                 */
                standard_name?: components["parameters"]["FilterStandardName"];
                /**
                 * @description Name of the variable for people. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "Near-Surface Air Temperature"
                 *     ]
                 */
                long_name?: components["parameters"]["FilterLongName"];
                /**
                 * @description Units of the variable. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "K"
                 *     ]
                 */
                units?: components["parameters"]["FilterUnits"];
                /**
                 * @description Resolution of the grid, roughly. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "250 km"
                 *     ]
                 */
                nominal_resolution?: components["parameters"]["FilterNominalResolution"];
                /**
                 * @description Terms under which the data may be used. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "CC BY 4.0"
                 *     ]
                 */
                license?: components["parameters"]["FilterLicense"];
                /**
                 * @description Address of a page about the data. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "https://furtherinfo.es-doc.org/CMIP6.MPI-M.MPI-ESM1-2-LR.historical.none.r1i1p1f1"
                 *     ]
                 */
                further_info_url?: components["parameters"]["FilterFurtherInfoUrl"];
                /**
                 * @description Whether the data were withdrawn by those who made them: true or false. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "true"
                 *     ]
                 */
                retracted?: components["parameters"]["FilterRetracted"];
                /**
                 * @description Filters whose names have no parameter of their own here, each as `name=value`, such as
                 *     `experiment_id_not_=ssp*`: a facet of the flavour with `_not_` after its name excludes. The same can be written
                 *     as a query parameter, `?experiment_id_not_=ssp*`.
                 * @example [
                 *       "experiment_id_not_=ssp*"
                 *     ]
                 */
                filter?: components["parameters"]["Filter"];
            };
            header?: {
                /** @description The `ETag` of an answer that the client has kept. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description The flavour whose facet names are used: a DRS standard, one that is for all, or one of the caller's own, for which
                 *     the access token must be sent.
                 * @example cmip6
                 */
                flavour: components["parameters"]["InFlavour"];
                /**
                 * @description Whether locations are file paths or URIs.
                 * @example file
                 */
                uniq_key: components["parameters"]["ByKey"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The number of entries and their facet values. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Unknown-Values": components["headers"]["UnknownValues"];
                    Link: components["headers"]["WhyLink"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "total_count": 3,
                     *       "facets": {
                     *         "project": [
                     *           "cmip6",
                     *           "3"
                     *         ],
                     *         "variable": [
                     *           "pr",
                     *           "1",
                     *           "tas",
                     *           "2"
                     *         ]
                     *       },
                     *       "facet_mapping": {
                     *         "project": "project",
                     *         "variable": "variable"
                     *       },
                     *       "primary_facets": [
                     *         "project",
                     *         "product",
                     *         "institute",
                     *         "model"
                     *       ],
                     *       "unknown_values": [
                     *         {
                     *           "name": "variable",
                     *           "value": "tass",
                     *           "near": [
                     *             "tas"
                     *           ]
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["MetadataSearchResult"];
                };
            };
            /** @description The answer has not changed since the one with the given ETag. */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            413: components["responses"]["TooManyResults"];
            422: components["responses"]["InvalidParameters"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["SearchUnavailable"];
        };
    };
    summarize: {
        parameters: {
            query?: {
                /** @description Search every version of a data set, not only the newest one. */
                "multi-version"?: components["parameters"]["MultiVersion"];
                /**
                 * @description Use the flavour's facet names, in the query and in the answer. With `false` both use the native ones,
                 *     and `facet_mapping` tells how to translate them.
                 */
                translate?: components["parameters"]["Translate"];
                /**
                 * @description A period: `A to B`, `A to`, `to B`, `[A TO B]` or `A`, with ISO 8601 dates that may be truncated (`2000`,
                 *     `2000-03`, `2000-03-01T06`); without a time zone they are UTC. A truncated end reaches to the end of
                 *     its unit. Years beyond 9999 or before 0 have a sign or five digits (`-20000 to -19000`, `12000`); year 0 is 1 BC.
                 *     `not ` or `!` before it excludes. Constant data overlap and cover every period; `fx` means them alone.
                 */
                time?: components["parameters"]["Time"];
                /**
                 * @description How data relate to `time`: `flexible` overlap the period, `strict` lie wholly inside it, `file` cover
                 *     the whole period alone.
                 */
                time_select?: components["parameters"]["TimeSelect"];
                /**
                 * @description A region, `min_lon,max_lon,min_lat,max_lat` in degrees, longitudes from -180 to 360. With min_lon > max_lon
                 *     it crosses the antimeridian. `not ` or `!` before it excludes.
                 */
                bbox?: components["parameters"]["Bbox"];
                /**
                 * @description How data relate to `bbox`: `flexible` overlap the region, `strict` lie wholly inside it, `file` cover
                 *     the whole region alone.
                 */
                bbox_select?: components["parameters"]["BboxSelect"];
                /**
                 * @description Project that the data were made for. In native, cmip5, cordex, nextgems and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "CMIP6"
                 *     ]
                 */
                project?: components["parameters"]["FilterProject"];
                /**
                 * @description Product, activity or region. In native, cmip5 and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "CMIP"
                 *     ]
                 */
                product?: components["parameters"]["FilterProduct"];
                /**
                 * @description Institution that made the data. In native and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "MPI-M"
                 *     ]
                 */
                institute?: components["parameters"]["FilterInstitute"];
                /**
                 * @description Model, or source. In native, cordex and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "MPI-ESM1-2-LR"
                 *     ]
                 */
                model?: components["parameters"]["FilterModel"];
                /**
                 * @description Experiment or simulation. In native, cmip5, cordex and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "historical"
                 *     ]
                 */
                experiment?: components["parameters"]["FilterExperiment"];
                /**
                 * @description Frequency in time. In native, cmip5, cordex, nextgems and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "mon"
                 *     ]
                 */
                time_frequency?: components["parameters"]["FilterTimeFrequency"];
                /**
                 * @description Part of the climate system. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "atmos"
                 *     ]
                 */
                realm?: components["parameters"]["FilterRealm"];
                /**
                 * @description Variable. In native, cmip5, cordex and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "tas"
                 *     ]
                 */
                variable?: components["parameters"]["FilterVariable"];
                /**
                 * @description Ensemble member. In native, cordex and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "r1i1p1f1"
                 *     ]
                 */
                ensemble?: components["parameters"]["FilterEnsemble"];
                /**
                 * @description Kind of mean in time. In native, cmip6, cmip5, cordex, cmip7, cordex-cmip6 and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "mean"
                 *     ]
                 */
                time_aggregation?: components["parameters"]["FilterTimeAggregation"];
                /**
                 * @description Kind of storage. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "posix"
                 *     ]
                 */
                fs_type?: components["parameters"]["FilterFsType"];
                /**
                 * @description Label of the grid. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "gn"
                 *     ]
                 */
                grid_label?: components["parameters"]["FilterGridLabel"];
                /**
                 * @description Table of the variable in its project. In native, cmip5, cordex, nextgems and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "Amon"
                 *     ]
                 */
                cmor_table?: components["parameters"]["FilterCmorTable"];
                /**
                 * @description Driving model. In native, cmip6, cmip5, cordex, nextgems, cmip7 and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "MPI-M-MPI-ESM-LR"
                 *     ]
                 */
                driving_model?: components["parameters"]["FilterDrivingModel"];
                /**
                 * @description Format of the file. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "nc"
                 *     ]
                 */
                format?: components["parameters"]["FilterFormat"];
                /**
                 * @description Identifier of the grid. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "n320"
                 *     ]
                 */
                grid_id?: components["parameters"]["FilterGridId"];
                /**
                 * @description Kind of levels. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "2d"
                 *     ]
                 */
                level_type?: components["parameters"]["FilterLevelType"];
                /**
                 * @description Name of the regional model. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "CLMcom-CCLM4-8-17"
                 *     ]
                 */
                rcm_name?: components["parameters"]["FilterRcmName"];
                /**
                 * @description Version of the regional run. In native, cmip6, cmip5, cordex, nextgems, cmip7 and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "v1"
                 *     ]
                 */
                rcm_version?: components["parameters"]["FilterRcmVersion"];
                /**
                 * @description Region that the data cover, by its name. In native, cmip7 and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "glb"
                 *     ]
                 */
                region?: components["parameters"]["FilterRegion"];
                /**
                 * @description What was done to the variable in time and space, and where it is given. In native, cmip7 and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "tavg-h2m-hxy-u"
                 *     ]
                 */
                branding_suffix?: components["parameters"]["FilterBrandingSuffix"];
                /**
                 * @description Collection of the catalogue. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "sample"
                 *     ]
                 */
                dataset?: components["parameters"]["FilterDataset"];
                /**
                 * @description User who registered the data. In native and user. `!` before a value excludes it.
                 * @example [
                 *       "demo"
                 *     ]
                 */
                user?: components["parameters"]["FilterUser"];
                /**
                 * @description Project that the data were made for. In cmip6 and cmip7 (`project` in native). `!` before a value excludes it.
                 * @example [
                 *       "CMIP6"
                 *     ]
                 */
                mip_era?: components["parameters"]["FilterMipEra"];
                /**
                 * @description Product, activity or region. In cmip6 and cmip7 (`product` in native). `!` before a value excludes it.
                 * @example [
                 *       "CMIP"
                 *     ]
                 */
                activity_id?: components["parameters"]["FilterActivityId"];
                /**
                 * @description Institution that made the data. In cmip6, cmip5, nextgems, cmip7 and cordex-cmip6 (`institute` in native). `!` before a value excludes it.
                 * @example [
                 *       "MPI-M"
                 *     ]
                 */
                institution_id?: components["parameters"]["FilterInstitutionId"];
                /**
                 * @description Model, or source. In cmip6, nextgems, cmip7 and cordex-cmip6 (`model` in native). `!` before a value excludes it.
                 * @example [
                 *       "MPI-ESM1-2-LR"
                 *     ]
                 */
                source_id?: components["parameters"]["FilterSourceId"];
                /**
                 * @description Experiment or simulation. In cmip6 and cmip7 (`experiment` in native). Product, activity or region. In nextgems (`product` in native). `!` before a value excludes it.
                 * @example [
                 *       "historical"
                 *     ]
                 */
                experiment_id?: components["parameters"]["FilterExperimentId"];
                /**
                 * @description Frequency in time. In cmip6, cmip7 and cordex-cmip6 (`time_frequency` in native). `!` before a value excludes it.
                 * @example [
                 *       "mon"
                 *     ]
                 */
                frequency?: components["parameters"]["FilterFrequency"];
                /**
                 * @description Variable. In cmip6, nextgems, cmip7 and cordex-cmip6 (`variable` in native). `!` before a value excludes it.
                 * @example [
                 *       "tas"
                 *     ]
                 */
                variable_id?: components["parameters"]["FilterVariableId"];
                /**
                 * @description Ensemble member. In cmip6, cmip5 and nextgems (`ensemble` in native). `!` before a value excludes it.
                 * @example [
                 *       "r1i1p1f1"
                 *     ]
                 */
                member_id?: components["parameters"]["FilterMemberId"];
                /**
                 * @description Table of the variable in its project. In cmip6 (`cmor_table` in native). `!` before a value excludes it.
                 * @example [
                 *       "Amon"
                 *     ]
                 */
                table_id?: components["parameters"]["FilterTableId"];
                /**
                 * @description Model, or source. In cmip5 (`model` in native). `!` before a value excludes it.
                 * @example [
                 *       "MPI-ESM-LR"
                 *     ]
                 */
                model_id?: components["parameters"]["FilterModelId"];
                /**
                 * @description Product, activity or region. In cordex (`product` in native). `!` before a value excludes it.
                 * @example [
                 *       "EUR-11"
                 *     ]
                 */
                domain?: components["parameters"]["FilterDomain"];
                /**
                 * @description Institution that made the data. In cordex (`institute` in native). `!` before a value excludes it.
                 * @example [
                 *       "CLMcom"
                 *     ]
                 */
                institution?: components["parameters"]["FilterInstitution"];
                /**
                 * @description Experiment or simulation. In nextgems (`experiment` in native). `!` before a value excludes it.
                 * @example [
                 *       "ngc3028"
                 *     ]
                 */
                simulation_id?: components["parameters"]["FilterSimulationId"];
                /**
                 * @description Kind of mean in time. In nextgems (`time_aggregation` in native). `!` before a value excludes it.
                 * @example [
                 *       "mean"
                 *     ]
                 */
                time_reduction?: components["parameters"]["FilterTimeReduction"];
                /**
                 * @description Ensemble member. In cmip7 (`ensemble` in native). `!` before a value excludes it.
                 * @example [
                 *       "r1i1p1f1"
                 *     ]
                 */
                variant_label?: components["parameters"]["FilterVariantLabel"];
                /**
                 * @description Project that the data were made for. In cordex-cmip6 (`project` in native). `!` before a value excludes it.
                 * @example [
                 *       "CORDEX"
                 *     ]
                 */
                project_id?: components["parameters"]["FilterProjectId"];
                /**
                 * @description Product, activity or region. In cordex-cmip6 (`product` in native). `!` before a value excludes it.
                 * @example [
                 *       "EUR-11"
                 *     ]
                 */
                domain_id?: components["parameters"]["FilterDomainId"];
                /**
                 * @description Experiment or simulation. In cordex-cmip6 (`experiment` in native). `!` before a value excludes it.
                 * @example [
                 *       "historical"
                 *     ]
                 */
                driving_experiment_id?: components["parameters"]["FilterDrivingExperimentId"];
                /**
                 * @description Ensemble member. In cordex-cmip6 (`ensemble` in native). `!` before a value excludes it.
                 * @example [
                 *       "r1i1p1"
                 *     ]
                 */
                driving_variant_label?: components["parameters"]["FilterDrivingVariantLabel"];
                /**
                 * @description Driving model. In cordex-cmip6 (`driving_model` in native). `!` before a value excludes it.
                 * @example [
                 *       "MPI-M-MPI-ESM-LR"
                 *     ]
                 */
                driving_source_id?: components["parameters"]["FilterDrivingSourceId"];
                /**
                 * @description Version of the regional run. In cordex-cmip6 (`rcm_version` in native). `!` before a value excludes it.
                 * @example [
                 *       "v1"
                 *     ]
                 */
                version_realization?: components["parameters"]["FilterVersionRealization"];
                /**
                 * @description Path of the file, with regard to case. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "*\/tas_Amon_*"
                 *     ]
                 */
                file?: components["parameters"]["FilterFile"];
                /**
                 * @description URI of the file, with regard to case. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "*\/tas_Amon_*"
                 *     ]
                 */
                uri?: components["parameters"]["FilterUri"];
                /**
                 * @description Version of the data set. In every flavour with `multi-version=true` only. `!` before a value excludes it.
                 * @example [
                 *       "v20190710"
                 *     ]
                 */
                version?: components["parameters"]["FilterVersion"];
                /**
                 * @description Name of the dataset in its standard, without a version. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "CMIP6.CMIP.MPI-M.MPI-ESM1-2-LR.historical.r1i1p1f1.Amon.tas.gn"
                 *     ]
                 */
                dataset_id?: components["parameters"]["FilterDatasetId"];
                /**
                 * @description Checksum of the file with the name of its algorithm. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "sha256:f7ef24b424dd92e88740bcafd42df540202778f6d0c205bc32618c0eae377da2"
                 *     ]
                 */
                checksum?: components["parameters"]["FilterChecksum"];
                /**
                 * @description Identifier that the file was given when it was made. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "hdl:21.14100/3e8b0b0f-213c-54d3-808f-d41a77f9dc48"
                 *     ]
                 */
                tracking_id?: components["parameters"]["FilterTrackingId"];
                /**
                 * @description CF standard name of the variable. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "air_temperature"
                 *     ]
                 */
                standard_name?: components["parameters"]["FilterStandardName"];
                /**
                 * @description Name of the variable for people. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "Near-Surface Air Temperature"
                 *     ]
                 */
                long_name?: components["parameters"]["FilterLongName"];
                /**
                 * @description Units of the variable. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "K"
                 *     ]
                 */
                units?: components["parameters"]["FilterUnits"];
                /**
                 * @description Resolution of the grid, roughly. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "250 km"
                 *     ]
                 */
                nominal_resolution?: components["parameters"]["FilterNominalResolution"];
                /**
                 * @description Terms under which the data may be used. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "CC BY 4.0"
                 *     ]
                 */
                license?: components["parameters"]["FilterLicense"];
                /**
                 * @description Address of a page about the data. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "https://furtherinfo.es-doc.org/CMIP6.MPI-M.MPI-ESM1-2-LR.historical.none.r1i1p1f1"
                 *     ]
                 */
                further_info_url?: components["parameters"]["FilterFurtherInfoUrl"];
                /**
                 * @description Whether the data were withdrawn by those who made them: true or false. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "true"
                 *     ]
                 */
                retracted?: components["parameters"]["FilterRetracted"];
                /**
                 * @description Filters whose names have no parameter of their own here, each as `name=value`, such as
                 *     `experiment_id_not_=ssp*`: a facet of the flavour with `_not_` after its name excludes. The same can be written
                 *     as a query parameter, `?experiment_id_not_=ssp*`.
                 * @example [
                 *       "experiment_id_not_=ssp*"
                 *     ]
                 */
                filter?: components["parameters"]["Filter"];
            };
            header?: {
                /** @description The `ETag` of an answer that the client has kept. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description The flavour whose facet names are used: a DRS standard, one that is for all, or one of the caller's own, for which
                 *     the access token must be sent.
                 * @example cmip6
                 */
                flavour: components["parameters"]["InFlavour"];
                /**
                 * @description Whether locations are file paths or URIs.
                 * @example file
                 */
                uniq_key: components["parameters"]["ByKey"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The numbers. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "files": 3,
                     *       "datasets": 1,
                     *       "bytes": 250194,
                     *       "sized_files": 3,
                     *       "start": "1985-01-01T00:00:00Z",
                     *       "end": "1999-12-31T23:59:59Z",
                     *       "formats": [
                     *         {
                     *           "format": "nc",
                     *           "files": 3
                     *         }
                     *       ],
                     *       "storage": [
                     *         {
                     *           "fs_type": "posix",
                     *           "files": 3,
                     *           "bytes": 250194,
                     *           "sized_files": 3
                     *         }
                     *       ],
                     *       "retracted": 0,
                     *       "estimated_bytes": {
                     *         "path_list": 501,
                     *         "intake_catalogue": 4410,
                     *         "stac_archive": 3982
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Summary"];
                };
            };
            /** @description The answer has not changed since the one with the given ETag. */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            422: components["responses"]["InvalidParameters"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["SearchUnavailable"];
        };
    };
    explain: {
        parameters: {
            query?: {
                /** @description Search every version of a data set, not only the newest one. */
                "multi-version"?: components["parameters"]["MultiVersion"];
                /**
                 * @description Use the flavour's facet names, in the query and in the answer. With `false` both use the native ones,
                 *     and `facet_mapping` tells how to translate them.
                 */
                translate?: components["parameters"]["Translate"];
                /**
                 * @description A period: `A to B`, `A to`, `to B`, `[A TO B]` or `A`, with ISO 8601 dates that may be truncated (`2000`,
                 *     `2000-03`, `2000-03-01T06`); without a time zone they are UTC. A truncated end reaches to the end of
                 *     its unit. Years beyond 9999 or before 0 have a sign or five digits (`-20000 to -19000`, `12000`); year 0 is 1 BC.
                 *     `not ` or `!` before it excludes. Constant data overlap and cover every period; `fx` means them alone.
                 */
                time?: components["parameters"]["Time"];
                /**
                 * @description How data relate to `time`: `flexible` overlap the period, `strict` lie wholly inside it, `file` cover
                 *     the whole period alone.
                 */
                time_select?: components["parameters"]["TimeSelect"];
                /**
                 * @description A region, `min_lon,max_lon,min_lat,max_lat` in degrees, longitudes from -180 to 360. With min_lon > max_lon
                 *     it crosses the antimeridian. `not ` or `!` before it excludes.
                 */
                bbox?: components["parameters"]["Bbox"];
                /**
                 * @description How data relate to `bbox`: `flexible` overlap the region, `strict` lie wholly inside it, `file` cover
                 *     the whole region alone.
                 */
                bbox_select?: components["parameters"]["BboxSelect"];
                /**
                 * @description Project that the data were made for. In native, cmip5, cordex, nextgems and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "CMIP6"
                 *     ]
                 */
                project?: components["parameters"]["FilterProject"];
                /**
                 * @description Product, activity or region. In native, cmip5 and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "CMIP"
                 *     ]
                 */
                product?: components["parameters"]["FilterProduct"];
                /**
                 * @description Institution that made the data. In native and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "MPI-M"
                 *     ]
                 */
                institute?: components["parameters"]["FilterInstitute"];
                /**
                 * @description Model, or source. In native, cordex and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "MPI-ESM1-2-LR"
                 *     ]
                 */
                model?: components["parameters"]["FilterModel"];
                /**
                 * @description Experiment or simulation. In native, cmip5, cordex and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "historical"
                 *     ]
                 */
                experiment?: components["parameters"]["FilterExperiment"];
                /**
                 * @description Frequency in time. In native, cmip5, cordex, nextgems and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "mon"
                 *     ]
                 */
                time_frequency?: components["parameters"]["FilterTimeFrequency"];
                /**
                 * @description Part of the climate system. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "atmos"
                 *     ]
                 */
                realm?: components["parameters"]["FilterRealm"];
                /**
                 * @description Variable. In native, cmip5, cordex and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "tas"
                 *     ]
                 */
                variable?: components["parameters"]["FilterVariable"];
                /**
                 * @description Ensemble member. In native, cordex and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "r1i1p1f1"
                 *     ]
                 */
                ensemble?: components["parameters"]["FilterEnsemble"];
                /**
                 * @description Kind of mean in time. In native, cmip6, cmip5, cordex, cmip7, cordex-cmip6 and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "mean"
                 *     ]
                 */
                time_aggregation?: components["parameters"]["FilterTimeAggregation"];
                /**
                 * @description Kind of storage. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "posix"
                 *     ]
                 */
                fs_type?: components["parameters"]["FilterFsType"];
                /**
                 * @description Label of the grid. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "gn"
                 *     ]
                 */
                grid_label?: components["parameters"]["FilterGridLabel"];
                /**
                 * @description Table of the variable in its project. In native, cmip5, cordex, nextgems and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "Amon"
                 *     ]
                 */
                cmor_table?: components["parameters"]["FilterCmorTable"];
                /**
                 * @description Driving model. In native, cmip6, cmip5, cordex, nextgems, cmip7 and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "MPI-M-MPI-ESM-LR"
                 *     ]
                 */
                driving_model?: components["parameters"]["FilterDrivingModel"];
                /**
                 * @description Format of the file. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "nc"
                 *     ]
                 */
                format?: components["parameters"]["FilterFormat"];
                /**
                 * @description Identifier of the grid. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "n320"
                 *     ]
                 */
                grid_id?: components["parameters"]["FilterGridId"];
                /**
                 * @description Kind of levels. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "2d"
                 *     ]
                 */
                level_type?: components["parameters"]["FilterLevelType"];
                /**
                 * @description Name of the regional model. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "CLMcom-CCLM4-8-17"
                 *     ]
                 */
                rcm_name?: components["parameters"]["FilterRcmName"];
                /**
                 * @description Version of the regional run. In native, cmip6, cmip5, cordex, nextgems, cmip7 and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "v1"
                 *     ]
                 */
                rcm_version?: components["parameters"]["FilterRcmVersion"];
                /**
                 * @description Region that the data cover, by its name. In native, cmip7 and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "glb"
                 *     ]
                 */
                region?: components["parameters"]["FilterRegion"];
                /**
                 * @description What was done to the variable in time and space, and where it is given. In native, cmip7 and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "tavg-h2m-hxy-u"
                 *     ]
                 */
                branding_suffix?: components["parameters"]["FilterBrandingSuffix"];
                /**
                 * @description Collection of the catalogue. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "sample"
                 *     ]
                 */
                dataset?: components["parameters"]["FilterDataset"];
                /**
                 * @description User who registered the data. In native and user. `!` before a value excludes it.
                 * @example [
                 *       "demo"
                 *     ]
                 */
                user?: components["parameters"]["FilterUser"];
                /**
                 * @description Project that the data were made for. In cmip6 and cmip7 (`project` in native). `!` before a value excludes it.
                 * @example [
                 *       "CMIP6"
                 *     ]
                 */
                mip_era?: components["parameters"]["FilterMipEra"];
                /**
                 * @description Product, activity or region. In cmip6 and cmip7 (`product` in native). `!` before a value excludes it.
                 * @example [
                 *       "CMIP"
                 *     ]
                 */
                activity_id?: components["parameters"]["FilterActivityId"];
                /**
                 * @description Institution that made the data. In cmip6, cmip5, nextgems, cmip7 and cordex-cmip6 (`institute` in native). `!` before a value excludes it.
                 * @example [
                 *       "MPI-M"
                 *     ]
                 */
                institution_id?: components["parameters"]["FilterInstitutionId"];
                /**
                 * @description Model, or source. In cmip6, nextgems, cmip7 and cordex-cmip6 (`model` in native). `!` before a value excludes it.
                 * @example [
                 *       "MPI-ESM1-2-LR"
                 *     ]
                 */
                source_id?: components["parameters"]["FilterSourceId"];
                /**
                 * @description Experiment or simulation. In cmip6 and cmip7 (`experiment` in native). Product, activity or region. In nextgems (`product` in native). `!` before a value excludes it.
                 * @example [
                 *       "historical"
                 *     ]
                 */
                experiment_id?: components["parameters"]["FilterExperimentId"];
                /**
                 * @description Frequency in time. In cmip6, cmip7 and cordex-cmip6 (`time_frequency` in native). `!` before a value excludes it.
                 * @example [
                 *       "mon"
                 *     ]
                 */
                frequency?: components["parameters"]["FilterFrequency"];
                /**
                 * @description Variable. In cmip6, nextgems, cmip7 and cordex-cmip6 (`variable` in native). `!` before a value excludes it.
                 * @example [
                 *       "tas"
                 *     ]
                 */
                variable_id?: components["parameters"]["FilterVariableId"];
                /**
                 * @description Ensemble member. In cmip6, cmip5 and nextgems (`ensemble` in native). `!` before a value excludes it.
                 * @example [
                 *       "r1i1p1f1"
                 *     ]
                 */
                member_id?: components["parameters"]["FilterMemberId"];
                /**
                 * @description Table of the variable in its project. In cmip6 (`cmor_table` in native). `!` before a value excludes it.
                 * @example [
                 *       "Amon"
                 *     ]
                 */
                table_id?: components["parameters"]["FilterTableId"];
                /**
                 * @description Model, or source. In cmip5 (`model` in native). `!` before a value excludes it.
                 * @example [
                 *       "MPI-ESM-LR"
                 *     ]
                 */
                model_id?: components["parameters"]["FilterModelId"];
                /**
                 * @description Product, activity or region. In cordex (`product` in native). `!` before a value excludes it.
                 * @example [
                 *       "EUR-11"
                 *     ]
                 */
                domain?: components["parameters"]["FilterDomain"];
                /**
                 * @description Institution that made the data. In cordex (`institute` in native). `!` before a value excludes it.
                 * @example [
                 *       "CLMcom"
                 *     ]
                 */
                institution?: components["parameters"]["FilterInstitution"];
                /**
                 * @description Experiment or simulation. In nextgems (`experiment` in native). `!` before a value excludes it.
                 * @example [
                 *       "ngc3028"
                 *     ]
                 */
                simulation_id?: components["parameters"]["FilterSimulationId"];
                /**
                 * @description Kind of mean in time. In nextgems (`time_aggregation` in native). `!` before a value excludes it.
                 * @example [
                 *       "mean"
                 *     ]
                 */
                time_reduction?: components["parameters"]["FilterTimeReduction"];
                /**
                 * @description Ensemble member. In cmip7 (`ensemble` in native). `!` before a value excludes it.
                 * @example [
                 *       "r1i1p1f1"
                 *     ]
                 */
                variant_label?: components["parameters"]["FilterVariantLabel"];
                /**
                 * @description Project that the data were made for. In cordex-cmip6 (`project` in native). `!` before a value excludes it.
                 * @example [
                 *       "CORDEX"
                 *     ]
                 */
                project_id?: components["parameters"]["FilterProjectId"];
                /**
                 * @description Product, activity or region. In cordex-cmip6 (`product` in native). `!` before a value excludes it.
                 * @example [
                 *       "EUR-11"
                 *     ]
                 */
                domain_id?: components["parameters"]["FilterDomainId"];
                /**
                 * @description Experiment or simulation. In cordex-cmip6 (`experiment` in native). `!` before a value excludes it.
                 * @example [
                 *       "historical"
                 *     ]
                 */
                driving_experiment_id?: components["parameters"]["FilterDrivingExperimentId"];
                /**
                 * @description Ensemble member. In cordex-cmip6 (`ensemble` in native). `!` before a value excludes it.
                 * @example [
                 *       "r1i1p1"
                 *     ]
                 */
                driving_variant_label?: components["parameters"]["FilterDrivingVariantLabel"];
                /**
                 * @description Driving model. In cordex-cmip6 (`driving_model` in native). `!` before a value excludes it.
                 * @example [
                 *       "MPI-M-MPI-ESM-LR"
                 *     ]
                 */
                driving_source_id?: components["parameters"]["FilterDrivingSourceId"];
                /**
                 * @description Version of the regional run. In cordex-cmip6 (`rcm_version` in native). `!` before a value excludes it.
                 * @example [
                 *       "v1"
                 *     ]
                 */
                version_realization?: components["parameters"]["FilterVersionRealization"];
                /**
                 * @description Path of the file, with regard to case. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "*\/tas_Amon_*"
                 *     ]
                 */
                file?: components["parameters"]["FilterFile"];
                /**
                 * @description URI of the file, with regard to case. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "*\/tas_Amon_*"
                 *     ]
                 */
                uri?: components["parameters"]["FilterUri"];
                /**
                 * @description Version of the data set. In every flavour with `multi-version=true` only. `!` before a value excludes it.
                 * @example [
                 *       "v20190710"
                 *     ]
                 */
                version?: components["parameters"]["FilterVersion"];
                /**
                 * @description Name of the dataset in its standard, without a version. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "CMIP6.CMIP.MPI-M.MPI-ESM1-2-LR.historical.r1i1p1f1.Amon.tas.gn"
                 *     ]
                 */
                dataset_id?: components["parameters"]["FilterDatasetId"];
                /**
                 * @description Checksum of the file with the name of its algorithm. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "sha256:f7ef24b424dd92e88740bcafd42df540202778f6d0c205bc32618c0eae377da2"
                 *     ]
                 */
                checksum?: components["parameters"]["FilterChecksum"];
                /**
                 * @description Identifier that the file was given when it was made. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "hdl:21.14100/3e8b0b0f-213c-54d3-808f-d41a77f9dc48"
                 *     ]
                 */
                tracking_id?: components["parameters"]["FilterTrackingId"];
                /**
                 * @description CF standard name of the variable. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "air_temperature"
                 *     ]
                 */
                standard_name?: components["parameters"]["FilterStandardName"];
                /**
                 * @description Name of the variable for people. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "Near-Surface Air Temperature"
                 *     ]
                 */
                long_name?: components["parameters"]["FilterLongName"];
                /**
                 * @description Units of the variable. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "K"
                 *     ]
                 */
                units?: components["parameters"]["FilterUnits"];
                /**
                 * @description Resolution of the grid, roughly. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "250 km"
                 *     ]
                 */
                nominal_resolution?: components["parameters"]["FilterNominalResolution"];
                /**
                 * @description Terms under which the data may be used. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "CC BY 4.0"
                 *     ]
                 */
                license?: components["parameters"]["FilterLicense"];
                /**
                 * @description Address of a page about the data. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "https://furtherinfo.es-doc.org/CMIP6.MPI-M.MPI-ESM1-2-LR.historical.none.r1i1p1f1"
                 *     ]
                 */
                further_info_url?: components["parameters"]["FilterFurtherInfoUrl"];
                /**
                 * @description Whether the data were withdrawn by those who made them: true or false. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "true"
                 *     ]
                 */
                retracted?: components["parameters"]["FilterRetracted"];
                /**
                 * @description Filters whose names have no parameter of their own here, each as `name=value`, such as
                 *     `experiment_id_not_=ssp*`: a facet of the flavour with `_not_` after its name excludes. The same can be written
                 *     as a query parameter, `?experiment_id_not_=ssp*`.
                 * @example [
                 *       "experiment_id_not_=ssp*"
                 *     ]
                 */
                filter?: components["parameters"]["Filter"];
            };
            header?: {
                /** @description The `ETag` of an answer that the client has kept. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description The flavour whose facet names are used: a DRS standard, one that is for all, or one of the caller's own, for which
                 *     the access token must be sent.
                 * @example cmip6
                 */
                flavour: components["parameters"]["InFlavour"];
                /**
                 * @description Whether locations are file paths or URIs.
                 * @example file
                 */
                uniq_key: components["parameters"]["ByKey"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What each constraint does. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "total_count": 0,
                     *       "constraints": [
                     *         {
                     *           "name": "source_id",
                     *           "values": [
                     *             "MPI-ESM1-2-LR"
                     *           ],
                     *           "count_without": 0,
                     *           "unmatched": []
                     *         },
                     *         {
                     *           "name": "variable_id",
                     *           "values": [
                     *             "air_temperature"
                     *           ],
                     *           "count_without": 10,
                     *           "unmatched": [
                     *             {
                     *               "value": "air_temperature",
                     *               "near": [
                     *                 {
                     *                   "value": "tas",
                     *                   "count": 4
                     *                 }
                     *               ]
                     *             }
                     *           ]
                     *         }
                     *       ],
                     *       "excluding": [
                     *         "variable_id"
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Why"];
                };
            };
            /** @description The answer has not changed since the one with the given ETag. */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            422: components["responses"]["InvalidParameters"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["SearchUnavailable"];
        };
    };
    suggest: {
        parameters: {
            query?: {
                /**
                 * @description What somebody typed, possibly unfinished; leave it out where nothing is typed.
                 * @example tas historical 1990-2000
                 */
                text?: components["parameters"]["TypedText"];
                /** @description Whether the text, blanks included, is the beginning of values. Without a text, all values are suggested. */
                begins?: components["parameters"]["Begins"];
                /**
                 * @description The facets to count, by their names in the flavour; several times or separated by commas.
                 *     `*` and `all` mean all, as does leaving it out. By their names, `standard_name`, `long_name`, `units`,
                 *     `nominal_resolution`, `license` and `retracted` are counted as well, where files have them.
                 */
                facets?: components["parameters"]["Facets"];
                /** @description How many suggestions to give for each part at the most; without `begins`, no more than 20. */
                limit?: components["parameters"]["SuggestionLimit"];
                /** @description Search every version of a data set, not only the newest one. */
                "multi-version"?: components["parameters"]["MultiVersion"];
                /**
                 * @description Use the flavour's facet names, in the query and in the answer. With `false` both use the native ones,
                 *     and `facet_mapping` tells how to translate them.
                 */
                translate?: components["parameters"]["Translate"];
                /**
                 * @description A period: `A to B`, `A to`, `to B`, `[A TO B]` or `A`, with ISO 8601 dates that may be truncated (`2000`,
                 *     `2000-03`, `2000-03-01T06`); without a time zone they are UTC. A truncated end reaches to the end of
                 *     its unit. Years beyond 9999 or before 0 have a sign or five digits (`-20000 to -19000`, `12000`); year 0 is 1 BC.
                 *     `not ` or `!` before it excludes. Constant data overlap and cover every period; `fx` means them alone.
                 */
                time?: components["parameters"]["Time"];
                /**
                 * @description How data relate to `time`: `flexible` overlap the period, `strict` lie wholly inside it, `file` cover
                 *     the whole period alone.
                 */
                time_select?: components["parameters"]["TimeSelect"];
                /**
                 * @description A region, `min_lon,max_lon,min_lat,max_lat` in degrees, longitudes from -180 to 360. With min_lon > max_lon
                 *     it crosses the antimeridian. `not ` or `!` before it excludes.
                 */
                bbox?: components["parameters"]["Bbox"];
                /**
                 * @description How data relate to `bbox`: `flexible` overlap the region, `strict` lie wholly inside it, `file` cover
                 *     the whole region alone.
                 */
                bbox_select?: components["parameters"]["BboxSelect"];
                /**
                 * @description Project that the data were made for. In native, cmip5, cordex, nextgems and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "CMIP6"
                 *     ]
                 */
                project?: components["parameters"]["FilterProject"];
                /**
                 * @description Product, activity or region. In native, cmip5 and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "CMIP"
                 *     ]
                 */
                product?: components["parameters"]["FilterProduct"];
                /**
                 * @description Institution that made the data. In native and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "MPI-M"
                 *     ]
                 */
                institute?: components["parameters"]["FilterInstitute"];
                /**
                 * @description Model, or source. In native, cordex and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "MPI-ESM1-2-LR"
                 *     ]
                 */
                model?: components["parameters"]["FilterModel"];
                /**
                 * @description Experiment or simulation. In native, cmip5, cordex and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "historical"
                 *     ]
                 */
                experiment?: components["parameters"]["FilterExperiment"];
                /**
                 * @description Frequency in time. In native, cmip5, cordex, nextgems and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "mon"
                 *     ]
                 */
                time_frequency?: components["parameters"]["FilterTimeFrequency"];
                /**
                 * @description Part of the climate system. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "atmos"
                 *     ]
                 */
                realm?: components["parameters"]["FilterRealm"];
                /**
                 * @description Variable. In native, cmip5, cordex and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "tas"
                 *     ]
                 */
                variable?: components["parameters"]["FilterVariable"];
                /**
                 * @description Ensemble member. In native, cordex and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "r1i1p1f1"
                 *     ]
                 */
                ensemble?: components["parameters"]["FilterEnsemble"];
                /**
                 * @description Kind of mean in time. In native, cmip6, cmip5, cordex, cmip7, cordex-cmip6 and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "mean"
                 *     ]
                 */
                time_aggregation?: components["parameters"]["FilterTimeAggregation"];
                /**
                 * @description Kind of storage. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "posix"
                 *     ]
                 */
                fs_type?: components["parameters"]["FilterFsType"];
                /**
                 * @description Label of the grid. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "gn"
                 *     ]
                 */
                grid_label?: components["parameters"]["FilterGridLabel"];
                /**
                 * @description Table of the variable in its project. In native, cmip5, cordex, nextgems and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "Amon"
                 *     ]
                 */
                cmor_table?: components["parameters"]["FilterCmorTable"];
                /**
                 * @description Driving model. In native, cmip6, cmip5, cordex, nextgems, cmip7 and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "MPI-M-MPI-ESM-LR"
                 *     ]
                 */
                driving_model?: components["parameters"]["FilterDrivingModel"];
                /**
                 * @description Format of the file. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "nc"
                 *     ]
                 */
                format?: components["parameters"]["FilterFormat"];
                /**
                 * @description Identifier of the grid. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "n320"
                 *     ]
                 */
                grid_id?: components["parameters"]["FilterGridId"];
                /**
                 * @description Kind of levels. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "2d"
                 *     ]
                 */
                level_type?: components["parameters"]["FilterLevelType"];
                /**
                 * @description Name of the regional model. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "CLMcom-CCLM4-8-17"
                 *     ]
                 */
                rcm_name?: components["parameters"]["FilterRcmName"];
                /**
                 * @description Version of the regional run. In native, cmip6, cmip5, cordex, nextgems, cmip7 and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "v1"
                 *     ]
                 */
                rcm_version?: components["parameters"]["FilterRcmVersion"];
                /**
                 * @description Region that the data cover, by its name. In native, cmip7 and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "glb"
                 *     ]
                 */
                region?: components["parameters"]["FilterRegion"];
                /**
                 * @description What was done to the variable in time and space, and where it is given. In native, cmip7 and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "tavg-h2m-hxy-u"
                 *     ]
                 */
                branding_suffix?: components["parameters"]["FilterBrandingSuffix"];
                /**
                 * @description Collection of the catalogue. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "sample"
                 *     ]
                 */
                dataset?: components["parameters"]["FilterDataset"];
                /**
                 * @description User who registered the data. In native and user. `!` before a value excludes it.
                 * @example [
                 *       "demo"
                 *     ]
                 */
                user?: components["parameters"]["FilterUser"];
                /**
                 * @description Project that the data were made for. In cmip6 and cmip7 (`project` in native). `!` before a value excludes it.
                 * @example [
                 *       "CMIP6"
                 *     ]
                 */
                mip_era?: components["parameters"]["FilterMipEra"];
                /**
                 * @description Product, activity or region. In cmip6 and cmip7 (`product` in native). `!` before a value excludes it.
                 * @example [
                 *       "CMIP"
                 *     ]
                 */
                activity_id?: components["parameters"]["FilterActivityId"];
                /**
                 * @description Institution that made the data. In cmip6, cmip5, nextgems, cmip7 and cordex-cmip6 (`institute` in native). `!` before a value excludes it.
                 * @example [
                 *       "MPI-M"
                 *     ]
                 */
                institution_id?: components["parameters"]["FilterInstitutionId"];
                /**
                 * @description Model, or source. In cmip6, nextgems, cmip7 and cordex-cmip6 (`model` in native). `!` before a value excludes it.
                 * @example [
                 *       "MPI-ESM1-2-LR"
                 *     ]
                 */
                source_id?: components["parameters"]["FilterSourceId"];
                /**
                 * @description Experiment or simulation. In cmip6 and cmip7 (`experiment` in native). Product, activity or region. In nextgems (`product` in native). `!` before a value excludes it.
                 * @example [
                 *       "historical"
                 *     ]
                 */
                experiment_id?: components["parameters"]["FilterExperimentId"];
                /**
                 * @description Frequency in time. In cmip6, cmip7 and cordex-cmip6 (`time_frequency` in native). `!` before a value excludes it.
                 * @example [
                 *       "mon"
                 *     ]
                 */
                frequency?: components["parameters"]["FilterFrequency"];
                /**
                 * @description Variable. In cmip6, nextgems, cmip7 and cordex-cmip6 (`variable` in native). `!` before a value excludes it.
                 * @example [
                 *       "tas"
                 *     ]
                 */
                variable_id?: components["parameters"]["FilterVariableId"];
                /**
                 * @description Ensemble member. In cmip6, cmip5 and nextgems (`ensemble` in native). `!` before a value excludes it.
                 * @example [
                 *       "r1i1p1f1"
                 *     ]
                 */
                member_id?: components["parameters"]["FilterMemberId"];
                /**
                 * @description Table of the variable in its project. In cmip6 (`cmor_table` in native). `!` before a value excludes it.
                 * @example [
                 *       "Amon"
                 *     ]
                 */
                table_id?: components["parameters"]["FilterTableId"];
                /**
                 * @description Model, or source. In cmip5 (`model` in native). `!` before a value excludes it.
                 * @example [
                 *       "MPI-ESM-LR"
                 *     ]
                 */
                model_id?: components["parameters"]["FilterModelId"];
                /**
                 * @description Product, activity or region. In cordex (`product` in native). `!` before a value excludes it.
                 * @example [
                 *       "EUR-11"
                 *     ]
                 */
                domain?: components["parameters"]["FilterDomain"];
                /**
                 * @description Institution that made the data. In cordex (`institute` in native). `!` before a value excludes it.
                 * @example [
                 *       "CLMcom"
                 *     ]
                 */
                institution?: components["parameters"]["FilterInstitution"];
                /**
                 * @description Experiment or simulation. In nextgems (`experiment` in native). `!` before a value excludes it.
                 * @example [
                 *       "ngc3028"
                 *     ]
                 */
                simulation_id?: components["parameters"]["FilterSimulationId"];
                /**
                 * @description Kind of mean in time. In nextgems (`time_aggregation` in native). `!` before a value excludes it.
                 * @example [
                 *       "mean"
                 *     ]
                 */
                time_reduction?: components["parameters"]["FilterTimeReduction"];
                /**
                 * @description Ensemble member. In cmip7 (`ensemble` in native). `!` before a value excludes it.
                 * @example [
                 *       "r1i1p1f1"
                 *     ]
                 */
                variant_label?: components["parameters"]["FilterVariantLabel"];
                /**
                 * @description Project that the data were made for. In cordex-cmip6 (`project` in native). `!` before a value excludes it.
                 * @example [
                 *       "CORDEX"
                 *     ]
                 */
                project_id?: components["parameters"]["FilterProjectId"];
                /**
                 * @description Product, activity or region. In cordex-cmip6 (`product` in native). `!` before a value excludes it.
                 * @example [
                 *       "EUR-11"
                 *     ]
                 */
                domain_id?: components["parameters"]["FilterDomainId"];
                /**
                 * @description Experiment or simulation. In cordex-cmip6 (`experiment` in native). `!` before a value excludes it.
                 * @example [
                 *       "historical"
                 *     ]
                 */
                driving_experiment_id?: components["parameters"]["FilterDrivingExperimentId"];
                /**
                 * @description Ensemble member. In cordex-cmip6 (`ensemble` in native). `!` before a value excludes it.
                 * @example [
                 *       "r1i1p1"
                 *     ]
                 */
                driving_variant_label?: components["parameters"]["FilterDrivingVariantLabel"];
                /**
                 * @description Driving model. In cordex-cmip6 (`driving_model` in native). `!` before a value excludes it.
                 * @example [
                 *       "MPI-M-MPI-ESM-LR"
                 *     ]
                 */
                driving_source_id?: components["parameters"]["FilterDrivingSourceId"];
                /**
                 * @description Version of the regional run. In cordex-cmip6 (`rcm_version` in native). `!` before a value excludes it.
                 * @example [
                 *       "v1"
                 *     ]
                 */
                version_realization?: components["parameters"]["FilterVersionRealization"];
                /**
                 * @description Path of the file, with regard to case. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "*\/tas_Amon_*"
                 *     ]
                 */
                file?: components["parameters"]["FilterFile"];
                /**
                 * @description URI of the file, with regard to case. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "*\/tas_Amon_*"
                 *     ]
                 */
                uri?: components["parameters"]["FilterUri"];
                /**
                 * @description Version of the data set. In every flavour with `multi-version=true` only. `!` before a value excludes it.
                 * @example [
                 *       "v20190710"
                 *     ]
                 */
                version?: components["parameters"]["FilterVersion"];
                /**
                 * @description Name of the dataset in its standard, without a version. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "CMIP6.CMIP.MPI-M.MPI-ESM1-2-LR.historical.r1i1p1f1.Amon.tas.gn"
                 *     ]
                 */
                dataset_id?: components["parameters"]["FilterDatasetId"];
                /**
                 * @description Checksum of the file with the name of its algorithm. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "sha256:f7ef24b424dd92e88740bcafd42df540202778f6d0c205bc32618c0eae377da2"
                 *     ]
                 */
                checksum?: components["parameters"]["FilterChecksum"];
                /**
                 * @description Identifier that the file was given when it was made. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "hdl:21.14100/3e8b0b0f-213c-54d3-808f-d41a77f9dc48"
                 *     ]
                 */
                tracking_id?: components["parameters"]["FilterTrackingId"];
                /**
                 * @description CF standard name of the variable. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "air_temperature"
                 *     ]
                 */
                standard_name?: components["parameters"]["FilterStandardName"];
                /**
                 * @description Name of the variable for people. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "Near-Surface Air Temperature"
                 *     ]
                 */
                long_name?: components["parameters"]["FilterLongName"];
                /**
                 * @description Units of the variable. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "K"
                 *     ]
                 */
                units?: components["parameters"]["FilterUnits"];
                /**
                 * @description Resolution of the grid, roughly. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "250 km"
                 *     ]
                 */
                nominal_resolution?: components["parameters"]["FilterNominalResolution"];
                /**
                 * @description Terms under which the data may be used. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "CC BY 4.0"
                 *     ]
                 */
                license?: components["parameters"]["FilterLicense"];
                /**
                 * @description Address of a page about the data. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "https://furtherinfo.es-doc.org/CMIP6.MPI-M.MPI-ESM1-2-LR.historical.none.r1i1p1f1"
                 *     ]
                 */
                further_info_url?: components["parameters"]["FilterFurtherInfoUrl"];
                /**
                 * @description Whether the data were withdrawn by those who made them: true or false. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "true"
                 *     ]
                 */
                retracted?: components["parameters"]["FilterRetracted"];
                /**
                 * @description Filters whose names have no parameter of their own here, each as `name=value`, such as
                 *     `experiment_id_not_=ssp*`: a facet of the flavour with `_not_` after its name excludes. The same can be written
                 *     as a query parameter, `?experiment_id_not_=ssp*`.
                 * @example [
                 *       "experiment_id_not_=ssp*"
                 *     ]
                 */
                filter?: components["parameters"]["Filter"];
            };
            header?: {
                /** @description The `ETag` of an answer that the client has kept. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description The flavour whose facet names are used: a DRS standard, one that is for all, or one of the caller's own, for which
                 *     the access token must be sent.
                 * @example cmip6
                 */
                flavour: components["parameters"]["InFlavour"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The suggestions. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "total_count": 337,
                     *       "parts": [
                     *         {
                     *           "text": "tas",
                     *           "suggestions": [
                     *             {
                     *               "kind": "value",
                     *               "name": "variable_id",
                     *               "value": "tas",
                     *               "label": "Near-surface air temperature",
                     *               "similarity": "exact",
                     *               "count": 153
                     *             },
                     *             {
                     *               "kind": "value",
                     *               "name": "variable_id",
                     *               "value": "tasmax",
                     *               "label": "Daily maximum near-surface air temperature",
                     *               "similarity": "prefix",
                     *               "count": 12
                     *             }
                     *           ]
                     *         },
                     *         {
                     *           "text": "1990-2000",
                     *           "suggestions": [
                     *             {
                     *               "kind": "period",
                     *               "name": "time",
                     *               "value": "1990 to 2000",
                     *               "similarity": "exact",
                     *               "count": 41
                     *             }
                     *           ]
                     *         },
                     *         {
                     *           "text": "qqqq",
                     *           "suggestions": []
                     *         }
                     *       ],
                     *       "not_understood": [
                     *         "qqqq"
                     *       ],
                     *       "best": {
                     *         "count": 41,
                     *         "filters": [
                     *           {
                     *             "name": "variable_id",
                     *             "value": "tas"
                     *           },
                     *           {
                     *             "name": "time",
                     *             "value": "1990 to 2000"
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Suggestions"];
                };
            };
            /** @description The answer has not changed since the one with the given ETag. */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            422: components["responses"]["InvalidParameters"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["SearchUnavailable"];
        };
    };
    showCoverage: {
        parameters: {
            query: {
                /**
                 * @description The facet whose values are the rows, by its name in the flavour; `time` and `bbox` are none of them. Where all versions are
                 *     searched it may be `version`; it may also be a detail whose values are counted, such as `standard_name`.
                 * @example source_id
                 */
                rows: components["parameters"]["Rows"];
                /**
                 * @description The facet whose values are the columns, as that of the rows.
                 * @example experiment_id
                 */
                columns: components["parameters"]["Columns"];
                /** @description What each cell tells; `files` if left out. */
                cells?: components["parameters"]["Cells"];
                /** @description Search every version of a data set, not only the newest one. */
                "multi-version"?: components["parameters"]["MultiVersion"];
                /**
                 * @description Use the flavour's facet names, in the query and in the answer. With `false` both use the native ones,
                 *     and `facet_mapping` tells how to translate them.
                 */
                translate?: components["parameters"]["Translate"];
                /**
                 * @description A period: `A to B`, `A to`, `to B`, `[A TO B]` or `A`, with ISO 8601 dates that may be truncated (`2000`,
                 *     `2000-03`, `2000-03-01T06`); without a time zone they are UTC. A truncated end reaches to the end of
                 *     its unit. Years beyond 9999 or before 0 have a sign or five digits (`-20000 to -19000`, `12000`); year 0 is 1 BC.
                 *     `not ` or `!` before it excludes. Constant data overlap and cover every period; `fx` means them alone.
                 */
                time?: components["parameters"]["Time"];
                /**
                 * @description How data relate to `time`: `flexible` overlap the period, `strict` lie wholly inside it, `file` cover
                 *     the whole period alone.
                 */
                time_select?: components["parameters"]["TimeSelect"];
                /**
                 * @description A region, `min_lon,max_lon,min_lat,max_lat` in degrees, longitudes from -180 to 360. With min_lon > max_lon
                 *     it crosses the antimeridian. `not ` or `!` before it excludes.
                 */
                bbox?: components["parameters"]["Bbox"];
                /**
                 * @description How data relate to `bbox`: `flexible` overlap the region, `strict` lie wholly inside it, `file` cover
                 *     the whole region alone.
                 */
                bbox_select?: components["parameters"]["BboxSelect"];
                /**
                 * @description Project that the data were made for. In native, cmip5, cordex, nextgems and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "CMIP6"
                 *     ]
                 */
                project?: components["parameters"]["FilterProject"];
                /**
                 * @description Product, activity or region. In native, cmip5 and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "CMIP"
                 *     ]
                 */
                product?: components["parameters"]["FilterProduct"];
                /**
                 * @description Institution that made the data. In native and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "MPI-M"
                 *     ]
                 */
                institute?: components["parameters"]["FilterInstitute"];
                /**
                 * @description Model, or source. In native, cordex and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "MPI-ESM1-2-LR"
                 *     ]
                 */
                model?: components["parameters"]["FilterModel"];
                /**
                 * @description Experiment or simulation. In native, cmip5, cordex and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "historical"
                 *     ]
                 */
                experiment?: components["parameters"]["FilterExperiment"];
                /**
                 * @description Frequency in time. In native, cmip5, cordex, nextgems and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "mon"
                 *     ]
                 */
                time_frequency?: components["parameters"]["FilterTimeFrequency"];
                /**
                 * @description Part of the climate system. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "atmos"
                 *     ]
                 */
                realm?: components["parameters"]["FilterRealm"];
                /**
                 * @description Variable. In native, cmip5, cordex and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "tas"
                 *     ]
                 */
                variable?: components["parameters"]["FilterVariable"];
                /**
                 * @description Ensemble member. In native, cordex and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "r1i1p1f1"
                 *     ]
                 */
                ensemble?: components["parameters"]["FilterEnsemble"];
                /**
                 * @description Kind of mean in time. In native, cmip6, cmip5, cordex, cmip7, cordex-cmip6 and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "mean"
                 *     ]
                 */
                time_aggregation?: components["parameters"]["FilterTimeAggregation"];
                /**
                 * @description Kind of storage. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "posix"
                 *     ]
                 */
                fs_type?: components["parameters"]["FilterFsType"];
                /**
                 * @description Label of the grid. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "gn"
                 *     ]
                 */
                grid_label?: components["parameters"]["FilterGridLabel"];
                /**
                 * @description Table of the variable in its project. In native, cmip5, cordex, nextgems and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "Amon"
                 *     ]
                 */
                cmor_table?: components["parameters"]["FilterCmorTable"];
                /**
                 * @description Driving model. In native, cmip6, cmip5, cordex, nextgems, cmip7 and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "MPI-M-MPI-ESM-LR"
                 *     ]
                 */
                driving_model?: components["parameters"]["FilterDrivingModel"];
                /**
                 * @description Format of the file. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "nc"
                 *     ]
                 */
                format?: components["parameters"]["FilterFormat"];
                /**
                 * @description Identifier of the grid. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "n320"
                 *     ]
                 */
                grid_id?: components["parameters"]["FilterGridId"];
                /**
                 * @description Kind of levels. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "2d"
                 *     ]
                 */
                level_type?: components["parameters"]["FilterLevelType"];
                /**
                 * @description Name of the regional model. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "CLMcom-CCLM4-8-17"
                 *     ]
                 */
                rcm_name?: components["parameters"]["FilterRcmName"];
                /**
                 * @description Version of the regional run. In native, cmip6, cmip5, cordex, nextgems, cmip7 and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "v1"
                 *     ]
                 */
                rcm_version?: components["parameters"]["FilterRcmVersion"];
                /**
                 * @description Region that the data cover, by its name. In native, cmip7 and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "glb"
                 *     ]
                 */
                region?: components["parameters"]["FilterRegion"];
                /**
                 * @description What was done to the variable in time and space, and where it is given. In native, cmip7 and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "tavg-h2m-hxy-u"
                 *     ]
                 */
                branding_suffix?: components["parameters"]["FilterBrandingSuffix"];
                /**
                 * @description Collection of the catalogue. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "sample"
                 *     ]
                 */
                dataset?: components["parameters"]["FilterDataset"];
                /**
                 * @description User who registered the data. In native and user. `!` before a value excludes it.
                 * @example [
                 *       "demo"
                 *     ]
                 */
                user?: components["parameters"]["FilterUser"];
                /**
                 * @description Project that the data were made for. In cmip6 and cmip7 (`project` in native). `!` before a value excludes it.
                 * @example [
                 *       "CMIP6"
                 *     ]
                 */
                mip_era?: components["parameters"]["FilterMipEra"];
                /**
                 * @description Product, activity or region. In cmip6 and cmip7 (`product` in native). `!` before a value excludes it.
                 * @example [
                 *       "CMIP"
                 *     ]
                 */
                activity_id?: components["parameters"]["FilterActivityId"];
                /**
                 * @description Institution that made the data. In cmip6, cmip5, nextgems, cmip7 and cordex-cmip6 (`institute` in native). `!` before a value excludes it.
                 * @example [
                 *       "MPI-M"
                 *     ]
                 */
                institution_id?: components["parameters"]["FilterInstitutionId"];
                /**
                 * @description Model, or source. In cmip6, nextgems, cmip7 and cordex-cmip6 (`model` in native). `!` before a value excludes it.
                 * @example [
                 *       "MPI-ESM1-2-LR"
                 *     ]
                 */
                source_id?: components["parameters"]["FilterSourceId"];
                /**
                 * @description Experiment or simulation. In cmip6 and cmip7 (`experiment` in native). Product, activity or region. In nextgems (`product` in native). `!` before a value excludes it.
                 * @example [
                 *       "historical"
                 *     ]
                 */
                experiment_id?: components["parameters"]["FilterExperimentId"];
                /**
                 * @description Frequency in time. In cmip6, cmip7 and cordex-cmip6 (`time_frequency` in native). `!` before a value excludes it.
                 * @example [
                 *       "mon"
                 *     ]
                 */
                frequency?: components["parameters"]["FilterFrequency"];
                /**
                 * @description Variable. In cmip6, nextgems, cmip7 and cordex-cmip6 (`variable` in native). `!` before a value excludes it.
                 * @example [
                 *       "tas"
                 *     ]
                 */
                variable_id?: components["parameters"]["FilterVariableId"];
                /**
                 * @description Ensemble member. In cmip6, cmip5 and nextgems (`ensemble` in native). `!` before a value excludes it.
                 * @example [
                 *       "r1i1p1f1"
                 *     ]
                 */
                member_id?: components["parameters"]["FilterMemberId"];
                /**
                 * @description Table of the variable in its project. In cmip6 (`cmor_table` in native). `!` before a value excludes it.
                 * @example [
                 *       "Amon"
                 *     ]
                 */
                table_id?: components["parameters"]["FilterTableId"];
                /**
                 * @description Model, or source. In cmip5 (`model` in native). `!` before a value excludes it.
                 * @example [
                 *       "MPI-ESM-LR"
                 *     ]
                 */
                model_id?: components["parameters"]["FilterModelId"];
                /**
                 * @description Product, activity or region. In cordex (`product` in native). `!` before a value excludes it.
                 * @example [
                 *       "EUR-11"
                 *     ]
                 */
                domain?: components["parameters"]["FilterDomain"];
                /**
                 * @description Institution that made the data. In cordex (`institute` in native). `!` before a value excludes it.
                 * @example [
                 *       "CLMcom"
                 *     ]
                 */
                institution?: components["parameters"]["FilterInstitution"];
                /**
                 * @description Experiment or simulation. In nextgems (`experiment` in native). `!` before a value excludes it.
                 * @example [
                 *       "ngc3028"
                 *     ]
                 */
                simulation_id?: components["parameters"]["FilterSimulationId"];
                /**
                 * @description Kind of mean in time. In nextgems (`time_aggregation` in native). `!` before a value excludes it.
                 * @example [
                 *       "mean"
                 *     ]
                 */
                time_reduction?: components["parameters"]["FilterTimeReduction"];
                /**
                 * @description Ensemble member. In cmip7 (`ensemble` in native). `!` before a value excludes it.
                 * @example [
                 *       "r1i1p1f1"
                 *     ]
                 */
                variant_label?: components["parameters"]["FilterVariantLabel"];
                /**
                 * @description Project that the data were made for. In cordex-cmip6 (`project` in native). `!` before a value excludes it.
                 * @example [
                 *       "CORDEX"
                 *     ]
                 */
                project_id?: components["parameters"]["FilterProjectId"];
                /**
                 * @description Product, activity or region. In cordex-cmip6 (`product` in native). `!` before a value excludes it.
                 * @example [
                 *       "EUR-11"
                 *     ]
                 */
                domain_id?: components["parameters"]["FilterDomainId"];
                /**
                 * @description Experiment or simulation. In cordex-cmip6 (`experiment` in native). `!` before a value excludes it.
                 * @example [
                 *       "historical"
                 *     ]
                 */
                driving_experiment_id?: components["parameters"]["FilterDrivingExperimentId"];
                /**
                 * @description Ensemble member. In cordex-cmip6 (`ensemble` in native). `!` before a value excludes it.
                 * @example [
                 *       "r1i1p1"
                 *     ]
                 */
                driving_variant_label?: components["parameters"]["FilterDrivingVariantLabel"];
                /**
                 * @description Driving model. In cordex-cmip6 (`driving_model` in native). `!` before a value excludes it.
                 * @example [
                 *       "MPI-M-MPI-ESM-LR"
                 *     ]
                 */
                driving_source_id?: components["parameters"]["FilterDrivingSourceId"];
                /**
                 * @description Version of the regional run. In cordex-cmip6 (`rcm_version` in native). `!` before a value excludes it.
                 * @example [
                 *       "v1"
                 *     ]
                 */
                version_realization?: components["parameters"]["FilterVersionRealization"];
                /**
                 * @description Path of the file, with regard to case. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "*\/tas_Amon_*"
                 *     ]
                 */
                file?: components["parameters"]["FilterFile"];
                /**
                 * @description URI of the file, with regard to case. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "*\/tas_Amon_*"
                 *     ]
                 */
                uri?: components["parameters"]["FilterUri"];
                /**
                 * @description Version of the data set. In every flavour with `multi-version=true` only. `!` before a value excludes it.
                 * @example [
                 *       "v20190710"
                 *     ]
                 */
                version?: components["parameters"]["FilterVersion"];
                /**
                 * @description Name of the dataset in its standard, without a version. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "CMIP6.CMIP.MPI-M.MPI-ESM1-2-LR.historical.r1i1p1f1.Amon.tas.gn"
                 *     ]
                 */
                dataset_id?: components["parameters"]["FilterDatasetId"];
                /**
                 * @description Checksum of the file with the name of its algorithm. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "sha256:f7ef24b424dd92e88740bcafd42df540202778f6d0c205bc32618c0eae377da2"
                 *     ]
                 */
                checksum?: components["parameters"]["FilterChecksum"];
                /**
                 * @description Identifier that the file was given when it was made. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "hdl:21.14100/3e8b0b0f-213c-54d3-808f-d41a77f9dc48"
                 *     ]
                 */
                tracking_id?: components["parameters"]["FilterTrackingId"];
                /**
                 * @description CF standard name of the variable. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "air_temperature"
                 *     ]
                 */
                standard_name?: components["parameters"]["FilterStandardName"];
                /**
                 * @description Name of the variable for people. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "Near-Surface Air Temperature"
                 *     ]
                 */
                long_name?: components["parameters"]["FilterLongName"];
                /**
                 * @description Units of the variable. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "K"
                 *     ]
                 */
                units?: components["parameters"]["FilterUnits"];
                /**
                 * @description Resolution of the grid, roughly. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "250 km"
                 *     ]
                 */
                nominal_resolution?: components["parameters"]["FilterNominalResolution"];
                /**
                 * @description Terms under which the data may be used. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "CC BY 4.0"
                 *     ]
                 */
                license?: components["parameters"]["FilterLicense"];
                /**
                 * @description Address of a page about the data. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "https://furtherinfo.es-doc.org/CMIP6.MPI-M.MPI-ESM1-2-LR.historical.none.r1i1p1f1"
                 *     ]
                 */
                further_info_url?: components["parameters"]["FilterFurtherInfoUrl"];
                /**
                 * @description Whether the data were withdrawn by those who made them: true or false. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "true"
                 *     ]
                 */
                retracted?: components["parameters"]["FilterRetracted"];
                /**
                 * @description Filters whose names have no parameter of their own here, each as `name=value`, such as
                 *     `experiment_id_not_=ssp*`: a facet of the flavour with `_not_` after its name excludes. The same can be written
                 *     as a query parameter, `?experiment_id_not_=ssp*`.
                 * @example [
                 *       "experiment_id_not_=ssp*"
                 *     ]
                 */
                filter?: components["parameters"]["Filter"];
            };
            header?: {
                /** @description The `ETag` of an answer that the client has kept. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description The flavour whose facet names are used: a DRS standard, one that is for all, or one of the caller's own, for which
                 *     the access token must be sent.
                 * @example cmip6
                 */
                flavour: components["parameters"]["InFlavour"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The matrix. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "rows": "source_id",
                     *       "columns": "experiment_id",
                     *       "cells": "files",
                     *       "total_count": 5,
                     *       "row_values": [
                     *         "mpi-esm1-2-lr"
                     *       ],
                     *       "column_values": [
                     *         "historical",
                     *         "ssp585"
                     *       ],
                     *       "values": [
                     *         [
                     *           0,
                     *           0,
                     *           3
                     *         ],
                     *         [
                     *           0,
                     *           1,
                     *           2
                     *         ]
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Coverage"];
                    /**
                     * @example source_id,historical,ssp585
                     *     mpi-esm1-2-lr,3,2
                     */
                    "text/csv": string;
                };
            };
            /** @description The answer has not changed since the one with the given ETag. */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            413: components["responses"]["TooManyResults"];
            422: components["responses"]["InvalidParameters"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["SearchUnavailable"];
        };
    };
    showCoverageCsv: {
        parameters: {
            query: {
                /**
                 * @description The facet whose values are the rows, by its name in the flavour; `time` and `bbox` are none of them. Where all versions are
                 *     searched it may be `version`; it may also be a detail whose values are counted, such as `standard_name`.
                 * @example source_id
                 */
                rows: components["parameters"]["Rows"];
                /**
                 * @description The facet whose values are the columns, as that of the rows.
                 * @example experiment_id
                 */
                columns: components["parameters"]["Columns"];
                /** @description What each cell tells; `files` if left out. */
                cells?: components["parameters"]["Cells"];
                /** @description Search every version of a data set, not only the newest one. */
                "multi-version"?: components["parameters"]["MultiVersion"];
                /**
                 * @description Use the flavour's facet names, in the query and in the answer. With `false` both use the native ones,
                 *     and `facet_mapping` tells how to translate them.
                 */
                translate?: components["parameters"]["Translate"];
                /**
                 * @description A period: `A to B`, `A to`, `to B`, `[A TO B]` or `A`, with ISO 8601 dates that may be truncated (`2000`,
                 *     `2000-03`, `2000-03-01T06`); without a time zone they are UTC. A truncated end reaches to the end of
                 *     its unit. Years beyond 9999 or before 0 have a sign or five digits (`-20000 to -19000`, `12000`); year 0 is 1 BC.
                 *     `not ` or `!` before it excludes. Constant data overlap and cover every period; `fx` means them alone.
                 */
                time?: components["parameters"]["Time"];
                /**
                 * @description How data relate to `time`: `flexible` overlap the period, `strict` lie wholly inside it, `file` cover
                 *     the whole period alone.
                 */
                time_select?: components["parameters"]["TimeSelect"];
                /**
                 * @description A region, `min_lon,max_lon,min_lat,max_lat` in degrees, longitudes from -180 to 360. With min_lon > max_lon
                 *     it crosses the antimeridian. `not ` or `!` before it excludes.
                 */
                bbox?: components["parameters"]["Bbox"];
                /**
                 * @description How data relate to `bbox`: `flexible` overlap the region, `strict` lie wholly inside it, `file` cover
                 *     the whole region alone.
                 */
                bbox_select?: components["parameters"]["BboxSelect"];
                /**
                 * @description Project that the data were made for. In native, cmip5, cordex, nextgems and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "CMIP6"
                 *     ]
                 */
                project?: components["parameters"]["FilterProject"];
                /**
                 * @description Product, activity or region. In native, cmip5 and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "CMIP"
                 *     ]
                 */
                product?: components["parameters"]["FilterProduct"];
                /**
                 * @description Institution that made the data. In native and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "MPI-M"
                 *     ]
                 */
                institute?: components["parameters"]["FilterInstitute"];
                /**
                 * @description Model, or source. In native, cordex and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "MPI-ESM1-2-LR"
                 *     ]
                 */
                model?: components["parameters"]["FilterModel"];
                /**
                 * @description Experiment or simulation. In native, cmip5, cordex and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "historical"
                 *     ]
                 */
                experiment?: components["parameters"]["FilterExperiment"];
                /**
                 * @description Frequency in time. In native, cmip5, cordex, nextgems and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "mon"
                 *     ]
                 */
                time_frequency?: components["parameters"]["FilterTimeFrequency"];
                /**
                 * @description Part of the climate system. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "atmos"
                 *     ]
                 */
                realm?: components["parameters"]["FilterRealm"];
                /**
                 * @description Variable. In native, cmip5, cordex and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "tas"
                 *     ]
                 */
                variable?: components["parameters"]["FilterVariable"];
                /**
                 * @description Ensemble member. In native, cordex and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "r1i1p1f1"
                 *     ]
                 */
                ensemble?: components["parameters"]["FilterEnsemble"];
                /**
                 * @description Kind of mean in time. In native, cmip6, cmip5, cordex, cmip7, cordex-cmip6 and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "mean"
                 *     ]
                 */
                time_aggregation?: components["parameters"]["FilterTimeAggregation"];
                /**
                 * @description Kind of storage. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "posix"
                 *     ]
                 */
                fs_type?: components["parameters"]["FilterFsType"];
                /**
                 * @description Label of the grid. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "gn"
                 *     ]
                 */
                grid_label?: components["parameters"]["FilterGridLabel"];
                /**
                 * @description Table of the variable in its project. In native, cmip5, cordex, nextgems and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "Amon"
                 *     ]
                 */
                cmor_table?: components["parameters"]["FilterCmorTable"];
                /**
                 * @description Driving model. In native, cmip6, cmip5, cordex, nextgems, cmip7 and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "MPI-M-MPI-ESM-LR"
                 *     ]
                 */
                driving_model?: components["parameters"]["FilterDrivingModel"];
                /**
                 * @description Format of the file. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "nc"
                 *     ]
                 */
                format?: components["parameters"]["FilterFormat"];
                /**
                 * @description Identifier of the grid. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "n320"
                 *     ]
                 */
                grid_id?: components["parameters"]["FilterGridId"];
                /**
                 * @description Kind of levels. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "2d"
                 *     ]
                 */
                level_type?: components["parameters"]["FilterLevelType"];
                /**
                 * @description Name of the regional model. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "CLMcom-CCLM4-8-17"
                 *     ]
                 */
                rcm_name?: components["parameters"]["FilterRcmName"];
                /**
                 * @description Version of the regional run. In native, cmip6, cmip5, cordex, nextgems, cmip7 and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "v1"
                 *     ]
                 */
                rcm_version?: components["parameters"]["FilterRcmVersion"];
                /**
                 * @description Region that the data cover, by its name. In native, cmip7 and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "glb"
                 *     ]
                 */
                region?: components["parameters"]["FilterRegion"];
                /**
                 * @description What was done to the variable in time and space, and where it is given. In native, cmip7 and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "tavg-h2m-hxy-u"
                 *     ]
                 */
                branding_suffix?: components["parameters"]["FilterBrandingSuffix"];
                /**
                 * @description Collection of the catalogue. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "sample"
                 *     ]
                 */
                dataset?: components["parameters"]["FilterDataset"];
                /**
                 * @description User who registered the data. In native and user. `!` before a value excludes it.
                 * @example [
                 *       "demo"
                 *     ]
                 */
                user?: components["parameters"]["FilterUser"];
                /**
                 * @description Project that the data were made for. In cmip6 and cmip7 (`project` in native). `!` before a value excludes it.
                 * @example [
                 *       "CMIP6"
                 *     ]
                 */
                mip_era?: components["parameters"]["FilterMipEra"];
                /**
                 * @description Product, activity or region. In cmip6 and cmip7 (`product` in native). `!` before a value excludes it.
                 * @example [
                 *       "CMIP"
                 *     ]
                 */
                activity_id?: components["parameters"]["FilterActivityId"];
                /**
                 * @description Institution that made the data. In cmip6, cmip5, nextgems, cmip7 and cordex-cmip6 (`institute` in native). `!` before a value excludes it.
                 * @example [
                 *       "MPI-M"
                 *     ]
                 */
                institution_id?: components["parameters"]["FilterInstitutionId"];
                /**
                 * @description Model, or source. In cmip6, nextgems, cmip7 and cordex-cmip6 (`model` in native). `!` before a value excludes it.
                 * @example [
                 *       "MPI-ESM1-2-LR"
                 *     ]
                 */
                source_id?: components["parameters"]["FilterSourceId"];
                /**
                 * @description Experiment or simulation. In cmip6 and cmip7 (`experiment` in native). Product, activity or region. In nextgems (`product` in native). `!` before a value excludes it.
                 * @example [
                 *       "historical"
                 *     ]
                 */
                experiment_id?: components["parameters"]["FilterExperimentId"];
                /**
                 * @description Frequency in time. In cmip6, cmip7 and cordex-cmip6 (`time_frequency` in native). `!` before a value excludes it.
                 * @example [
                 *       "mon"
                 *     ]
                 */
                frequency?: components["parameters"]["FilterFrequency"];
                /**
                 * @description Variable. In cmip6, nextgems, cmip7 and cordex-cmip6 (`variable` in native). `!` before a value excludes it.
                 * @example [
                 *       "tas"
                 *     ]
                 */
                variable_id?: components["parameters"]["FilterVariableId"];
                /**
                 * @description Ensemble member. In cmip6, cmip5 and nextgems (`ensemble` in native). `!` before a value excludes it.
                 * @example [
                 *       "r1i1p1f1"
                 *     ]
                 */
                member_id?: components["parameters"]["FilterMemberId"];
                /**
                 * @description Table of the variable in its project. In cmip6 (`cmor_table` in native). `!` before a value excludes it.
                 * @example [
                 *       "Amon"
                 *     ]
                 */
                table_id?: components["parameters"]["FilterTableId"];
                /**
                 * @description Model, or source. In cmip5 (`model` in native). `!` before a value excludes it.
                 * @example [
                 *       "MPI-ESM-LR"
                 *     ]
                 */
                model_id?: components["parameters"]["FilterModelId"];
                /**
                 * @description Product, activity or region. In cordex (`product` in native). `!` before a value excludes it.
                 * @example [
                 *       "EUR-11"
                 *     ]
                 */
                domain?: components["parameters"]["FilterDomain"];
                /**
                 * @description Institution that made the data. In cordex (`institute` in native). `!` before a value excludes it.
                 * @example [
                 *       "CLMcom"
                 *     ]
                 */
                institution?: components["parameters"]["FilterInstitution"];
                /**
                 * @description Experiment or simulation. In nextgems (`experiment` in native). `!` before a value excludes it.
                 * @example [
                 *       "ngc3028"
                 *     ]
                 */
                simulation_id?: components["parameters"]["FilterSimulationId"];
                /**
                 * @description Kind of mean in time. In nextgems (`time_aggregation` in native). `!` before a value excludes it.
                 * @example [
                 *       "mean"
                 *     ]
                 */
                time_reduction?: components["parameters"]["FilterTimeReduction"];
                /**
                 * @description Ensemble member. In cmip7 (`ensemble` in native). `!` before a value excludes it.
                 * @example [
                 *       "r1i1p1f1"
                 *     ]
                 */
                variant_label?: components["parameters"]["FilterVariantLabel"];
                /**
                 * @description Project that the data were made for. In cordex-cmip6 (`project` in native). `!` before a value excludes it.
                 * @example [
                 *       "CORDEX"
                 *     ]
                 */
                project_id?: components["parameters"]["FilterProjectId"];
                /**
                 * @description Product, activity or region. In cordex-cmip6 (`product` in native). `!` before a value excludes it.
                 * @example [
                 *       "EUR-11"
                 *     ]
                 */
                domain_id?: components["parameters"]["FilterDomainId"];
                /**
                 * @description Experiment or simulation. In cordex-cmip6 (`experiment` in native). `!` before a value excludes it.
                 * @example [
                 *       "historical"
                 *     ]
                 */
                driving_experiment_id?: components["parameters"]["FilterDrivingExperimentId"];
                /**
                 * @description Ensemble member. In cordex-cmip6 (`ensemble` in native). `!` before a value excludes it.
                 * @example [
                 *       "r1i1p1"
                 *     ]
                 */
                driving_variant_label?: components["parameters"]["FilterDrivingVariantLabel"];
                /**
                 * @description Driving model. In cordex-cmip6 (`driving_model` in native). `!` before a value excludes it.
                 * @example [
                 *       "MPI-M-MPI-ESM-LR"
                 *     ]
                 */
                driving_source_id?: components["parameters"]["FilterDrivingSourceId"];
                /**
                 * @description Version of the regional run. In cordex-cmip6 (`rcm_version` in native). `!` before a value excludes it.
                 * @example [
                 *       "v1"
                 *     ]
                 */
                version_realization?: components["parameters"]["FilterVersionRealization"];
                /**
                 * @description Path of the file, with regard to case. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "*\/tas_Amon_*"
                 *     ]
                 */
                file?: components["parameters"]["FilterFile"];
                /**
                 * @description URI of the file, with regard to case. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "*\/tas_Amon_*"
                 *     ]
                 */
                uri?: components["parameters"]["FilterUri"];
                /**
                 * @description Version of the data set. In every flavour with `multi-version=true` only. `!` before a value excludes it.
                 * @example [
                 *       "v20190710"
                 *     ]
                 */
                version?: components["parameters"]["FilterVersion"];
                /**
                 * @description Name of the dataset in its standard, without a version. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "CMIP6.CMIP.MPI-M.MPI-ESM1-2-LR.historical.r1i1p1f1.Amon.tas.gn"
                 *     ]
                 */
                dataset_id?: components["parameters"]["FilterDatasetId"];
                /**
                 * @description Checksum of the file with the name of its algorithm. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "sha256:f7ef24b424dd92e88740bcafd42df540202778f6d0c205bc32618c0eae377da2"
                 *     ]
                 */
                checksum?: components["parameters"]["FilterChecksum"];
                /**
                 * @description Identifier that the file was given when it was made. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "hdl:21.14100/3e8b0b0f-213c-54d3-808f-d41a77f9dc48"
                 *     ]
                 */
                tracking_id?: components["parameters"]["FilterTrackingId"];
                /**
                 * @description CF standard name of the variable. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "air_temperature"
                 *     ]
                 */
                standard_name?: components["parameters"]["FilterStandardName"];
                /**
                 * @description Name of the variable for people. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "Near-Surface Air Temperature"
                 *     ]
                 */
                long_name?: components["parameters"]["FilterLongName"];
                /**
                 * @description Units of the variable. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "K"
                 *     ]
                 */
                units?: components["parameters"]["FilterUnits"];
                /**
                 * @description Resolution of the grid, roughly. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "250 km"
                 *     ]
                 */
                nominal_resolution?: components["parameters"]["FilterNominalResolution"];
                /**
                 * @description Terms under which the data may be used. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "CC BY 4.0"
                 *     ]
                 */
                license?: components["parameters"]["FilterLicense"];
                /**
                 * @description Address of a page about the data. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "https://furtherinfo.es-doc.org/CMIP6.MPI-M.MPI-ESM1-2-LR.historical.none.r1i1p1f1"
                 *     ]
                 */
                further_info_url?: components["parameters"]["FilterFurtherInfoUrl"];
                /**
                 * @description Whether the data were withdrawn by those who made them: true or false. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "true"
                 *     ]
                 */
                retracted?: components["parameters"]["FilterRetracted"];
                /**
                 * @description Filters whose names have no parameter of their own here, each as `name=value`, such as
                 *     `experiment_id_not_=ssp*`: a facet of the flavour with `_not_` after its name excludes. The same can be written
                 *     as a query parameter, `?experiment_id_not_=ssp*`.
                 * @example [
                 *       "experiment_id_not_=ssp*"
                 *     ]
                 */
                filter?: components["parameters"]["Filter"];
            };
            header?: {
                /** @description The `ETag` of an answer that the client has kept. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description The flavour whose facet names are used: a DRS standard, one that is for all, or one of the caller's own, for which
                 *     the access token must be sent.
                 * @example cmip6
                 */
                flavour: components["parameters"]["InFlavour"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The matrix. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example source_id,historical,ssp585
                     *     mpi-esm1-2-lr,3,2
                     */
                    "text/csv": string;
                };
            };
            /** @description The answer has not changed since the one with the given ETag. */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            413: components["responses"]["TooManyResults"];
            422: components["responses"]["InvalidParameters"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["SearchUnavailable"];
        };
    };
    listBoxes: {
        parameters: {
            query?: {
                /** @description Search every version of a data set, not only the newest one. */
                "multi-version"?: components["parameters"]["MultiVersion"];
                /**
                 * @description Use the flavour's facet names, in the query and in the answer. With `false` both use the native ones,
                 *     and `facet_mapping` tells how to translate them.
                 */
                translate?: components["parameters"]["Translate"];
                /**
                 * @description A period: `A to B`, `A to`, `to B`, `[A TO B]` or `A`, with ISO 8601 dates that may be truncated (`2000`,
                 *     `2000-03`, `2000-03-01T06`); without a time zone they are UTC. A truncated end reaches to the end of
                 *     its unit. Years beyond 9999 or before 0 have a sign or five digits (`-20000 to -19000`, `12000`); year 0 is 1 BC.
                 *     `not ` or `!` before it excludes. Constant data overlap and cover every period; `fx` means them alone.
                 */
                time?: components["parameters"]["Time"];
                /**
                 * @description How data relate to `time`: `flexible` overlap the period, `strict` lie wholly inside it, `file` cover
                 *     the whole period alone.
                 */
                time_select?: components["parameters"]["TimeSelect"];
                /**
                 * @description A region, `min_lon,max_lon,min_lat,max_lat` in degrees, longitudes from -180 to 360. With min_lon > max_lon
                 *     it crosses the antimeridian. `not ` or `!` before it excludes.
                 */
                bbox?: components["parameters"]["Bbox"];
                /**
                 * @description How data relate to `bbox`: `flexible` overlap the region, `strict` lie wholly inside it, `file` cover
                 *     the whole region alone.
                 */
                bbox_select?: components["parameters"]["BboxSelect"];
                /**
                 * @description Project that the data were made for. In native, cmip5, cordex, nextgems and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "CMIP6"
                 *     ]
                 */
                project?: components["parameters"]["FilterProject"];
                /**
                 * @description Product, activity or region. In native, cmip5 and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "CMIP"
                 *     ]
                 */
                product?: components["parameters"]["FilterProduct"];
                /**
                 * @description Institution that made the data. In native and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "MPI-M"
                 *     ]
                 */
                institute?: components["parameters"]["FilterInstitute"];
                /**
                 * @description Model, or source. In native, cordex and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "MPI-ESM1-2-LR"
                 *     ]
                 */
                model?: components["parameters"]["FilterModel"];
                /**
                 * @description Experiment or simulation. In native, cmip5, cordex and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "historical"
                 *     ]
                 */
                experiment?: components["parameters"]["FilterExperiment"];
                /**
                 * @description Frequency in time. In native, cmip5, cordex, nextgems and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "mon"
                 *     ]
                 */
                time_frequency?: components["parameters"]["FilterTimeFrequency"];
                /**
                 * @description Part of the climate system. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "atmos"
                 *     ]
                 */
                realm?: components["parameters"]["FilterRealm"];
                /**
                 * @description Variable. In native, cmip5, cordex and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "tas"
                 *     ]
                 */
                variable?: components["parameters"]["FilterVariable"];
                /**
                 * @description Ensemble member. In native, cordex and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "r1i1p1f1"
                 *     ]
                 */
                ensemble?: components["parameters"]["FilterEnsemble"];
                /**
                 * @description Kind of mean in time. In native, cmip6, cmip5, cordex, cmip7, cordex-cmip6 and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "mean"
                 *     ]
                 */
                time_aggregation?: components["parameters"]["FilterTimeAggregation"];
                /**
                 * @description Kind of storage. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "posix"
                 *     ]
                 */
                fs_type?: components["parameters"]["FilterFsType"];
                /**
                 * @description Label of the grid. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "gn"
                 *     ]
                 */
                grid_label?: components["parameters"]["FilterGridLabel"];
                /**
                 * @description Table of the variable in its project. In native, cmip5, cordex, nextgems and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "Amon"
                 *     ]
                 */
                cmor_table?: components["parameters"]["FilterCmorTable"];
                /**
                 * @description Driving model. In native, cmip6, cmip5, cordex, nextgems, cmip7 and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "MPI-M-MPI-ESM-LR"
                 *     ]
                 */
                driving_model?: components["parameters"]["FilterDrivingModel"];
                /**
                 * @description Format of the file. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "nc"
                 *     ]
                 */
                format?: components["parameters"]["FilterFormat"];
                /**
                 * @description Identifier of the grid. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "n320"
                 *     ]
                 */
                grid_id?: components["parameters"]["FilterGridId"];
                /**
                 * @description Kind of levels. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "2d"
                 *     ]
                 */
                level_type?: components["parameters"]["FilterLevelType"];
                /**
                 * @description Name of the regional model. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "CLMcom-CCLM4-8-17"
                 *     ]
                 */
                rcm_name?: components["parameters"]["FilterRcmName"];
                /**
                 * @description Version of the regional run. In native, cmip6, cmip5, cordex, nextgems, cmip7 and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "v1"
                 *     ]
                 */
                rcm_version?: components["parameters"]["FilterRcmVersion"];
                /**
                 * @description Region that the data cover, by its name. In native, cmip7 and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "glb"
                 *     ]
                 */
                region?: components["parameters"]["FilterRegion"];
                /**
                 * @description What was done to the variable in time and space, and where it is given. In native, cmip7 and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "tavg-h2m-hxy-u"
                 *     ]
                 */
                branding_suffix?: components["parameters"]["FilterBrandingSuffix"];
                /**
                 * @description Collection of the catalogue. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "sample"
                 *     ]
                 */
                dataset?: components["parameters"]["FilterDataset"];
                /**
                 * @description User who registered the data. In native and user. `!` before a value excludes it.
                 * @example [
                 *       "demo"
                 *     ]
                 */
                user?: components["parameters"]["FilterUser"];
                /**
                 * @description Project that the data were made for. In cmip6 and cmip7 (`project` in native). `!` before a value excludes it.
                 * @example [
                 *       "CMIP6"
                 *     ]
                 */
                mip_era?: components["parameters"]["FilterMipEra"];
                /**
                 * @description Product, activity or region. In cmip6 and cmip7 (`product` in native). `!` before a value excludes it.
                 * @example [
                 *       "CMIP"
                 *     ]
                 */
                activity_id?: components["parameters"]["FilterActivityId"];
                /**
                 * @description Institution that made the data. In cmip6, cmip5, nextgems, cmip7 and cordex-cmip6 (`institute` in native). `!` before a value excludes it.
                 * @example [
                 *       "MPI-M"
                 *     ]
                 */
                institution_id?: components["parameters"]["FilterInstitutionId"];
                /**
                 * @description Model, or source. In cmip6, nextgems, cmip7 and cordex-cmip6 (`model` in native). `!` before a value excludes it.
                 * @example [
                 *       "MPI-ESM1-2-LR"
                 *     ]
                 */
                source_id?: components["parameters"]["FilterSourceId"];
                /**
                 * @description Experiment or simulation. In cmip6 and cmip7 (`experiment` in native). Product, activity or region. In nextgems (`product` in native). `!` before a value excludes it.
                 * @example [
                 *       "historical"
                 *     ]
                 */
                experiment_id?: components["parameters"]["FilterExperimentId"];
                /**
                 * @description Frequency in time. In cmip6, cmip7 and cordex-cmip6 (`time_frequency` in native). `!` before a value excludes it.
                 * @example [
                 *       "mon"
                 *     ]
                 */
                frequency?: components["parameters"]["FilterFrequency"];
                /**
                 * @description Variable. In cmip6, nextgems, cmip7 and cordex-cmip6 (`variable` in native). `!` before a value excludes it.
                 * @example [
                 *       "tas"
                 *     ]
                 */
                variable_id?: components["parameters"]["FilterVariableId"];
                /**
                 * @description Ensemble member. In cmip6, cmip5 and nextgems (`ensemble` in native). `!` before a value excludes it.
                 * @example [
                 *       "r1i1p1f1"
                 *     ]
                 */
                member_id?: components["parameters"]["FilterMemberId"];
                /**
                 * @description Table of the variable in its project. In cmip6 (`cmor_table` in native). `!` before a value excludes it.
                 * @example [
                 *       "Amon"
                 *     ]
                 */
                table_id?: components["parameters"]["FilterTableId"];
                /**
                 * @description Model, or source. In cmip5 (`model` in native). `!` before a value excludes it.
                 * @example [
                 *       "MPI-ESM-LR"
                 *     ]
                 */
                model_id?: components["parameters"]["FilterModelId"];
                /**
                 * @description Product, activity or region. In cordex (`product` in native). `!` before a value excludes it.
                 * @example [
                 *       "EUR-11"
                 *     ]
                 */
                domain?: components["parameters"]["FilterDomain"];
                /**
                 * @description Institution that made the data. In cordex (`institute` in native). `!` before a value excludes it.
                 * @example [
                 *       "CLMcom"
                 *     ]
                 */
                institution?: components["parameters"]["FilterInstitution"];
                /**
                 * @description Experiment or simulation. In nextgems (`experiment` in native). `!` before a value excludes it.
                 * @example [
                 *       "ngc3028"
                 *     ]
                 */
                simulation_id?: components["parameters"]["FilterSimulationId"];
                /**
                 * @description Kind of mean in time. In nextgems (`time_aggregation` in native). `!` before a value excludes it.
                 * @example [
                 *       "mean"
                 *     ]
                 */
                time_reduction?: components["parameters"]["FilterTimeReduction"];
                /**
                 * @description Ensemble member. In cmip7 (`ensemble` in native). `!` before a value excludes it.
                 * @example [
                 *       "r1i1p1f1"
                 *     ]
                 */
                variant_label?: components["parameters"]["FilterVariantLabel"];
                /**
                 * @description Project that the data were made for. In cordex-cmip6 (`project` in native). `!` before a value excludes it.
                 * @example [
                 *       "CORDEX"
                 *     ]
                 */
                project_id?: components["parameters"]["FilterProjectId"];
                /**
                 * @description Product, activity or region. In cordex-cmip6 (`product` in native). `!` before a value excludes it.
                 * @example [
                 *       "EUR-11"
                 *     ]
                 */
                domain_id?: components["parameters"]["FilterDomainId"];
                /**
                 * @description Experiment or simulation. In cordex-cmip6 (`experiment` in native). `!` before a value excludes it.
                 * @example [
                 *       "historical"
                 *     ]
                 */
                driving_experiment_id?: components["parameters"]["FilterDrivingExperimentId"];
                /**
                 * @description Ensemble member. In cordex-cmip6 (`ensemble` in native). `!` before a value excludes it.
                 * @example [
                 *       "r1i1p1"
                 *     ]
                 */
                driving_variant_label?: components["parameters"]["FilterDrivingVariantLabel"];
                /**
                 * @description Driving model. In cordex-cmip6 (`driving_model` in native). `!` before a value excludes it.
                 * @example [
                 *       "MPI-M-MPI-ESM-LR"
                 *     ]
                 */
                driving_source_id?: components["parameters"]["FilterDrivingSourceId"];
                /**
                 * @description Version of the regional run. In cordex-cmip6 (`rcm_version` in native). `!` before a value excludes it.
                 * @example [
                 *       "v1"
                 *     ]
                 */
                version_realization?: components["parameters"]["FilterVersionRealization"];
                /**
                 * @description Path of the file, with regard to case. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "*\/tas_Amon_*"
                 *     ]
                 */
                file?: components["parameters"]["FilterFile"];
                /**
                 * @description URI of the file, with regard to case. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "*\/tas_Amon_*"
                 *     ]
                 */
                uri?: components["parameters"]["FilterUri"];
                /**
                 * @description Version of the data set. In every flavour with `multi-version=true` only. `!` before a value excludes it.
                 * @example [
                 *       "v20190710"
                 *     ]
                 */
                version?: components["parameters"]["FilterVersion"];
                /**
                 * @description Name of the dataset in its standard, without a version. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "CMIP6.CMIP.MPI-M.MPI-ESM1-2-LR.historical.r1i1p1f1.Amon.tas.gn"
                 *     ]
                 */
                dataset_id?: components["parameters"]["FilterDatasetId"];
                /**
                 * @description Checksum of the file with the name of its algorithm. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "sha256:f7ef24b424dd92e88740bcafd42df540202778f6d0c205bc32618c0eae377da2"
                 *     ]
                 */
                checksum?: components["parameters"]["FilterChecksum"];
                /**
                 * @description Identifier that the file was given when it was made. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "hdl:21.14100/3e8b0b0f-213c-54d3-808f-d41a77f9dc48"
                 *     ]
                 */
                tracking_id?: components["parameters"]["FilterTrackingId"];
                /**
                 * @description CF standard name of the variable. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "air_temperature"
                 *     ]
                 */
                standard_name?: components["parameters"]["FilterStandardName"];
                /**
                 * @description Name of the variable for people. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "Near-Surface Air Temperature"
                 *     ]
                 */
                long_name?: components["parameters"]["FilterLongName"];
                /**
                 * @description Units of the variable. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "K"
                 *     ]
                 */
                units?: components["parameters"]["FilterUnits"];
                /**
                 * @description Resolution of the grid, roughly. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "250 km"
                 *     ]
                 */
                nominal_resolution?: components["parameters"]["FilterNominalResolution"];
                /**
                 * @description Terms under which the data may be used. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "CC BY 4.0"
                 *     ]
                 */
                license?: components["parameters"]["FilterLicense"];
                /**
                 * @description Address of a page about the data. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "https://furtherinfo.es-doc.org/CMIP6.MPI-M.MPI-ESM1-2-LR.historical.none.r1i1p1f1"
                 *     ]
                 */
                further_info_url?: components["parameters"]["FilterFurtherInfoUrl"];
                /**
                 * @description Whether the data were withdrawn by those who made them: true or false. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "true"
                 *     ]
                 */
                retracted?: components["parameters"]["FilterRetracted"];
                /**
                 * @description Filters whose names have no parameter of their own here, each as `name=value`, such as
                 *     `experiment_id_not_=ssp*`: a facet of the flavour with `_not_` after its name excludes. The same can be written
                 *     as a query parameter, `?experiment_id_not_=ssp*`.
                 * @example [
                 *       "experiment_id_not_=ssp*"
                 *     ]
                 */
                filter?: components["parameters"]["Filter"];
            };
            header?: {
                /** @description The `ETag` of an answer that the client has kept. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description The flavour whose facet names are used: a DRS standard, one that is for all, or one of the caller's own, for which
                 *     the access token must be sent.
                 * @example cmip6
                 */
                flavour: components["parameters"]["InFlavour"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The boxes. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "total_count": 5,
                     *       "known_files": 4,
                     *       "box_count": 2,
                     *       "boxes": [
                     *         {
                     *           "west": -180,
                     *           "east": 180,
                     *           "south": -90,
                     *           "north": 90,
                     *           "files": 3
                     *         },
                     *         {
                     *           "west": -44,
                     *           "east": 65,
                     *           "south": 22,
                     *           "north": 72,
                     *           "files": 1
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Boxes"];
                };
            };
            /** @description The answer has not changed since the one with the given ETag. */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            422: components["responses"]["InvalidParameters"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["SearchUnavailable"];
        };
    };
    countYears: {
        parameters: {
            query?: {
                /** @description The first year of ISO's calendar that has to be in a bar; without it, that in which the first file begins. */
                since?: components["parameters"]["Since"];
                /** @description How many bars to make at the most. */
                bars?: components["parameters"]["Bars"];
                /** @description Search every version of a data set, not only the newest one. */
                "multi-version"?: components["parameters"]["MultiVersion"];
                /**
                 * @description Use the flavour's facet names, in the query and in the answer. With `false` both use the native ones,
                 *     and `facet_mapping` tells how to translate them.
                 */
                translate?: components["parameters"]["Translate"];
                /**
                 * @description A period: `A to B`, `A to`, `to B`, `[A TO B]` or `A`, with ISO 8601 dates that may be truncated (`2000`,
                 *     `2000-03`, `2000-03-01T06`); without a time zone they are UTC. A truncated end reaches to the end of
                 *     its unit. Years beyond 9999 or before 0 have a sign or five digits (`-20000 to -19000`, `12000`); year 0 is 1 BC.
                 *     `not ` or `!` before it excludes. Constant data overlap and cover every period; `fx` means them alone.
                 */
                time?: components["parameters"]["Time"];
                /**
                 * @description How data relate to `time`: `flexible` overlap the period, `strict` lie wholly inside it, `file` cover
                 *     the whole period alone.
                 */
                time_select?: components["parameters"]["TimeSelect"];
                /**
                 * @description A region, `min_lon,max_lon,min_lat,max_lat` in degrees, longitudes from -180 to 360. With min_lon > max_lon
                 *     it crosses the antimeridian. `not ` or `!` before it excludes.
                 */
                bbox?: components["parameters"]["Bbox"];
                /**
                 * @description How data relate to `bbox`: `flexible` overlap the region, `strict` lie wholly inside it, `file` cover
                 *     the whole region alone.
                 */
                bbox_select?: components["parameters"]["BboxSelect"];
                /**
                 * @description Project that the data were made for. In native, cmip5, cordex, nextgems and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "CMIP6"
                 *     ]
                 */
                project?: components["parameters"]["FilterProject"];
                /**
                 * @description Product, activity or region. In native, cmip5 and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "CMIP"
                 *     ]
                 */
                product?: components["parameters"]["FilterProduct"];
                /**
                 * @description Institution that made the data. In native and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "MPI-M"
                 *     ]
                 */
                institute?: components["parameters"]["FilterInstitute"];
                /**
                 * @description Model, or source. In native, cordex and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "MPI-ESM1-2-LR"
                 *     ]
                 */
                model?: components["parameters"]["FilterModel"];
                /**
                 * @description Experiment or simulation. In native, cmip5, cordex and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "historical"
                 *     ]
                 */
                experiment?: components["parameters"]["FilterExperiment"];
                /**
                 * @description Frequency in time. In native, cmip5, cordex, nextgems and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "mon"
                 *     ]
                 */
                time_frequency?: components["parameters"]["FilterTimeFrequency"];
                /**
                 * @description Part of the climate system. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "atmos"
                 *     ]
                 */
                realm?: components["parameters"]["FilterRealm"];
                /**
                 * @description Variable. In native, cmip5, cordex and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "tas"
                 *     ]
                 */
                variable?: components["parameters"]["FilterVariable"];
                /**
                 * @description Ensemble member. In native, cordex and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "r1i1p1f1"
                 *     ]
                 */
                ensemble?: components["parameters"]["FilterEnsemble"];
                /**
                 * @description Kind of mean in time. In native, cmip6, cmip5, cordex, cmip7, cordex-cmip6 and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "mean"
                 *     ]
                 */
                time_aggregation?: components["parameters"]["FilterTimeAggregation"];
                /**
                 * @description Kind of storage. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "posix"
                 *     ]
                 */
                fs_type?: components["parameters"]["FilterFsType"];
                /**
                 * @description Label of the grid. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "gn"
                 *     ]
                 */
                grid_label?: components["parameters"]["FilterGridLabel"];
                /**
                 * @description Table of the variable in its project. In native, cmip5, cordex, nextgems and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "Amon"
                 *     ]
                 */
                cmor_table?: components["parameters"]["FilterCmorTable"];
                /**
                 * @description Driving model. In native, cmip6, cmip5, cordex, nextgems, cmip7 and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "MPI-M-MPI-ESM-LR"
                 *     ]
                 */
                driving_model?: components["parameters"]["FilterDrivingModel"];
                /**
                 * @description Format of the file. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "nc"
                 *     ]
                 */
                format?: components["parameters"]["FilterFormat"];
                /**
                 * @description Identifier of the grid. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "n320"
                 *     ]
                 */
                grid_id?: components["parameters"]["FilterGridId"];
                /**
                 * @description Kind of levels. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "2d"
                 *     ]
                 */
                level_type?: components["parameters"]["FilterLevelType"];
                /**
                 * @description Name of the regional model. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "CLMcom-CCLM4-8-17"
                 *     ]
                 */
                rcm_name?: components["parameters"]["FilterRcmName"];
                /**
                 * @description Version of the regional run. In native, cmip6, cmip5, cordex, nextgems, cmip7 and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "v1"
                 *     ]
                 */
                rcm_version?: components["parameters"]["FilterRcmVersion"];
                /**
                 * @description Region that the data cover, by its name. In native, cmip7 and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "glb"
                 *     ]
                 */
                region?: components["parameters"]["FilterRegion"];
                /**
                 * @description What was done to the variable in time and space, and where it is given. In native, cmip7 and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "tavg-h2m-hxy-u"
                 *     ]
                 */
                branding_suffix?: components["parameters"]["FilterBrandingSuffix"];
                /**
                 * @description Collection of the catalogue. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "sample"
                 *     ]
                 */
                dataset?: components["parameters"]["FilterDataset"];
                /**
                 * @description User who registered the data. In native and user. `!` before a value excludes it.
                 * @example [
                 *       "demo"
                 *     ]
                 */
                user?: components["parameters"]["FilterUser"];
                /**
                 * @description Project that the data were made for. In cmip6 and cmip7 (`project` in native). `!` before a value excludes it.
                 * @example [
                 *       "CMIP6"
                 *     ]
                 */
                mip_era?: components["parameters"]["FilterMipEra"];
                /**
                 * @description Product, activity or region. In cmip6 and cmip7 (`product` in native). `!` before a value excludes it.
                 * @example [
                 *       "CMIP"
                 *     ]
                 */
                activity_id?: components["parameters"]["FilterActivityId"];
                /**
                 * @description Institution that made the data. In cmip6, cmip5, nextgems, cmip7 and cordex-cmip6 (`institute` in native). `!` before a value excludes it.
                 * @example [
                 *       "MPI-M"
                 *     ]
                 */
                institution_id?: components["parameters"]["FilterInstitutionId"];
                /**
                 * @description Model, or source. In cmip6, nextgems, cmip7 and cordex-cmip6 (`model` in native). `!` before a value excludes it.
                 * @example [
                 *       "MPI-ESM1-2-LR"
                 *     ]
                 */
                source_id?: components["parameters"]["FilterSourceId"];
                /**
                 * @description Experiment or simulation. In cmip6 and cmip7 (`experiment` in native). Product, activity or region. In nextgems (`product` in native). `!` before a value excludes it.
                 * @example [
                 *       "historical"
                 *     ]
                 */
                experiment_id?: components["parameters"]["FilterExperimentId"];
                /**
                 * @description Frequency in time. In cmip6, cmip7 and cordex-cmip6 (`time_frequency` in native). `!` before a value excludes it.
                 * @example [
                 *       "mon"
                 *     ]
                 */
                frequency?: components["parameters"]["FilterFrequency"];
                /**
                 * @description Variable. In cmip6, nextgems, cmip7 and cordex-cmip6 (`variable` in native). `!` before a value excludes it.
                 * @example [
                 *       "tas"
                 *     ]
                 */
                variable_id?: components["parameters"]["FilterVariableId"];
                /**
                 * @description Ensemble member. In cmip6, cmip5 and nextgems (`ensemble` in native). `!` before a value excludes it.
                 * @example [
                 *       "r1i1p1f1"
                 *     ]
                 */
                member_id?: components["parameters"]["FilterMemberId"];
                /**
                 * @description Table of the variable in its project. In cmip6 (`cmor_table` in native). `!` before a value excludes it.
                 * @example [
                 *       "Amon"
                 *     ]
                 */
                table_id?: components["parameters"]["FilterTableId"];
                /**
                 * @description Model, or source. In cmip5 (`model` in native). `!` before a value excludes it.
                 * @example [
                 *       "MPI-ESM-LR"
                 *     ]
                 */
                model_id?: components["parameters"]["FilterModelId"];
                /**
                 * @description Product, activity or region. In cordex (`product` in native). `!` before a value excludes it.
                 * @example [
                 *       "EUR-11"
                 *     ]
                 */
                domain?: components["parameters"]["FilterDomain"];
                /**
                 * @description Institution that made the data. In cordex (`institute` in native). `!` before a value excludes it.
                 * @example [
                 *       "CLMcom"
                 *     ]
                 */
                institution?: components["parameters"]["FilterInstitution"];
                /**
                 * @description Experiment or simulation. In nextgems (`experiment` in native). `!` before a value excludes it.
                 * @example [
                 *       "ngc3028"
                 *     ]
                 */
                simulation_id?: components["parameters"]["FilterSimulationId"];
                /**
                 * @description Kind of mean in time. In nextgems (`time_aggregation` in native). `!` before a value excludes it.
                 * @example [
                 *       "mean"
                 *     ]
                 */
                time_reduction?: components["parameters"]["FilterTimeReduction"];
                /**
                 * @description Ensemble member. In cmip7 (`ensemble` in native). `!` before a value excludes it.
                 * @example [
                 *       "r1i1p1f1"
                 *     ]
                 */
                variant_label?: components["parameters"]["FilterVariantLabel"];
                /**
                 * @description Project that the data were made for. In cordex-cmip6 (`project` in native). `!` before a value excludes it.
                 * @example [
                 *       "CORDEX"
                 *     ]
                 */
                project_id?: components["parameters"]["FilterProjectId"];
                /**
                 * @description Product, activity or region. In cordex-cmip6 (`product` in native). `!` before a value excludes it.
                 * @example [
                 *       "EUR-11"
                 *     ]
                 */
                domain_id?: components["parameters"]["FilterDomainId"];
                /**
                 * @description Experiment or simulation. In cordex-cmip6 (`experiment` in native). `!` before a value excludes it.
                 * @example [
                 *       "historical"
                 *     ]
                 */
                driving_experiment_id?: components["parameters"]["FilterDrivingExperimentId"];
                /**
                 * @description Ensemble member. In cordex-cmip6 (`ensemble` in native). `!` before a value excludes it.
                 * @example [
                 *       "r1i1p1"
                 *     ]
                 */
                driving_variant_label?: components["parameters"]["FilterDrivingVariantLabel"];
                /**
                 * @description Driving model. In cordex-cmip6 (`driving_model` in native). `!` before a value excludes it.
                 * @example [
                 *       "MPI-M-MPI-ESM-LR"
                 *     ]
                 */
                driving_source_id?: components["parameters"]["FilterDrivingSourceId"];
                /**
                 * @description Version of the regional run. In cordex-cmip6 (`rcm_version` in native). `!` before a value excludes it.
                 * @example [
                 *       "v1"
                 *     ]
                 */
                version_realization?: components["parameters"]["FilterVersionRealization"];
                /**
                 * @description Path of the file, with regard to case. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "*\/tas_Amon_*"
                 *     ]
                 */
                file?: components["parameters"]["FilterFile"];
                /**
                 * @description URI of the file, with regard to case. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "*\/tas_Amon_*"
                 *     ]
                 */
                uri?: components["parameters"]["FilterUri"];
                /**
                 * @description Version of the data set. In every flavour with `multi-version=true` only. `!` before a value excludes it.
                 * @example [
                 *       "v20190710"
                 *     ]
                 */
                version?: components["parameters"]["FilterVersion"];
                /**
                 * @description Name of the dataset in its standard, without a version. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "CMIP6.CMIP.MPI-M.MPI-ESM1-2-LR.historical.r1i1p1f1.Amon.tas.gn"
                 *     ]
                 */
                dataset_id?: components["parameters"]["FilterDatasetId"];
                /**
                 * @description Checksum of the file with the name of its algorithm. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "sha256:f7ef24b424dd92e88740bcafd42df540202778f6d0c205bc32618c0eae377da2"
                 *     ]
                 */
                checksum?: components["parameters"]["FilterChecksum"];
                /**
                 * @description Identifier that the file was given when it was made. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "hdl:21.14100/3e8b0b0f-213c-54d3-808f-d41a77f9dc48"
                 *     ]
                 */
                tracking_id?: components["parameters"]["FilterTrackingId"];
                /**
                 * @description CF standard name of the variable. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "air_temperature"
                 *     ]
                 */
                standard_name?: components["parameters"]["FilterStandardName"];
                /**
                 * @description Name of the variable for people. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "Near-Surface Air Temperature"
                 *     ]
                 */
                long_name?: components["parameters"]["FilterLongName"];
                /**
                 * @description Units of the variable. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "K"
                 *     ]
                 */
                units?: components["parameters"]["FilterUnits"];
                /**
                 * @description Resolution of the grid, roughly. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "250 km"
                 *     ]
                 */
                nominal_resolution?: components["parameters"]["FilterNominalResolution"];
                /**
                 * @description Terms under which the data may be used. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "CC BY 4.0"
                 *     ]
                 */
                license?: components["parameters"]["FilterLicense"];
                /**
                 * @description Address of a page about the data. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "https://furtherinfo.es-doc.org/CMIP6.MPI-M.MPI-ESM1-2-LR.historical.none.r1i1p1f1"
                 *     ]
                 */
                further_info_url?: components["parameters"]["FilterFurtherInfoUrl"];
                /**
                 * @description Whether the data were withdrawn by those who made them: true or false. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "true"
                 *     ]
                 */
                retracted?: components["parameters"]["FilterRetracted"];
                /**
                 * @description Filters whose names have no parameter of their own here, each as `name=value`, such as
                 *     `experiment_id_not_=ssp*`: a facet of the flavour with `_not_` after its name excludes. The same can be written
                 *     as a query parameter, `?experiment_id_not_=ssp*`.
                 * @example [
                 *       "experiment_id_not_=ssp*"
                 *     ]
                 */
                filter?: components["parameters"]["Filter"];
            };
            header?: {
                /** @description The `ETag` of an answer that the client has kept. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description The flavour whose facet names are used: a DRS standard, one that is for all, or one of the caller's own, for which
                 *     the access token must be sent.
                 * @example cmip6
                 */
                flavour: components["parameters"]["InFlavour"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The years. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "total_count": 12,
                     *       "known_files": 10,
                     *       "first": 1850,
                     *       "last": 1859,
                     *       "years_per_bar": 5,
                     *       "bars": [
                     *         {
                     *           "first": 1850,
                     *           "last": 1854,
                     *           "files": 7
                     *         },
                     *         {
                     *           "first": 1855,
                     *           "last": 1859,
                     *           "files": 4
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Years"];
                };
            };
            /** @description The answer has not changed since the one with the given ETag. */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            422: components["responses"]["InvalidParameters"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["SearchUnavailable"];
        };
    };
    listDatasets: {
        parameters: {
            query?: {
                /** @description How many datasets to give at the most. */
                limit?: components["parameters"]["DatasetLimit"];
                /**
                 * @description The order of the datasets: `name`; `size`, the most bytes first; `newest`, those first whose files came into the index last;
                 *     `start`, those first whose files begin earliest. Datasets whose files do not say it come last, and those with the same value go
                 *     by name. By name, pages are exact whatever changes meanwhile; in other orders, a page begins behind as many datasets as came before it.
                 */
                sort?: components["parameters"]["DatasetSort"];
                /** @description Where a page begins, as the `after` of the page before says. */
                after?: components["parameters"]["AfterDataset"];
                /** @description Search every version of a data set, not only the newest one. */
                "multi-version"?: components["parameters"]["MultiVersion"];
                /**
                 * @description Use the flavour's facet names, in the query and in the answer. With `false` both use the native ones,
                 *     and `facet_mapping` tells how to translate them.
                 */
                translate?: components["parameters"]["Translate"];
                /**
                 * @description A period: `A to B`, `A to`, `to B`, `[A TO B]` or `A`, with ISO 8601 dates that may be truncated (`2000`,
                 *     `2000-03`, `2000-03-01T06`); without a time zone they are UTC. A truncated end reaches to the end of
                 *     its unit. Years beyond 9999 or before 0 have a sign or five digits (`-20000 to -19000`, `12000`); year 0 is 1 BC.
                 *     `not ` or `!` before it excludes. Constant data overlap and cover every period; `fx` means them alone.
                 */
                time?: components["parameters"]["Time"];
                /**
                 * @description How data relate to `time`: `flexible` overlap the period, `strict` lie wholly inside it, `file` cover
                 *     the whole period alone.
                 */
                time_select?: components["parameters"]["TimeSelect"];
                /**
                 * @description A region, `min_lon,max_lon,min_lat,max_lat` in degrees, longitudes from -180 to 360. With min_lon > max_lon
                 *     it crosses the antimeridian. `not ` or `!` before it excludes.
                 */
                bbox?: components["parameters"]["Bbox"];
                /**
                 * @description How data relate to `bbox`: `flexible` overlap the region, `strict` lie wholly inside it, `file` cover
                 *     the whole region alone.
                 */
                bbox_select?: components["parameters"]["BboxSelect"];
                /**
                 * @description Project that the data were made for. In native, cmip5, cordex, nextgems and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "CMIP6"
                 *     ]
                 */
                project?: components["parameters"]["FilterProject"];
                /**
                 * @description Product, activity or region. In native, cmip5 and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "CMIP"
                 *     ]
                 */
                product?: components["parameters"]["FilterProduct"];
                /**
                 * @description Institution that made the data. In native and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "MPI-M"
                 *     ]
                 */
                institute?: components["parameters"]["FilterInstitute"];
                /**
                 * @description Model, or source. In native, cordex and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "MPI-ESM1-2-LR"
                 *     ]
                 */
                model?: components["parameters"]["FilterModel"];
                /**
                 * @description Experiment or simulation. In native, cmip5, cordex and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "historical"
                 *     ]
                 */
                experiment?: components["parameters"]["FilterExperiment"];
                /**
                 * @description Frequency in time. In native, cmip5, cordex, nextgems and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "mon"
                 *     ]
                 */
                time_frequency?: components["parameters"]["FilterTimeFrequency"];
                /**
                 * @description Part of the climate system. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "atmos"
                 *     ]
                 */
                realm?: components["parameters"]["FilterRealm"];
                /**
                 * @description Variable. In native, cmip5, cordex and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "tas"
                 *     ]
                 */
                variable?: components["parameters"]["FilterVariable"];
                /**
                 * @description Ensemble member. In native, cordex and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "r1i1p1f1"
                 *     ]
                 */
                ensemble?: components["parameters"]["FilterEnsemble"];
                /**
                 * @description Kind of mean in time. In native, cmip6, cmip5, cordex, cmip7, cordex-cmip6 and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "mean"
                 *     ]
                 */
                time_aggregation?: components["parameters"]["FilterTimeAggregation"];
                /**
                 * @description Kind of storage. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "posix"
                 *     ]
                 */
                fs_type?: components["parameters"]["FilterFsType"];
                /**
                 * @description Label of the grid. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "gn"
                 *     ]
                 */
                grid_label?: components["parameters"]["FilterGridLabel"];
                /**
                 * @description Table of the variable in its project. In native, cmip5, cordex, nextgems and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "Amon"
                 *     ]
                 */
                cmor_table?: components["parameters"]["FilterCmorTable"];
                /**
                 * @description Driving model. In native, cmip6, cmip5, cordex, nextgems, cmip7 and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "MPI-M-MPI-ESM-LR"
                 *     ]
                 */
                driving_model?: components["parameters"]["FilterDrivingModel"];
                /**
                 * @description Format of the file. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "nc"
                 *     ]
                 */
                format?: components["parameters"]["FilterFormat"];
                /**
                 * @description Identifier of the grid. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "n320"
                 *     ]
                 */
                grid_id?: components["parameters"]["FilterGridId"];
                /**
                 * @description Kind of levels. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "2d"
                 *     ]
                 */
                level_type?: components["parameters"]["FilterLevelType"];
                /**
                 * @description Name of the regional model. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "CLMcom-CCLM4-8-17"
                 *     ]
                 */
                rcm_name?: components["parameters"]["FilterRcmName"];
                /**
                 * @description Version of the regional run. In native, cmip6, cmip5, cordex, nextgems, cmip7 and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "v1"
                 *     ]
                 */
                rcm_version?: components["parameters"]["FilterRcmVersion"];
                /**
                 * @description Region that the data cover, by its name. In native, cmip7 and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "glb"
                 *     ]
                 */
                region?: components["parameters"]["FilterRegion"];
                /**
                 * @description What was done to the variable in time and space, and where it is given. In native, cmip7 and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "tavg-h2m-hxy-u"
                 *     ]
                 */
                branding_suffix?: components["parameters"]["FilterBrandingSuffix"];
                /**
                 * @description Collection of the catalogue. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "sample"
                 *     ]
                 */
                dataset?: components["parameters"]["FilterDataset"];
                /**
                 * @description User who registered the data. In native and user. `!` before a value excludes it.
                 * @example [
                 *       "demo"
                 *     ]
                 */
                user?: components["parameters"]["FilterUser"];
                /**
                 * @description Project that the data were made for. In cmip6 and cmip7 (`project` in native). `!` before a value excludes it.
                 * @example [
                 *       "CMIP6"
                 *     ]
                 */
                mip_era?: components["parameters"]["FilterMipEra"];
                /**
                 * @description Product, activity or region. In cmip6 and cmip7 (`product` in native). `!` before a value excludes it.
                 * @example [
                 *       "CMIP"
                 *     ]
                 */
                activity_id?: components["parameters"]["FilterActivityId"];
                /**
                 * @description Institution that made the data. In cmip6, cmip5, nextgems, cmip7 and cordex-cmip6 (`institute` in native). `!` before a value excludes it.
                 * @example [
                 *       "MPI-M"
                 *     ]
                 */
                institution_id?: components["parameters"]["FilterInstitutionId"];
                /**
                 * @description Model, or source. In cmip6, nextgems, cmip7 and cordex-cmip6 (`model` in native). `!` before a value excludes it.
                 * @example [
                 *       "MPI-ESM1-2-LR"
                 *     ]
                 */
                source_id?: components["parameters"]["FilterSourceId"];
                /**
                 * @description Experiment or simulation. In cmip6 and cmip7 (`experiment` in native). Product, activity or region. In nextgems (`product` in native). `!` before a value excludes it.
                 * @example [
                 *       "historical"
                 *     ]
                 */
                experiment_id?: components["parameters"]["FilterExperimentId"];
                /**
                 * @description Frequency in time. In cmip6, cmip7 and cordex-cmip6 (`time_frequency` in native). `!` before a value excludes it.
                 * @example [
                 *       "mon"
                 *     ]
                 */
                frequency?: components["parameters"]["FilterFrequency"];
                /**
                 * @description Variable. In cmip6, nextgems, cmip7 and cordex-cmip6 (`variable` in native). `!` before a value excludes it.
                 * @example [
                 *       "tas"
                 *     ]
                 */
                variable_id?: components["parameters"]["FilterVariableId"];
                /**
                 * @description Ensemble member. In cmip6, cmip5 and nextgems (`ensemble` in native). `!` before a value excludes it.
                 * @example [
                 *       "r1i1p1f1"
                 *     ]
                 */
                member_id?: components["parameters"]["FilterMemberId"];
                /**
                 * @description Table of the variable in its project. In cmip6 (`cmor_table` in native). `!` before a value excludes it.
                 * @example [
                 *       "Amon"
                 *     ]
                 */
                table_id?: components["parameters"]["FilterTableId"];
                /**
                 * @description Model, or source. In cmip5 (`model` in native). `!` before a value excludes it.
                 * @example [
                 *       "MPI-ESM-LR"
                 *     ]
                 */
                model_id?: components["parameters"]["FilterModelId"];
                /**
                 * @description Product, activity or region. In cordex (`product` in native). `!` before a value excludes it.
                 * @example [
                 *       "EUR-11"
                 *     ]
                 */
                domain?: components["parameters"]["FilterDomain"];
                /**
                 * @description Institution that made the data. In cordex (`institute` in native). `!` before a value excludes it.
                 * @example [
                 *       "CLMcom"
                 *     ]
                 */
                institution?: components["parameters"]["FilterInstitution"];
                /**
                 * @description Experiment or simulation. In nextgems (`experiment` in native). `!` before a value excludes it.
                 * @example [
                 *       "ngc3028"
                 *     ]
                 */
                simulation_id?: components["parameters"]["FilterSimulationId"];
                /**
                 * @description Kind of mean in time. In nextgems (`time_aggregation` in native). `!` before a value excludes it.
                 * @example [
                 *       "mean"
                 *     ]
                 */
                time_reduction?: components["parameters"]["FilterTimeReduction"];
                /**
                 * @description Ensemble member. In cmip7 (`ensemble` in native). `!` before a value excludes it.
                 * @example [
                 *       "r1i1p1f1"
                 *     ]
                 */
                variant_label?: components["parameters"]["FilterVariantLabel"];
                /**
                 * @description Project that the data were made for. In cordex-cmip6 (`project` in native). `!` before a value excludes it.
                 * @example [
                 *       "CORDEX"
                 *     ]
                 */
                project_id?: components["parameters"]["FilterProjectId"];
                /**
                 * @description Product, activity or region. In cordex-cmip6 (`product` in native). `!` before a value excludes it.
                 * @example [
                 *       "EUR-11"
                 *     ]
                 */
                domain_id?: components["parameters"]["FilterDomainId"];
                /**
                 * @description Experiment or simulation. In cordex-cmip6 (`experiment` in native). `!` before a value excludes it.
                 * @example [
                 *       "historical"
                 *     ]
                 */
                driving_experiment_id?: components["parameters"]["FilterDrivingExperimentId"];
                /**
                 * @description Ensemble member. In cordex-cmip6 (`ensemble` in native). `!` before a value excludes it.
                 * @example [
                 *       "r1i1p1"
                 *     ]
                 */
                driving_variant_label?: components["parameters"]["FilterDrivingVariantLabel"];
                /**
                 * @description Driving model. In cordex-cmip6 (`driving_model` in native). `!` before a value excludes it.
                 * @example [
                 *       "MPI-M-MPI-ESM-LR"
                 *     ]
                 */
                driving_source_id?: components["parameters"]["FilterDrivingSourceId"];
                /**
                 * @description Version of the regional run. In cordex-cmip6 (`rcm_version` in native). `!` before a value excludes it.
                 * @example [
                 *       "v1"
                 *     ]
                 */
                version_realization?: components["parameters"]["FilterVersionRealization"];
                /**
                 * @description Path of the file, with regard to case. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "*\/tas_Amon_*"
                 *     ]
                 */
                file?: components["parameters"]["FilterFile"];
                /**
                 * @description URI of the file, with regard to case. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "*\/tas_Amon_*"
                 *     ]
                 */
                uri?: components["parameters"]["FilterUri"];
                /**
                 * @description Version of the data set. In every flavour with `multi-version=true` only. `!` before a value excludes it.
                 * @example [
                 *       "v20190710"
                 *     ]
                 */
                version?: components["parameters"]["FilterVersion"];
                /**
                 * @description Name of the dataset in its standard, without a version. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "CMIP6.CMIP.MPI-M.MPI-ESM1-2-LR.historical.r1i1p1f1.Amon.tas.gn"
                 *     ]
                 */
                dataset_id?: components["parameters"]["FilterDatasetId"];
                /**
                 * @description Checksum of the file with the name of its algorithm. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "sha256:f7ef24b424dd92e88740bcafd42df540202778f6d0c205bc32618c0eae377da2"
                 *     ]
                 */
                checksum?: components["parameters"]["FilterChecksum"];
                /**
                 * @description Identifier that the file was given when it was made. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "hdl:21.14100/3e8b0b0f-213c-54d3-808f-d41a77f9dc48"
                 *     ]
                 */
                tracking_id?: components["parameters"]["FilterTrackingId"];
                /**
                 * @description CF standard name of the variable. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "air_temperature"
                 *     ]
                 */
                standard_name?: components["parameters"]["FilterStandardName"];
                /**
                 * @description Name of the variable for people. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "Near-Surface Air Temperature"
                 *     ]
                 */
                long_name?: components["parameters"]["FilterLongName"];
                /**
                 * @description Units of the variable. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "K"
                 *     ]
                 */
                units?: components["parameters"]["FilterUnits"];
                /**
                 * @description Resolution of the grid, roughly. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "250 km"
                 *     ]
                 */
                nominal_resolution?: components["parameters"]["FilterNominalResolution"];
                /**
                 * @description Terms under which the data may be used. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "CC BY 4.0"
                 *     ]
                 */
                license?: components["parameters"]["FilterLicense"];
                /**
                 * @description Address of a page about the data. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "https://furtherinfo.es-doc.org/CMIP6.MPI-M.MPI-ESM1-2-LR.historical.none.r1i1p1f1"
                 *     ]
                 */
                further_info_url?: components["parameters"]["FilterFurtherInfoUrl"];
                /**
                 * @description Whether the data were withdrawn by those who made them: true or false. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "true"
                 *     ]
                 */
                retracted?: components["parameters"]["FilterRetracted"];
                /**
                 * @description Filters whose names have no parameter of their own here, each as `name=value`, such as
                 *     `experiment_id_not_=ssp*`: a facet of the flavour with `_not_` after its name excludes. The same can be written
                 *     as a query parameter, `?experiment_id_not_=ssp*`.
                 * @example [
                 *       "experiment_id_not_=ssp*"
                 *     ]
                 */
                filter?: components["parameters"]["Filter"];
            };
            header?: {
                /** @description The `ETag` of an answer that the client has kept. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description The flavour whose facet names are used: a DRS standard, one that is for all, or one of the caller's own, for which
                 *     the access token must be sent.
                 * @example cmip6
                 */
                flavour: components["parameters"]["InFlavour"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The page. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "total_count": 2,
                     *       "dataset_count": 1,
                     *       "unnamed_files": 0,
                     *       "datasets": [
                     *         {
                     *           "dataset_id": "CMIP6.CMIP.MPI-M.MPI-ESM1-2-LR.historical.r1i1p1f1.Amon.tas.gn",
                     *           "files": 2,
                     *           "bytes": 168044,
                     *           "sized_files": 2,
                     *           "retracted": 0,
                     *           "versions": [
                     *             {
                     *               "version": "v20190710",
                     *               "files": 2,
                     *               "retracted": 0
                     *             }
                     *           ],
                     *           "version_count": 1,
                     *           "start": "1985-01-01T00:00:00Z",
                     *           "end": "1994-12-31T23:59:59Z",
                     *           "dated_files": 2,
                     *           "periods": [
                     *             {
                     *               "start": "1985-01-01T00:00:00Z",
                     *               "end": "1994-12-31T23:59:59Z"
                     *             }
                     *           ],
                     *           "period_count": 1,
                     *           "gaps": [],
                     *           "overlaps": [],
                     *           "overlap_count": 0,
                     *           "formats": [
                     *             {
                     *               "format": "nc",
                     *               "files": 2
                     *             }
                     *           ],
                     *           "storage": [
                     *             {
                     *               "fs_type": "posix",
                     *               "files": 2,
                     *               "bytes": 168044,
                     *               "sized_files": 2
                     *             }
                     *           ],
                     *           "facets": {
                     *             "mip_era": "CMIP6",
                     *             "variable_id": "tas"
                     *           },
                     *           "boxes": [
                     *             {
                     *               "west": -180,
                     *               "east": 180,
                     *               "south": -90,
                     *               "north": 90
                     *             }
                     *           ],
                     *           "box_count": 1,
                     *           "example": {
                     *             "file": "/pool/data/CMIP6/tas_Amon_1.nc"
                     *           }
                     *         }
                     *       ],
                     *       "after": null,
                     *       "next": null
                     *     }
                     */
                    "application/json": components["schemas"]["Datasets"];
                };
            };
            /** @description The answer has not changed since the one with the given ETag. */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            413: components["responses"]["TooManyResults"];
            422: components["responses"]["InvalidParameters"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["SearchUnavailable"];
        };
    };
    findComplete: {
        parameters: {
            query?: {
                /**
                 * @description One to four facets by their names in the flavour, several times or separated by commas: files with the same values of
                 *     them are a group. Together with `need`, or alone, which means the same as `require_all_on`.
                 */
                group_by?: components["parameters"]["GroupBy"];
                /**
                 * @description What each group must have, of `group_by`; up to 50 times. `variable_id:areacella;table_id:fx;on=source_id` asks for a
                 *     file with both values. A name that is given again in it means any of its values; details that are texts have values,
                 *     too. With `on=`, names of `group_by` separated by commas, the file need only be of the same values of these. With
                 *     `from=` and `to=` (dates, as in `time`) files that meet the need must cover the period without a gap. Before `;`,
                 *     `:`, `*`, `?` and `\`, `\` takes the character literally; there are no wildcards.
                 */
                need?: components["parameters"]["Need"];
                /**
                 * @description What intake-esm calls so, in the place of `group_by` and `need`: groups of files with the same values of these facets
                 *     that have every combination of the values which the other keys of the search include. Values with wildcards,
                 *     excluded ones, periods and regions only filter. Up to 1,000 combinations.
                 */
                require_all_on?: components["parameters"]["RequireAllOn"];
                /** @description How many of the groups that are not complete are told, those first that lack the least. */
                near?: components["parameters"]["Near"];
                /** @description Search every version of a data set, not only the newest one. */
                "multi-version"?: components["parameters"]["MultiVersion"];
                /**
                 * @description Use the flavour's facet names, in the query and in the answer. With `false` both use the native ones,
                 *     and `facet_mapping` tells how to translate them.
                 */
                translate?: components["parameters"]["Translate"];
                /**
                 * @description A period: `A to B`, `A to`, `to B`, `[A TO B]` or `A`, with ISO 8601 dates that may be truncated (`2000`,
                 *     `2000-03`, `2000-03-01T06`); without a time zone they are UTC. A truncated end reaches to the end of
                 *     its unit. Years beyond 9999 or before 0 have a sign or five digits (`-20000 to -19000`, `12000`); year 0 is 1 BC.
                 *     `not ` or `!` before it excludes. Constant data overlap and cover every period; `fx` means them alone.
                 */
                time?: components["parameters"]["Time"];
                /**
                 * @description How data relate to `time`: `flexible` overlap the period, `strict` lie wholly inside it, `file` cover
                 *     the whole period alone.
                 */
                time_select?: components["parameters"]["TimeSelect"];
                /**
                 * @description A region, `min_lon,max_lon,min_lat,max_lat` in degrees, longitudes from -180 to 360. With min_lon > max_lon
                 *     it crosses the antimeridian. `not ` or `!` before it excludes.
                 */
                bbox?: components["parameters"]["Bbox"];
                /**
                 * @description How data relate to `bbox`: `flexible` overlap the region, `strict` lie wholly inside it, `file` cover
                 *     the whole region alone.
                 */
                bbox_select?: components["parameters"]["BboxSelect"];
                /**
                 * @description Project that the data were made for. In native, cmip5, cordex, nextgems and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "CMIP6"
                 *     ]
                 */
                project?: components["parameters"]["FilterProject"];
                /**
                 * @description Product, activity or region. In native, cmip5 and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "CMIP"
                 *     ]
                 */
                product?: components["parameters"]["FilterProduct"];
                /**
                 * @description Institution that made the data. In native and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "MPI-M"
                 *     ]
                 */
                institute?: components["parameters"]["FilterInstitute"];
                /**
                 * @description Model, or source. In native, cordex and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "MPI-ESM1-2-LR"
                 *     ]
                 */
                model?: components["parameters"]["FilterModel"];
                /**
                 * @description Experiment or simulation. In native, cmip5, cordex and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "historical"
                 *     ]
                 */
                experiment?: components["parameters"]["FilterExperiment"];
                /**
                 * @description Frequency in time. In native, cmip5, cordex, nextgems and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "mon"
                 *     ]
                 */
                time_frequency?: components["parameters"]["FilterTimeFrequency"];
                /**
                 * @description Part of the climate system. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "atmos"
                 *     ]
                 */
                realm?: components["parameters"]["FilterRealm"];
                /**
                 * @description Variable. In native, cmip5, cordex and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "tas"
                 *     ]
                 */
                variable?: components["parameters"]["FilterVariable"];
                /**
                 * @description Ensemble member. In native, cordex and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "r1i1p1f1"
                 *     ]
                 */
                ensemble?: components["parameters"]["FilterEnsemble"];
                /**
                 * @description Kind of mean in time. In native, cmip6, cmip5, cordex, cmip7, cordex-cmip6 and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "mean"
                 *     ]
                 */
                time_aggregation?: components["parameters"]["FilterTimeAggregation"];
                /**
                 * @description Kind of storage. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "posix"
                 *     ]
                 */
                fs_type?: components["parameters"]["FilterFsType"];
                /**
                 * @description Label of the grid. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "gn"
                 *     ]
                 */
                grid_label?: components["parameters"]["FilterGridLabel"];
                /**
                 * @description Table of the variable in its project. In native, cmip5, cordex, nextgems and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "Amon"
                 *     ]
                 */
                cmor_table?: components["parameters"]["FilterCmorTable"];
                /**
                 * @description Driving model. In native, cmip6, cmip5, cordex, nextgems, cmip7 and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "MPI-M-MPI-ESM-LR"
                 *     ]
                 */
                driving_model?: components["parameters"]["FilterDrivingModel"];
                /**
                 * @description Format of the file. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "nc"
                 *     ]
                 */
                format?: components["parameters"]["FilterFormat"];
                /**
                 * @description Identifier of the grid. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "n320"
                 *     ]
                 */
                grid_id?: components["parameters"]["FilterGridId"];
                /**
                 * @description Kind of levels. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "2d"
                 *     ]
                 */
                level_type?: components["parameters"]["FilterLevelType"];
                /**
                 * @description Name of the regional model. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "CLMcom-CCLM4-8-17"
                 *     ]
                 */
                rcm_name?: components["parameters"]["FilterRcmName"];
                /**
                 * @description Version of the regional run. In native, cmip6, cmip5, cordex, nextgems, cmip7 and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "v1"
                 *     ]
                 */
                rcm_version?: components["parameters"]["FilterRcmVersion"];
                /**
                 * @description Region that the data cover, by its name. In native, cmip7 and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "glb"
                 *     ]
                 */
                region?: components["parameters"]["FilterRegion"];
                /**
                 * @description What was done to the variable in time and space, and where it is given. In native, cmip7 and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "tavg-h2m-hxy-u"
                 *     ]
                 */
                branding_suffix?: components["parameters"]["FilterBrandingSuffix"];
                /**
                 * @description Collection of the catalogue. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "sample"
                 *     ]
                 */
                dataset?: components["parameters"]["FilterDataset"];
                /**
                 * @description User who registered the data. In native and user. `!` before a value excludes it.
                 * @example [
                 *       "demo"
                 *     ]
                 */
                user?: components["parameters"]["FilterUser"];
                /**
                 * @description Project that the data were made for. In cmip6 and cmip7 (`project` in native). `!` before a value excludes it.
                 * @example [
                 *       "CMIP6"
                 *     ]
                 */
                mip_era?: components["parameters"]["FilterMipEra"];
                /**
                 * @description Product, activity or region. In cmip6 and cmip7 (`product` in native). `!` before a value excludes it.
                 * @example [
                 *       "CMIP"
                 *     ]
                 */
                activity_id?: components["parameters"]["FilterActivityId"];
                /**
                 * @description Institution that made the data. In cmip6, cmip5, nextgems, cmip7 and cordex-cmip6 (`institute` in native). `!` before a value excludes it.
                 * @example [
                 *       "MPI-M"
                 *     ]
                 */
                institution_id?: components["parameters"]["FilterInstitutionId"];
                /**
                 * @description Model, or source. In cmip6, nextgems, cmip7 and cordex-cmip6 (`model` in native). `!` before a value excludes it.
                 * @example [
                 *       "MPI-ESM1-2-LR"
                 *     ]
                 */
                source_id?: components["parameters"]["FilterSourceId"];
                /**
                 * @description Experiment or simulation. In cmip6 and cmip7 (`experiment` in native). Product, activity or region. In nextgems (`product` in native). `!` before a value excludes it.
                 * @example [
                 *       "historical"
                 *     ]
                 */
                experiment_id?: components["parameters"]["FilterExperimentId"];
                /**
                 * @description Frequency in time. In cmip6, cmip7 and cordex-cmip6 (`time_frequency` in native). `!` before a value excludes it.
                 * @example [
                 *       "mon"
                 *     ]
                 */
                frequency?: components["parameters"]["FilterFrequency"];
                /**
                 * @description Variable. In cmip6, nextgems, cmip7 and cordex-cmip6 (`variable` in native). `!` before a value excludes it.
                 * @example [
                 *       "tas"
                 *     ]
                 */
                variable_id?: components["parameters"]["FilterVariableId"];
                /**
                 * @description Ensemble member. In cmip6, cmip5 and nextgems (`ensemble` in native). `!` before a value excludes it.
                 * @example [
                 *       "r1i1p1f1"
                 *     ]
                 */
                member_id?: components["parameters"]["FilterMemberId"];
                /**
                 * @description Table of the variable in its project. In cmip6 (`cmor_table` in native). `!` before a value excludes it.
                 * @example [
                 *       "Amon"
                 *     ]
                 */
                table_id?: components["parameters"]["FilterTableId"];
                /**
                 * @description Model, or source. In cmip5 (`model` in native). `!` before a value excludes it.
                 * @example [
                 *       "MPI-ESM-LR"
                 *     ]
                 */
                model_id?: components["parameters"]["FilterModelId"];
                /**
                 * @description Product, activity or region. In cordex (`product` in native). `!` before a value excludes it.
                 * @example [
                 *       "EUR-11"
                 *     ]
                 */
                domain?: components["parameters"]["FilterDomain"];
                /**
                 * @description Institution that made the data. In cordex (`institute` in native). `!` before a value excludes it.
                 * @example [
                 *       "CLMcom"
                 *     ]
                 */
                institution?: components["parameters"]["FilterInstitution"];
                /**
                 * @description Experiment or simulation. In nextgems (`experiment` in native). `!` before a value excludes it.
                 * @example [
                 *       "ngc3028"
                 *     ]
                 */
                simulation_id?: components["parameters"]["FilterSimulationId"];
                /**
                 * @description Kind of mean in time. In nextgems (`time_aggregation` in native). `!` before a value excludes it.
                 * @example [
                 *       "mean"
                 *     ]
                 */
                time_reduction?: components["parameters"]["FilterTimeReduction"];
                /**
                 * @description Ensemble member. In cmip7 (`ensemble` in native). `!` before a value excludes it.
                 * @example [
                 *       "r1i1p1f1"
                 *     ]
                 */
                variant_label?: components["parameters"]["FilterVariantLabel"];
                /**
                 * @description Project that the data were made for. In cordex-cmip6 (`project` in native). `!` before a value excludes it.
                 * @example [
                 *       "CORDEX"
                 *     ]
                 */
                project_id?: components["parameters"]["FilterProjectId"];
                /**
                 * @description Product, activity or region. In cordex-cmip6 (`product` in native). `!` before a value excludes it.
                 * @example [
                 *       "EUR-11"
                 *     ]
                 */
                domain_id?: components["parameters"]["FilterDomainId"];
                /**
                 * @description Experiment or simulation. In cordex-cmip6 (`experiment` in native). `!` before a value excludes it.
                 * @example [
                 *       "historical"
                 *     ]
                 */
                driving_experiment_id?: components["parameters"]["FilterDrivingExperimentId"];
                /**
                 * @description Ensemble member. In cordex-cmip6 (`ensemble` in native). `!` before a value excludes it.
                 * @example [
                 *       "r1i1p1"
                 *     ]
                 */
                driving_variant_label?: components["parameters"]["FilterDrivingVariantLabel"];
                /**
                 * @description Driving model. In cordex-cmip6 (`driving_model` in native). `!` before a value excludes it.
                 * @example [
                 *       "MPI-M-MPI-ESM-LR"
                 *     ]
                 */
                driving_source_id?: components["parameters"]["FilterDrivingSourceId"];
                /**
                 * @description Version of the regional run. In cordex-cmip6 (`rcm_version` in native). `!` before a value excludes it.
                 * @example [
                 *       "v1"
                 *     ]
                 */
                version_realization?: components["parameters"]["FilterVersionRealization"];
                /**
                 * @description Path of the file, with regard to case. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "*\/tas_Amon_*"
                 *     ]
                 */
                file?: components["parameters"]["FilterFile"];
                /**
                 * @description URI of the file, with regard to case. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "*\/tas_Amon_*"
                 *     ]
                 */
                uri?: components["parameters"]["FilterUri"];
                /**
                 * @description Version of the data set. In every flavour with `multi-version=true` only. `!` before a value excludes it.
                 * @example [
                 *       "v20190710"
                 *     ]
                 */
                version?: components["parameters"]["FilterVersion"];
                /**
                 * @description Name of the dataset in its standard, without a version. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "CMIP6.CMIP.MPI-M.MPI-ESM1-2-LR.historical.r1i1p1f1.Amon.tas.gn"
                 *     ]
                 */
                dataset_id?: components["parameters"]["FilterDatasetId"];
                /**
                 * @description Checksum of the file with the name of its algorithm. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "sha256:f7ef24b424dd92e88740bcafd42df540202778f6d0c205bc32618c0eae377da2"
                 *     ]
                 */
                checksum?: components["parameters"]["FilterChecksum"];
                /**
                 * @description Identifier that the file was given when it was made. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "hdl:21.14100/3e8b0b0f-213c-54d3-808f-d41a77f9dc48"
                 *     ]
                 */
                tracking_id?: components["parameters"]["FilterTrackingId"];
                /**
                 * @description CF standard name of the variable. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "air_temperature"
                 *     ]
                 */
                standard_name?: components["parameters"]["FilterStandardName"];
                /**
                 * @description Name of the variable for people. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "Near-Surface Air Temperature"
                 *     ]
                 */
                long_name?: components["parameters"]["FilterLongName"];
                /**
                 * @description Units of the variable. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "K"
                 *     ]
                 */
                units?: components["parameters"]["FilterUnits"];
                /**
                 * @description Resolution of the grid, roughly. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "250 km"
                 *     ]
                 */
                nominal_resolution?: components["parameters"]["FilterNominalResolution"];
                /**
                 * @description Terms under which the data may be used. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "CC BY 4.0"
                 *     ]
                 */
                license?: components["parameters"]["FilterLicense"];
                /**
                 * @description Address of a page about the data. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "https://furtherinfo.es-doc.org/CMIP6.MPI-M.MPI-ESM1-2-LR.historical.none.r1i1p1f1"
                 *     ]
                 */
                further_info_url?: components["parameters"]["FilterFurtherInfoUrl"];
                /**
                 * @description Whether the data were withdrawn by those who made them: true or false. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "true"
                 *     ]
                 */
                retracted?: components["parameters"]["FilterRetracted"];
                /**
                 * @description Filters whose names have no parameter of their own here, each as `name=value`, such as
                 *     `experiment_id_not_=ssp*`: a facet of the flavour with `_not_` after its name excludes. The same can be written
                 *     as a query parameter, `?experiment_id_not_=ssp*`.
                 * @example [
                 *       "experiment_id_not_=ssp*"
                 *     ]
                 */
                filter?: components["parameters"]["Filter"];
            };
            header?: {
                /** @description The `ETag` of an answer that the client has kept. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description The flavour whose facet names are used: a DRS standard, one that is for all, or one of the caller's own, for which
                 *     the access token must be sent.
                 * @example cmip6
                 */
                flavour: components["parameters"]["InFlavour"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The groups. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "group_by": [
                     *         "source_id"
                     *       ],
                     *       "needs": [
                     *         {
                     *           "need": "variable_id:tas;table_id:Amon;from=1985;to=1999",
                     *           "on": [
                     *             "source_id"
                     *           ],
                     *           "from": "1985",
                     *           "to": "1999"
                     *         },
                     *         {
                     *           "need": "variable_id:areacella;table_id:fx",
                     *           "on": [
                     *             "source_id"
                     *           ]
                     *         }
                     *       ],
                     *       "group_count": 2,
                     *       "complete_count": 1,
                     *       "complete": [
                     *         {
                     *           "source_id": "mpi-esm1-2-lr"
                     *         }
                     *       ],
                     *       "near_misses": [
                     *         {
                     *           "group": {
                     *             "source_id": "ukesm1-0-ll"
                     *           },
                     *           "missing": [
                     *             {
                     *               "need": 0,
                     *               "gaps": [
                     *                 {
                     *                   "from": "1990-01-01T00:00:00Z",
                     *                   "to": "1994-12-31T23:59:59Z"
                     *                 }
                     *               ]
                     *             }
                     *           ]
                     *         }
                     *       ],
                     *       "links": {
                     *         "path_list": "https://data.example.org/api/climate-nextgen/databrowser/data-search/cmip6/file?group_by=source_id&need=variable_id%3Atas",
                     *         "intake_catalogue": "https://data.example.org/api/climate-nextgen/databrowser/intake-catalogue/cmip6/file?group_by=source_id&need=variable_id%3Atas",
                     *         "stac_archive": "https://data.example.org/api/climate-nextgen/databrowser/stac-catalogue/cmip6/file?group_by=source_id&need=variable_id%3Atas"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Complete"];
                };
            };
            /** @description The answer has not changed since the one with the given ETag. */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            413: components["responses"]["TooManyResults"];
            422: components["responses"]["InvalidParameters"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["SearchUnavailable"];
        };
    };
    searchExtended: {
        parameters: {
            query?: {
                /**
                 * @description What is told of each document: facets by their names in the flavour, `file`, `uri`, `version`, `time`, `bbox` and details
                 *     such as `size`, `dataset_id` or `checksum`; several times or separated by commas. `*` and `all` mean the location and the
                 *     facets of the flavour, as does leaving it out.
                 * @example [
                 *       "file",
                 *       "variable_id",
                 *       "time",
                 *       "size"
                 *     ]
                 */
                fields?: components["parameters"]["Fields"];
                /** @description The facets to count, as a metadata search takes them; none where it is left out. Not with CSV and Parquet. */
                facets?: components["parameters"]["PageFacets"];
                /**
                 * @description How many documents to give at the most: of a page 100 where it is left out, and never more than 10,000; of CSV and Parquet
                 *     all.
                 */
                limit?: components["parameters"]["PageLimit"];
                /** @description Where a page begins, as the `after` of the page before says. Not with CSV and Parquet. */
                after?: components["parameters"]["After"];
                /** @description Search every version of a data set, not only the newest one. */
                "multi-version"?: components["parameters"]["MultiVersion"];
                /**
                 * @description Use the flavour's facet names, in the query and in the answer. With `false` both use the native ones,
                 *     and `facet_mapping` tells how to translate them.
                 */
                translate?: components["parameters"]["Translate"];
                /**
                 * @description A period: `A to B`, `A to`, `to B`, `[A TO B]` or `A`, with ISO 8601 dates that may be truncated (`2000`,
                 *     `2000-03`, `2000-03-01T06`); without a time zone they are UTC. A truncated end reaches to the end of
                 *     its unit. Years beyond 9999 or before 0 have a sign or five digits (`-20000 to -19000`, `12000`); year 0 is 1 BC.
                 *     `not ` or `!` before it excludes. Constant data overlap and cover every period; `fx` means them alone.
                 */
                time?: components["parameters"]["Time"];
                /**
                 * @description How data relate to `time`: `flexible` overlap the period, `strict` lie wholly inside it, `file` cover
                 *     the whole period alone.
                 */
                time_select?: components["parameters"]["TimeSelect"];
                /**
                 * @description A region, `min_lon,max_lon,min_lat,max_lat` in degrees, longitudes from -180 to 360. With min_lon > max_lon
                 *     it crosses the antimeridian. `not ` or `!` before it excludes.
                 */
                bbox?: components["parameters"]["Bbox"];
                /**
                 * @description How data relate to `bbox`: `flexible` overlap the region, `strict` lie wholly inside it, `file` cover
                 *     the whole region alone.
                 */
                bbox_select?: components["parameters"]["BboxSelect"];
                /**
                 * @description One to four facets by their names in the flavour, several times or separated by commas: files with the same values of
                 *     them are a group. Together with `need`, or alone, which means the same as `require_all_on`.
                 */
                group_by?: components["parameters"]["GroupBy"];
                /**
                 * @description What each group must have, of `group_by`; up to 50 times. `variable_id:areacella;table_id:fx;on=source_id` asks for a
                 *     file with both values. A name that is given again in it means any of its values; details that are texts have values,
                 *     too. With `on=`, names of `group_by` separated by commas, the file need only be of the same values of these. With
                 *     `from=` and `to=` (dates, as in `time`) files that meet the need must cover the period without a gap. Before `;`,
                 *     `:`, `*`, `?` and `\`, `\` takes the character literally; there are no wildcards.
                 */
                need?: components["parameters"]["Need"];
                /**
                 * @description What intake-esm calls so, in the place of `group_by` and `need`: groups of files with the same values of these facets
                 *     that have every combination of the values which the other keys of the search include. Values with wildcards,
                 *     excluded ones, periods and regions only filter. Up to 1,000 combinations.
                 */
                require_all_on?: components["parameters"]["RequireAllOn"];
                /**
                 * @description Project that the data were made for. In native, cmip5, cordex, nextgems and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "CMIP6"
                 *     ]
                 */
                project?: components["parameters"]["FilterProject"];
                /**
                 * @description Product, activity or region. In native, cmip5 and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "CMIP"
                 *     ]
                 */
                product?: components["parameters"]["FilterProduct"];
                /**
                 * @description Institution that made the data. In native and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "MPI-M"
                 *     ]
                 */
                institute?: components["parameters"]["FilterInstitute"];
                /**
                 * @description Model, or source. In native, cordex and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "MPI-ESM1-2-LR"
                 *     ]
                 */
                model?: components["parameters"]["FilterModel"];
                /**
                 * @description Experiment or simulation. In native, cmip5, cordex and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "historical"
                 *     ]
                 */
                experiment?: components["parameters"]["FilterExperiment"];
                /**
                 * @description Frequency in time. In native, cmip5, cordex, nextgems and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "mon"
                 *     ]
                 */
                time_frequency?: components["parameters"]["FilterTimeFrequency"];
                /**
                 * @description Part of the climate system. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "atmos"
                 *     ]
                 */
                realm?: components["parameters"]["FilterRealm"];
                /**
                 * @description Variable. In native, cmip5, cordex and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "tas"
                 *     ]
                 */
                variable?: components["parameters"]["FilterVariable"];
                /**
                 * @description Ensemble member. In native, cordex and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "r1i1p1f1"
                 *     ]
                 */
                ensemble?: components["parameters"]["FilterEnsemble"];
                /**
                 * @description Kind of mean in time. In native, cmip6, cmip5, cordex, cmip7, cordex-cmip6 and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "mean"
                 *     ]
                 */
                time_aggregation?: components["parameters"]["FilterTimeAggregation"];
                /**
                 * @description Kind of storage. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "posix"
                 *     ]
                 */
                fs_type?: components["parameters"]["FilterFsType"];
                /**
                 * @description Label of the grid. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "gn"
                 *     ]
                 */
                grid_label?: components["parameters"]["FilterGridLabel"];
                /**
                 * @description Table of the variable in its project. In native, cmip5, cordex, nextgems and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "Amon"
                 *     ]
                 */
                cmor_table?: components["parameters"]["FilterCmorTable"];
                /**
                 * @description Driving model. In native, cmip6, cmip5, cordex, nextgems, cmip7 and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "MPI-M-MPI-ESM-LR"
                 *     ]
                 */
                driving_model?: components["parameters"]["FilterDrivingModel"];
                /**
                 * @description Format of the file. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "nc"
                 *     ]
                 */
                format?: components["parameters"]["FilterFormat"];
                /**
                 * @description Identifier of the grid. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "n320"
                 *     ]
                 */
                grid_id?: components["parameters"]["FilterGridId"];
                /**
                 * @description Kind of levels. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "2d"
                 *     ]
                 */
                level_type?: components["parameters"]["FilterLevelType"];
                /**
                 * @description Name of the regional model. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "CLMcom-CCLM4-8-17"
                 *     ]
                 */
                rcm_name?: components["parameters"]["FilterRcmName"];
                /**
                 * @description Version of the regional run. In native, cmip6, cmip5, cordex, nextgems, cmip7 and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "v1"
                 *     ]
                 */
                rcm_version?: components["parameters"]["FilterRcmVersion"];
                /**
                 * @description Region that the data cover, by its name. In native, cmip7 and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "glb"
                 *     ]
                 */
                region?: components["parameters"]["FilterRegion"];
                /**
                 * @description What was done to the variable in time and space, and where it is given. In native, cmip7 and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "tavg-h2m-hxy-u"
                 *     ]
                 */
                branding_suffix?: components["parameters"]["FilterBrandingSuffix"];
                /**
                 * @description Collection of the catalogue. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "sample"
                 *     ]
                 */
                dataset?: components["parameters"]["FilterDataset"];
                /**
                 * @description User who registered the data. In native and user. `!` before a value excludes it.
                 * @example [
                 *       "demo"
                 *     ]
                 */
                user?: components["parameters"]["FilterUser"];
                /**
                 * @description Project that the data were made for. In cmip6 and cmip7 (`project` in native). `!` before a value excludes it.
                 * @example [
                 *       "CMIP6"
                 *     ]
                 */
                mip_era?: components["parameters"]["FilterMipEra"];
                /**
                 * @description Product, activity or region. In cmip6 and cmip7 (`product` in native). `!` before a value excludes it.
                 * @example [
                 *       "CMIP"
                 *     ]
                 */
                activity_id?: components["parameters"]["FilterActivityId"];
                /**
                 * @description Institution that made the data. In cmip6, cmip5, nextgems, cmip7 and cordex-cmip6 (`institute` in native). `!` before a value excludes it.
                 * @example [
                 *       "MPI-M"
                 *     ]
                 */
                institution_id?: components["parameters"]["FilterInstitutionId"];
                /**
                 * @description Model, or source. In cmip6, nextgems, cmip7 and cordex-cmip6 (`model` in native). `!` before a value excludes it.
                 * @example [
                 *       "MPI-ESM1-2-LR"
                 *     ]
                 */
                source_id?: components["parameters"]["FilterSourceId"];
                /**
                 * @description Experiment or simulation. In cmip6 and cmip7 (`experiment` in native). Product, activity or region. In nextgems (`product` in native). `!` before a value excludes it.
                 * @example [
                 *       "historical"
                 *     ]
                 */
                experiment_id?: components["parameters"]["FilterExperimentId"];
                /**
                 * @description Frequency in time. In cmip6, cmip7 and cordex-cmip6 (`time_frequency` in native). `!` before a value excludes it.
                 * @example [
                 *       "mon"
                 *     ]
                 */
                frequency?: components["parameters"]["FilterFrequency"];
                /**
                 * @description Variable. In cmip6, nextgems, cmip7 and cordex-cmip6 (`variable` in native). `!` before a value excludes it.
                 * @example [
                 *       "tas"
                 *     ]
                 */
                variable_id?: components["parameters"]["FilterVariableId"];
                /**
                 * @description Ensemble member. In cmip6, cmip5 and nextgems (`ensemble` in native). `!` before a value excludes it.
                 * @example [
                 *       "r1i1p1f1"
                 *     ]
                 */
                member_id?: components["parameters"]["FilterMemberId"];
                /**
                 * @description Table of the variable in its project. In cmip6 (`cmor_table` in native). `!` before a value excludes it.
                 * @example [
                 *       "Amon"
                 *     ]
                 */
                table_id?: components["parameters"]["FilterTableId"];
                /**
                 * @description Model, or source. In cmip5 (`model` in native). `!` before a value excludes it.
                 * @example [
                 *       "MPI-ESM-LR"
                 *     ]
                 */
                model_id?: components["parameters"]["FilterModelId"];
                /**
                 * @description Product, activity or region. In cordex (`product` in native). `!` before a value excludes it.
                 * @example [
                 *       "EUR-11"
                 *     ]
                 */
                domain?: components["parameters"]["FilterDomain"];
                /**
                 * @description Institution that made the data. In cordex (`institute` in native). `!` before a value excludes it.
                 * @example [
                 *       "CLMcom"
                 *     ]
                 */
                institution?: components["parameters"]["FilterInstitution"];
                /**
                 * @description Experiment or simulation. In nextgems (`experiment` in native). `!` before a value excludes it.
                 * @example [
                 *       "ngc3028"
                 *     ]
                 */
                simulation_id?: components["parameters"]["FilterSimulationId"];
                /**
                 * @description Kind of mean in time. In nextgems (`time_aggregation` in native). `!` before a value excludes it.
                 * @example [
                 *       "mean"
                 *     ]
                 */
                time_reduction?: components["parameters"]["FilterTimeReduction"];
                /**
                 * @description Ensemble member. In cmip7 (`ensemble` in native). `!` before a value excludes it.
                 * @example [
                 *       "r1i1p1f1"
                 *     ]
                 */
                variant_label?: components["parameters"]["FilterVariantLabel"];
                /**
                 * @description Project that the data were made for. In cordex-cmip6 (`project` in native). `!` before a value excludes it.
                 * @example [
                 *       "CORDEX"
                 *     ]
                 */
                project_id?: components["parameters"]["FilterProjectId"];
                /**
                 * @description Product, activity or region. In cordex-cmip6 (`product` in native). `!` before a value excludes it.
                 * @example [
                 *       "EUR-11"
                 *     ]
                 */
                domain_id?: components["parameters"]["FilterDomainId"];
                /**
                 * @description Experiment or simulation. In cordex-cmip6 (`experiment` in native). `!` before a value excludes it.
                 * @example [
                 *       "historical"
                 *     ]
                 */
                driving_experiment_id?: components["parameters"]["FilterDrivingExperimentId"];
                /**
                 * @description Ensemble member. In cordex-cmip6 (`ensemble` in native). `!` before a value excludes it.
                 * @example [
                 *       "r1i1p1"
                 *     ]
                 */
                driving_variant_label?: components["parameters"]["FilterDrivingVariantLabel"];
                /**
                 * @description Driving model. In cordex-cmip6 (`driving_model` in native). `!` before a value excludes it.
                 * @example [
                 *       "MPI-M-MPI-ESM-LR"
                 *     ]
                 */
                driving_source_id?: components["parameters"]["FilterDrivingSourceId"];
                /**
                 * @description Version of the regional run. In cordex-cmip6 (`rcm_version` in native). `!` before a value excludes it.
                 * @example [
                 *       "v1"
                 *     ]
                 */
                version_realization?: components["parameters"]["FilterVersionRealization"];
                /**
                 * @description Path of the file, with regard to case. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "*\/tas_Amon_*"
                 *     ]
                 */
                file?: components["parameters"]["FilterFile"];
                /**
                 * @description URI of the file, with regard to case. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "*\/tas_Amon_*"
                 *     ]
                 */
                uri?: components["parameters"]["FilterUri"];
                /**
                 * @description Version of the data set. In every flavour with `multi-version=true` only. `!` before a value excludes it.
                 * @example [
                 *       "v20190710"
                 *     ]
                 */
                version?: components["parameters"]["FilterVersion"];
                /**
                 * @description Name of the dataset in its standard, without a version. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "CMIP6.CMIP.MPI-M.MPI-ESM1-2-LR.historical.r1i1p1f1.Amon.tas.gn"
                 *     ]
                 */
                dataset_id?: components["parameters"]["FilterDatasetId"];
                /**
                 * @description Checksum of the file with the name of its algorithm. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "sha256:f7ef24b424dd92e88740bcafd42df540202778f6d0c205bc32618c0eae377da2"
                 *     ]
                 */
                checksum?: components["parameters"]["FilterChecksum"];
                /**
                 * @description Identifier that the file was given when it was made. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "hdl:21.14100/3e8b0b0f-213c-54d3-808f-d41a77f9dc48"
                 *     ]
                 */
                tracking_id?: components["parameters"]["FilterTrackingId"];
                /**
                 * @description CF standard name of the variable. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "air_temperature"
                 *     ]
                 */
                standard_name?: components["parameters"]["FilterStandardName"];
                /**
                 * @description Name of the variable for people. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "Near-Surface Air Temperature"
                 *     ]
                 */
                long_name?: components["parameters"]["FilterLongName"];
                /**
                 * @description Units of the variable. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "K"
                 *     ]
                 */
                units?: components["parameters"]["FilterUnits"];
                /**
                 * @description Resolution of the grid, roughly. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "250 km"
                 *     ]
                 */
                nominal_resolution?: components["parameters"]["FilterNominalResolution"];
                /**
                 * @description Terms under which the data may be used. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "CC BY 4.0"
                 *     ]
                 */
                license?: components["parameters"]["FilterLicense"];
                /**
                 * @description Address of a page about the data. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "https://furtherinfo.es-doc.org/CMIP6.MPI-M.MPI-ESM1-2-LR.historical.none.r1i1p1f1"
                 *     ]
                 */
                further_info_url?: components["parameters"]["FilterFurtherInfoUrl"];
                /**
                 * @description Whether the data were withdrawn by those who made them: true or false. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "true"
                 *     ]
                 */
                retracted?: components["parameters"]["FilterRetracted"];
                /**
                 * @description Filters whose names have no parameter of their own here, each as `name=value`, such as
                 *     `experiment_id_not_=ssp*`: a facet of the flavour with `_not_` after its name excludes. The same can be written
                 *     as a query parameter, `?experiment_id_not_=ssp*`.
                 * @example [
                 *       "experiment_id_not_=ssp*"
                 *     ]
                 */
                filter?: components["parameters"]["Filter"];
            };
            header?: {
                /** @description The `ETag` of an answer that the client has kept. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description The flavour whose facet names are used: a DRS standard, one that is for all, or one of the caller's own, for which
                 *     the access token must be sent.
                 * @example cmip6
                 */
                flavour: components["parameters"]["InFlavour"];
                /**
                 * @description Whether locations are file paths or URIs.
                 * @example file
                 */
                uniq_key: components["parameters"]["ByKey"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of documents, or all of them as a table; an empty one when nothing matches. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Disposition": components["headers"]["ContentDisposition"];
                    Vary: components["headers"]["Vary"];
                    "Unknown-Values": components["headers"]["UnknownValues"];
                    Link: components["headers"]["WhyLink"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "total_count": 3,
                     *       "facets": {
                     *         "variable": [
                     *           "pr",
                     *           "1",
                     *           "tas",
                     *           "2"
                     *         ]
                     *       },
                     *       "facet_mapping": {
                     *         "variable": "variable"
                     *       },
                     *       "primary_facets": [
                     *         "project",
                     *         "product",
                     *         "institute",
                     *         "model"
                     *       ],
                     *       "unknown_values": [],
                     *       "documents": [
                     *         {
                     *           "file": "/pool/data/CMIP6/tas_Amon_MPI-ESM1-2-LR_historical_r1i1p1f1_gn_185001-186912.nc",
                     *           "variable": [
                     *             "tas"
                     *           ],
                     *           "time": "1850-01-01T00:00:00Z to 1869-12-31T23:59:59Z",
                     *           "bbox": {
                     *             "west": -180,
                     *             "east": 180,
                     *             "south": -90,
                     *             "north": 90
                     *           },
                     *           "size": 84022
                     *         }
                     *       ],
                     *       "after": "L3Bvb2wvZGF0YS9DTUlQNg",
                     *       "next": "https://data.example.org/api/climate-nextgen/databrowser/extended-search/native/file?fields=file%2Cvariable&limit=1&after=L3Bvb2wvZGF0YS9DTUlQNg"
                     *     }
                     */
                    "application/json": components["schemas"]["ExtendedSearchResult"];
                    /**
                     * @example file,variable,size
                     *     /pool/data/CMIP6/tas_Amon_MPI-ESM1-2-LR_historical_r1i1p1f1_gn_185001-186912.nc,tas,84022
                     */
                    "text/csv": string;
                    /** @example (a Parquet file) */
                    "application/vnd.apache.parquet": string;
                };
            };
            /** @description The page has not changed since the one with the given ETag. */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            413: components["responses"]["TooManyResults"];
            422: components["responses"]["InvalidParameters"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["SearchUnavailable"];
        };
    };
    searchExtendedCsv: {
        parameters: {
            query?: {
                /**
                 * @description What is told of each document: facets by their names in the flavour, `file`, `uri`, `version`, `time`, `bbox` and details
                 *     such as `size`, `dataset_id` or `checksum`; several times or separated by commas. `*` and `all` mean the location and the
                 *     facets of the flavour, as does leaving it out.
                 * @example [
                 *       "file",
                 *       "variable_id",
                 *       "time",
                 *       "size"
                 *     ]
                 */
                fields?: components["parameters"]["Fields"];
                /** @description How many rows to give at the most; all if left out. */
                limit?: components["parameters"]["RowLimit"];
                /** @description Search every version of a data set, not only the newest one. */
                "multi-version"?: components["parameters"]["MultiVersion"];
                /**
                 * @description Use the flavour's facet names, in the query and in the answer. With `false` both use the native ones,
                 *     and `facet_mapping` tells how to translate them.
                 */
                translate?: components["parameters"]["Translate"];
                /**
                 * @description A period: `A to B`, `A to`, `to B`, `[A TO B]` or `A`, with ISO 8601 dates that may be truncated (`2000`,
                 *     `2000-03`, `2000-03-01T06`); without a time zone they are UTC. A truncated end reaches to the end of
                 *     its unit. Years beyond 9999 or before 0 have a sign or five digits (`-20000 to -19000`, `12000`); year 0 is 1 BC.
                 *     `not ` or `!` before it excludes. Constant data overlap and cover every period; `fx` means them alone.
                 */
                time?: components["parameters"]["Time"];
                /**
                 * @description How data relate to `time`: `flexible` overlap the period, `strict` lie wholly inside it, `file` cover
                 *     the whole period alone.
                 */
                time_select?: components["parameters"]["TimeSelect"];
                /**
                 * @description A region, `min_lon,max_lon,min_lat,max_lat` in degrees, longitudes from -180 to 360. With min_lon > max_lon
                 *     it crosses the antimeridian. `not ` or `!` before it excludes.
                 */
                bbox?: components["parameters"]["Bbox"];
                /**
                 * @description How data relate to `bbox`: `flexible` overlap the region, `strict` lie wholly inside it, `file` cover
                 *     the whole region alone.
                 */
                bbox_select?: components["parameters"]["BboxSelect"];
                /**
                 * @description One to four facets by their names in the flavour, several times or separated by commas: files with the same values of
                 *     them are a group. Together with `need`, or alone, which means the same as `require_all_on`.
                 */
                group_by?: components["parameters"]["GroupBy"];
                /**
                 * @description What each group must have, of `group_by`; up to 50 times. `variable_id:areacella;table_id:fx;on=source_id` asks for a
                 *     file with both values. A name that is given again in it means any of its values; details that are texts have values,
                 *     too. With `on=`, names of `group_by` separated by commas, the file need only be of the same values of these. With
                 *     `from=` and `to=` (dates, as in `time`) files that meet the need must cover the period without a gap. Before `;`,
                 *     `:`, `*`, `?` and `\`, `\` takes the character literally; there are no wildcards.
                 */
                need?: components["parameters"]["Need"];
                /**
                 * @description What intake-esm calls so, in the place of `group_by` and `need`: groups of files with the same values of these facets
                 *     that have every combination of the values which the other keys of the search include. Values with wildcards,
                 *     excluded ones, periods and regions only filter. Up to 1,000 combinations.
                 */
                require_all_on?: components["parameters"]["RequireAllOn"];
                /**
                 * @description Project that the data were made for. In native, cmip5, cordex, nextgems and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "CMIP6"
                 *     ]
                 */
                project?: components["parameters"]["FilterProject"];
                /**
                 * @description Product, activity or region. In native, cmip5 and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "CMIP"
                 *     ]
                 */
                product?: components["parameters"]["FilterProduct"];
                /**
                 * @description Institution that made the data. In native and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "MPI-M"
                 *     ]
                 */
                institute?: components["parameters"]["FilterInstitute"];
                /**
                 * @description Model, or source. In native, cordex and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "MPI-ESM1-2-LR"
                 *     ]
                 */
                model?: components["parameters"]["FilterModel"];
                /**
                 * @description Experiment or simulation. In native, cmip5, cordex and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "historical"
                 *     ]
                 */
                experiment?: components["parameters"]["FilterExperiment"];
                /**
                 * @description Frequency in time. In native, cmip5, cordex, nextgems and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "mon"
                 *     ]
                 */
                time_frequency?: components["parameters"]["FilterTimeFrequency"];
                /**
                 * @description Part of the climate system. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "atmos"
                 *     ]
                 */
                realm?: components["parameters"]["FilterRealm"];
                /**
                 * @description Variable. In native, cmip5, cordex and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "tas"
                 *     ]
                 */
                variable?: components["parameters"]["FilterVariable"];
                /**
                 * @description Ensemble member. In native, cordex and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "r1i1p1f1"
                 *     ]
                 */
                ensemble?: components["parameters"]["FilterEnsemble"];
                /**
                 * @description Kind of mean in time. In native, cmip6, cmip5, cordex, cmip7, cordex-cmip6 and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "mean"
                 *     ]
                 */
                time_aggregation?: components["parameters"]["FilterTimeAggregation"];
                /**
                 * @description Kind of storage. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "posix"
                 *     ]
                 */
                fs_type?: components["parameters"]["FilterFsType"];
                /**
                 * @description Label of the grid. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "gn"
                 *     ]
                 */
                grid_label?: components["parameters"]["FilterGridLabel"];
                /**
                 * @description Table of the variable in its project. In native, cmip5, cordex, nextgems and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "Amon"
                 *     ]
                 */
                cmor_table?: components["parameters"]["FilterCmorTable"];
                /**
                 * @description Driving model. In native, cmip6, cmip5, cordex, nextgems, cmip7 and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "MPI-M-MPI-ESM-LR"
                 *     ]
                 */
                driving_model?: components["parameters"]["FilterDrivingModel"];
                /**
                 * @description Format of the file. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "nc"
                 *     ]
                 */
                format?: components["parameters"]["FilterFormat"];
                /**
                 * @description Identifier of the grid. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "n320"
                 *     ]
                 */
                grid_id?: components["parameters"]["FilterGridId"];
                /**
                 * @description Kind of levels. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "2d"
                 *     ]
                 */
                level_type?: components["parameters"]["FilterLevelType"];
                /**
                 * @description Name of the regional model. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "CLMcom-CCLM4-8-17"
                 *     ]
                 */
                rcm_name?: components["parameters"]["FilterRcmName"];
                /**
                 * @description Version of the regional run. In native, cmip6, cmip5, cordex, nextgems, cmip7 and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "v1"
                 *     ]
                 */
                rcm_version?: components["parameters"]["FilterRcmVersion"];
                /**
                 * @description Region that the data cover, by its name. In native, cmip7 and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "glb"
                 *     ]
                 */
                region?: components["parameters"]["FilterRegion"];
                /**
                 * @description What was done to the variable in time and space, and where it is given. In native, cmip7 and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "tavg-h2m-hxy-u"
                 *     ]
                 */
                branding_suffix?: components["parameters"]["FilterBrandingSuffix"];
                /**
                 * @description Collection of the catalogue. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "sample"
                 *     ]
                 */
                dataset?: components["parameters"]["FilterDataset"];
                /**
                 * @description User who registered the data. In native and user. `!` before a value excludes it.
                 * @example [
                 *       "demo"
                 *     ]
                 */
                user?: components["parameters"]["FilterUser"];
                /**
                 * @description Project that the data were made for. In cmip6 and cmip7 (`project` in native). `!` before a value excludes it.
                 * @example [
                 *       "CMIP6"
                 *     ]
                 */
                mip_era?: components["parameters"]["FilterMipEra"];
                /**
                 * @description Product, activity or region. In cmip6 and cmip7 (`product` in native). `!` before a value excludes it.
                 * @example [
                 *       "CMIP"
                 *     ]
                 */
                activity_id?: components["parameters"]["FilterActivityId"];
                /**
                 * @description Institution that made the data. In cmip6, cmip5, nextgems, cmip7 and cordex-cmip6 (`institute` in native). `!` before a value excludes it.
                 * @example [
                 *       "MPI-M"
                 *     ]
                 */
                institution_id?: components["parameters"]["FilterInstitutionId"];
                /**
                 * @description Model, or source. In cmip6, nextgems, cmip7 and cordex-cmip6 (`model` in native). `!` before a value excludes it.
                 * @example [
                 *       "MPI-ESM1-2-LR"
                 *     ]
                 */
                source_id?: components["parameters"]["FilterSourceId"];
                /**
                 * @description Experiment or simulation. In cmip6 and cmip7 (`experiment` in native). Product, activity or region. In nextgems (`product` in native). `!` before a value excludes it.
                 * @example [
                 *       "historical"
                 *     ]
                 */
                experiment_id?: components["parameters"]["FilterExperimentId"];
                /**
                 * @description Frequency in time. In cmip6, cmip7 and cordex-cmip6 (`time_frequency` in native). `!` before a value excludes it.
                 * @example [
                 *       "mon"
                 *     ]
                 */
                frequency?: components["parameters"]["FilterFrequency"];
                /**
                 * @description Variable. In cmip6, nextgems, cmip7 and cordex-cmip6 (`variable` in native). `!` before a value excludes it.
                 * @example [
                 *       "tas"
                 *     ]
                 */
                variable_id?: components["parameters"]["FilterVariableId"];
                /**
                 * @description Ensemble member. In cmip6, cmip5 and nextgems (`ensemble` in native). `!` before a value excludes it.
                 * @example [
                 *       "r1i1p1f1"
                 *     ]
                 */
                member_id?: components["parameters"]["FilterMemberId"];
                /**
                 * @description Table of the variable in its project. In cmip6 (`cmor_table` in native). `!` before a value excludes it.
                 * @example [
                 *       "Amon"
                 *     ]
                 */
                table_id?: components["parameters"]["FilterTableId"];
                /**
                 * @description Model, or source. In cmip5 (`model` in native). `!` before a value excludes it.
                 * @example [
                 *       "MPI-ESM-LR"
                 *     ]
                 */
                model_id?: components["parameters"]["FilterModelId"];
                /**
                 * @description Product, activity or region. In cordex (`product` in native). `!` before a value excludes it.
                 * @example [
                 *       "EUR-11"
                 *     ]
                 */
                domain?: components["parameters"]["FilterDomain"];
                /**
                 * @description Institution that made the data. In cordex (`institute` in native). `!` before a value excludes it.
                 * @example [
                 *       "CLMcom"
                 *     ]
                 */
                institution?: components["parameters"]["FilterInstitution"];
                /**
                 * @description Experiment or simulation. In nextgems (`experiment` in native). `!` before a value excludes it.
                 * @example [
                 *       "ngc3028"
                 *     ]
                 */
                simulation_id?: components["parameters"]["FilterSimulationId"];
                /**
                 * @description Kind of mean in time. In nextgems (`time_aggregation` in native). `!` before a value excludes it.
                 * @example [
                 *       "mean"
                 *     ]
                 */
                time_reduction?: components["parameters"]["FilterTimeReduction"];
                /**
                 * @description Ensemble member. In cmip7 (`ensemble` in native). `!` before a value excludes it.
                 * @example [
                 *       "r1i1p1f1"
                 *     ]
                 */
                variant_label?: components["parameters"]["FilterVariantLabel"];
                /**
                 * @description Project that the data were made for. In cordex-cmip6 (`project` in native). `!` before a value excludes it.
                 * @example [
                 *       "CORDEX"
                 *     ]
                 */
                project_id?: components["parameters"]["FilterProjectId"];
                /**
                 * @description Product, activity or region. In cordex-cmip6 (`product` in native). `!` before a value excludes it.
                 * @example [
                 *       "EUR-11"
                 *     ]
                 */
                domain_id?: components["parameters"]["FilterDomainId"];
                /**
                 * @description Experiment or simulation. In cordex-cmip6 (`experiment` in native). `!` before a value excludes it.
                 * @example [
                 *       "historical"
                 *     ]
                 */
                driving_experiment_id?: components["parameters"]["FilterDrivingExperimentId"];
                /**
                 * @description Ensemble member. In cordex-cmip6 (`ensemble` in native). `!` before a value excludes it.
                 * @example [
                 *       "r1i1p1"
                 *     ]
                 */
                driving_variant_label?: components["parameters"]["FilterDrivingVariantLabel"];
                /**
                 * @description Driving model. In cordex-cmip6 (`driving_model` in native). `!` before a value excludes it.
                 * @example [
                 *       "MPI-M-MPI-ESM-LR"
                 *     ]
                 */
                driving_source_id?: components["parameters"]["FilterDrivingSourceId"];
                /**
                 * @description Version of the regional run. In cordex-cmip6 (`rcm_version` in native). `!` before a value excludes it.
                 * @example [
                 *       "v1"
                 *     ]
                 */
                version_realization?: components["parameters"]["FilterVersionRealization"];
                /**
                 * @description Path of the file, with regard to case. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "*\/tas_Amon_*"
                 *     ]
                 */
                file?: components["parameters"]["FilterFile"];
                /**
                 * @description URI of the file, with regard to case. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "*\/tas_Amon_*"
                 *     ]
                 */
                uri?: components["parameters"]["FilterUri"];
                /**
                 * @description Version of the data set. In every flavour with `multi-version=true` only. `!` before a value excludes it.
                 * @example [
                 *       "v20190710"
                 *     ]
                 */
                version?: components["parameters"]["FilterVersion"];
                /**
                 * @description Name of the dataset in its standard, without a version. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "CMIP6.CMIP.MPI-M.MPI-ESM1-2-LR.historical.r1i1p1f1.Amon.tas.gn"
                 *     ]
                 */
                dataset_id?: components["parameters"]["FilterDatasetId"];
                /**
                 * @description Checksum of the file with the name of its algorithm. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "sha256:f7ef24b424dd92e88740bcafd42df540202778f6d0c205bc32618c0eae377da2"
                 *     ]
                 */
                checksum?: components["parameters"]["FilterChecksum"];
                /**
                 * @description Identifier that the file was given when it was made. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "hdl:21.14100/3e8b0b0f-213c-54d3-808f-d41a77f9dc48"
                 *     ]
                 */
                tracking_id?: components["parameters"]["FilterTrackingId"];
                /**
                 * @description CF standard name of the variable. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "air_temperature"
                 *     ]
                 */
                standard_name?: components["parameters"]["FilterStandardName"];
                /**
                 * @description Name of the variable for people. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "Near-Surface Air Temperature"
                 *     ]
                 */
                long_name?: components["parameters"]["FilterLongName"];
                /**
                 * @description Units of the variable. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "K"
                 *     ]
                 */
                units?: components["parameters"]["FilterUnits"];
                /**
                 * @description Resolution of the grid, roughly. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "250 km"
                 *     ]
                 */
                nominal_resolution?: components["parameters"]["FilterNominalResolution"];
                /**
                 * @description Terms under which the data may be used. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "CC BY 4.0"
                 *     ]
                 */
                license?: components["parameters"]["FilterLicense"];
                /**
                 * @description Address of a page about the data. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "https://furtherinfo.es-doc.org/CMIP6.MPI-M.MPI-ESM1-2-LR.historical.none.r1i1p1f1"
                 *     ]
                 */
                further_info_url?: components["parameters"]["FilterFurtherInfoUrl"];
                /**
                 * @description Whether the data were withdrawn by those who made them: true or false. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "true"
                 *     ]
                 */
                retracted?: components["parameters"]["FilterRetracted"];
                /**
                 * @description Filters whose names have no parameter of their own here, each as `name=value`, such as
                 *     `experiment_id_not_=ssp*`: a facet of the flavour with `_not_` after its name excludes. The same can be written
                 *     as a query parameter, `?experiment_id_not_=ssp*`.
                 * @example [
                 *       "experiment_id_not_=ssp*"
                 *     ]
                 */
                filter?: components["parameters"]["Filter"];
            };
            header?: never;
            path: {
                /**
                 * @description The flavour whose facet names are used: a DRS standard, one that is for all, or one of the caller's own, for which
                 *     the access token must be sent.
                 * @example cmip6
                 */
                flavour: components["parameters"]["InFlavour"];
                /**
                 * @description Whether locations are file paths or URIs.
                 * @example file
                 */
                uniq_key: components["parameters"]["ByKey"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The table; one without rows when nothing matches. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CallersOwn"];
                    "Content-Disposition": components["headers"]["ContentDisposition"];
                    Vary: components["headers"]["Vary"];
                    "Unknown-Values": components["headers"]["UnknownValues"];
                    Link: components["headers"]["WhyLink"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example file,variable,size
                     *     /pool/data/CMIP6/tas_Amon_MPI-ESM1-2-LR_historical_r1i1p1f1_gn_185001-186912.nc,tas,84022
                     */
                    "text/csv": string;
                };
            };
            401: components["responses"]["Unauthorized"];
            413: components["responses"]["TooManyResults"];
            422: components["responses"]["InvalidParameters"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["SearchUnavailable"];
        };
    };
    searchExtendedParquet: {
        parameters: {
            query?: {
                /**
                 * @description What is told of each document: facets by their names in the flavour, `file`, `uri`, `version`, `time`, `bbox` and details
                 *     such as `size`, `dataset_id` or `checksum`; several times or separated by commas. `*` and `all` mean the location and the
                 *     facets of the flavour, as does leaving it out.
                 * @example [
                 *       "file",
                 *       "variable_id",
                 *       "time",
                 *       "size"
                 *     ]
                 */
                fields?: components["parameters"]["Fields"];
                /** @description How many rows to give at the most; all if left out. */
                limit?: components["parameters"]["RowLimit"];
                /** @description Search every version of a data set, not only the newest one. */
                "multi-version"?: components["parameters"]["MultiVersion"];
                /**
                 * @description Use the flavour's facet names, in the query and in the answer. With `false` both use the native ones,
                 *     and `facet_mapping` tells how to translate them.
                 */
                translate?: components["parameters"]["Translate"];
                /**
                 * @description A period: `A to B`, `A to`, `to B`, `[A TO B]` or `A`, with ISO 8601 dates that may be truncated (`2000`,
                 *     `2000-03`, `2000-03-01T06`); without a time zone they are UTC. A truncated end reaches to the end of
                 *     its unit. Years beyond 9999 or before 0 have a sign or five digits (`-20000 to -19000`, `12000`); year 0 is 1 BC.
                 *     `not ` or `!` before it excludes. Constant data overlap and cover every period; `fx` means them alone.
                 */
                time?: components["parameters"]["Time"];
                /**
                 * @description How data relate to `time`: `flexible` overlap the period, `strict` lie wholly inside it, `file` cover
                 *     the whole period alone.
                 */
                time_select?: components["parameters"]["TimeSelect"];
                /**
                 * @description A region, `min_lon,max_lon,min_lat,max_lat` in degrees, longitudes from -180 to 360. With min_lon > max_lon
                 *     it crosses the antimeridian. `not ` or `!` before it excludes.
                 */
                bbox?: components["parameters"]["Bbox"];
                /**
                 * @description How data relate to `bbox`: `flexible` overlap the region, `strict` lie wholly inside it, `file` cover
                 *     the whole region alone.
                 */
                bbox_select?: components["parameters"]["BboxSelect"];
                /**
                 * @description One to four facets by their names in the flavour, several times or separated by commas: files with the same values of
                 *     them are a group. Together with `need`, or alone, which means the same as `require_all_on`.
                 */
                group_by?: components["parameters"]["GroupBy"];
                /**
                 * @description What each group must have, of `group_by`; up to 50 times. `variable_id:areacella;table_id:fx;on=source_id` asks for a
                 *     file with both values. A name that is given again in it means any of its values; details that are texts have values,
                 *     too. With `on=`, names of `group_by` separated by commas, the file need only be of the same values of these. With
                 *     `from=` and `to=` (dates, as in `time`) files that meet the need must cover the period without a gap. Before `;`,
                 *     `:`, `*`, `?` and `\`, `\` takes the character literally; there are no wildcards.
                 */
                need?: components["parameters"]["Need"];
                /**
                 * @description What intake-esm calls so, in the place of `group_by` and `need`: groups of files with the same values of these facets
                 *     that have every combination of the values which the other keys of the search include. Values with wildcards,
                 *     excluded ones, periods and regions only filter. Up to 1,000 combinations.
                 */
                require_all_on?: components["parameters"]["RequireAllOn"];
                /**
                 * @description Project that the data were made for. In native, cmip5, cordex, nextgems and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "CMIP6"
                 *     ]
                 */
                project?: components["parameters"]["FilterProject"];
                /**
                 * @description Product, activity or region. In native, cmip5 and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "CMIP"
                 *     ]
                 */
                product?: components["parameters"]["FilterProduct"];
                /**
                 * @description Institution that made the data. In native and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "MPI-M"
                 *     ]
                 */
                institute?: components["parameters"]["FilterInstitute"];
                /**
                 * @description Model, or source. In native, cordex and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "MPI-ESM1-2-LR"
                 *     ]
                 */
                model?: components["parameters"]["FilterModel"];
                /**
                 * @description Experiment or simulation. In native, cmip5, cordex and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "historical"
                 *     ]
                 */
                experiment?: components["parameters"]["FilterExperiment"];
                /**
                 * @description Frequency in time. In native, cmip5, cordex, nextgems and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "mon"
                 *     ]
                 */
                time_frequency?: components["parameters"]["FilterTimeFrequency"];
                /**
                 * @description Part of the climate system. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "atmos"
                 *     ]
                 */
                realm?: components["parameters"]["FilterRealm"];
                /**
                 * @description Variable. In native, cmip5, cordex and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "tas"
                 *     ]
                 */
                variable?: components["parameters"]["FilterVariable"];
                /**
                 * @description Ensemble member. In native, cordex and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "r1i1p1f1"
                 *     ]
                 */
                ensemble?: components["parameters"]["FilterEnsemble"];
                /**
                 * @description Kind of mean in time. In native, cmip6, cmip5, cordex, cmip7, cordex-cmip6 and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "mean"
                 *     ]
                 */
                time_aggregation?: components["parameters"]["FilterTimeAggregation"];
                /**
                 * @description Kind of storage. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "posix"
                 *     ]
                 */
                fs_type?: components["parameters"]["FilterFsType"];
                /**
                 * @description Label of the grid. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "gn"
                 *     ]
                 */
                grid_label?: components["parameters"]["FilterGridLabel"];
                /**
                 * @description Table of the variable in its project. In native, cmip5, cordex, nextgems and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "Amon"
                 *     ]
                 */
                cmor_table?: components["parameters"]["FilterCmorTable"];
                /**
                 * @description Driving model. In native, cmip6, cmip5, cordex, nextgems, cmip7 and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "MPI-M-MPI-ESM-LR"
                 *     ]
                 */
                driving_model?: components["parameters"]["FilterDrivingModel"];
                /**
                 * @description Format of the file. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "nc"
                 *     ]
                 */
                format?: components["parameters"]["FilterFormat"];
                /**
                 * @description Identifier of the grid. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "n320"
                 *     ]
                 */
                grid_id?: components["parameters"]["FilterGridId"];
                /**
                 * @description Kind of levels. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "2d"
                 *     ]
                 */
                level_type?: components["parameters"]["FilterLevelType"];
                /**
                 * @description Name of the regional model. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "CLMcom-CCLM4-8-17"
                 *     ]
                 */
                rcm_name?: components["parameters"]["FilterRcmName"];
                /**
                 * @description Version of the regional run. In native, cmip6, cmip5, cordex, nextgems, cmip7 and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "v1"
                 *     ]
                 */
                rcm_version?: components["parameters"]["FilterRcmVersion"];
                /**
                 * @description Region that the data cover, by its name. In native, cmip7 and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "glb"
                 *     ]
                 */
                region?: components["parameters"]["FilterRegion"];
                /**
                 * @description What was done to the variable in time and space, and where it is given. In native, cmip7 and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "tavg-h2m-hxy-u"
                 *     ]
                 */
                branding_suffix?: components["parameters"]["FilterBrandingSuffix"];
                /**
                 * @description Collection of the catalogue. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "sample"
                 *     ]
                 */
                dataset?: components["parameters"]["FilterDataset"];
                /**
                 * @description User who registered the data. In native and user. `!` before a value excludes it.
                 * @example [
                 *       "demo"
                 *     ]
                 */
                user?: components["parameters"]["FilterUser"];
                /**
                 * @description Project that the data were made for. In cmip6 and cmip7 (`project` in native). `!` before a value excludes it.
                 * @example [
                 *       "CMIP6"
                 *     ]
                 */
                mip_era?: components["parameters"]["FilterMipEra"];
                /**
                 * @description Product, activity or region. In cmip6 and cmip7 (`product` in native). `!` before a value excludes it.
                 * @example [
                 *       "CMIP"
                 *     ]
                 */
                activity_id?: components["parameters"]["FilterActivityId"];
                /**
                 * @description Institution that made the data. In cmip6, cmip5, nextgems, cmip7 and cordex-cmip6 (`institute` in native). `!` before a value excludes it.
                 * @example [
                 *       "MPI-M"
                 *     ]
                 */
                institution_id?: components["parameters"]["FilterInstitutionId"];
                /**
                 * @description Model, or source. In cmip6, nextgems, cmip7 and cordex-cmip6 (`model` in native). `!` before a value excludes it.
                 * @example [
                 *       "MPI-ESM1-2-LR"
                 *     ]
                 */
                source_id?: components["parameters"]["FilterSourceId"];
                /**
                 * @description Experiment or simulation. In cmip6 and cmip7 (`experiment` in native). Product, activity or region. In nextgems (`product` in native). `!` before a value excludes it.
                 * @example [
                 *       "historical"
                 *     ]
                 */
                experiment_id?: components["parameters"]["FilterExperimentId"];
                /**
                 * @description Frequency in time. In cmip6, cmip7 and cordex-cmip6 (`time_frequency` in native). `!` before a value excludes it.
                 * @example [
                 *       "mon"
                 *     ]
                 */
                frequency?: components["parameters"]["FilterFrequency"];
                /**
                 * @description Variable. In cmip6, nextgems, cmip7 and cordex-cmip6 (`variable` in native). `!` before a value excludes it.
                 * @example [
                 *       "tas"
                 *     ]
                 */
                variable_id?: components["parameters"]["FilterVariableId"];
                /**
                 * @description Ensemble member. In cmip6, cmip5 and nextgems (`ensemble` in native). `!` before a value excludes it.
                 * @example [
                 *       "r1i1p1f1"
                 *     ]
                 */
                member_id?: components["parameters"]["FilterMemberId"];
                /**
                 * @description Table of the variable in its project. In cmip6 (`cmor_table` in native). `!` before a value excludes it.
                 * @example [
                 *       "Amon"
                 *     ]
                 */
                table_id?: components["parameters"]["FilterTableId"];
                /**
                 * @description Model, or source. In cmip5 (`model` in native). `!` before a value excludes it.
                 * @example [
                 *       "MPI-ESM-LR"
                 *     ]
                 */
                model_id?: components["parameters"]["FilterModelId"];
                /**
                 * @description Product, activity or region. In cordex (`product` in native). `!` before a value excludes it.
                 * @example [
                 *       "EUR-11"
                 *     ]
                 */
                domain?: components["parameters"]["FilterDomain"];
                /**
                 * @description Institution that made the data. In cordex (`institute` in native). `!` before a value excludes it.
                 * @example [
                 *       "CLMcom"
                 *     ]
                 */
                institution?: components["parameters"]["FilterInstitution"];
                /**
                 * @description Experiment or simulation. In nextgems (`experiment` in native). `!` before a value excludes it.
                 * @example [
                 *       "ngc3028"
                 *     ]
                 */
                simulation_id?: components["parameters"]["FilterSimulationId"];
                /**
                 * @description Kind of mean in time. In nextgems (`time_aggregation` in native). `!` before a value excludes it.
                 * @example [
                 *       "mean"
                 *     ]
                 */
                time_reduction?: components["parameters"]["FilterTimeReduction"];
                /**
                 * @description Ensemble member. In cmip7 (`ensemble` in native). `!` before a value excludes it.
                 * @example [
                 *       "r1i1p1f1"
                 *     ]
                 */
                variant_label?: components["parameters"]["FilterVariantLabel"];
                /**
                 * @description Project that the data were made for. In cordex-cmip6 (`project` in native). `!` before a value excludes it.
                 * @example [
                 *       "CORDEX"
                 *     ]
                 */
                project_id?: components["parameters"]["FilterProjectId"];
                /**
                 * @description Product, activity or region. In cordex-cmip6 (`product` in native). `!` before a value excludes it.
                 * @example [
                 *       "EUR-11"
                 *     ]
                 */
                domain_id?: components["parameters"]["FilterDomainId"];
                /**
                 * @description Experiment or simulation. In cordex-cmip6 (`experiment` in native). `!` before a value excludes it.
                 * @example [
                 *       "historical"
                 *     ]
                 */
                driving_experiment_id?: components["parameters"]["FilterDrivingExperimentId"];
                /**
                 * @description Ensemble member. In cordex-cmip6 (`ensemble` in native). `!` before a value excludes it.
                 * @example [
                 *       "r1i1p1"
                 *     ]
                 */
                driving_variant_label?: components["parameters"]["FilterDrivingVariantLabel"];
                /**
                 * @description Driving model. In cordex-cmip6 (`driving_model` in native). `!` before a value excludes it.
                 * @example [
                 *       "MPI-M-MPI-ESM-LR"
                 *     ]
                 */
                driving_source_id?: components["parameters"]["FilterDrivingSourceId"];
                /**
                 * @description Version of the regional run. In cordex-cmip6 (`rcm_version` in native). `!` before a value excludes it.
                 * @example [
                 *       "v1"
                 *     ]
                 */
                version_realization?: components["parameters"]["FilterVersionRealization"];
                /**
                 * @description Path of the file, with regard to case. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "*\/tas_Amon_*"
                 *     ]
                 */
                file?: components["parameters"]["FilterFile"];
                /**
                 * @description URI of the file, with regard to case. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "*\/tas_Amon_*"
                 *     ]
                 */
                uri?: components["parameters"]["FilterUri"];
                /**
                 * @description Version of the data set. In every flavour with `multi-version=true` only. `!` before a value excludes it.
                 * @example [
                 *       "v20190710"
                 *     ]
                 */
                version?: components["parameters"]["FilterVersion"];
                /**
                 * @description Name of the dataset in its standard, without a version. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "CMIP6.CMIP.MPI-M.MPI-ESM1-2-LR.historical.r1i1p1f1.Amon.tas.gn"
                 *     ]
                 */
                dataset_id?: components["parameters"]["FilterDatasetId"];
                /**
                 * @description Checksum of the file with the name of its algorithm. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "sha256:f7ef24b424dd92e88740bcafd42df540202778f6d0c205bc32618c0eae377da2"
                 *     ]
                 */
                checksum?: components["parameters"]["FilterChecksum"];
                /**
                 * @description Identifier that the file was given when it was made. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "hdl:21.14100/3e8b0b0f-213c-54d3-808f-d41a77f9dc48"
                 *     ]
                 */
                tracking_id?: components["parameters"]["FilterTrackingId"];
                /**
                 * @description CF standard name of the variable. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "air_temperature"
                 *     ]
                 */
                standard_name?: components["parameters"]["FilterStandardName"];
                /**
                 * @description Name of the variable for people. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "Near-Surface Air Temperature"
                 *     ]
                 */
                long_name?: components["parameters"]["FilterLongName"];
                /**
                 * @description Units of the variable. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "K"
                 *     ]
                 */
                units?: components["parameters"]["FilterUnits"];
                /**
                 * @description Resolution of the grid, roughly. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "250 km"
                 *     ]
                 */
                nominal_resolution?: components["parameters"]["FilterNominalResolution"];
                /**
                 * @description Terms under which the data may be used. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "CC BY 4.0"
                 *     ]
                 */
                license?: components["parameters"]["FilterLicense"];
                /**
                 * @description Address of a page about the data. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "https://furtherinfo.es-doc.org/CMIP6.MPI-M.MPI-ESM1-2-LR.historical.none.r1i1p1f1"
                 *     ]
                 */
                further_info_url?: components["parameters"]["FilterFurtherInfoUrl"];
                /**
                 * @description Whether the data were withdrawn by those who made them: true or false. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "true"
                 *     ]
                 */
                retracted?: components["parameters"]["FilterRetracted"];
                /**
                 * @description Filters whose names have no parameter of their own here, each as `name=value`, such as
                 *     `experiment_id_not_=ssp*`: a facet of the flavour with `_not_` after its name excludes. The same can be written
                 *     as a query parameter, `?experiment_id_not_=ssp*`.
                 * @example [
                 *       "experiment_id_not_=ssp*"
                 *     ]
                 */
                filter?: components["parameters"]["Filter"];
            };
            header?: never;
            path: {
                /**
                 * @description The flavour whose facet names are used: a DRS standard, one that is for all, or one of the caller's own, for which
                 *     the access token must be sent.
                 * @example cmip6
                 */
                flavour: components["parameters"]["InFlavour"];
                /**
                 * @description Whether locations are file paths or URIs.
                 * @example file
                 */
                uniq_key: components["parameters"]["ByKey"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The table; one without rows when nothing matches. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CallersOwn"];
                    "Content-Disposition": components["headers"]["ContentDisposition"];
                    Vary: components["headers"]["Vary"];
                    "Unknown-Values": components["headers"]["UnknownValues"];
                    Link: components["headers"]["WhyLink"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example (a Parquet file) */
                    "application/vnd.apache.parquet": string;
                };
            };
            401: components["responses"]["Unauthorized"];
            413: components["responses"]["TooManyResults"];
            422: components["responses"]["InvalidParameters"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["SearchUnavailable"];
        };
    };
    createIntakeCatalogue: {
        parameters: {
            query?: {
                /** @description How many of the first results to leave out. */
                start?: components["parameters"]["Start"];
                /** @description Refuse with 413 when more than this number is found; -1 for no limit. */
                "max-results"?: components["parameters"]["MaxResults"];
                /** @description Search every version of a data set, not only the newest one. */
                "multi-version"?: components["parameters"]["MultiVersion"];
                /**
                 * @description Use the flavour's facet names, in the query and in the answer. With `false` both use the native ones,
                 *     and `facet_mapping` tells how to translate them.
                 */
                translate?: components["parameters"]["Translate"];
                /**
                 * @description `https`: locations are the addresses of the files at this service (operation `readFile`), for programs that read over HTTP.
                 *     Zarr stores have the address of their stream; data that are not on the service's machine keep their location.
                 */
                location?: components["parameters"]["Location"];
                /**
                 * @description A period: `A to B`, `A to`, `to B`, `[A TO B]` or `A`, with ISO 8601 dates that may be truncated (`2000`,
                 *     `2000-03`, `2000-03-01T06`); without a time zone they are UTC. A truncated end reaches to the end of
                 *     its unit. Years beyond 9999 or before 0 have a sign or five digits (`-20000 to -19000`, `12000`); year 0 is 1 BC.
                 *     `not ` or `!` before it excludes. Constant data overlap and cover every period; `fx` means them alone.
                 */
                time?: components["parameters"]["Time"];
                /**
                 * @description How data relate to `time`: `flexible` overlap the period, `strict` lie wholly inside it, `file` cover
                 *     the whole period alone.
                 */
                time_select?: components["parameters"]["TimeSelect"];
                /**
                 * @description A region, `min_lon,max_lon,min_lat,max_lat` in degrees, longitudes from -180 to 360. With min_lon > max_lon
                 *     it crosses the antimeridian. `not ` or `!` before it excludes.
                 */
                bbox?: components["parameters"]["Bbox"];
                /**
                 * @description How data relate to `bbox`: `flexible` overlap the region, `strict` lie wholly inside it, `file` cover
                 *     the whole region alone.
                 */
                bbox_select?: components["parameters"]["BboxSelect"];
                /**
                 * @description One to four facets by their names in the flavour, several times or separated by commas: files with the same values of
                 *     them are a group. Together with `need`, or alone, which means the same as `require_all_on`.
                 */
                group_by?: components["parameters"]["GroupBy"];
                /**
                 * @description What each group must have, of `group_by`; up to 50 times. `variable_id:areacella;table_id:fx;on=source_id` asks for a
                 *     file with both values. A name that is given again in it means any of its values; details that are texts have values,
                 *     too. With `on=`, names of `group_by` separated by commas, the file need only be of the same values of these. With
                 *     `from=` and `to=` (dates, as in `time`) files that meet the need must cover the period without a gap. Before `;`,
                 *     `:`, `*`, `?` and `\`, `\` takes the character literally; there are no wildcards.
                 */
                need?: components["parameters"]["Need"];
                /**
                 * @description What intake-esm calls so, in the place of `group_by` and `need`: groups of files with the same values of these facets
                 *     that have every combination of the values which the other keys of the search include. Values with wildcards,
                 *     excluded ones, periods and regions only filter. Up to 1,000 combinations.
                 */
                require_all_on?: components["parameters"]["RequireAllOn"];
                /**
                 * @description Project that the data were made for. In native, cmip5, cordex, nextgems and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "CMIP6"
                 *     ]
                 */
                project?: components["parameters"]["FilterProject"];
                /**
                 * @description Product, activity or region. In native, cmip5 and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "CMIP"
                 *     ]
                 */
                product?: components["parameters"]["FilterProduct"];
                /**
                 * @description Institution that made the data. In native and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "MPI-M"
                 *     ]
                 */
                institute?: components["parameters"]["FilterInstitute"];
                /**
                 * @description Model, or source. In native, cordex and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "MPI-ESM1-2-LR"
                 *     ]
                 */
                model?: components["parameters"]["FilterModel"];
                /**
                 * @description Experiment or simulation. In native, cmip5, cordex and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "historical"
                 *     ]
                 */
                experiment?: components["parameters"]["FilterExperiment"];
                /**
                 * @description Frequency in time. In native, cmip5, cordex, nextgems and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "mon"
                 *     ]
                 */
                time_frequency?: components["parameters"]["FilterTimeFrequency"];
                /**
                 * @description Part of the climate system. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "atmos"
                 *     ]
                 */
                realm?: components["parameters"]["FilterRealm"];
                /**
                 * @description Variable. In native, cmip5, cordex and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "tas"
                 *     ]
                 */
                variable?: components["parameters"]["FilterVariable"];
                /**
                 * @description Ensemble member. In native, cordex and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "r1i1p1f1"
                 *     ]
                 */
                ensemble?: components["parameters"]["FilterEnsemble"];
                /**
                 * @description Kind of mean in time. In native, cmip6, cmip5, cordex, cmip7, cordex-cmip6 and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "mean"
                 *     ]
                 */
                time_aggregation?: components["parameters"]["FilterTimeAggregation"];
                /**
                 * @description Kind of storage. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "posix"
                 *     ]
                 */
                fs_type?: components["parameters"]["FilterFsType"];
                /**
                 * @description Label of the grid. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "gn"
                 *     ]
                 */
                grid_label?: components["parameters"]["FilterGridLabel"];
                /**
                 * @description Table of the variable in its project. In native, cmip5, cordex, nextgems and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "Amon"
                 *     ]
                 */
                cmor_table?: components["parameters"]["FilterCmorTable"];
                /**
                 * @description Driving model. In native, cmip6, cmip5, cordex, nextgems, cmip7 and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "MPI-M-MPI-ESM-LR"
                 *     ]
                 */
                driving_model?: components["parameters"]["FilterDrivingModel"];
                /**
                 * @description Format of the file. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "nc"
                 *     ]
                 */
                format?: components["parameters"]["FilterFormat"];
                /**
                 * @description Identifier of the grid. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "n320"
                 *     ]
                 */
                grid_id?: components["parameters"]["FilterGridId"];
                /**
                 * @description Kind of levels. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "2d"
                 *     ]
                 */
                level_type?: components["parameters"]["FilterLevelType"];
                /**
                 * @description Name of the regional model. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "CLMcom-CCLM4-8-17"
                 *     ]
                 */
                rcm_name?: components["parameters"]["FilterRcmName"];
                /**
                 * @description Version of the regional run. In native, cmip6, cmip5, cordex, nextgems, cmip7 and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "v1"
                 *     ]
                 */
                rcm_version?: components["parameters"]["FilterRcmVersion"];
                /**
                 * @description Region that the data cover, by its name. In native, cmip7 and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "glb"
                 *     ]
                 */
                region?: components["parameters"]["FilterRegion"];
                /**
                 * @description What was done to the variable in time and space, and where it is given. In native, cmip7 and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "tavg-h2m-hxy-u"
                 *     ]
                 */
                branding_suffix?: components["parameters"]["FilterBrandingSuffix"];
                /**
                 * @description Collection of the catalogue. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "sample"
                 *     ]
                 */
                dataset?: components["parameters"]["FilterDataset"];
                /**
                 * @description User who registered the data. In native and user. `!` before a value excludes it.
                 * @example [
                 *       "demo"
                 *     ]
                 */
                user?: components["parameters"]["FilterUser"];
                /**
                 * @description Project that the data were made for. In cmip6 and cmip7 (`project` in native). `!` before a value excludes it.
                 * @example [
                 *       "CMIP6"
                 *     ]
                 */
                mip_era?: components["parameters"]["FilterMipEra"];
                /**
                 * @description Product, activity or region. In cmip6 and cmip7 (`product` in native). `!` before a value excludes it.
                 * @example [
                 *       "CMIP"
                 *     ]
                 */
                activity_id?: components["parameters"]["FilterActivityId"];
                /**
                 * @description Institution that made the data. In cmip6, cmip5, nextgems, cmip7 and cordex-cmip6 (`institute` in native). `!` before a value excludes it.
                 * @example [
                 *       "MPI-M"
                 *     ]
                 */
                institution_id?: components["parameters"]["FilterInstitutionId"];
                /**
                 * @description Model, or source. In cmip6, nextgems, cmip7 and cordex-cmip6 (`model` in native). `!` before a value excludes it.
                 * @example [
                 *       "MPI-ESM1-2-LR"
                 *     ]
                 */
                source_id?: components["parameters"]["FilterSourceId"];
                /**
                 * @description Experiment or simulation. In cmip6 and cmip7 (`experiment` in native). Product, activity or region. In nextgems (`product` in native). `!` before a value excludes it.
                 * @example [
                 *       "historical"
                 *     ]
                 */
                experiment_id?: components["parameters"]["FilterExperimentId"];
                /**
                 * @description Frequency in time. In cmip6, cmip7 and cordex-cmip6 (`time_frequency` in native). `!` before a value excludes it.
                 * @example [
                 *       "mon"
                 *     ]
                 */
                frequency?: components["parameters"]["FilterFrequency"];
                /**
                 * @description Variable. In cmip6, nextgems, cmip7 and cordex-cmip6 (`variable` in native). `!` before a value excludes it.
                 * @example [
                 *       "tas"
                 *     ]
                 */
                variable_id?: components["parameters"]["FilterVariableId"];
                /**
                 * @description Ensemble member. In cmip6, cmip5 and nextgems (`ensemble` in native). `!` before a value excludes it.
                 * @example [
                 *       "r1i1p1f1"
                 *     ]
                 */
                member_id?: components["parameters"]["FilterMemberId"];
                /**
                 * @description Table of the variable in its project. In cmip6 (`cmor_table` in native). `!` before a value excludes it.
                 * @example [
                 *       "Amon"
                 *     ]
                 */
                table_id?: components["parameters"]["FilterTableId"];
                /**
                 * @description Model, or source. In cmip5 (`model` in native). `!` before a value excludes it.
                 * @example [
                 *       "MPI-ESM-LR"
                 *     ]
                 */
                model_id?: components["parameters"]["FilterModelId"];
                /**
                 * @description Product, activity or region. In cordex (`product` in native). `!` before a value excludes it.
                 * @example [
                 *       "EUR-11"
                 *     ]
                 */
                domain?: components["parameters"]["FilterDomain"];
                /**
                 * @description Institution that made the data. In cordex (`institute` in native). `!` before a value excludes it.
                 * @example [
                 *       "CLMcom"
                 *     ]
                 */
                institution?: components["parameters"]["FilterInstitution"];
                /**
                 * @description Experiment or simulation. In nextgems (`experiment` in native). `!` before a value excludes it.
                 * @example [
                 *       "ngc3028"
                 *     ]
                 */
                simulation_id?: components["parameters"]["FilterSimulationId"];
                /**
                 * @description Kind of mean in time. In nextgems (`time_aggregation` in native). `!` before a value excludes it.
                 * @example [
                 *       "mean"
                 *     ]
                 */
                time_reduction?: components["parameters"]["FilterTimeReduction"];
                /**
                 * @description Ensemble member. In cmip7 (`ensemble` in native). `!` before a value excludes it.
                 * @example [
                 *       "r1i1p1f1"
                 *     ]
                 */
                variant_label?: components["parameters"]["FilterVariantLabel"];
                /**
                 * @description Project that the data were made for. In cordex-cmip6 (`project` in native). `!` before a value excludes it.
                 * @example [
                 *       "CORDEX"
                 *     ]
                 */
                project_id?: components["parameters"]["FilterProjectId"];
                /**
                 * @description Product, activity or region. In cordex-cmip6 (`product` in native). `!` before a value excludes it.
                 * @example [
                 *       "EUR-11"
                 *     ]
                 */
                domain_id?: components["parameters"]["FilterDomainId"];
                /**
                 * @description Experiment or simulation. In cordex-cmip6 (`experiment` in native). `!` before a value excludes it.
                 * @example [
                 *       "historical"
                 *     ]
                 */
                driving_experiment_id?: components["parameters"]["FilterDrivingExperimentId"];
                /**
                 * @description Ensemble member. In cordex-cmip6 (`ensemble` in native). `!` before a value excludes it.
                 * @example [
                 *       "r1i1p1"
                 *     ]
                 */
                driving_variant_label?: components["parameters"]["FilterDrivingVariantLabel"];
                /**
                 * @description Driving model. In cordex-cmip6 (`driving_model` in native). `!` before a value excludes it.
                 * @example [
                 *       "MPI-M-MPI-ESM-LR"
                 *     ]
                 */
                driving_source_id?: components["parameters"]["FilterDrivingSourceId"];
                /**
                 * @description Version of the regional run. In cordex-cmip6 (`rcm_version` in native). `!` before a value excludes it.
                 * @example [
                 *       "v1"
                 *     ]
                 */
                version_realization?: components["parameters"]["FilterVersionRealization"];
                /**
                 * @description Path of the file, with regard to case. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "*\/tas_Amon_*"
                 *     ]
                 */
                file?: components["parameters"]["FilterFile"];
                /**
                 * @description URI of the file, with regard to case. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "*\/tas_Amon_*"
                 *     ]
                 */
                uri?: components["parameters"]["FilterUri"];
                /**
                 * @description Version of the data set. In every flavour with `multi-version=true` only. `!` before a value excludes it.
                 * @example [
                 *       "v20190710"
                 *     ]
                 */
                version?: components["parameters"]["FilterVersion"];
                /**
                 * @description Name of the dataset in its standard, without a version. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "CMIP6.CMIP.MPI-M.MPI-ESM1-2-LR.historical.r1i1p1f1.Amon.tas.gn"
                 *     ]
                 */
                dataset_id?: components["parameters"]["FilterDatasetId"];
                /**
                 * @description Checksum of the file with the name of its algorithm. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "sha256:f7ef24b424dd92e88740bcafd42df540202778f6d0c205bc32618c0eae377da2"
                 *     ]
                 */
                checksum?: components["parameters"]["FilterChecksum"];
                /**
                 * @description Identifier that the file was given when it was made. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "hdl:21.14100/3e8b0b0f-213c-54d3-808f-d41a77f9dc48"
                 *     ]
                 */
                tracking_id?: components["parameters"]["FilterTrackingId"];
                /**
                 * @description CF standard name of the variable. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "air_temperature"
                 *     ]
                 */
                standard_name?: components["parameters"]["FilterStandardName"];
                /**
                 * @description Name of the variable for people. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "Near-Surface Air Temperature"
                 *     ]
                 */
                long_name?: components["parameters"]["FilterLongName"];
                /**
                 * @description Units of the variable. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "K"
                 *     ]
                 */
                units?: components["parameters"]["FilterUnits"];
                /**
                 * @description Resolution of the grid, roughly. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "250 km"
                 *     ]
                 */
                nominal_resolution?: components["parameters"]["FilterNominalResolution"];
                /**
                 * @description Terms under which the data may be used. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "CC BY 4.0"
                 *     ]
                 */
                license?: components["parameters"]["FilterLicense"];
                /**
                 * @description Address of a page about the data. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "https://furtherinfo.es-doc.org/CMIP6.MPI-M.MPI-ESM1-2-LR.historical.none.r1i1p1f1"
                 *     ]
                 */
                further_info_url?: components["parameters"]["FilterFurtherInfoUrl"];
                /**
                 * @description Whether the data were withdrawn by those who made them: true or false. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "true"
                 *     ]
                 */
                retracted?: components["parameters"]["FilterRetracted"];
                /**
                 * @description Filters whose names have no parameter of their own here, each as `name=value`, such as
                 *     `experiment_id_not_=ssp*`: a facet of the flavour with `_not_` after its name excludes. The same can be written
                 *     as a query parameter, `?experiment_id_not_=ssp*`.
                 * @example [
                 *       "experiment_id_not_=ssp*"
                 *     ]
                 */
                filter?: components["parameters"]["Filter"];
            };
            header?: never;
            path: {
                /**
                 * @description The flavour whose facet names are used: a DRS standard, one that is for all, or one of the caller's own, for which
                 *     the access token must be sent.
                 * @example cmip6
                 */
                flavour: components["parameters"]["InFlavour"];
                /**
                 * @description Whether locations are file paths or URIs.
                 * @example file
                 */
                uniq_key: components["parameters"]["ByKey"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The catalogue. */
            200: {
                headers: {
                    "Content-Disposition": components["headers"]["ContentDisposition"];
                    "Cache-Control": components["headers"]["CallersOwn"];
                    Vary: components["headers"]["Vary"];
                    "Unknown-Values": components["headers"]["UnknownValues"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IntakeCatalogue"];
                };
            };
            400: components["responses"]["NoEntries"];
            401: components["responses"]["Unauthorized"];
            413: components["responses"]["TooManyResults"];
            422: components["responses"]["InvalidParameters"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["SearchUnavailable"];
        };
    };
    createStacCatalogue: {
        parameters: {
            query?: {
                /** @description How many of the first results to leave out. */
                start?: components["parameters"]["Start"];
                /** @description Refuse with 413 when more than this number is found; -1 for no limit. */
                "max-results"?: components["parameters"]["MaxResults"];
                /** @description Search every version of a data set, not only the newest one. */
                "multi-version"?: components["parameters"]["MultiVersion"];
                /**
                 * @description Use the flavour's facet names, in the query and in the answer. With `false` both use the native ones,
                 *     and `facet_mapping` tells how to translate them.
                 */
                translate?: components["parameters"]["Translate"];
                /**
                 * @description `https`: locations are the addresses of the files at this service (operation `readFile`), for programs that read over HTTP.
                 *     Zarr stores have the address of their stream; data that are not on the service's machine keep their location.
                 */
                location?: components["parameters"]["Location"];
                /**
                 * @description A period: `A to B`, `A to`, `to B`, `[A TO B]` or `A`, with ISO 8601 dates that may be truncated (`2000`,
                 *     `2000-03`, `2000-03-01T06`); without a time zone they are UTC. A truncated end reaches to the end of
                 *     its unit. Years beyond 9999 or before 0 have a sign or five digits (`-20000 to -19000`, `12000`); year 0 is 1 BC.
                 *     `not ` or `!` before it excludes. Constant data overlap and cover every period; `fx` means them alone.
                 */
                time?: components["parameters"]["Time"];
                /**
                 * @description How data relate to `time`: `flexible` overlap the period, `strict` lie wholly inside it, `file` cover
                 *     the whole period alone.
                 */
                time_select?: components["parameters"]["TimeSelect"];
                /**
                 * @description A region, `min_lon,max_lon,min_lat,max_lat` in degrees, longitudes from -180 to 360. With min_lon > max_lon
                 *     it crosses the antimeridian. `not ` or `!` before it excludes.
                 */
                bbox?: components["parameters"]["Bbox"];
                /**
                 * @description How data relate to `bbox`: `flexible` overlap the region, `strict` lie wholly inside it, `file` cover
                 *     the whole region alone.
                 */
                bbox_select?: components["parameters"]["BboxSelect"];
                /**
                 * @description One to four facets by their names in the flavour, several times or separated by commas: files with the same values of
                 *     them are a group. Together with `need`, or alone, which means the same as `require_all_on`.
                 */
                group_by?: components["parameters"]["GroupBy"];
                /**
                 * @description What each group must have, of `group_by`; up to 50 times. `variable_id:areacella;table_id:fx;on=source_id` asks for a
                 *     file with both values. A name that is given again in it means any of its values; details that are texts have values,
                 *     too. With `on=`, names of `group_by` separated by commas, the file need only be of the same values of these. With
                 *     `from=` and `to=` (dates, as in `time`) files that meet the need must cover the period without a gap. Before `;`,
                 *     `:`, `*`, `?` and `\`, `\` takes the character literally; there are no wildcards.
                 */
                need?: components["parameters"]["Need"];
                /**
                 * @description What intake-esm calls so, in the place of `group_by` and `need`: groups of files with the same values of these facets
                 *     that have every combination of the values which the other keys of the search include. Values with wildcards,
                 *     excluded ones, periods and regions only filter. Up to 1,000 combinations.
                 */
                require_all_on?: components["parameters"]["RequireAllOn"];
                /**
                 * @description Project that the data were made for. In native, cmip5, cordex, nextgems and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "CMIP6"
                 *     ]
                 */
                project?: components["parameters"]["FilterProject"];
                /**
                 * @description Product, activity or region. In native, cmip5 and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "CMIP"
                 *     ]
                 */
                product?: components["parameters"]["FilterProduct"];
                /**
                 * @description Institution that made the data. In native and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "MPI-M"
                 *     ]
                 */
                institute?: components["parameters"]["FilterInstitute"];
                /**
                 * @description Model, or source. In native, cordex and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "MPI-ESM1-2-LR"
                 *     ]
                 */
                model?: components["parameters"]["FilterModel"];
                /**
                 * @description Experiment or simulation. In native, cmip5, cordex and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "historical"
                 *     ]
                 */
                experiment?: components["parameters"]["FilterExperiment"];
                /**
                 * @description Frequency in time. In native, cmip5, cordex, nextgems and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "mon"
                 *     ]
                 */
                time_frequency?: components["parameters"]["FilterTimeFrequency"];
                /**
                 * @description Part of the climate system. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "atmos"
                 *     ]
                 */
                realm?: components["parameters"]["FilterRealm"];
                /**
                 * @description Variable. In native, cmip5, cordex and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "tas"
                 *     ]
                 */
                variable?: components["parameters"]["FilterVariable"];
                /**
                 * @description Ensemble member. In native, cordex and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "r1i1p1f1"
                 *     ]
                 */
                ensemble?: components["parameters"]["FilterEnsemble"];
                /**
                 * @description Kind of mean in time. In native, cmip6, cmip5, cordex, cmip7, cordex-cmip6 and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "mean"
                 *     ]
                 */
                time_aggregation?: components["parameters"]["FilterTimeAggregation"];
                /**
                 * @description Kind of storage. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "posix"
                 *     ]
                 */
                fs_type?: components["parameters"]["FilterFsType"];
                /**
                 * @description Label of the grid. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "gn"
                 *     ]
                 */
                grid_label?: components["parameters"]["FilterGridLabel"];
                /**
                 * @description Table of the variable in its project. In native, cmip5, cordex, nextgems and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "Amon"
                 *     ]
                 */
                cmor_table?: components["parameters"]["FilterCmorTable"];
                /**
                 * @description Driving model. In native, cmip6, cmip5, cordex, nextgems, cmip7 and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "MPI-M-MPI-ESM-LR"
                 *     ]
                 */
                driving_model?: components["parameters"]["FilterDrivingModel"];
                /**
                 * @description Format of the file. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "nc"
                 *     ]
                 */
                format?: components["parameters"]["FilterFormat"];
                /**
                 * @description Identifier of the grid. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "n320"
                 *     ]
                 */
                grid_id?: components["parameters"]["FilterGridId"];
                /**
                 * @description Kind of levels. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "2d"
                 *     ]
                 */
                level_type?: components["parameters"]["FilterLevelType"];
                /**
                 * @description Name of the regional model. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "CLMcom-CCLM4-8-17"
                 *     ]
                 */
                rcm_name?: components["parameters"]["FilterRcmName"];
                /**
                 * @description Version of the regional run. In native, cmip6, cmip5, cordex, nextgems, cmip7 and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "v1"
                 *     ]
                 */
                rcm_version?: components["parameters"]["FilterRcmVersion"];
                /**
                 * @description Region that the data cover, by its name. In native, cmip7 and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "glb"
                 *     ]
                 */
                region?: components["parameters"]["FilterRegion"];
                /**
                 * @description What was done to the variable in time and space, and where it is given. In native, cmip7 and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "tavg-h2m-hxy-u"
                 *     ]
                 */
                branding_suffix?: components["parameters"]["FilterBrandingSuffix"];
                /**
                 * @description Collection of the catalogue. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "sample"
                 *     ]
                 */
                dataset?: components["parameters"]["FilterDataset"];
                /**
                 * @description User who registered the data. In native and user. `!` before a value excludes it.
                 * @example [
                 *       "demo"
                 *     ]
                 */
                user?: components["parameters"]["FilterUser"];
                /**
                 * @description Project that the data were made for. In cmip6 and cmip7 (`project` in native). `!` before a value excludes it.
                 * @example [
                 *       "CMIP6"
                 *     ]
                 */
                mip_era?: components["parameters"]["FilterMipEra"];
                /**
                 * @description Product, activity or region. In cmip6 and cmip7 (`product` in native). `!` before a value excludes it.
                 * @example [
                 *       "CMIP"
                 *     ]
                 */
                activity_id?: components["parameters"]["FilterActivityId"];
                /**
                 * @description Institution that made the data. In cmip6, cmip5, nextgems, cmip7 and cordex-cmip6 (`institute` in native). `!` before a value excludes it.
                 * @example [
                 *       "MPI-M"
                 *     ]
                 */
                institution_id?: components["parameters"]["FilterInstitutionId"];
                /**
                 * @description Model, or source. In cmip6, nextgems, cmip7 and cordex-cmip6 (`model` in native). `!` before a value excludes it.
                 * @example [
                 *       "MPI-ESM1-2-LR"
                 *     ]
                 */
                source_id?: components["parameters"]["FilterSourceId"];
                /**
                 * @description Experiment or simulation. In cmip6 and cmip7 (`experiment` in native). Product, activity or region. In nextgems (`product` in native). `!` before a value excludes it.
                 * @example [
                 *       "historical"
                 *     ]
                 */
                experiment_id?: components["parameters"]["FilterExperimentId"];
                /**
                 * @description Frequency in time. In cmip6, cmip7 and cordex-cmip6 (`time_frequency` in native). `!` before a value excludes it.
                 * @example [
                 *       "mon"
                 *     ]
                 */
                frequency?: components["parameters"]["FilterFrequency"];
                /**
                 * @description Variable. In cmip6, nextgems, cmip7 and cordex-cmip6 (`variable` in native). `!` before a value excludes it.
                 * @example [
                 *       "tas"
                 *     ]
                 */
                variable_id?: components["parameters"]["FilterVariableId"];
                /**
                 * @description Ensemble member. In cmip6, cmip5 and nextgems (`ensemble` in native). `!` before a value excludes it.
                 * @example [
                 *       "r1i1p1f1"
                 *     ]
                 */
                member_id?: components["parameters"]["FilterMemberId"];
                /**
                 * @description Table of the variable in its project. In cmip6 (`cmor_table` in native). `!` before a value excludes it.
                 * @example [
                 *       "Amon"
                 *     ]
                 */
                table_id?: components["parameters"]["FilterTableId"];
                /**
                 * @description Model, or source. In cmip5 (`model` in native). `!` before a value excludes it.
                 * @example [
                 *       "MPI-ESM-LR"
                 *     ]
                 */
                model_id?: components["parameters"]["FilterModelId"];
                /**
                 * @description Product, activity or region. In cordex (`product` in native). `!` before a value excludes it.
                 * @example [
                 *       "EUR-11"
                 *     ]
                 */
                domain?: components["parameters"]["FilterDomain"];
                /**
                 * @description Institution that made the data. In cordex (`institute` in native). `!` before a value excludes it.
                 * @example [
                 *       "CLMcom"
                 *     ]
                 */
                institution?: components["parameters"]["FilterInstitution"];
                /**
                 * @description Experiment or simulation. In nextgems (`experiment` in native). `!` before a value excludes it.
                 * @example [
                 *       "ngc3028"
                 *     ]
                 */
                simulation_id?: components["parameters"]["FilterSimulationId"];
                /**
                 * @description Kind of mean in time. In nextgems (`time_aggregation` in native). `!` before a value excludes it.
                 * @example [
                 *       "mean"
                 *     ]
                 */
                time_reduction?: components["parameters"]["FilterTimeReduction"];
                /**
                 * @description Ensemble member. In cmip7 (`ensemble` in native). `!` before a value excludes it.
                 * @example [
                 *       "r1i1p1f1"
                 *     ]
                 */
                variant_label?: components["parameters"]["FilterVariantLabel"];
                /**
                 * @description Project that the data were made for. In cordex-cmip6 (`project` in native). `!` before a value excludes it.
                 * @example [
                 *       "CORDEX"
                 *     ]
                 */
                project_id?: components["parameters"]["FilterProjectId"];
                /**
                 * @description Product, activity or region. In cordex-cmip6 (`product` in native). `!` before a value excludes it.
                 * @example [
                 *       "EUR-11"
                 *     ]
                 */
                domain_id?: components["parameters"]["FilterDomainId"];
                /**
                 * @description Experiment or simulation. In cordex-cmip6 (`experiment` in native). `!` before a value excludes it.
                 * @example [
                 *       "historical"
                 *     ]
                 */
                driving_experiment_id?: components["parameters"]["FilterDrivingExperimentId"];
                /**
                 * @description Ensemble member. In cordex-cmip6 (`ensemble` in native). `!` before a value excludes it.
                 * @example [
                 *       "r1i1p1"
                 *     ]
                 */
                driving_variant_label?: components["parameters"]["FilterDrivingVariantLabel"];
                /**
                 * @description Driving model. In cordex-cmip6 (`driving_model` in native). `!` before a value excludes it.
                 * @example [
                 *       "MPI-M-MPI-ESM-LR"
                 *     ]
                 */
                driving_source_id?: components["parameters"]["FilterDrivingSourceId"];
                /**
                 * @description Version of the regional run. In cordex-cmip6 (`rcm_version` in native). `!` before a value excludes it.
                 * @example [
                 *       "v1"
                 *     ]
                 */
                version_realization?: components["parameters"]["FilterVersionRealization"];
                /**
                 * @description Path of the file, with regard to case. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "*\/tas_Amon_*"
                 *     ]
                 */
                file?: components["parameters"]["FilterFile"];
                /**
                 * @description URI of the file, with regard to case. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "*\/tas_Amon_*"
                 *     ]
                 */
                uri?: components["parameters"]["FilterUri"];
                /**
                 * @description Version of the data set. In every flavour with `multi-version=true` only. `!` before a value excludes it.
                 * @example [
                 *       "v20190710"
                 *     ]
                 */
                version?: components["parameters"]["FilterVersion"];
                /**
                 * @description Name of the dataset in its standard, without a version. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "CMIP6.CMIP.MPI-M.MPI-ESM1-2-LR.historical.r1i1p1f1.Amon.tas.gn"
                 *     ]
                 */
                dataset_id?: components["parameters"]["FilterDatasetId"];
                /**
                 * @description Checksum of the file with the name of its algorithm. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "sha256:f7ef24b424dd92e88740bcafd42df540202778f6d0c205bc32618c0eae377da2"
                 *     ]
                 */
                checksum?: components["parameters"]["FilterChecksum"];
                /**
                 * @description Identifier that the file was given when it was made. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "hdl:21.14100/3e8b0b0f-213c-54d3-808f-d41a77f9dc48"
                 *     ]
                 */
                tracking_id?: components["parameters"]["FilterTrackingId"];
                /**
                 * @description CF standard name of the variable. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "air_temperature"
                 *     ]
                 */
                standard_name?: components["parameters"]["FilterStandardName"];
                /**
                 * @description Name of the variable for people. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "Near-Surface Air Temperature"
                 *     ]
                 */
                long_name?: components["parameters"]["FilterLongName"];
                /**
                 * @description Units of the variable. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "K"
                 *     ]
                 */
                units?: components["parameters"]["FilterUnits"];
                /**
                 * @description Resolution of the grid, roughly. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "250 km"
                 *     ]
                 */
                nominal_resolution?: components["parameters"]["FilterNominalResolution"];
                /**
                 * @description Terms under which the data may be used. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "CC BY 4.0"
                 *     ]
                 */
                license?: components["parameters"]["FilterLicense"];
                /**
                 * @description Address of a page about the data. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "https://furtherinfo.es-doc.org/CMIP6.MPI-M.MPI-ESM1-2-LR.historical.none.r1i1p1f1"
                 *     ]
                 */
                further_info_url?: components["parameters"]["FilterFurtherInfoUrl"];
                /**
                 * @description Whether the data were withdrawn by those who made them: true or false. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "true"
                 *     ]
                 */
                retracted?: components["parameters"]["FilterRetracted"];
                /**
                 * @description Filters whose names have no parameter of their own here, each as `name=value`, such as
                 *     `experiment_id_not_=ssp*`: a facet of the flavour with `_not_` after its name excludes. The same can be written
                 *     as a query parameter, `?experiment_id_not_=ssp*`.
                 * @example [
                 *       "experiment_id_not_=ssp*"
                 *     ]
                 */
                filter?: components["parameters"]["Filter"];
            };
            header?: never;
            path: {
                /**
                 * @description The flavour whose facet names are used: a DRS standard, one that is for all, or one of the caller's own, for which
                 *     the access token must be sent.
                 * @example cmip6
                 */
                flavour: components["parameters"]["InFlavour"];
                /**
                 * @description Whether locations are file paths or URIs.
                 * @example file
                 */
                uniq_key: components["parameters"]["ByKey"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The zip archive. */
            200: {
                headers: {
                    "Content-Disposition": components["headers"]["ContentDisposition"];
                    "Cache-Control": components["headers"]["CallersOwn"];
                    Vary: components["headers"]["Vary"];
                    "Unknown-Values": components["headers"]["UnknownValues"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example (a zip archive) */
                    "application/zip": string;
                };
            };
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NoItems"];
            413: components["responses"]["TooManyResults"];
            422: components["responses"]["InvalidParameters"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["SearchUnavailable"];
        };
    };
    downloadCart: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The flavour whose facet names are used: a DRS standard, one that is for all, or one of the caller's own, for which
                 *     the access token must be sent.
                 * @example cmip6
                 */
                flavour: components["parameters"]["InFlavour"];
                /**
                 * @description Whether locations are file paths or URIs.
                 * @example file
                 */
                uniq_key: components["parameters"]["ByKey"];
            };
            cookie?: never;
        };
        /** @description The searches, and what is made of them; a megabyte at the most. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "format": "paths",
                 *       "searches": [
                 *         {
                 *           "parameters": {
                 *             "dataset_id": [
                 *               "CMIP6.CMIP.MPI-M.MPI-ESM1-2-LR.historical.r1i1p1f1.Amon.tas.gn"
                 *             ]
                 *           }
                 *         },
                 *         {
                 *           "parameters": {
                 *             "source_id": [
                 *               "UKESM1-0-LL"
                 *             ],
                 *             "variable_id": [
                 *               "tas",
                 *               "pr"
                 *             ],
                 *             "time": [
                 *               "1985 to 1994"
                 *             ]
                 *           }
                 *         },
                 *         {
                 *           "flavour": "native",
                 *           "parameters": {
                 *             "dataset_id": [
                 *               "CMIP6.CMIP.MPI-M.MPI-ESM1-2-LR.historical.r1i1p1f1.Amon.pr.gn"
                 *             ],
                 *             "version": [
                 *               "v20190710"
                 *             ],
                 *             "multi-version": [
                 *               "true"
                 *             ]
                 *           }
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["Cart"];
            };
        };
        responses: {
            /** @description The list or catalogue. An empty list, or a table of names alone, where nothing is found. */
            200: {
                headers: {
                    "Content-Disposition": components["headers"]["ContentDisposition"];
                    "Cache-Control": components["headers"]["CallersOwn"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example (a zip archive) */
                    "application/zip": string;
                    /** @example /pool/data/CMIP6/data/CMIP/MPI-M/MPI-ESM1-2-LR/historical/r1i1p1f1/Amon/tas/gn/v20190710/tas_Amon_MPI-ESM1-2-LR_historical_r1i1p1f1_gn_185001-186912.nc */
                    "text/plain": string;
                    "application/json": components["schemas"]["IntakeCatalogue"];
                    /** @example <?xml version="1.0" encoding="UTF-8"?> */
                    "application/metalink4+xml": string;
                    /**
                     * @example file,variable_id,size
                     *     /pool/data/CMIP6/tas_Amon_MPI-ESM1-2-LR_historical_r1i1p1f1_gn_185001-186912.nc,tas,84022
                     */
                    "text/csv": string;
                };
            };
            /** @description The body cannot be read as what its Content-Type says; or of zarr addresses and intake catalogues, nothing is found. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "urn:climate-nextgen:problem:no-entries",
                     *       "title": "No entries found",
                     *       "status": 400,
                     *       "detail": "No entry matches this search."
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NoItems"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidParameters"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["SearchUnavailable"];
        };
    };
    listFlavours: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The flavours. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CallersOwn"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "total": 2,
                     *       "flavours": [
                     *         {
                     *           "flavour_name": "cmip5",
                     *           "mapping": {
                     *             "model": "model_id"
                     *           },
                     *           "is_global": true,
                     *           "owner": "built in"
                     *         },
                     *         {
                     *           "flavour_name": "my-lab",
                     *           "mapping": {
                     *             "model": "gcm"
                     *           },
                     *           "is_global": false,
                     *           "owner": "ada"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["FlavourList"];
                };
            };
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["SearchUnavailable"];
        };
    };
    addFlavour: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description The flavour. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "flavour_name": "my-lab",
                 *       "mapping": {
                 *         "model": "gcm",
                 *         "experiment": "scenario"
                 *       },
                 *       "is_global": false
                 *     }
                 */
                "application/json": components["schemas"]["FlavourRequest"];
            };
        };
        responses: {
            /** @description The flavour was made. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "flavour_name": "my-lab",
                     *       "mapping": {
                     *         "model": "gcm"
                     *       },
                     *       "is_global": false,
                     *       "owner": "ada"
                     *     }
                     */
                    "application/json": components["schemas"]["FlavourDefinition"];
                };
            };
            400: components["responses"]["MalformedBody"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["AdministratorsOnly"];
            409: components["responses"]["NameTaken"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidParameters"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["SearchUnavailable"];
        };
    };
    changeFlavour: {
        parameters: {
            query?: {
                /**
                 * @description Whether the flavour for all is meant, or the caller's own. Without it the caller's own, and where there is none of
                 *     that name the one for all.
                 */
                is_global?: components["parameters"]["OfAll"];
            };
            header?: never;
            path: {
                /**
                 * @description The flavour whose facet names are used: a DRS standard, one that is for all, or one of the caller's own, for which
                 *     the access token must be sent.
                 * @example cmip6
                 */
                flavour: components["parameters"]["InFlavour"];
            };
            cookie?: never;
        };
        /** @description What changes. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "flavour_name": "our-lab",
                 *       "mapping": {
                 *         "model": "gcm",
                 *         "ensemble": "run"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["FlavourChange"];
            };
        };
        responses: {
            /** @description The flavour as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "flavour_name": "our-lab",
                     *       "mapping": {
                     *         "model": "gcm",
                     *         "ensemble": "run"
                     *       },
                     *       "is_global": false,
                     *       "owner": "ada"
                     *     }
                     */
                    "application/json": components["schemas"]["FlavourDefinition"];
                };
            };
            400: components["responses"]["MalformedBody"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["AdministratorsOnly"];
            404: components["responses"]["NoSuchFlavour"];
            409: components["responses"]["NameTaken"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidParameters"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["SearchUnavailable"];
        };
    };
    deleteFlavour: {
        parameters: {
            query?: {
                /**
                 * @description Whether the flavour for all is meant, or the caller's own. Without it the caller's own, and where there is none of
                 *     that name the one for all.
                 */
                is_global?: components["parameters"]["OfAll"];
            };
            header?: never;
            path: {
                /**
                 * @description The flavour whose facet names are used: a DRS standard, one that is for all, or one of the caller's own, for which
                 *     the access token must be sent.
                 * @example cmip6
                 */
                flavour: components["parameters"]["InFlavour"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is gone. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "The flavour my-lab has been deleted."
                     *     }
                     */
                    "application/json": components["schemas"]["Status"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["AdministratorsOnly"];
            404: components["responses"]["NoSuchFlavour"];
            422: components["responses"]["InvalidParameters"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["SearchUnavailable"];
        };
    };
    addUserData: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description The entries, and facets that all of them have. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "user_metadata": [
                 *         {
                 *           "file": "/work/ada/tas_Amon_my-model_198501-198912.nc",
                 *           "variable": [
                 *             "tas"
                 *           ],
                 *           "time": "[1985-01-01T00:00:00Z TO 1989-12-31T23:59:59Z]",
                 *           "time_frequency": "mon",
                 *           "bbox": "-10,30,35,70",
                 *           "extra": {
                 *             "additional_info": "bias adjusted"
                 *           }
                 *         }
                 *       ],
                 *       "facets": {
                 *         "project": "my-project",
                 *         "product": "output",
                 *         "model": "my-model"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["UserDataRequest"];
            };
        };
        responses: {
            /** @description How many files were added, and how many were not because they are registered already. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "1 have been successfully added to the databrowser. 0 files were duplicates and not added."
                     *     }
                     */
                    "application/json": components["schemas"]["Status"];
                };
            };
            400: components["responses"]["MalformedBody"];
            401: components["responses"]["Unauthorized"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidParameters"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["SearchUnavailable"];
        };
    };
    deleteUserData: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description What all has to hold. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "project": "my-project",
                 *       "file": "/work/ada/tas_*"
                 *     }
                 */
                "application/json": components["schemas"]["UserDataSelection"];
            };
        };
        responses: {
            /** @description How many entries were deleted. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "User data has been deleted successfully. 1 document of user data has been deleted"
                     *     }
                     */
                    "application/json": components["schemas"]["Status"];
                };
            };
            400: components["responses"]["MalformedBody"];
            401: components["responses"]["Unauthorized"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidParameters"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["SearchUnavailable"];
        };
    };
    authorize: {
        parameters: {
            query?: {
                /**
                 * @description `code`.
                 * @example code
                 */
                response_type?: string;
                /**
                 * @description `query`, or left out.
                 * @example query
                 */
                response_mode?: string;
                /**
                 * @description The application that asks.
                 * @example climate-nextgen-page
                 */
                client_id?: string;
                /**
                 * @description Where the answer goes, character by character: for the service's own page its `/account`, for clients that were
                 *     added `http://127.0.0.1:<port>/callback` or `http://[::1]:<port>/callback` (RFC 8252, 7.3).
                 * @example https://data.example.org/account
                 */
                redirect_uri?: string;
                /**
                 * @description The scopes that are wanted; all where left out.
                 * @example profile email
                 */
                scope?: string;
                /**
                 * @description Comes back with the answer.
                 * @example af0ifjsldkj
                 */
                state?: string;
                /**
                 * @description SHA-256 of the verifier, in base64url (RFC 7636)
                 * @example E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM
                 */
                code_challenge?: string;
                /**
                 * @description `S256`; nothing else is taken.
                 * @example S256
                 */
                code_challenge_method?: string;
                /**
                 * @description `none`: nobody is asked, and where nobody has signed in with this browser the answer is the error `login_required`;
                 *     `login`: somebody is asked in any case.
                 * @example none
                 */
                prompt?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["SignInPage"];
            303: components["responses"]["ToTheClient"];
            400: components["responses"]["NotToTheClient"];
            422: components["responses"]["InvalidParameters"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["SearchUnavailable"];
        };
    };
    signIn: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Name and password, and what was asked for. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "username": "demo",
                 *       "password": "correct horse battery staple",
                 *       "form_key": "x"
                 *     }
                 */
                "application/x-www-form-urlencoded": components["schemas"]["SignInForm"];
            };
        };
        responses: {
            /** @description The page once more, where name or password were left out. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["NoStore"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example <!doctype html> */
                    "text/html": string;
                };
            };
            303: components["responses"]["ToTheClient"];
            /** @description Client or address are not known, or the body cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** @example <!doctype html> */
                    "text/html": string;
                    /**
                     * @example {
                     *       "type": "urn:climate-nextgen:problem:malformed-body",
                     *       "title": "Malformed body",
                     *       "status": 400,
                     *       "detail": "The body cannot be read."
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The page once more, with what is wrong; name or password, or the form was not made for this browser. */
            403: {
                headers: {
                    "Cache-Control": components["headers"]["NoStore"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example <!doctype html> */
                    "text/html": string;
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidParameters"];
            /** @description Too many failed sign-ins for this name or from this address, as the page says, or too many requests. */
            429: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example <!doctype html> */
                    "text/html": string;
                    /**
                     * @example {
                     *       "type": "urn:climate-nextgen:problem:too-many-requests",
                     *       "title": "Too many requests",
                     *       "status": 429,
                     *       "detail": "There were too many requests; please wait."
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            500: components["responses"]["InternalError"];
            /** @description Accounts cannot be looked up now, as the page says. */
            503: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example <!doctype html> */
                    "text/html": string;
                    /**
                     * @example {
                     *       "type": "urn:climate-nextgen:problem:search-unavailable",
                     *       "title": "Search backend unavailable",
                     *       "status": 503,
                     *       "detail": "The search backend cannot be reached at the moment."
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    issueToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Credentials, or a refresh token. */
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": components["schemas"]["TokenRequest"];
            };
        };
        responses: {
            /** @description Both tokens. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["NoStore"];
                    Pragma: components["headers"]["Pragma"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "access_token": "eyJ0eXAiOiJhdCtqd3QiLCJhbGciOiJFUzI1NiJ9.eyJzdWIiOiIuLi4ifQ.c2lnbmF0dXJl",
                     *       "token_type": "Bearer",
                     *       "expires": 1767225600,
                     *       "expires_in": 600,
                     *       "refresh_token": "cnr_example",
                     *       "refresh_expires": 1769817600,
                     *       "refresh_expires_in": 2592000,
                     *       "scope": "profile email"
                     *     }
                     */
                    "application/json": components["schemas"]["Token"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthorized"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidParameters"];
            429: components["responses"]["TooManyAttempts"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["SearchUnavailable"];
        };
    };
    tokenStatus: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The token is valid. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["NoStore"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "sub": "0b2f0ca2-6c43-4d5e-8f0a-6f7d1c7c7e51",
                     *       "exp": 1767225600,
                     *       "email": "demo@example.org"
                     *     }
                     */
                    "application/json": components["schemas"]["TokenStatus"];
                };
            };
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["SearchUnavailable"];
        };
    };
    userInfo: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The holder of the token. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["NoStore"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "sub": "0b2f0ca2-6c43-4d5e-8f0a-6f7d1c7c7e51",
                     *       "preferred_username": "demo",
                     *       "email": "demo@example.org"
                     *     }
                     */
                    "application/json": components["schemas"]["UserInfo"];
                };
            };
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["SearchUnavailable"];
        };
    };
    revokeToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description The token to end. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "token": "cnr_example"
                 *     }
                 */
                "application/x-www-form-urlencoded": components["schemas"]["RevocationRequest"];
            };
        };
        responses: {
            /** @description The token is not valid, or not any more. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["NoStore"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthorized"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidParameters"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["SearchUnavailable"];
        };
    };
    introspectToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description The token in question. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "token": "cnr_example"
                 *     }
                 */
                "application/x-www-form-urlencoded": components["schemas"]["IntrospectionRequest"];
            };
        };
        responses: {
            /** @description The claims of a valid token; of any other only that it is not active. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["NoStore"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "active": true,
                     *       "sub": "0b2f0ca2-6c43-4d5e-8f0a-6f7d1c7c7e51",
                     *       "username": "demo",
                     *       "client_id": "climate-nextgen",
                     *       "scope": "profile email",
                     *       "token_type": "Bearer",
                     *       "exp": 1767225600
                     *     }
                     */
                    "application/json": components["schemas"]["Introspection"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthorized"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidParameters"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["SearchUnavailable"];
        };
    };
    listScriptTokens: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The tokens. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["NoStore"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "most": 20,
                     *       "script_tokens": [
                     *         {
                     *           "token_id": "4Qm1bX0c9vLk",
                     *           "name": "nightly job",
                     *           "created": 1767225600,
                     *           "expires": 1769817600
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ScriptTokenList"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["NotWithThisToken"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["SearchUnavailable"];
        };
    };
    createScriptToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description What it is for, and how long it lives. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "nightly job",
                 *       "ttl_seconds": 2592000
                 *     }
                 */
                "application/json": components["schemas"]["ScriptTokenRequest"];
            };
        };
        responses: {
            /** @description The token, which is shown this once. */
            201: {
                headers: {
                    "Cache-Control": components["headers"]["NoStore"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "token_id": "4Qm1bX0c9vLk",
                     *       "name": "nightly job",
                     *       "created": 1767225600,
                     *       "expires": 1769817600,
                     *       "token": "cns_example"
                     *     }
                     */
                    "application/json": components["schemas"]["MadeScriptToken"];
                };
            };
            400: components["responses"]["MalformedBody"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["NotWithThisToken"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidParameters"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["SearchUnavailable"];
        };
    };
    endScriptToken: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description As the list has it; not the token.
                 * @example 4Qm1bX0c9vLk
                 */
                token_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The token is not valid any more. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["NotWithThisToken"];
            /** @description The caller has no such token. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "urn:climate-nextgen:problem:no-such-data",
                     *       "title": "Not found",
                     *       "status": 404,
                     *       "detail": "You have no such token."
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            422: components["responses"]["InvalidParameters"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["SearchUnavailable"];
        };
    };
    jwks: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The keys. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["ShortLived"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "keys": [
                     *         {
                     *           "kty": "EC",
                     *           "crv": "P-256",
                     *           "use": "sig",
                     *           "alg": "ES256",
                     *           "kid": "Zm9vYmFy",
                     *           "x": "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
                     *           "y": "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["JsonWebKeySet"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
        };
    };
    openidConfiguration: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["IssuerDocument"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
        };
    };
    authorizationServerMetadata: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["IssuerDocument"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
        };
    };
    authorizationServerMetadataAtRoot: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["IssuerDocument"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
        };
    };
    loadData: {
        parameters: {
            query?: {
                /** @description How many of the first results to leave out. */
                start?: components["parameters"]["Start"];
                /** @description Search every version of a data set, not only the newest one. */
                "multi-version"?: components["parameters"]["MultiVersion"];
                /**
                 * @description Use the flavour's facet names, in the query and in the answer. With `false` both use the native ones,
                 *     and `facet_mapping` tells how to translate them.
                 */
                translate?: components["parameters"]["Translate"];
                /** @description Make a catalogue of this type whose locations are the addresses. */
                "catalogue-type"?: components["parameters"]["CatalogueType"];
                /** @description The version of zarr of the streams. With `3` their addresses end in `.zarr3` instead of `.zarr`. */
                zarr_format?: components["parameters"]["ZarrFormat"];
                /**
                 * @description Join files to one store: those of a `dataset` along time; the datasets of the members of an ensemble along a new axis
                 *     besides (`member`); datasets that differ in their variable side by side (`variables`). Not with `catalogue-type`.
                 */
                join?: components["parameters"]["JoinBy"];
                /**
                 * @description Of joined files: what becomes of a variable that some files lack. Left out, such files are not joined; with `fill` their
                 *     values are missing values.
                 */
                missing?: components["parameters"]["JoinMissing"];
                /** @description Whether files with gaps or overlaps in time are not joined. */
                strict?: components["parameters"]["JoinStrict"];
                /**
                 * @description `https`: locations are the addresses of the files at this service (operation `readFile`), for programs that read over HTTP.
                 *     Zarr stores have the address of their stream; data that are not on the service's machine keep their location.
                 */
                location?: components["parameters"]["Location"];
                /**
                 * @description A period: `A to B`, `A to`, `to B`, `[A TO B]` or `A`, with ISO 8601 dates that may be truncated (`2000`,
                 *     `2000-03`, `2000-03-01T06`); without a time zone they are UTC. A truncated end reaches to the end of
                 *     its unit. Years beyond 9999 or before 0 have a sign or five digits (`-20000 to -19000`, `12000`); year 0 is 1 BC.
                 *     `not ` or `!` before it excludes. Constant data overlap and cover every period; `fx` means them alone.
                 */
                time?: components["parameters"]["Time"];
                /**
                 * @description How data relate to `time`: `flexible` overlap the period, `strict` lie wholly inside it, `file` cover
                 *     the whole period alone.
                 */
                time_select?: components["parameters"]["TimeSelect"];
                /**
                 * @description A region, `min_lon,max_lon,min_lat,max_lat` in degrees, longitudes from -180 to 360. With min_lon > max_lon
                 *     it crosses the antimeridian. `not ` or `!` before it excludes.
                 */
                bbox?: components["parameters"]["Bbox"];
                /**
                 * @description How data relate to `bbox`: `flexible` overlap the region, `strict` lie wholly inside it, `file` cover
                 *     the whole region alone.
                 */
                bbox_select?: components["parameters"]["BboxSelect"];
                /**
                 * @description Project that the data were made for. In native, cmip5, cordex, nextgems and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "CMIP6"
                 *     ]
                 */
                project?: components["parameters"]["FilterProject"];
                /**
                 * @description Product, activity or region. In native, cmip5 and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "CMIP"
                 *     ]
                 */
                product?: components["parameters"]["FilterProduct"];
                /**
                 * @description Institution that made the data. In native and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "MPI-M"
                 *     ]
                 */
                institute?: components["parameters"]["FilterInstitute"];
                /**
                 * @description Model, or source. In native, cordex and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "MPI-ESM1-2-LR"
                 *     ]
                 */
                model?: components["parameters"]["FilterModel"];
                /**
                 * @description Experiment or simulation. In native, cmip5, cordex and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "historical"
                 *     ]
                 */
                experiment?: components["parameters"]["FilterExperiment"];
                /**
                 * @description Frequency in time. In native, cmip5, cordex, nextgems and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "mon"
                 *     ]
                 */
                time_frequency?: components["parameters"]["FilterTimeFrequency"];
                /**
                 * @description Part of the climate system. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "atmos"
                 *     ]
                 */
                realm?: components["parameters"]["FilterRealm"];
                /**
                 * @description Variable. In native, cmip5, cordex and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "tas"
                 *     ]
                 */
                variable?: components["parameters"]["FilterVariable"];
                /**
                 * @description Ensemble member. In native, cordex and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "r1i1p1f1"
                 *     ]
                 */
                ensemble?: components["parameters"]["FilterEnsemble"];
                /**
                 * @description Kind of mean in time. In native, cmip6, cmip5, cordex, cmip7, cordex-cmip6 and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "mean"
                 *     ]
                 */
                time_aggregation?: components["parameters"]["FilterTimeAggregation"];
                /**
                 * @description Kind of storage. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "posix"
                 *     ]
                 */
                fs_type?: components["parameters"]["FilterFsType"];
                /**
                 * @description Label of the grid. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "gn"
                 *     ]
                 */
                grid_label?: components["parameters"]["FilterGridLabel"];
                /**
                 * @description Table of the variable in its project. In native, cmip5, cordex, nextgems and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "Amon"
                 *     ]
                 */
                cmor_table?: components["parameters"]["FilterCmorTable"];
                /**
                 * @description Driving model. In native, cmip6, cmip5, cordex, nextgems, cmip7 and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "MPI-M-MPI-ESM-LR"
                 *     ]
                 */
                driving_model?: components["parameters"]["FilterDrivingModel"];
                /**
                 * @description Format of the file. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "nc"
                 *     ]
                 */
                format?: components["parameters"]["FilterFormat"];
                /**
                 * @description Identifier of the grid. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "n320"
                 *     ]
                 */
                grid_id?: components["parameters"]["FilterGridId"];
                /**
                 * @description Kind of levels. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "2d"
                 *     ]
                 */
                level_type?: components["parameters"]["FilterLevelType"];
                /**
                 * @description Name of the regional model. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "CLMcom-CCLM4-8-17"
                 *     ]
                 */
                rcm_name?: components["parameters"]["FilterRcmName"];
                /**
                 * @description Version of the regional run. In native, cmip6, cmip5, cordex, nextgems, cmip7 and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "v1"
                 *     ]
                 */
                rcm_version?: components["parameters"]["FilterRcmVersion"];
                /**
                 * @description Region that the data cover, by its name. In native, cmip7 and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "glb"
                 *     ]
                 */
                region?: components["parameters"]["FilterRegion"];
                /**
                 * @description What was done to the variable in time and space, and where it is given. In native, cmip7 and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "tavg-h2m-hxy-u"
                 *     ]
                 */
                branding_suffix?: components["parameters"]["FilterBrandingSuffix"];
                /**
                 * @description Collection of the catalogue. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "sample"
                 *     ]
                 */
                dataset?: components["parameters"]["FilterDataset"];
                /**
                 * @description User who registered the data. In native and user. `!` before a value excludes it.
                 * @example [
                 *       "demo"
                 *     ]
                 */
                user?: components["parameters"]["FilterUser"];
                /**
                 * @description Project that the data were made for. In cmip6 and cmip7 (`project` in native). `!` before a value excludes it.
                 * @example [
                 *       "CMIP6"
                 *     ]
                 */
                mip_era?: components["parameters"]["FilterMipEra"];
                /**
                 * @description Product, activity or region. In cmip6 and cmip7 (`product` in native). `!` before a value excludes it.
                 * @example [
                 *       "CMIP"
                 *     ]
                 */
                activity_id?: components["parameters"]["FilterActivityId"];
                /**
                 * @description Institution that made the data. In cmip6, cmip5, nextgems, cmip7 and cordex-cmip6 (`institute` in native). `!` before a value excludes it.
                 * @example [
                 *       "MPI-M"
                 *     ]
                 */
                institution_id?: components["parameters"]["FilterInstitutionId"];
                /**
                 * @description Model, or source. In cmip6, nextgems, cmip7 and cordex-cmip6 (`model` in native). `!` before a value excludes it.
                 * @example [
                 *       "MPI-ESM1-2-LR"
                 *     ]
                 */
                source_id?: components["parameters"]["FilterSourceId"];
                /**
                 * @description Experiment or simulation. In cmip6 and cmip7 (`experiment` in native). Product, activity or region. In nextgems (`product` in native). `!` before a value excludes it.
                 * @example [
                 *       "historical"
                 *     ]
                 */
                experiment_id?: components["parameters"]["FilterExperimentId"];
                /**
                 * @description Frequency in time. In cmip6, cmip7 and cordex-cmip6 (`time_frequency` in native). `!` before a value excludes it.
                 * @example [
                 *       "mon"
                 *     ]
                 */
                frequency?: components["parameters"]["FilterFrequency"];
                /**
                 * @description Variable. In cmip6, nextgems, cmip7 and cordex-cmip6 (`variable` in native). `!` before a value excludes it.
                 * @example [
                 *       "tas"
                 *     ]
                 */
                variable_id?: components["parameters"]["FilterVariableId"];
                /**
                 * @description Ensemble member. In cmip6, cmip5 and nextgems (`ensemble` in native). `!` before a value excludes it.
                 * @example [
                 *       "r1i1p1f1"
                 *     ]
                 */
                member_id?: components["parameters"]["FilterMemberId"];
                /**
                 * @description Table of the variable in its project. In cmip6 (`cmor_table` in native). `!` before a value excludes it.
                 * @example [
                 *       "Amon"
                 *     ]
                 */
                table_id?: components["parameters"]["FilterTableId"];
                /**
                 * @description Model, or source. In cmip5 (`model` in native). `!` before a value excludes it.
                 * @example [
                 *       "MPI-ESM-LR"
                 *     ]
                 */
                model_id?: components["parameters"]["FilterModelId"];
                /**
                 * @description Product, activity or region. In cordex (`product` in native). `!` before a value excludes it.
                 * @example [
                 *       "EUR-11"
                 *     ]
                 */
                domain?: components["parameters"]["FilterDomain"];
                /**
                 * @description Institution that made the data. In cordex (`institute` in native). `!` before a value excludes it.
                 * @example [
                 *       "CLMcom"
                 *     ]
                 */
                institution?: components["parameters"]["FilterInstitution"];
                /**
                 * @description Experiment or simulation. In nextgems (`experiment` in native). `!` before a value excludes it.
                 * @example [
                 *       "ngc3028"
                 *     ]
                 */
                simulation_id?: components["parameters"]["FilterSimulationId"];
                /**
                 * @description Kind of mean in time. In nextgems (`time_aggregation` in native). `!` before a value excludes it.
                 * @example [
                 *       "mean"
                 *     ]
                 */
                time_reduction?: components["parameters"]["FilterTimeReduction"];
                /**
                 * @description Ensemble member. In cmip7 (`ensemble` in native). `!` before a value excludes it.
                 * @example [
                 *       "r1i1p1f1"
                 *     ]
                 */
                variant_label?: components["parameters"]["FilterVariantLabel"];
                /**
                 * @description Project that the data were made for. In cordex-cmip6 (`project` in native). `!` before a value excludes it.
                 * @example [
                 *       "CORDEX"
                 *     ]
                 */
                project_id?: components["parameters"]["FilterProjectId"];
                /**
                 * @description Product, activity or region. In cordex-cmip6 (`product` in native). `!` before a value excludes it.
                 * @example [
                 *       "EUR-11"
                 *     ]
                 */
                domain_id?: components["parameters"]["FilterDomainId"];
                /**
                 * @description Experiment or simulation. In cordex-cmip6 (`experiment` in native). `!` before a value excludes it.
                 * @example [
                 *       "historical"
                 *     ]
                 */
                driving_experiment_id?: components["parameters"]["FilterDrivingExperimentId"];
                /**
                 * @description Ensemble member. In cordex-cmip6 (`ensemble` in native). `!` before a value excludes it.
                 * @example [
                 *       "r1i1p1"
                 *     ]
                 */
                driving_variant_label?: components["parameters"]["FilterDrivingVariantLabel"];
                /**
                 * @description Driving model. In cordex-cmip6 (`driving_model` in native). `!` before a value excludes it.
                 * @example [
                 *       "MPI-M-MPI-ESM-LR"
                 *     ]
                 */
                driving_source_id?: components["parameters"]["FilterDrivingSourceId"];
                /**
                 * @description Version of the regional run. In cordex-cmip6 (`rcm_version` in native). `!` before a value excludes it.
                 * @example [
                 *       "v1"
                 *     ]
                 */
                version_realization?: components["parameters"]["FilterVersionRealization"];
                /**
                 * @description Path of the file, with regard to case. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "*\/tas_Amon_*"
                 *     ]
                 */
                file?: components["parameters"]["FilterFile"];
                /**
                 * @description URI of the file, with regard to case. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "*\/tas_Amon_*"
                 *     ]
                 */
                uri?: components["parameters"]["FilterUri"];
                /**
                 * @description Version of the data set. In every flavour with `multi-version=true` only. `!` before a value excludes it.
                 * @example [
                 *       "v20190710"
                 *     ]
                 */
                version?: components["parameters"]["FilterVersion"];
                /**
                 * @description Name of the dataset in its standard, without a version. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "CMIP6.CMIP.MPI-M.MPI-ESM1-2-LR.historical.r1i1p1f1.Amon.tas.gn"
                 *     ]
                 */
                dataset_id?: components["parameters"]["FilterDatasetId"];
                /**
                 * @description Checksum of the file with the name of its algorithm. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "sha256:f7ef24b424dd92e88740bcafd42df540202778f6d0c205bc32618c0eae377da2"
                 *     ]
                 */
                checksum?: components["parameters"]["FilterChecksum"];
                /**
                 * @description Identifier that the file was given when it was made. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "hdl:21.14100/3e8b0b0f-213c-54d3-808f-d41a77f9dc48"
                 *     ]
                 */
                tracking_id?: components["parameters"]["FilterTrackingId"];
                /**
                 * @description CF standard name of the variable. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "air_temperature"
                 *     ]
                 */
                standard_name?: components["parameters"]["FilterStandardName"];
                /**
                 * @description Name of the variable for people. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "Near-Surface Air Temperature"
                 *     ]
                 */
                long_name?: components["parameters"]["FilterLongName"];
                /**
                 * @description Units of the variable. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "K"
                 *     ]
                 */
                units?: components["parameters"]["FilterUnits"];
                /**
                 * @description Resolution of the grid, roughly. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "250 km"
                 *     ]
                 */
                nominal_resolution?: components["parameters"]["FilterNominalResolution"];
                /**
                 * @description Terms under which the data may be used. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "CC BY 4.0"
                 *     ]
                 */
                license?: components["parameters"]["FilterLicense"];
                /**
                 * @description Address of a page about the data. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "https://furtherinfo.es-doc.org/CMIP6.MPI-M.MPI-ESM1-2-LR.historical.none.r1i1p1f1"
                 *     ]
                 */
                further_info_url?: components["parameters"]["FilterFurtherInfoUrl"];
                /**
                 * @description Whether the data were withdrawn by those who made them: true or false. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "true"
                 *     ]
                 */
                retracted?: components["parameters"]["FilterRetracted"];
                /**
                 * @description Filters whose names have no parameter of their own here, each as `name=value`, such as
                 *     `experiment_id_not_=ssp*`: a facet of the flavour with `_not_` after its name excludes. The same can be written
                 *     as a query parameter, `?experiment_id_not_=ssp*`.
                 * @example [
                 *       "experiment_id_not_=ssp*"
                 *     ]
                 */
                filter?: components["parameters"]["Filter"];
            };
            header?: never;
            path: {
                /**
                 * @description The flavour whose facet names are used: a DRS standard, one that is for all, or one of the caller's own, for which
                 *     the access token must be sent.
                 * @example cmip6
                 */
                flavour: components["parameters"]["InFlavour"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One address a line, or the catalogue. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CallersOwn"];
                    Vary: components["headers"]["Vary"];
                    "Unknown-Values": components["headers"]["UnknownValues"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example https://data.example.org/api/climate-nextgen/data-portal/zarr/5f0c2b1e-8d0a-8b3e-9c55-2f6f3a1d9b7e.zarr */
                    "text/plain": string;
                    "application/json": components["schemas"]["IntakeCatalogue"];
                };
            };
            400: components["responses"]["NoEntries"];
            401: components["responses"]["Unauthorized"];
            413: components["responses"]["TooManyResults"];
            422: components["responses"]["InvalidParameters"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["SearchUnavailable"];
        };
    };
    loadDataByKey: {
        parameters: {
            query?: {
                /** @description How many of the first results to leave out. */
                start?: components["parameters"]["Start"];
                /** @description Search every version of a data set, not only the newest one. */
                "multi-version"?: components["parameters"]["MultiVersion"];
                /**
                 * @description Use the flavour's facet names, in the query and in the answer. With `false` both use the native ones,
                 *     and `facet_mapping` tells how to translate them.
                 */
                translate?: components["parameters"]["Translate"];
                /** @description Make a catalogue of this type whose locations are the addresses. */
                "catalogue-type"?: components["parameters"]["CatalogueType"];
                /** @description The version of zarr of the streams. With `3` their addresses end in `.zarr3` instead of `.zarr`. */
                zarr_format?: components["parameters"]["ZarrFormat"];
                /**
                 * @description Join files to one store: those of a `dataset` along time; the datasets of the members of an ensemble along a new axis
                 *     besides (`member`); datasets that differ in their variable side by side (`variables`). Not with `catalogue-type`.
                 */
                join?: components["parameters"]["JoinBy"];
                /**
                 * @description Of joined files: what becomes of a variable that some files lack. Left out, such files are not joined; with `fill` their
                 *     values are missing values.
                 */
                missing?: components["parameters"]["JoinMissing"];
                /** @description Whether files with gaps or overlaps in time are not joined. */
                strict?: components["parameters"]["JoinStrict"];
                /**
                 * @description `https`: locations are the addresses of the files at this service (operation `readFile`), for programs that read over HTTP.
                 *     Zarr stores have the address of their stream; data that are not on the service's machine keep their location.
                 */
                location?: components["parameters"]["Location"];
                /**
                 * @description A period: `A to B`, `A to`, `to B`, `[A TO B]` or `A`, with ISO 8601 dates that may be truncated (`2000`,
                 *     `2000-03`, `2000-03-01T06`); without a time zone they are UTC. A truncated end reaches to the end of
                 *     its unit. Years beyond 9999 or before 0 have a sign or five digits (`-20000 to -19000`, `12000`); year 0 is 1 BC.
                 *     `not ` or `!` before it excludes. Constant data overlap and cover every period; `fx` means them alone.
                 */
                time?: components["parameters"]["Time"];
                /**
                 * @description How data relate to `time`: `flexible` overlap the period, `strict` lie wholly inside it, `file` cover
                 *     the whole period alone.
                 */
                time_select?: components["parameters"]["TimeSelect"];
                /**
                 * @description A region, `min_lon,max_lon,min_lat,max_lat` in degrees, longitudes from -180 to 360. With min_lon > max_lon
                 *     it crosses the antimeridian. `not ` or `!` before it excludes.
                 */
                bbox?: components["parameters"]["Bbox"];
                /**
                 * @description How data relate to `bbox`: `flexible` overlap the region, `strict` lie wholly inside it, `file` cover
                 *     the whole region alone.
                 */
                bbox_select?: components["parameters"]["BboxSelect"];
                /**
                 * @description Project that the data were made for. In native, cmip5, cordex, nextgems and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "CMIP6"
                 *     ]
                 */
                project?: components["parameters"]["FilterProject"];
                /**
                 * @description Product, activity or region. In native, cmip5 and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "CMIP"
                 *     ]
                 */
                product?: components["parameters"]["FilterProduct"];
                /**
                 * @description Institution that made the data. In native and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "MPI-M"
                 *     ]
                 */
                institute?: components["parameters"]["FilterInstitute"];
                /**
                 * @description Model, or source. In native, cordex and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "MPI-ESM1-2-LR"
                 *     ]
                 */
                model?: components["parameters"]["FilterModel"];
                /**
                 * @description Experiment or simulation. In native, cmip5, cordex and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "historical"
                 *     ]
                 */
                experiment?: components["parameters"]["FilterExperiment"];
                /**
                 * @description Frequency in time. In native, cmip5, cordex, nextgems and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "mon"
                 *     ]
                 */
                time_frequency?: components["parameters"]["FilterTimeFrequency"];
                /**
                 * @description Part of the climate system. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "atmos"
                 *     ]
                 */
                realm?: components["parameters"]["FilterRealm"];
                /**
                 * @description Variable. In native, cmip5, cordex and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "tas"
                 *     ]
                 */
                variable?: components["parameters"]["FilterVariable"];
                /**
                 * @description Ensemble member. In native, cordex and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "r1i1p1f1"
                 *     ]
                 */
                ensemble?: components["parameters"]["FilterEnsemble"];
                /**
                 * @description Kind of mean in time. In native, cmip6, cmip5, cordex, cmip7, cordex-cmip6 and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "mean"
                 *     ]
                 */
                time_aggregation?: components["parameters"]["FilterTimeAggregation"];
                /**
                 * @description Kind of storage. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "posix"
                 *     ]
                 */
                fs_type?: components["parameters"]["FilterFsType"];
                /**
                 * @description Label of the grid. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "gn"
                 *     ]
                 */
                grid_label?: components["parameters"]["FilterGridLabel"];
                /**
                 * @description Table of the variable in its project. In native, cmip5, cordex, nextgems and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "Amon"
                 *     ]
                 */
                cmor_table?: components["parameters"]["FilterCmorTable"];
                /**
                 * @description Driving model. In native, cmip6, cmip5, cordex, nextgems, cmip7 and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "MPI-M-MPI-ESM-LR"
                 *     ]
                 */
                driving_model?: components["parameters"]["FilterDrivingModel"];
                /**
                 * @description Format of the file. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "nc"
                 *     ]
                 */
                format?: components["parameters"]["FilterFormat"];
                /**
                 * @description Identifier of the grid. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "n320"
                 *     ]
                 */
                grid_id?: components["parameters"]["FilterGridId"];
                /**
                 * @description Kind of levels. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "2d"
                 *     ]
                 */
                level_type?: components["parameters"]["FilterLevelType"];
                /**
                 * @description Name of the regional model. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "CLMcom-CCLM4-8-17"
                 *     ]
                 */
                rcm_name?: components["parameters"]["FilterRcmName"];
                /**
                 * @description Version of the regional run. In native, cmip6, cmip5, cordex, nextgems, cmip7 and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "v1"
                 *     ]
                 */
                rcm_version?: components["parameters"]["FilterRcmVersion"];
                /**
                 * @description Region that the data cover, by its name. In native, cmip7 and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "glb"
                 *     ]
                 */
                region?: components["parameters"]["FilterRegion"];
                /**
                 * @description What was done to the variable in time and space, and where it is given. In native, cmip7 and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "tavg-h2m-hxy-u"
                 *     ]
                 */
                branding_suffix?: components["parameters"]["FilterBrandingSuffix"];
                /**
                 * @description Collection of the catalogue. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "sample"
                 *     ]
                 */
                dataset?: components["parameters"]["FilterDataset"];
                /**
                 * @description User who registered the data. In native and user. `!` before a value excludes it.
                 * @example [
                 *       "demo"
                 *     ]
                 */
                user?: components["parameters"]["FilterUser"];
                /**
                 * @description Project that the data were made for. In cmip6 and cmip7 (`project` in native). `!` before a value excludes it.
                 * @example [
                 *       "CMIP6"
                 *     ]
                 */
                mip_era?: components["parameters"]["FilterMipEra"];
                /**
                 * @description Product, activity or region. In cmip6 and cmip7 (`product` in native). `!` before a value excludes it.
                 * @example [
                 *       "CMIP"
                 *     ]
                 */
                activity_id?: components["parameters"]["FilterActivityId"];
                /**
                 * @description Institution that made the data. In cmip6, cmip5, nextgems, cmip7 and cordex-cmip6 (`institute` in native). `!` before a value excludes it.
                 * @example [
                 *       "MPI-M"
                 *     ]
                 */
                institution_id?: components["parameters"]["FilterInstitutionId"];
                /**
                 * @description Model, or source. In cmip6, nextgems, cmip7 and cordex-cmip6 (`model` in native). `!` before a value excludes it.
                 * @example [
                 *       "MPI-ESM1-2-LR"
                 *     ]
                 */
                source_id?: components["parameters"]["FilterSourceId"];
                /**
                 * @description Experiment or simulation. In cmip6 and cmip7 (`experiment` in native). Product, activity or region. In nextgems (`product` in native). `!` before a value excludes it.
                 * @example [
                 *       "historical"
                 *     ]
                 */
                experiment_id?: components["parameters"]["FilterExperimentId"];
                /**
                 * @description Frequency in time. In cmip6, cmip7 and cordex-cmip6 (`time_frequency` in native). `!` before a value excludes it.
                 * @example [
                 *       "mon"
                 *     ]
                 */
                frequency?: components["parameters"]["FilterFrequency"];
                /**
                 * @description Variable. In cmip6, nextgems, cmip7 and cordex-cmip6 (`variable` in native). `!` before a value excludes it.
                 * @example [
                 *       "tas"
                 *     ]
                 */
                variable_id?: components["parameters"]["FilterVariableId"];
                /**
                 * @description Ensemble member. In cmip6, cmip5 and nextgems (`ensemble` in native). `!` before a value excludes it.
                 * @example [
                 *       "r1i1p1f1"
                 *     ]
                 */
                member_id?: components["parameters"]["FilterMemberId"];
                /**
                 * @description Table of the variable in its project. In cmip6 (`cmor_table` in native). `!` before a value excludes it.
                 * @example [
                 *       "Amon"
                 *     ]
                 */
                table_id?: components["parameters"]["FilterTableId"];
                /**
                 * @description Model, or source. In cmip5 (`model` in native). `!` before a value excludes it.
                 * @example [
                 *       "MPI-ESM-LR"
                 *     ]
                 */
                model_id?: components["parameters"]["FilterModelId"];
                /**
                 * @description Product, activity or region. In cordex (`product` in native). `!` before a value excludes it.
                 * @example [
                 *       "EUR-11"
                 *     ]
                 */
                domain?: components["parameters"]["FilterDomain"];
                /**
                 * @description Institution that made the data. In cordex (`institute` in native). `!` before a value excludes it.
                 * @example [
                 *       "CLMcom"
                 *     ]
                 */
                institution?: components["parameters"]["FilterInstitution"];
                /**
                 * @description Experiment or simulation. In nextgems (`experiment` in native). `!` before a value excludes it.
                 * @example [
                 *       "ngc3028"
                 *     ]
                 */
                simulation_id?: components["parameters"]["FilterSimulationId"];
                /**
                 * @description Kind of mean in time. In nextgems (`time_aggregation` in native). `!` before a value excludes it.
                 * @example [
                 *       "mean"
                 *     ]
                 */
                time_reduction?: components["parameters"]["FilterTimeReduction"];
                /**
                 * @description Ensemble member. In cmip7 (`ensemble` in native). `!` before a value excludes it.
                 * @example [
                 *       "r1i1p1f1"
                 *     ]
                 */
                variant_label?: components["parameters"]["FilterVariantLabel"];
                /**
                 * @description Project that the data were made for. In cordex-cmip6 (`project` in native). `!` before a value excludes it.
                 * @example [
                 *       "CORDEX"
                 *     ]
                 */
                project_id?: components["parameters"]["FilterProjectId"];
                /**
                 * @description Product, activity or region. In cordex-cmip6 (`product` in native). `!` before a value excludes it.
                 * @example [
                 *       "EUR-11"
                 *     ]
                 */
                domain_id?: components["parameters"]["FilterDomainId"];
                /**
                 * @description Experiment or simulation. In cordex-cmip6 (`experiment` in native). `!` before a value excludes it.
                 * @example [
                 *       "historical"
                 *     ]
                 */
                driving_experiment_id?: components["parameters"]["FilterDrivingExperimentId"];
                /**
                 * @description Ensemble member. In cordex-cmip6 (`ensemble` in native). `!` before a value excludes it.
                 * @example [
                 *       "r1i1p1"
                 *     ]
                 */
                driving_variant_label?: components["parameters"]["FilterDrivingVariantLabel"];
                /**
                 * @description Driving model. In cordex-cmip6 (`driving_model` in native). `!` before a value excludes it.
                 * @example [
                 *       "MPI-M-MPI-ESM-LR"
                 *     ]
                 */
                driving_source_id?: components["parameters"]["FilterDrivingSourceId"];
                /**
                 * @description Version of the regional run. In cordex-cmip6 (`rcm_version` in native). `!` before a value excludes it.
                 * @example [
                 *       "v1"
                 *     ]
                 */
                version_realization?: components["parameters"]["FilterVersionRealization"];
                /**
                 * @description Path of the file, with regard to case. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "*\/tas_Amon_*"
                 *     ]
                 */
                file?: components["parameters"]["FilterFile"];
                /**
                 * @description URI of the file, with regard to case. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "*\/tas_Amon_*"
                 *     ]
                 */
                uri?: components["parameters"]["FilterUri"];
                /**
                 * @description Version of the data set. In every flavour with `multi-version=true` only. `!` before a value excludes it.
                 * @example [
                 *       "v20190710"
                 *     ]
                 */
                version?: components["parameters"]["FilterVersion"];
                /**
                 * @description Name of the dataset in its standard, without a version. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "CMIP6.CMIP.MPI-M.MPI-ESM1-2-LR.historical.r1i1p1f1.Amon.tas.gn"
                 *     ]
                 */
                dataset_id?: components["parameters"]["FilterDatasetId"];
                /**
                 * @description Checksum of the file with the name of its algorithm. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "sha256:f7ef24b424dd92e88740bcafd42df540202778f6d0c205bc32618c0eae377da2"
                 *     ]
                 */
                checksum?: components["parameters"]["FilterChecksum"];
                /**
                 * @description Identifier that the file was given when it was made. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "hdl:21.14100/3e8b0b0f-213c-54d3-808f-d41a77f9dc48"
                 *     ]
                 */
                tracking_id?: components["parameters"]["FilterTrackingId"];
                /**
                 * @description CF standard name of the variable. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "air_temperature"
                 *     ]
                 */
                standard_name?: components["parameters"]["FilterStandardName"];
                /**
                 * @description Name of the variable for people. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "Near-Surface Air Temperature"
                 *     ]
                 */
                long_name?: components["parameters"]["FilterLongName"];
                /**
                 * @description Units of the variable. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "K"
                 *     ]
                 */
                units?: components["parameters"]["FilterUnits"];
                /**
                 * @description Resolution of the grid, roughly. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "250 km"
                 *     ]
                 */
                nominal_resolution?: components["parameters"]["FilterNominalResolution"];
                /**
                 * @description Terms under which the data may be used. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "CC BY 4.0"
                 *     ]
                 */
                license?: components["parameters"]["FilterLicense"];
                /**
                 * @description Address of a page about the data. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "https://furtherinfo.es-doc.org/CMIP6.MPI-M.MPI-ESM1-2-LR.historical.none.r1i1p1f1"
                 *     ]
                 */
                further_info_url?: components["parameters"]["FilterFurtherInfoUrl"];
                /**
                 * @description Whether the data were withdrawn by those who made them: true or false. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "true"
                 *     ]
                 */
                retracted?: components["parameters"]["FilterRetracted"];
                /**
                 * @description Filters whose names have no parameter of their own here, each as `name=value`, such as
                 *     `experiment_id_not_=ssp*`: a facet of the flavour with `_not_` after its name excludes. The same can be written
                 *     as a query parameter, `?experiment_id_not_=ssp*`.
                 * @example [
                 *       "experiment_id_not_=ssp*"
                 *     ]
                 */
                filter?: components["parameters"]["Filter"];
            };
            header?: never;
            path: {
                /**
                 * @description The flavour whose facet names are used: a DRS standard, one that is for all, or one of the caller's own, for which
                 *     the access token must be sent.
                 * @example cmip6
                 */
                flavour: components["parameters"]["InFlavour"];
                /**
                 * @description Whether locations are file paths or URIs.
                 * @example file
                 */
                uniq_key: components["parameters"]["ByKey"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One address a line, or the catalogue. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CallersOwn"];
                    Vary: components["headers"]["Vary"];
                    "Unknown-Values": components["headers"]["UnknownValues"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example https://data.example.org/api/climate-nextgen/data-portal/zarr/5f0c2b1e-8d0a-8b3e-9c55-2f6f3a1d9b7e.zarr */
                    "text/plain": string;
                    "application/json": components["schemas"]["IntakeCatalogue"];
                };
            };
            400: components["responses"]["NoEntries"];
            401: components["responses"]["Unauthorized"];
            413: components["responses"]["TooManyResults"];
            422: components["responses"]["InvalidParameters"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["SearchUnavailable"];
        };
    };
    createZarrCatalogue: {
        parameters: {
            query?: {
                /** @description How many of the first results to leave out. */
                start?: components["parameters"]["Start"];
                /** @description Search every version of a data set, not only the newest one. */
                "multi-version"?: components["parameters"]["MultiVersion"];
                /**
                 * @description Use the flavour's facet names, in the query and in the answer. With `false` both use the native ones,
                 *     and `facet_mapping` tells how to translate them.
                 */
                translate?: components["parameters"]["Translate"];
                /** @description The version of zarr of the streams. With `3` their addresses end in `.zarr3` instead of `.zarr`. */
                zarr_format?: components["parameters"]["ZarrFormat"];
                /**
                 * @description A period: `A to B`, `A to`, `to B`, `[A TO B]` or `A`, with ISO 8601 dates that may be truncated (`2000`,
                 *     `2000-03`, `2000-03-01T06`); without a time zone they are UTC. A truncated end reaches to the end of
                 *     its unit. Years beyond 9999 or before 0 have a sign or five digits (`-20000 to -19000`, `12000`); year 0 is 1 BC.
                 *     `not ` or `!` before it excludes. Constant data overlap and cover every period; `fx` means them alone.
                 */
                time?: components["parameters"]["Time"];
                /**
                 * @description How data relate to `time`: `flexible` overlap the period, `strict` lie wholly inside it, `file` cover
                 *     the whole period alone.
                 */
                time_select?: components["parameters"]["TimeSelect"];
                /**
                 * @description A region, `min_lon,max_lon,min_lat,max_lat` in degrees, longitudes from -180 to 360. With min_lon > max_lon
                 *     it crosses the antimeridian. `not ` or `!` before it excludes.
                 */
                bbox?: components["parameters"]["Bbox"];
                /**
                 * @description How data relate to `bbox`: `flexible` overlap the region, `strict` lie wholly inside it, `file` cover
                 *     the whole region alone.
                 */
                bbox_select?: components["parameters"]["BboxSelect"];
                /**
                 * @description Project that the data were made for. In native, cmip5, cordex, nextgems and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "CMIP6"
                 *     ]
                 */
                project?: components["parameters"]["FilterProject"];
                /**
                 * @description Product, activity or region. In native, cmip5 and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "CMIP"
                 *     ]
                 */
                product?: components["parameters"]["FilterProduct"];
                /**
                 * @description Institution that made the data. In native and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "MPI-M"
                 *     ]
                 */
                institute?: components["parameters"]["FilterInstitute"];
                /**
                 * @description Model, or source. In native, cordex and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "MPI-ESM1-2-LR"
                 *     ]
                 */
                model?: components["parameters"]["FilterModel"];
                /**
                 * @description Experiment or simulation. In native, cmip5, cordex and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "historical"
                 *     ]
                 */
                experiment?: components["parameters"]["FilterExperiment"];
                /**
                 * @description Frequency in time. In native, cmip5, cordex, nextgems and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "mon"
                 *     ]
                 */
                time_frequency?: components["parameters"]["FilterTimeFrequency"];
                /**
                 * @description Part of the climate system. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "atmos"
                 *     ]
                 */
                realm?: components["parameters"]["FilterRealm"];
                /**
                 * @description Variable. In native, cmip5, cordex and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "tas"
                 *     ]
                 */
                variable?: components["parameters"]["FilterVariable"];
                /**
                 * @description Ensemble member. In native, cordex and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "r1i1p1f1"
                 *     ]
                 */
                ensemble?: components["parameters"]["FilterEnsemble"];
                /**
                 * @description Kind of mean in time. In native, cmip6, cmip5, cordex, cmip7, cordex-cmip6 and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "mean"
                 *     ]
                 */
                time_aggregation?: components["parameters"]["FilterTimeAggregation"];
                /**
                 * @description Kind of storage. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "posix"
                 *     ]
                 */
                fs_type?: components["parameters"]["FilterFsType"];
                /**
                 * @description Label of the grid. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "gn"
                 *     ]
                 */
                grid_label?: components["parameters"]["FilterGridLabel"];
                /**
                 * @description Table of the variable in its project. In native, cmip5, cordex, nextgems and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "Amon"
                 *     ]
                 */
                cmor_table?: components["parameters"]["FilterCmorTable"];
                /**
                 * @description Driving model. In native, cmip6, cmip5, cordex, nextgems, cmip7 and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "MPI-M-MPI-ESM-LR"
                 *     ]
                 */
                driving_model?: components["parameters"]["FilterDrivingModel"];
                /**
                 * @description Format of the file. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "nc"
                 *     ]
                 */
                format?: components["parameters"]["FilterFormat"];
                /**
                 * @description Identifier of the grid. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "n320"
                 *     ]
                 */
                grid_id?: components["parameters"]["FilterGridId"];
                /**
                 * @description Kind of levels. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "2d"
                 *     ]
                 */
                level_type?: components["parameters"]["FilterLevelType"];
                /**
                 * @description Name of the regional model. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "CLMcom-CCLM4-8-17"
                 *     ]
                 */
                rcm_name?: components["parameters"]["FilterRcmName"];
                /**
                 * @description Version of the regional run. In native, cmip6, cmip5, cordex, nextgems, cmip7 and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "v1"
                 *     ]
                 */
                rcm_version?: components["parameters"]["FilterRcmVersion"];
                /**
                 * @description Region that the data cover, by its name. In native, cmip7 and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "glb"
                 *     ]
                 */
                region?: components["parameters"]["FilterRegion"];
                /**
                 * @description What was done to the variable in time and space, and where it is given. In native, cmip7 and user and wherever `translate=false`. `!` before a value excludes it.
                 * @example [
                 *       "tavg-h2m-hxy-u"
                 *     ]
                 */
                branding_suffix?: components["parameters"]["FilterBrandingSuffix"];
                /**
                 * @description Collection of the catalogue. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "sample"
                 *     ]
                 */
                dataset?: components["parameters"]["FilterDataset"];
                /**
                 * @description User who registered the data. In native and user. `!` before a value excludes it.
                 * @example [
                 *       "demo"
                 *     ]
                 */
                user?: components["parameters"]["FilterUser"];
                /**
                 * @description Project that the data were made for. In cmip6 and cmip7 (`project` in native). `!` before a value excludes it.
                 * @example [
                 *       "CMIP6"
                 *     ]
                 */
                mip_era?: components["parameters"]["FilterMipEra"];
                /**
                 * @description Product, activity or region. In cmip6 and cmip7 (`product` in native). `!` before a value excludes it.
                 * @example [
                 *       "CMIP"
                 *     ]
                 */
                activity_id?: components["parameters"]["FilterActivityId"];
                /**
                 * @description Institution that made the data. In cmip6, cmip5, nextgems, cmip7 and cordex-cmip6 (`institute` in native). `!` before a value excludes it.
                 * @example [
                 *       "MPI-M"
                 *     ]
                 */
                institution_id?: components["parameters"]["FilterInstitutionId"];
                /**
                 * @description Model, or source. In cmip6, nextgems, cmip7 and cordex-cmip6 (`model` in native). `!` before a value excludes it.
                 * @example [
                 *       "MPI-ESM1-2-LR"
                 *     ]
                 */
                source_id?: components["parameters"]["FilterSourceId"];
                /**
                 * @description Experiment or simulation. In cmip6 and cmip7 (`experiment` in native). Product, activity or region. In nextgems (`product` in native). `!` before a value excludes it.
                 * @example [
                 *       "historical"
                 *     ]
                 */
                experiment_id?: components["parameters"]["FilterExperimentId"];
                /**
                 * @description Frequency in time. In cmip6, cmip7 and cordex-cmip6 (`time_frequency` in native). `!` before a value excludes it.
                 * @example [
                 *       "mon"
                 *     ]
                 */
                frequency?: components["parameters"]["FilterFrequency"];
                /**
                 * @description Variable. In cmip6, nextgems, cmip7 and cordex-cmip6 (`variable` in native). `!` before a value excludes it.
                 * @example [
                 *       "tas"
                 *     ]
                 */
                variable_id?: components["parameters"]["FilterVariableId"];
                /**
                 * @description Ensemble member. In cmip6, cmip5 and nextgems (`ensemble` in native). `!` before a value excludes it.
                 * @example [
                 *       "r1i1p1f1"
                 *     ]
                 */
                member_id?: components["parameters"]["FilterMemberId"];
                /**
                 * @description Table of the variable in its project. In cmip6 (`cmor_table` in native). `!` before a value excludes it.
                 * @example [
                 *       "Amon"
                 *     ]
                 */
                table_id?: components["parameters"]["FilterTableId"];
                /**
                 * @description Model, or source. In cmip5 (`model` in native). `!` before a value excludes it.
                 * @example [
                 *       "MPI-ESM-LR"
                 *     ]
                 */
                model_id?: components["parameters"]["FilterModelId"];
                /**
                 * @description Product, activity or region. In cordex (`product` in native). `!` before a value excludes it.
                 * @example [
                 *       "EUR-11"
                 *     ]
                 */
                domain?: components["parameters"]["FilterDomain"];
                /**
                 * @description Institution that made the data. In cordex (`institute` in native). `!` before a value excludes it.
                 * @example [
                 *       "CLMcom"
                 *     ]
                 */
                institution?: components["parameters"]["FilterInstitution"];
                /**
                 * @description Experiment or simulation. In nextgems (`experiment` in native). `!` before a value excludes it.
                 * @example [
                 *       "ngc3028"
                 *     ]
                 */
                simulation_id?: components["parameters"]["FilterSimulationId"];
                /**
                 * @description Kind of mean in time. In nextgems (`time_aggregation` in native). `!` before a value excludes it.
                 * @example [
                 *       "mean"
                 *     ]
                 */
                time_reduction?: components["parameters"]["FilterTimeReduction"];
                /**
                 * @description Ensemble member. In cmip7 (`ensemble` in native). `!` before a value excludes it.
                 * @example [
                 *       "r1i1p1f1"
                 *     ]
                 */
                variant_label?: components["parameters"]["FilterVariantLabel"];
                /**
                 * @description Project that the data were made for. In cordex-cmip6 (`project` in native). `!` before a value excludes it.
                 * @example [
                 *       "CORDEX"
                 *     ]
                 */
                project_id?: components["parameters"]["FilterProjectId"];
                /**
                 * @description Product, activity or region. In cordex-cmip6 (`product` in native). `!` before a value excludes it.
                 * @example [
                 *       "EUR-11"
                 *     ]
                 */
                domain_id?: components["parameters"]["FilterDomainId"];
                /**
                 * @description Experiment or simulation. In cordex-cmip6 (`experiment` in native). `!` before a value excludes it.
                 * @example [
                 *       "historical"
                 *     ]
                 */
                driving_experiment_id?: components["parameters"]["FilterDrivingExperimentId"];
                /**
                 * @description Ensemble member. In cordex-cmip6 (`ensemble` in native). `!` before a value excludes it.
                 * @example [
                 *       "r1i1p1"
                 *     ]
                 */
                driving_variant_label?: components["parameters"]["FilterDrivingVariantLabel"];
                /**
                 * @description Driving model. In cordex-cmip6 (`driving_model` in native). `!` before a value excludes it.
                 * @example [
                 *       "MPI-M-MPI-ESM-LR"
                 *     ]
                 */
                driving_source_id?: components["parameters"]["FilterDrivingSourceId"];
                /**
                 * @description Version of the regional run. In cordex-cmip6 (`rcm_version` in native). `!` before a value excludes it.
                 * @example [
                 *       "v1"
                 *     ]
                 */
                version_realization?: components["parameters"]["FilterVersionRealization"];
                /**
                 * @description Path of the file, with regard to case. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "*\/tas_Amon_*"
                 *     ]
                 */
                file?: components["parameters"]["FilterFile"];
                /**
                 * @description URI of the file, with regard to case. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "*\/tas_Amon_*"
                 *     ]
                 */
                uri?: components["parameters"]["FilterUri"];
                /**
                 * @description Version of the data set. In every flavour with `multi-version=true` only. `!` before a value excludes it.
                 * @example [
                 *       "v20190710"
                 *     ]
                 */
                version?: components["parameters"]["FilterVersion"];
                /**
                 * @description Name of the dataset in its standard, without a version. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "CMIP6.CMIP.MPI-M.MPI-ESM1-2-LR.historical.r1i1p1f1.Amon.tas.gn"
                 *     ]
                 */
                dataset_id?: components["parameters"]["FilterDatasetId"];
                /**
                 * @description Checksum of the file with the name of its algorithm. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "sha256:f7ef24b424dd92e88740bcafd42df540202778f6d0c205bc32618c0eae377da2"
                 *     ]
                 */
                checksum?: components["parameters"]["FilterChecksum"];
                /**
                 * @description Identifier that the file was given when it was made. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "hdl:21.14100/3e8b0b0f-213c-54d3-808f-d41a77f9dc48"
                 *     ]
                 */
                tracking_id?: components["parameters"]["FilterTrackingId"];
                /**
                 * @description CF standard name of the variable. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "air_temperature"
                 *     ]
                 */
                standard_name?: components["parameters"]["FilterStandardName"];
                /**
                 * @description Name of the variable for people. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "Near-Surface Air Temperature"
                 *     ]
                 */
                long_name?: components["parameters"]["FilterLongName"];
                /**
                 * @description Units of the variable. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "K"
                 *     ]
                 */
                units?: components["parameters"]["FilterUnits"];
                /**
                 * @description Resolution of the grid, roughly. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "250 km"
                 *     ]
                 */
                nominal_resolution?: components["parameters"]["FilterNominalResolution"];
                /**
                 * @description Terms under which the data may be used. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "CC BY 4.0"
                 *     ]
                 */
                license?: components["parameters"]["FilterLicense"];
                /**
                 * @description Address of a page about the data. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "https://furtherinfo.es-doc.org/CMIP6.MPI-M.MPI-ESM1-2-LR.historical.none.r1i1p1f1"
                 *     ]
                 */
                further_info_url?: components["parameters"]["FilterFurtherInfoUrl"];
                /**
                 * @description Whether the data were withdrawn by those who made them: true or false. In every flavour. `!` before a value excludes it.
                 * @example [
                 *       "true"
                 *     ]
                 */
                retracted?: components["parameters"]["FilterRetracted"];
                /**
                 * @description Filters whose names have no parameter of their own here, each as `name=value`, such as
                 *     `experiment_id_not_=ssp*`: a facet of the flavour with `_not_` after its name excludes. The same can be written
                 *     as a query parameter, `?experiment_id_not_=ssp*`.
                 * @example [
                 *       "experiment_id_not_=ssp*"
                 *     ]
                 */
                filter?: components["parameters"]["Filter"];
            };
            header?: never;
            path: {
                /**
                 * @description The flavour whose facet names are used: a DRS standard, one that is for all, or one of the caller's own, for which
                 *     the access token must be sent.
                 * @example cmip6
                 */
                flavour: components["parameters"]["InFlavour"];
                /**
                 * @description Whether locations are file paths or URIs.
                 * @example file
                 */
                uniq_key: components["parameters"]["ByKey"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The catalogue. */
            200: {
                headers: {
                    "Content-Disposition": components["headers"]["ContentDisposition"];
                    "Cache-Control": components["headers"]["CallersOwn"];
                    Vary: components["headers"]["Vary"];
                    "Unknown-Values": components["headers"]["UnknownValues"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IntakeCatalogue"];
                };
            };
            400: components["responses"]["NoEntries"];
            401: components["responses"]["Unauthorized"];
            422: components["responses"]["InvalidParameters"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["SearchUnavailable"];
        };
    };
    joinData: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "flavour": "cmip6",
                 *       "parameters": {
                 *         "variable_id": [
                 *           "tas"
                 *         ],
                 *         "frequency": [
                 *           "mon"
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["JoinRequest"];
            };
        };
        responses: {
            /** @description The addresses. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "joins": [
                     *         {
                     *           "name": "cmip6.CMIP.MPI-M.MPI-ESM1-2-LR.historical.r1i1p1f1.Amon.tas.gn",
                     *           "url": "https://data.example.org/api/climate-nextgen/data-portal/zarr/5f0c2b1e-8d0a-5b3e-9c55-2f6f3a1d9b7e.zarr",
                     *           "plan": "https://data.example.org/api/climate-nextgen/data-portal/zarr/5f0c2b1e-8d0a-5b3e-9c55-2f6f3a1d9b7e.zarr/plan",
                     *           "files": 9,
                     *           "notes": []
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Joins"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NoSuchData"];
            413: components["responses"]["TooManyResults"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidParameters"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["SearchUnavailable"];
        };
    };
    showZarr: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The data set, `<uuid>.zarr` as zarr v2, `<uuid>.zarr3` as zarr v3.
                 * @example 5f0c2b1e-8d0a-8b3e-9c55-2f6f3a1d9b7e.zarr
                 */
                store: components["parameters"]["Store"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The page. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** @example <!doctype html> */
                    "text/html": string;
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NoSuchData"];
            409: components["responses"]["CannotJoin"];
            410: components["responses"]["DataGone"];
            413: components["responses"]["DataTooLarge"];
            415: components["responses"]["UnreadableFormat"];
            422: components["responses"]["InvalidParameters"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["DataUnavailable"];
        };
    };
    showJoinPlan: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The data set, `<uuid>.zarr` as zarr v2, `<uuid>.zarr3` as zarr v3.
                 * @example 5f0c2b1e-8d0a-8b3e-9c55-2f6f3a1d9b7e.zarr
                 */
                store: components["parameters"]["Store"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The plan, or the reason why there is none. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "state": "refused",
                     *       "reason": "The units of tas differ: \"K\" in tas_1985.nc, \"degC\" in tas_1986.nc."
                     *     }
                     */
                    "application/json": components["schemas"]["JoinPlan"];
                    /** @example <!doctype html> */
                    "text/html": string;
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NoSuchData"];
            409: components["responses"]["CannotJoin"];
            410: components["responses"]["DataGone"];
            413: components["responses"]["DataTooLarge"];
            415: components["responses"]["UnreadableFormat"];
            422: components["responses"]["InvalidParameters"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["DataUnavailable"];
        };
    };
    readZarr: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of an answer that the client has kept. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description A part of the value, `bytes=first-last`; several parts are not given. */
                Range?: components["parameters"]["Range"];
                /** @description The `ETag` for which the range is meant. */
                "If-Range"?: components["parameters"]["IfRange"];
            };
            path: {
                /**
                 * @description The data set, `<uuid>.zarr` as zarr v2, `<uuid>.zarr3` as zarr v3.
                 * @example 5f0c2b1e-8d0a-8b3e-9c55-2f6f3a1d9b7e.zarr
                 */
                store: components["parameters"]["Store"];
                /**
                 * @description The key in the store; it may hold slashes, as in `tas/0.0.0`.
                 * @example .zmetadata
                 */
                key: components["parameters"]["ZarrKey"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The whole value of the key. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example (the bytes of a chunk) */
                    "application/octet-stream": string;
                    /**
                     * @example {
                     *       "zarr_format": 2
                     *     }
                     */
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description The part of the value that was asked for. */
            206: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example (some bytes of a chunk) */
                    "application/octet-stream": string;
                };
            };
            /** @description The value has not changed since the one with the given ETag. */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["UnknownKey"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NoSuchData"];
            409: components["responses"]["CannotJoin"];
            410: components["responses"]["DataGone"];
            413: components["responses"]["DataTooLarge"];
            415: components["responses"]["UnreadableFormat"];
            416: components["responses"]["RangeNotSatisfiable"];
            422: components["responses"]["InvalidParameters"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["DataUnavailable"];
        };
    };
    readFile: {
        parameters: {
            query?: never;
            header?: {
                /** @description Entity tags; a file with another one is not sent (412). */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description The `ETag` of an answer that the client has kept. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description A date of HTTP. A file that has not changed since then is not sent again; ignored with `If-None-Match`. */
                "If-Modified-Since"?: components["parameters"]["IfModifiedSince"];
                /** @description A part of the value, `bytes=first-last`; several parts are not given. */
                Range?: components["parameters"]["Range"];
                /** @description The `ETag` for which the range is meant. */
                "If-Range"?: components["parameters"]["IfRange"];
            };
            path: {
                /**
                 * @description The identifier of the data set, as in the address of its zarr stream.
                 * @example 5f0c2b1e-8d0a-8b3e-9c55-2f6f3a1d9b7e
                 */
                id: components["parameters"]["FileId"];
                /**
                 * @description The name of the file, without its folder. A client that takes the name from the address gets the right one.
                 * @example tas_Amon_MPI-ESM1-2-LR_historical_r1i1p1f1_gn_198501-198912.nc
                 */
                file_name: components["parameters"]["FileName"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The whole file. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Last-Modified": components["headers"]["LastModified"];
                    "Accept-Ranges": components["headers"]["AcceptRanges"];
                    "Repr-Digest": components["headers"]["ReprDigest"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Disposition": components["headers"]["FileName"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example (the bytes of a file) */
                    "application/octet-stream": string;
                };
            };
            /** @description The part of the file that was requested. */
            206: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Last-Modified": components["headers"]["LastModified"];
                    "Accept-Ranges": components["headers"]["AcceptRanges"];
                    "Repr-Digest": components["headers"]["ReprDigest"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Disposition": components["headers"]["FileName"];
                    "Content-Range": components["headers"]["ContentRange"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example (some bytes of a file) */
                    "application/octet-stream": string;
                };
            };
            /** @description The file has not changed since the one with the given ETag, or since the given time. */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Last-Modified": components["headers"]["LastModified"];
                    "Accept-Ranges": components["headers"]["AcceptRanges"];
                    "Repr-Digest": components["headers"]["ReprDigest"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NoSuchData"];
            409: components["responses"]["NotOneFile"];
            410: components["responses"]["DataGone"];
            412: components["responses"]["PreconditionFailed"];
            415: components["responses"]["UnreadableFormat"];
            416: components["responses"]["RangeNotSatisfiable"];
            422: components["responses"]["InvalidParameters"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["DataUnavailable"];
        };
    };
    readReferences: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of an answer that the client has kept. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description The identifier of the data set, as in the address of its zarr stream.
                 * @example 5f0c2b1e-8d0a-8b3e-9c55-2f6f3a1d9b7e
                 */
                id: components["parameters"]["FileId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The references. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Disposition": components["headers"]["FileName"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "version": 1,
                     *       "refs": {
                     *         ".zgroup": "{\"zarr_format\":2}",
                     *         "tas/0.0.0": [
                     *           "/data/tas.nc",
                     *           10376,
                     *           28416
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["References"];
                };
            };
            /** @description The references have not changed since those with the given ETag. */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NoSuchData"];
            409: components["responses"]["NotOneFile"];
            410: components["responses"]["DataGone"];
            413: components["responses"]["DataTooLarge"];
            415: components["responses"]["UnreadableFormat"];
            422: components["responses"]["InvalidParameters"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["DataUnavailable"];
        };
    };
    readParquetReferences: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of an answer that the client has kept. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description The identifier of the data set, as in the address of its zarr stream.
                 * @example 5f0c2b1e-8d0a-8b3e-9c55-2f6f3a1d9b7e
                 */
                id: components["parameters"]["FileId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The references. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Disposition": components["headers"]["FileName"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example (a zip archive) */
                    "application/zip": string;
                };
            };
            /** @description The references have not changed since those with the given ETag. */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NoSuchData"];
            409: components["responses"]["NotOneFile"];
            410: components["responses"]["DataGone"];
            413: components["responses"]["DataTooLarge"];
            415: components["responses"]["UnreadableFormat"];
            422: components["responses"]["InvalidParameters"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["DataUnavailable"];
        };
    };
    previewData: {
        parameters: {
            query?: {
                /**
                 * @description What of each dimension, separated by commas: an index from 0, a stretch such as `2:8`, or `:` for all of it. One or two
                 *     dimensions may be kept, or none. Without it the last two are, whole, and the others are at 0.
                 * @example 5,:,:
                 */
                index?: components["parameters"]["SliceIndex"];
                /**
                 * @description So many samples at most of the last dimension that is kept: up to 2048 beside another one (1024 where it is left out),
                 *     up to 1048576 where it is the only one.
                 * @example 512
                 */
                width?: components["parameters"]["SliceWidth"];
                /**
                 * @description So many samples at most of the first of two dimensions; 1024 where it is left out.
                 * @example 256
                 */
                height?: components["parameters"]["SliceHeight"];
            };
            header?: {
                /** @description The `ETag` of an answer that the client has kept. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description The data set, `<uuid>.zarr` as zarr v2, `<uuid>.zarr3` as zarr v3.
                 * @example 5f0c2b1e-8d0a-8b3e-9c55-2f6f3a1d9b7e.zarr
                 */
                store: components["parameters"]["Store"];
                /**
                 * @description The variable; names of groups stand before it, as in `forecast/tas`.
                 * @example tas
                 */
                variable: components["parameters"]["Variable"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The array, `<f4` row by row in a file of NumPy (version 1.0). */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example (the bytes of a file of NumPy) */
                    "application/octet-stream": string;
                };
            };
            /** @description The array has not changed since the one with the given ETag. */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NoSuchData"];
            409: components["responses"]["CannotJoin"];
            410: components["responses"]["DataGone"];
            413: components["responses"]["DataTooLarge"];
            415: components["responses"]["UnreadableFormat"];
            422: components["responses"]["InvalidParameters"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["DataUnavailable"];
        };
    };
    showZarrOfAddress: {
        parameters: {
            query: {
                /** @description The address of a zarr stream. */
                url: components["parameters"]["ZarrAddress"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The page. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** @example <!doctype html> */
                    "text/html": string;
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NoSuchData"];
            409: components["responses"]["CannotJoin"];
            410: components["responses"]["DataGone"];
            413: components["responses"]["DataTooLarge"];
            415: components["responses"]["UnreadableFormat"];
            422: components["responses"]["InvalidParameters"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["DataUnavailable"];
        };
    };
    shareZarr: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "uuid": "5f0c2b1e-8d0a-8b3e-9c55-2f6f3a1d9b7e",
                 *       "ttl_seconds": 3600
                 *     }
                 */
                "application/json": components["schemas"]["ShareRequest"];
            };
        };
        responses: {
            /** @description The address, and when it expires. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "url": "https://data.example.org/api/climate-nextgen/data-portal/share/eyJ.x.y/5f0c2b1e-8d0a-8b3e-9c55-2f6f3a1d9b7e.zarr",
                     *       "file_url": "https://data.example.org/api/climate-nextgen/data-portal/share/eyJ.x.y/files/5f0c2b1e-8d0a-8b3e-9c55-2f6f3a1d9b7e/tas.nc",
                     *       "expires": 1798761600
                     *     }
                     */
                    "application/json": components["schemas"]["SharedZarr"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NoSuchData"];
            409: components["responses"]["CannotJoin"];
            410: components["responses"]["DataGone"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidParameters"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["DataUnavailable"];
        };
    };
    unshareZarr: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "url": "https://data.example.org/api/climate-nextgen/data-portal/share/eyJ.x.y/5f0c2b1e-8d0a-8b3e-9c55-2f6f3a1d9b7e.zarr"
                 *     }
                 */
                "application/json": components["schemas"]["UnshareRequest"];
            };
        };
        responses: {
            /** @description The address is not valid any more. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NoSuchData"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidParameters"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["SearchUnavailable"];
        };
    };
    readSharedFile: {
        parameters: {
            query?: never;
            header?: {
                /** @description Entity tags; a file with another one is not sent (412). */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description The `ETag` of an answer that the client has kept. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description A date of HTTP. A file that has not changed since then is not sent again; ignored with `If-None-Match`. */
                "If-Modified-Since"?: components["parameters"]["IfModifiedSince"];
                /** @description A part of the value, `bytes=first-last`; several parts are not given. */
                Range?: components["parameters"]["Range"];
                /** @description The `ETag` for which the range is meant. */
                "If-Range"?: components["parameters"]["IfRange"];
            };
            path: {
                /**
                 * @description What was signed when the data were shared.
                 * @example eyJ.x.y
                 */
                ticket: components["parameters"]["Ticket"];
                /**
                 * @description The identifier of the data set, as in the address of its zarr stream.
                 * @example 5f0c2b1e-8d0a-8b3e-9c55-2f6f3a1d9b7e
                 */
                id: components["parameters"]["FileId"];
                /**
                 * @description The name of the file, without its folder. A client that takes the name from the address gets the right one.
                 * @example tas_Amon_MPI-ESM1-2-LR_historical_r1i1p1f1_gn_198501-198912.nc
                 */
                file_name: components["parameters"]["FileName"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The whole file. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Last-Modified": components["headers"]["LastModified"];
                    "Accept-Ranges": components["headers"]["AcceptRanges"];
                    "Repr-Digest": components["headers"]["ReprDigest"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Disposition": components["headers"]["FileName"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example (the bytes of a file) */
                    "application/octet-stream": string;
                };
            };
            /** @description The part of the file that was requested. */
            206: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Last-Modified": components["headers"]["LastModified"];
                    "Accept-Ranges": components["headers"]["AcceptRanges"];
                    "Repr-Digest": components["headers"]["ReprDigest"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Disposition": components["headers"]["FileName"];
                    "Content-Range": components["headers"]["ContentRange"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example (some bytes of a file) */
                    "application/octet-stream": string;
                };
            };
            /** @description The file has not changed since the one with the given ETag, or since the given time. */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Last-Modified": components["headers"]["LastModified"];
                    "Accept-Ranges": components["headers"]["AcceptRanges"];
                    "Repr-Digest": components["headers"]["ReprDigest"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NoSuchData"];
            409: components["responses"]["NotOneFile"];
            410: components["responses"]["DataGone"];
            412: components["responses"]["PreconditionFailed"];
            415: components["responses"]["UnreadableFormat"];
            416: components["responses"]["RangeNotSatisfiable"];
            422: components["responses"]["InvalidParameters"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["DataUnavailable"];
        };
    };
    showSharedZarr: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description What was signed when the data were shared.
                 * @example eyJ.x.y
                 */
                ticket: components["parameters"]["Ticket"];
                /**
                 * @description The data set, `<uuid>.zarr` as zarr v2, `<uuid>.zarr3` as zarr v3.
                 * @example 5f0c2b1e-8d0a-8b3e-9c55-2f6f3a1d9b7e.zarr
                 */
                store: components["parameters"]["Store"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The page. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** @example <!doctype html> */
                    "text/html": string;
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NoSuchData"];
            409: components["responses"]["CannotJoin"];
            410: components["responses"]["DataGone"];
            413: components["responses"]["DataTooLarge"];
            415: components["responses"]["UnreadableFormat"];
            422: components["responses"]["InvalidParameters"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["DataUnavailable"];
        };
    };
    readSharedZarr: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of an answer that the client has kept. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description A part of the value, `bytes=first-last`; several parts are not given. */
                Range?: components["parameters"]["Range"];
                /** @description The `ETag` for which the range is meant. */
                "If-Range"?: components["parameters"]["IfRange"];
            };
            path: {
                /**
                 * @description What was signed when the data were shared.
                 * @example eyJ.x.y
                 */
                ticket: components["parameters"]["Ticket"];
                /**
                 * @description The data set, `<uuid>.zarr` as zarr v2, `<uuid>.zarr3` as zarr v3.
                 * @example 5f0c2b1e-8d0a-8b3e-9c55-2f6f3a1d9b7e.zarr
                 */
                store: components["parameters"]["Store"];
                /**
                 * @description The key in the store; it may hold slashes, as in `tas/0.0.0`.
                 * @example .zmetadata
                 */
                key: components["parameters"]["ZarrKey"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The whole value of the key. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example (the bytes of a chunk) */
                    "application/octet-stream": string;
                    /**
                     * @example {
                     *       "zarr_format": 2
                     *     }
                     */
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description The part of the value that was asked for. */
            206: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example (some bytes of a chunk) */
                    "application/octet-stream": string;
                };
            };
            /** @description The value has not changed since the one with the given ETag. */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["UnknownKey"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NoSuchData"];
            409: components["responses"]["CannotJoin"];
            410: components["responses"]["DataGone"];
            413: components["responses"]["DataTooLarge"];
            415: components["responses"]["UnreadableFormat"];
            416: components["responses"]["RangeNotSatisfiable"];
            422: components["responses"]["InvalidParameters"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["DataUnavailable"];
        };
    };
    stacLanding: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The landing page. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "Catalog",
                     *       "stac_version": "1.1.0",
                     *       "id": "climate-nextgen",
                     *       "title": "climate-nextgen",
                     *       "description": "Climate datasets.",
                     *       "conformsTo": [
                     *         "https://api.stacspec.org/v1.0.0/core"
                     *       ],
                     *       "links": [
                     *         {
                     *           "rel": "root",
                     *           "href": "https://data.example.org/api/climate-nextgen/stac",
                     *           "type": "application/json",
                     *           "title": "climate-nextgen"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["StacCatalog"];
                    /** @example <!doctype html> */
                    "text/html": string;
                };
            };
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["SearchUnavailable"];
        };
    };
    stacConformance: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The classes. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "conformsTo": [
                     *         "https://api.stacspec.org/v1.0.0/core"
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["StacConformance"];
                };
            };
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
        };
    };
    stacApi: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The contract. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "openapi": "3.1.0"
                     *     }
                     */
                    "application/vnd.oai.openapi+json": {
                        [key: string]: unknown;
                    };
                };
            };
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
        };
    };
    stacCollections: {
        parameters: {
            query?: {
                /**
                 * @description Words, separated by commas, of which one must occur in the names of the data.
                 * @example temperature
                 */
                q?: components["parameters"]["StacQ"];
                /**
                 * @description A box that the data meet: west,south,east,north in degrees. A west beyond the east crosses the antimeridian.
                 * @example -10,35,30,70
                 */
                bbox?: components["parameters"]["StacBbox"];
                /**
                 * @description A moment or an interval of RFC 3339 that the data meet: A, A/B, A/.. or ../B.
                 * @example 1990-01-01T00:00:00Z/1999-12-31T23:59:59Z
                 */
                datetime?: components["parameters"]["StacDatetime"];
                /**
                 * @description Collections of a page; more than 1000 are taken as 1000.
                 * @example 10
                 */
                limit?: components["parameters"]["StacCollectionLimit"];
                /**
                 * @description The place of a page, from the link `next` of the page before it.
                 * @example WyJhIl0
                 */
                token?: components["parameters"]["StacToken"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The collections. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "collections": [
                     *         {
                     *           "type": "Collection",
                     *           "stac_version": "1.1.0",
                     *           "id": "CMIP6",
                     *           "title": "CMIP6",
                     *           "description": "The datasets of the project CMIP6 in this catalogue.",
                     *           "license": "other",
                     *           "extent": {
                     *             "spatial": {
                     *               "bbox": [
                     *                 [
                     *                   -180,
                     *                   -90,
                     *                   180,
                     *                   90
                     *                 ]
                     *               ]
                     *             },
                     *             "temporal": {
                     *               "interval": [
                     *                 [
                     *                   "1850-01-01T00:00:00Z",
                     *                   "2100-12-31T23:59:59Z"
                     *                 ]
                     *               ]
                     *             }
                     *           },
                     *           "links": [
                     *             {
                     *               "rel": "root",
                     *               "href": "https://data.example.org/api/climate-nextgen/stac",
                     *               "type": "application/json",
                     *               "title": "climate-nextgen"
                     *             }
                     *           ]
                     *         }
                     *       ],
                     *       "links": [
                     *         {
                     *           "rel": "root",
                     *           "href": "https://data.example.org/api/climate-nextgen/stac",
                     *           "type": "application/json",
                     *           "title": "climate-nextgen"
                     *         }
                     *       ],
                     *       "numberMatched": 1,
                     *       "numberReturned": 1
                     *     }
                     */
                    "application/json": components["schemas"]["StacCollections"];
                };
            };
            400: components["responses"]["InvalidStacRequest"];
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["SearchUnavailable"];
        };
    };
    stacCollection: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The project, in any case.
                 * @example CMIP6
                 */
                collection: components["parameters"]["StacCollectionId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The collection. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "Collection",
                     *       "stac_version": "1.1.0",
                     *       "id": "CMIP6",
                     *       "title": "CMIP6",
                     *       "description": "The datasets of the project CMIP6 in this catalogue.",
                     *       "license": "other",
                     *       "extent": {
                     *         "spatial": {
                     *           "bbox": [
                     *             [
                     *               -180,
                     *               -90,
                     *               180,
                     *               90
                     *             ]
                     *           ]
                     *         },
                     *         "temporal": {
                     *           "interval": [
                     *             [
                     *               "1850-01-01T00:00:00Z",
                     *               "2100-12-31T23:59:59Z"
                     *             ]
                     *           ]
                     *         }
                     *       },
                     *       "links": [
                     *         {
                     *           "rel": "root",
                     *           "href": "https://data.example.org/api/climate-nextgen/stac",
                     *           "type": "application/json",
                     *           "title": "climate-nextgen"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["StacCollection"];
                };
            };
            400: components["responses"]["InvalidStacRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NoSuchStacPart"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["SearchUnavailable"];
        };
    };
    stacItems: {
        parameters: {
            query?: {
                /**
                 * @description Projects, separated by commas.
                 * @example CMIP6,CMIP7
                 */
                collections?: components["parameters"]["StacCollectionIds"];
                /**
                 * @description Ids of items, separated by commas; at most 1000.
                 * @example CMIP6.CMIP.MPI-M.MPI-ESM1-2-LR.historical.r1i1p1f1.Amon.tas.gn.v20190710
                 */
                ids?: components["parameters"]["StacIds"];
                /**
                 * @description A box that the data meet: west,south,east,north in degrees. A west beyond the east crosses the antimeridian.
                 * @example -10,35,30,70
                 */
                bbox?: components["parameters"]["StacBbox"];
                /**
                 * @description A moment or an interval of RFC 3339 that the data meet: A, A/B, A/.. or ../B.
                 * @example 1990-01-01T00:00:00Z/1999-12-31T23:59:59Z
                 */
                datetime?: components["parameters"]["StacDatetime"];
                /**
                 * @description A GeoJSON geometry that the data meet; not together with bbox.
                 * @example {"type":"Point","coordinates":[10,50]}
                 */
                intersects?: components["parameters"]["StacIntersects"];
                /**
                 * @description Words, separated by commas, of which one must occur in the names of the data.
                 * @example temperature
                 */
                q?: components["parameters"]["StacQ"];
                /**
                 * @description A filter in CQL2.
                 * @example variable_id = 'tas'
                 */
                filter?: components["parameters"]["StacFilter"];
                /**
                 * @description The language of the filter; cql2-text if it is left out.
                 * @example cql2-text
                 */
                "filter-lang"?: components["parameters"]["StacFilterLang"];
                /**
                 * @description The reference system of the geometries in the filter: longitudes and latitudes in degrees.
                 * @example http://www.opengis.net/def/crs/OGC/1.3/CRS84
                 */
                "filter-crs"?: components["parameters"]["StacFilterCrs"];
                /**
                 * @description Conditions on properties as JSON, as STAC's query extension writes them.
                 * @example {"start_datetime":{"gte":"1850-01-01"}}
                 */
                query?: components["parameters"]["StacQuery"];
                /**
                 * @description Items of a page; more than 1000 are taken as 1000.
                 * @example 10
                 */
                limit?: components["parameters"]["StacLimit"];
                /**
                 * @description The place of a page, from the link `next` of the page before it.
                 * @example WyJhIl0
                 */
                token?: components["parameters"]["StacToken"];
                /**
                 * @description Properties, separated by commas, the first one first; with - before it in descending order.
                 * @example -properties.start_datetime,id
                 */
                sortby?: components["parameters"]["StacSortby"];
                /**
                 * @description Parts of items to give, separated by commas; with - before it one to leave out.
                 * @example id,properties.start_datetime,-assets
                 */
                fields?: components["parameters"]["StacFields"];
            };
            header?: never;
            path: {
                /**
                 * @description The project, in any case.
                 * @example CMIP6
                 */
                collection: components["parameters"]["StacCollectionId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "FeatureCollection",
                     *       "numberMatched": 1,
                     *       "numberReturned": 1,
                     *       "numMatched": 1,
                     *       "numReturned": 1,
                     *       "features": [
                     *         {
                     *           "type": "Feature",
                     *           "stac_version": "1.1.0",
                     *           "stac_extensions": [],
                     *           "id": "CMIP6.CMIP.MPI-M.MPI-ESM1-2-LR.historical.r1i1p1f1.Amon.tas.gn.v20190710",
                     *           "collection": "CMIP6",
                     *           "geometry": {
                     *             "type": "Point",
                     *             "coordinates": [
                     *               10,
                     *               50
                     *             ]
                     *           },
                     *           "bbox": [
                     *             10,
                     *             50,
                     *             10,
                     *             50
                     *           ],
                     *           "properties": {
                     *             "datetime": null,
                     *             "start_datetime": "1985-01-01T00:00:00Z",
                     *             "end_datetime": "1999-12-31T23:59:59Z",
                     *             "cmip6:variable_id": "tas"
                     *           },
                     *           "links": [
                     *             {
                     *               "rel": "root",
                     *               "href": "https://data.example.org/api/climate-nextgen/stac",
                     *               "type": "application/json",
                     *               "title": "climate-nextgen"
                     *             }
                     *           ],
                     *           "assets": {
                     *             "data0001": {
                     *               "href": "https://data.example.org/tas.nc",
                     *               "type": "application/netcdf",
                     *               "roles": [
                     *                 "data"
                     *               ]
                     *             }
                     *           }
                     *         }
                     *       ],
                     *       "links": [
                     *         {
                     *           "rel": "root",
                     *           "href": "https://data.example.org/api/climate-nextgen/stac",
                     *           "type": "application/json",
                     *           "title": "climate-nextgen"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/geo+json": components["schemas"]["StacItems"];
                };
            };
            400: components["responses"]["InvalidStacRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NoSuchStacPart"];
            413: components["responses"]["TooManyResults"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["SearchUnavailable"];
        };
    };
    stacItem: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The project, in any case.
                 * @example CMIP6
                 */
                collection: components["parameters"]["StacCollectionId"];
                /**
                 * @description The id of the item.
                 * @example CMIP6.CMIP.MPI-M.MPI-ESM1-2-LR.historical.r1i1p1f1.Amon.tas.gn.v20190710
                 */
                item: components["parameters"]["StacItemId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The item. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "Feature",
                     *       "stac_version": "1.1.0",
                     *       "stac_extensions": [],
                     *       "id": "CMIP6.CMIP.MPI-M.MPI-ESM1-2-LR.historical.r1i1p1f1.Amon.tas.gn.v20190710",
                     *       "collection": "CMIP6",
                     *       "geometry": {
                     *         "type": "Point",
                     *         "coordinates": [
                     *           10,
                     *           50
                     *         ]
                     *       },
                     *       "bbox": [
                     *         10,
                     *         50,
                     *         10,
                     *         50
                     *       ],
                     *       "properties": {
                     *         "datetime": null,
                     *         "start_datetime": "1985-01-01T00:00:00Z",
                     *         "end_datetime": "1999-12-31T23:59:59Z",
                     *         "cmip6:variable_id": "tas"
                     *       },
                     *       "links": [
                     *         {
                     *           "rel": "root",
                     *           "href": "https://data.example.org/api/climate-nextgen/stac",
                     *           "type": "application/json",
                     *           "title": "climate-nextgen"
                     *         }
                     *       ],
                     *       "assets": {
                     *         "data0001": {
                     *           "href": "https://data.example.org/tas.nc",
                     *           "type": "application/netcdf",
                     *           "roles": [
                     *             "data"
                     *           ]
                     *         }
                     *       }
                     *     }
                     */
                    "application/geo+json": components["schemas"]["StacItem"];
                };
            };
            400: components["responses"]["InvalidStacRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NoSuchStacPart"];
            413: components["responses"]["TooManyResults"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["SearchUnavailable"];
        };
    };
    stacSearch: {
        parameters: {
            query?: {
                /**
                 * @description Projects, separated by commas.
                 * @example CMIP6,CMIP7
                 */
                collections?: components["parameters"]["StacCollectionIds"];
                /**
                 * @description Ids of items, separated by commas; at most 1000.
                 * @example CMIP6.CMIP.MPI-M.MPI-ESM1-2-LR.historical.r1i1p1f1.Amon.tas.gn.v20190710
                 */
                ids?: components["parameters"]["StacIds"];
                /**
                 * @description A box that the data meet: west,south,east,north in degrees. A west beyond the east crosses the antimeridian.
                 * @example -10,35,30,70
                 */
                bbox?: components["parameters"]["StacBbox"];
                /**
                 * @description A moment or an interval of RFC 3339 that the data meet: A, A/B, A/.. or ../B.
                 * @example 1990-01-01T00:00:00Z/1999-12-31T23:59:59Z
                 */
                datetime?: components["parameters"]["StacDatetime"];
                /**
                 * @description A GeoJSON geometry that the data meet; not together with bbox.
                 * @example {"type":"Point","coordinates":[10,50]}
                 */
                intersects?: components["parameters"]["StacIntersects"];
                /**
                 * @description Words, separated by commas, of which one must occur in the names of the data.
                 * @example temperature
                 */
                q?: components["parameters"]["StacQ"];
                /**
                 * @description A filter in CQL2.
                 * @example variable_id = 'tas'
                 */
                filter?: components["parameters"]["StacFilter"];
                /**
                 * @description The language of the filter; cql2-text if it is left out.
                 * @example cql2-text
                 */
                "filter-lang"?: components["parameters"]["StacFilterLang"];
                /**
                 * @description The reference system of the geometries in the filter: longitudes and latitudes in degrees.
                 * @example http://www.opengis.net/def/crs/OGC/1.3/CRS84
                 */
                "filter-crs"?: components["parameters"]["StacFilterCrs"];
                /**
                 * @description Conditions on properties as JSON, as STAC's query extension writes them.
                 * @example {"start_datetime":{"gte":"1850-01-01"}}
                 */
                query?: components["parameters"]["StacQuery"];
                /**
                 * @description Items of a page; more than 1000 are taken as 1000.
                 * @example 10
                 */
                limit?: components["parameters"]["StacLimit"];
                /**
                 * @description The place of a page, from the link `next` of the page before it.
                 * @example WyJhIl0
                 */
                token?: components["parameters"]["StacToken"];
                /**
                 * @description Properties, separated by commas, the first one first; with - before it in descending order.
                 * @example -properties.start_datetime,id
                 */
                sortby?: components["parameters"]["StacSortby"];
                /**
                 * @description Parts of items to give, separated by commas; with - before it one to leave out.
                 * @example id,properties.start_datetime,-assets
                 */
                fields?: components["parameters"]["StacFields"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "FeatureCollection",
                     *       "numberMatched": 1,
                     *       "numberReturned": 1,
                     *       "numMatched": 1,
                     *       "numReturned": 1,
                     *       "features": [
                     *         {
                     *           "type": "Feature",
                     *           "stac_version": "1.1.0",
                     *           "stac_extensions": [],
                     *           "id": "CMIP6.CMIP.MPI-M.MPI-ESM1-2-LR.historical.r1i1p1f1.Amon.tas.gn.v20190710",
                     *           "collection": "CMIP6",
                     *           "geometry": {
                     *             "type": "Point",
                     *             "coordinates": [
                     *               10,
                     *               50
                     *             ]
                     *           },
                     *           "bbox": [
                     *             10,
                     *             50,
                     *             10,
                     *             50
                     *           ],
                     *           "properties": {
                     *             "datetime": null,
                     *             "start_datetime": "1985-01-01T00:00:00Z",
                     *             "end_datetime": "1999-12-31T23:59:59Z",
                     *             "cmip6:variable_id": "tas"
                     *           },
                     *           "links": [
                     *             {
                     *               "rel": "root",
                     *               "href": "https://data.example.org/api/climate-nextgen/stac",
                     *               "type": "application/json",
                     *               "title": "climate-nextgen"
                     *             }
                     *           ],
                     *           "assets": {
                     *             "data0001": {
                     *               "href": "https://data.example.org/tas.nc",
                     *               "type": "application/netcdf",
                     *               "roles": [
                     *                 "data"
                     *               ]
                     *             }
                     *           }
                     *         }
                     *       ],
                     *       "links": [
                     *         {
                     *           "rel": "root",
                     *           "href": "https://data.example.org/api/climate-nextgen/stac",
                     *           "type": "application/json",
                     *           "title": "climate-nextgen"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/geo+json": components["schemas"]["StacItems"];
                };
            };
            400: components["responses"]["InvalidStacRequest"];
            401: components["responses"]["Unauthorized"];
            413: components["responses"]["TooManyResults"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["SearchUnavailable"];
        };
    };
    postStacSearch: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description The search; 256 KiB at the most. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "collections": [
                 *         "CMIP6"
                 *       ],
                 *       "filter": {
                 *         "op": "=",
                 *         "args": [
                 *           {
                 *             "property": "cmip6:variable_id"
                 *           },
                 *           "tas"
                 *         ]
                 *       },
                 *       "limit": 10
                 *     }
                 */
                "application/json": components["schemas"]["StacSearch"];
            };
        };
        responses: {
            /** @description A page. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "FeatureCollection",
                     *       "numberMatched": 1,
                     *       "numberReturned": 1,
                     *       "numMatched": 1,
                     *       "numReturned": 1,
                     *       "features": [
                     *         {
                     *           "type": "Feature",
                     *           "stac_version": "1.1.0",
                     *           "stac_extensions": [],
                     *           "id": "CMIP6.CMIP.MPI-M.MPI-ESM1-2-LR.historical.r1i1p1f1.Amon.tas.gn.v20190710",
                     *           "collection": "CMIP6",
                     *           "geometry": {
                     *             "type": "Point",
                     *             "coordinates": [
                     *               10,
                     *               50
                     *             ]
                     *           },
                     *           "bbox": [
                     *             10,
                     *             50,
                     *             10,
                     *             50
                     *           ],
                     *           "properties": {
                     *             "datetime": null,
                     *             "start_datetime": "1985-01-01T00:00:00Z",
                     *             "end_datetime": "1999-12-31T23:59:59Z",
                     *             "cmip6:variable_id": "tas"
                     *           },
                     *           "links": [
                     *             {
                     *               "rel": "root",
                     *               "href": "https://data.example.org/api/climate-nextgen/stac",
                     *               "type": "application/json",
                     *               "title": "climate-nextgen"
                     *             }
                     *           ],
                     *           "assets": {
                     *             "data0001": {
                     *               "href": "https://data.example.org/tas.nc",
                     *               "type": "application/netcdf",
                     *               "roles": [
                     *                 "data"
                     *               ]
                     *             }
                     *           }
                     *         }
                     *       ],
                     *       "links": [
                     *         {
                     *           "rel": "root",
                     *           "href": "https://data.example.org/api/climate-nextgen/stac",
                     *           "type": "application/json",
                     *           "title": "climate-nextgen"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/geo+json": components["schemas"]["StacItems"];
                };
            };
            400: components["responses"]["InvalidStacRequest"];
            401: components["responses"]["Unauthorized"];
            413: components["responses"]["TooManyResults"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["SearchUnavailable"];
        };
    };
    stacQueryables: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The schema. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "$schema": "https://json-schema.org/draft/2020-12/schema",
                     *       "$id": "https://data.example.org/api/climate-nextgen/stac/queryables",
                     *       "type": "object",
                     *       "title": "Properties that filters can compare",
                     *       "properties": {
                     *         "cmip6:variable_id": {
                     *           "title": "Variable",
                     *           "type": "string",
                     *           "enum": [
                     *             "pr",
                     *             "tas"
                     *           ]
                     *         }
                     *       },
                     *       "additionalProperties": true
                     *     }
                     */
                    "application/schema+json": components["schemas"]["StacSchema"];
                };
            };
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["SearchUnavailable"];
        };
    };
    stacCollectionQueryables: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The project, in any case.
                 * @example CMIP6
                 */
                collection: components["parameters"]["StacCollectionId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The schema. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "$schema": "https://json-schema.org/draft/2020-12/schema",
                     *       "$id": "https://data.example.org/api/climate-nextgen/stac/queryables",
                     *       "type": "object",
                     *       "title": "Properties that filters can compare",
                     *       "properties": {
                     *         "cmip6:variable_id": {
                     *           "title": "Variable",
                     *           "type": "string",
                     *           "enum": [
                     *             "pr",
                     *             "tas"
                     *           ]
                     *         }
                     *       },
                     *       "additionalProperties": false
                     *     }
                     */
                    "application/schema+json": components["schemas"]["StacSchema"];
                };
            };
            400: components["responses"]["InvalidStacRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NoSuchStacPart"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["SearchUnavailable"];
        };
    };
    stacAggregations: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The aggregations. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "AggregationCollection",
                     *       "aggregations": [
                     *         {
                     *           "name": "total_count",
                     *           "data_type": "integer",
                     *           "value": 2
                     *         },
                     *         {
                     *           "name": "cmip6_variable_id_frequency",
                     *           "data_type": "frequency_distribution",
                     *           "overflow": 0,
                     *           "buckets": [
                     *             {
                     *               "key": "tas",
                     *               "data_type": "string",
                     *               "frequency": 2
                     *             }
                     *           ]
                     *         }
                     *       ],
                     *       "links": [
                     *         {
                     *           "rel": "root",
                     *           "href": "https://data.example.org/api/climate-nextgen/stac",
                     *           "type": "application/json",
                     *           "title": "climate-nextgen"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["StacAggregations"];
                };
            };
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["SearchUnavailable"];
        };
    };
    stacCollectionAggregations: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The project, in any case.
                 * @example CMIP6
                 */
                collection: components["parameters"]["StacCollectionId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The aggregations. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "AggregationCollection",
                     *       "aggregations": [
                     *         {
                     *           "name": "total_count",
                     *           "data_type": "integer",
                     *           "value": 2
                     *         },
                     *         {
                     *           "name": "cmip6_variable_id_frequency",
                     *           "data_type": "frequency_distribution",
                     *           "overflow": 0,
                     *           "buckets": [
                     *             {
                     *               "key": "tas",
                     *               "data_type": "string",
                     *               "frequency": 2
                     *             }
                     *           ]
                     *         }
                     *       ],
                     *       "links": [
                     *         {
                     *           "rel": "root",
                     *           "href": "https://data.example.org/api/climate-nextgen/stac",
                     *           "type": "application/json",
                     *           "title": "climate-nextgen"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["StacAggregations"];
                };
            };
            400: components["responses"]["InvalidStacRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NoSuchStacPart"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["SearchUnavailable"];
        };
    };
    stacAggregate: {
        parameters: {
            query?: {
                /**
                 * @description The aggregations, separated by commas. Without them total_count.
                 * @example total_count,cmip6_source_id_frequency
                 */
                aggregations?: components["parameters"]["StacAggregationNames"];
                /**
                 * @description Projects, separated by commas.
                 * @example CMIP6,CMIP7
                 */
                collections?: components["parameters"]["StacCollectionIds"];
                /**
                 * @description Ids of items, separated by commas; at most 1000.
                 * @example CMIP6.CMIP.MPI-M.MPI-ESM1-2-LR.historical.r1i1p1f1.Amon.tas.gn.v20190710
                 */
                ids?: components["parameters"]["StacIds"];
                /**
                 * @description A box that the data meet: west,south,east,north in degrees. A west beyond the east crosses the antimeridian.
                 * @example -10,35,30,70
                 */
                bbox?: components["parameters"]["StacBbox"];
                /**
                 * @description A moment or an interval of RFC 3339 that the data meet: A, A/B, A/.. or ../B.
                 * @example 1990-01-01T00:00:00Z/1999-12-31T23:59:59Z
                 */
                datetime?: components["parameters"]["StacDatetime"];
                /**
                 * @description A GeoJSON geometry that the data meet; not together with bbox.
                 * @example {"type":"Point","coordinates":[10,50]}
                 */
                intersects?: components["parameters"]["StacIntersects"];
                /**
                 * @description Words, separated by commas, of which one must occur in the names of the data.
                 * @example temperature
                 */
                q?: components["parameters"]["StacQ"];
                /**
                 * @description A filter in CQL2.
                 * @example variable_id = 'tas'
                 */
                filter?: components["parameters"]["StacFilter"];
                /**
                 * @description The language of the filter; cql2-text if it is left out.
                 * @example cql2-text
                 */
                "filter-lang"?: components["parameters"]["StacFilterLang"];
                /**
                 * @description The reference system of the geometries in the filter: longitudes and latitudes in degrees.
                 * @example http://www.opengis.net/def/crs/OGC/1.3/CRS84
                 */
                "filter-crs"?: components["parameters"]["StacFilterCrs"];
                /**
                 * @description Conditions on properties as JSON, as STAC's query extension writes them.
                 * @example {"start_datetime":{"gte":"1850-01-01"}}
                 */
                query?: components["parameters"]["StacQuery"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The numbers. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "AggregationCollection",
                     *       "aggregations": [
                     *         {
                     *           "name": "total_count",
                     *           "data_type": "integer",
                     *           "value": 2
                     *         },
                     *         {
                     *           "name": "cmip6_variable_id_frequency",
                     *           "data_type": "frequency_distribution",
                     *           "overflow": 0,
                     *           "buckets": [
                     *             {
                     *               "key": "tas",
                     *               "data_type": "string",
                     *               "frequency": 2
                     *             }
                     *           ]
                     *         }
                     *       ],
                     *       "links": [
                     *         {
                     *           "rel": "root",
                     *           "href": "https://data.example.org/api/climate-nextgen/stac",
                     *           "type": "application/json",
                     *           "title": "climate-nextgen"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["StacAggregations"];
                };
            };
            400: components["responses"]["InvalidStacRequest"];
            401: components["responses"]["Unauthorized"];
            413: components["responses"]["TooManyResults"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["SearchUnavailable"];
        };
    };
    postStacAggregate: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description The search; 256 KiB at the most. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "aggregations": [
                 *         "total_count",
                 *         "cmip6_variable_id_frequency"
                 *       ],
                 *       "collections": [
                 *         "CMIP6"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["StacAggregate"];
            };
        };
        responses: {
            /** @description The numbers. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "AggregationCollection",
                     *       "aggregations": [
                     *         {
                     *           "name": "total_count",
                     *           "data_type": "integer",
                     *           "value": 2
                     *         },
                     *         {
                     *           "name": "cmip6_variable_id_frequency",
                     *           "data_type": "frequency_distribution",
                     *           "overflow": 0,
                     *           "buckets": [
                     *             {
                     *               "key": "tas",
                     *               "data_type": "string",
                     *               "frequency": 2
                     *             }
                     *           ]
                     *         }
                     *       ],
                     *       "links": [
                     *         {
                     *           "rel": "root",
                     *           "href": "https://data.example.org/api/climate-nextgen/stac",
                     *           "type": "application/json",
                     *           "title": "climate-nextgen"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["StacAggregations"];
                };
            };
            400: components["responses"]["InvalidStacRequest"];
            401: components["responses"]["Unauthorized"];
            413: components["responses"]["TooManyResults"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["SearchUnavailable"];
        };
    };
    stacCollectionAggregate: {
        parameters: {
            query?: {
                /**
                 * @description The aggregations, separated by commas. Without them total_count.
                 * @example total_count,cmip6_source_id_frequency
                 */
                aggregations?: components["parameters"]["StacAggregationNames"];
                /**
                 * @description Ids of items, separated by commas; at most 1000.
                 * @example CMIP6.CMIP.MPI-M.MPI-ESM1-2-LR.historical.r1i1p1f1.Amon.tas.gn.v20190710
                 */
                ids?: components["parameters"]["StacIds"];
                /**
                 * @description A box that the data meet: west,south,east,north in degrees. A west beyond the east crosses the antimeridian.
                 * @example -10,35,30,70
                 */
                bbox?: components["parameters"]["StacBbox"];
                /**
                 * @description A moment or an interval of RFC 3339 that the data meet: A, A/B, A/.. or ../B.
                 * @example 1990-01-01T00:00:00Z/1999-12-31T23:59:59Z
                 */
                datetime?: components["parameters"]["StacDatetime"];
                /**
                 * @description A GeoJSON geometry that the data meet; not together with bbox.
                 * @example {"type":"Point","coordinates":[10,50]}
                 */
                intersects?: components["parameters"]["StacIntersects"];
                /**
                 * @description Words, separated by commas, of which one must occur in the names of the data.
                 * @example temperature
                 */
                q?: components["parameters"]["StacQ"];
                /**
                 * @description A filter in CQL2.
                 * @example variable_id = 'tas'
                 */
                filter?: components["parameters"]["StacFilter"];
                /**
                 * @description The language of the filter; cql2-text if it is left out.
                 * @example cql2-text
                 */
                "filter-lang"?: components["parameters"]["StacFilterLang"];
                /**
                 * @description The reference system of the geometries in the filter: longitudes and latitudes in degrees.
                 * @example http://www.opengis.net/def/crs/OGC/1.3/CRS84
                 */
                "filter-crs"?: components["parameters"]["StacFilterCrs"];
                /**
                 * @description Conditions on properties as JSON, as STAC's query extension writes them.
                 * @example {"start_datetime":{"gte":"1850-01-01"}}
                 */
                query?: components["parameters"]["StacQuery"];
            };
            header?: never;
            path: {
                /**
                 * @description The project, in any case.
                 * @example CMIP6
                 */
                collection: components["parameters"]["StacCollectionId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The numbers. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "AggregationCollection",
                     *       "aggregations": [
                     *         {
                     *           "name": "total_count",
                     *           "data_type": "integer",
                     *           "value": 2
                     *         },
                     *         {
                     *           "name": "cmip6_variable_id_frequency",
                     *           "data_type": "frequency_distribution",
                     *           "overflow": 0,
                     *           "buckets": [
                     *             {
                     *               "key": "tas",
                     *               "data_type": "string",
                     *               "frequency": 2
                     *             }
                     *           ]
                     *         }
                     *       ],
                     *       "links": [
                     *         {
                     *           "rel": "root",
                     *           "href": "https://data.example.org/api/climate-nextgen/stac",
                     *           "type": "application/json",
                     *           "title": "climate-nextgen"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["StacAggregations"];
                };
            };
            400: components["responses"]["InvalidStacRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NoSuchStacPart"];
            413: components["responses"]["TooManyResults"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["SearchUnavailable"];
        };
    };
    postStacCollectionAggregate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The project, in any case.
                 * @example CMIP6
                 */
                collection: components["parameters"]["StacCollectionId"];
            };
            cookie?: never;
        };
        /** @description The search; 256 KiB at the most. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "aggregations": [
                 *         "total_count",
                 *         "cmip6_variable_id_frequency"
                 *       ],
                 *       "collections": [
                 *         "CMIP6"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["StacAggregate"];
            };
        };
        responses: {
            /** @description The numbers. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "AggregationCollection",
                     *       "aggregations": [
                     *         {
                     *           "name": "total_count",
                     *           "data_type": "integer",
                     *           "value": 2
                     *         },
                     *         {
                     *           "name": "cmip6_variable_id_frequency",
                     *           "data_type": "frequency_distribution",
                     *           "overflow": 0,
                     *           "buckets": [
                     *             {
                     *               "key": "tas",
                     *               "data_type": "string",
                     *               "frequency": 2
                     *             }
                     *           ]
                     *         }
                     *       ],
                     *       "links": [
                     *         {
                     *           "rel": "root",
                     *           "href": "https://data.example.org/api/climate-nextgen/stac",
                     *           "type": "application/json",
                     *           "title": "climate-nextgen"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["StacAggregations"];
                };
            };
            400: components["responses"]["InvalidStacRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NoSuchStacPart"];
            413: components["responses"]["TooManyResults"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["SearchUnavailable"];
        };
    };
    ping: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The process lives. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "alive"
                     *     }
                     */
                    "application/json": components["schemas"]["Status"];
                };
            };
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
        };
    };
    ready: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Solr answers. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "ready"
                     *     }
                     */
                    "application/json": components["schemas"]["Status"];
                };
            };
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["SearchUnavailable"];
        };
    };
    showStatus: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What is known. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["NotKept"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "state": "failed",
                     *       "checks": [
                     *         {
                     *           "name": "search",
                     *           "state": "ok",
                     *           "says": "355 entries can be searched, within 4 ms.",
                     *           "since": "2026-11-22T08:00:00Z",
                     *           "age": 0.4
                     *         },
                     *         {
                     *           "name": "data-2",
                     *           "state": "failed",
                     *           "says": "Data root 2 of 3 does not answer.",
                     *           "since": "2026-11-22T13:04:10Z",
                     *           "age": 1.2
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ServiceStatus"];
                    /** @example <!doctype html> */
                    "text/html": string;
                };
            };
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
        };
    };
    metrics: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All that is measured, of all processes of this instance. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["NoStore"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example # HELP http_server_active_requests Requests that are being answered
                     *     # TYPE http_server_active_requests gauge
                     *     http_server_active_requests 1
                     */
                    "text/plain": string;
                };
            };
            /** @description There is nothing here for this caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "urn:climate-nextgen:problem:no-such-path",
                     *       "title": "Not found",
                     *       "status": 404,
                     *       "detail": "There is nothing at /metrics."
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            /** @description The processes of this instance cannot be asked at the moment. */
            503: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "urn:climate-nextgen:problem:service-busy",
                     *       "title": "Service busy",
                     *       "status": 503,
                     *       "detail": "What is measured cannot be gathered at the moment."
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
}
