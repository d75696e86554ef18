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
         * @description The DRS standards (flavours) that can be searched, and the names of the facets in each.
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
         *     `If-None-Match`, and an unchanged answer is 304 without a body.
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
         *     values are arrays, except `fs_type`. Two columns beside them are texts: `dataset_id`, the facets that
         *     identify a dataset, by which files are grouped, and `data_format`. Files of a dataset are joined along
         *     `time`, its variables united.
         *
         *     The catalogue is streamed and has no limit. A transfer that fails on the way is broken off.
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
         *     all times. CMIP6 items carry fields of the CMIP6 extension.
         *
         *     The archive is streamed and has no limit. A transfer that fails on the way is broken off.
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
         * @description For load balancers and orchestrators; 503 while Solr cannot be searched.
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
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /**
         * @description A DRS standard.
         * @enum {string}
         */
        Flavour: "native" | "cmip6" | "cmip5" | "cordex" | "nextgems" | "user";
        /**
         * @description The key under which a location is listed.
         * @enum {string}
         */
        UniqKey: "file" | "uri";
        /**
         * @default flexible
         * @enum {string}
         */
        Select: "flexible" | "strict" | "file";
        Overview: {
            /** @description The flavours that can be searched. */
            flavours: components["schemas"]["Flavour"][];
            /** @description The names of the facets in each flavour. */
            attributes: {
                [key: string]: string[];
            };
        };
        MetadataSearchResult: {
            /** @description How many entries match. */
            total_count: number;
            /** @description For each facet an array in which a value and its number of entries alternate. */
            facets: {
                [key: string]: string[];
            };
            /** @description For each returned facet its native name and its name in the flavour. */
            facet_mapping: {
                [key: string]: string;
            };
            /** @description The most important facets; clients may hide the others by default. */
            primary_facets: string[];
        };
        /** @description An intake-esm catalogue (ESM collection specification 0.1.0). */
        IntakeCatalogue: {
            /** @description Version of the catalogue specification. */
            esmcat_version: string;
            /** @description The columns of the catalogue. */
            attributes: {
                column_name: string;
                vocabulary: string;
            }[];
            /** @description Which columns hold the location and its format. */
            assets: {
                column_name: string;
                format_column_name: string;
            };
            /** @description Identifies the catalogue. */
            id: string;
            /** @description What was searched. */
            description: string;
            title: string;
            /** @description When it was made: ISO 8601, UTC, without a time zone. */
            last_updated: string;
            /** @description How entries become datasets. */
            aggregation_control: {
                variable_column_name: string;
                groupby_attrs: string[];
                aggregations: {
                    /** @enum {string} */
                    type: "union" | "join_existing";
                    attribute_name: string;
                    options: {
                        [key: string]: string;
                    };
                }[];
            };
            /** @description An entry has its location and each column of the attributes. */
            catalog_dict: {
                [key: string]: string | string[];
            }[];
        };
        Status: {
            status: string;
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
            /** @description Each parameter that was refused. */
            errors?: components["schemas"]["ParameterError"][];
        };
        ParameterError: {
            /** @description The parameter. */
            name: string;
            /** @enum {string} */
            in: "path" | "query" | "header" | "body";
            /** @description Why it was refused. */
            reason: string;
        };
    };
    responses: {
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
                 *           "in": "query",
                 *           "reason": "is not a facet of native; did you mean model?"
                 *         }
                 *       ]
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Nothing is found. */
        NoEntries: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:climate-nextgen:problem:no-entries",
                 *       "title": "No entries found",
                 *       "status": 400,
                 *       "detail": "Nothing is found for this search."
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Nothing is found. */
        NoItems: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:climate-nextgen:problem:no-items",
                 *       "title": "No entries found",
                 *       "status": 404,
                 *       "detail": "Nothing is found for this search."
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description More is found than max-results allows. */
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
                 *       "detail": "355 entries are found, but max-results is 100."
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
    };
    parameters: {
        /**
         * @description The DRS standard whose facet names are used.
         * @example cmip6
         */
        Flavour: components["schemas"]["Flavour"];
        /**
         * @description Whether locations are file paths or URIs.
         * @example file
         */
        UniqKey: components["schemas"]["UniqKey"];
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
         *     `*` and `all` mean all, as does leaving it out.
         */
        Facets: string[];
        /**
         * @description A period: `A to B`, `A to`, `to B`, `[A TO B]` or `A`, with ISO 8601 dates that may be truncated (`2000`,
         *     `2000-03`, `2000-03-01T06`); without a time zone they are UTC. A truncated end reaches to the end of
         *     its unit. `not ` or `!` before it excludes.
         */
        Time: string[];
        /**
         * @description How data relate to `time`: `flexible` overlap the period, `strict` lie wholly inside it, `file` cover
         *     the whole period alone.
         */
        TimeSelect: components["schemas"]["Select"];
        /**
         * @description A region, `min_lon,max_lon,min_lat,max_lat` in degrees, longitudes from -180 to 360. With min_lon > max_lon
         *     it crosses the antimeridian. `not ` or `!` before it excludes.
         */
        Bbox: string[];
        /**
         * @description How data relate to `bbox`: `flexible` overlap the region, `strict` lie wholly inside it, `file` cover
         *     the whole region alone.
         */
        BboxSelect: components["schemas"]["Select"];
        /**
         * @description Facet filters. Not a parameter of this name: each property is a query parameter of its own, named after a
         *     facet of the flavour (the overview lists them), `file`, `uri`, or with `multi-version=true` `version`, and
         *     `_not_` after the name excludes. Any other name is refused.
         * @example {
         *       "variable_id": "tas",
         *       "experiment_id": "historical"
         *     }
         */
        Filters: {
            [key: string]: string | string[];
        };
        /** @description The `ETag` of an answer that the client has kept. */
        IfNoneMatch: string;
    };
    requestBodies: never;
    headers: {
        /** @description Changes whenever the answer does (RFC 9110, 8.8.3). */
        ETag: string;
        /** @description The answer may be kept but must be revalidated. */
        CacheControl: string;
        /** @description A file name that tells what was searched. */
        ContentDisposition: string;
        /** @description Seconds after which another try makes sense. */
        RetryAfter: number;
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
            500: components["responses"]["InternalError"];
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
                 *     its unit. `not ` or `!` before it excludes.
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
                 * @description Facet filters. Not a parameter of this name: each property is a query parameter of its own, named after a
                 *     facet of the flavour (the overview lists them), `file`, `uri`, or with `multi-version=true` `version`, and
                 *     `_not_` after the name excludes. Any other name is refused.
                 * @example {
                 *       "variable_id": "tas",
                 *       "experiment_id": "historical"
                 *     }
                 */
                filters?: components["parameters"]["Filters"];
            };
            header?: never;
            path: {
                /**
                 * @description The DRS standard whose facet names are used.
                 * @example cmip6
                 */
                flavour: components["parameters"]["Flavour"];
                /**
                 * @description Whether locations are file paths or URIs.
                 * @example file
                 */
                uniq_key: components["parameters"]["UniqKey"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One location a line; nothing at all when nothing matches. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** @example /pool/data/CMIP6/data/CMIP/MPI-M/MPI-ESM1-2-LR/historical/r1i1p1f1/Amon/tas/gn/v20190710/tas_Amon_MPI-ESM1-2-LR_historical_r1i1p1f1_gn_185001-186912.nc */
                    "text/plain": string;
                };
            };
            422: components["responses"]["InvalidParameters"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["SearchUnavailable"];
        };
    };
    searchMetadata: {
        parameters: {
            query?: {
                /**
                 * @description The facets to count, by their names in the flavour; several times or separated by commas.
                 *     `*` and `all` mean all, as does leaving it out.
                 */
                facets?: components["parameters"]["Facets"];
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
                 *     its unit. `not ` or `!` before it excludes.
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
                 * @description Facet filters. Not a parameter of this name: each property is a query parameter of its own, named after a
                 *     facet of the flavour (the overview lists them), `file`, `uri`, or with `multi-version=true` `version`, and
                 *     `_not_` after the name excludes. Any other name is refused.
                 * @example {
                 *       "variable_id": "tas",
                 *       "experiment_id": "historical"
                 *     }
                 */
                filters?: components["parameters"]["Filters"];
            };
            header?: {
                /** @description The `ETag` of an answer that the client has kept. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description The DRS standard whose facet names are used.
                 * @example cmip6
                 */
                flavour: components["parameters"]["Flavour"];
                /**
                 * @description Whether locations are file paths or URIs.
                 * @example file
                 */
                uniq_key: components["parameters"]["UniqKey"];
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
            422: components["responses"]["InvalidParameters"];
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
                 * @description A period: `A to B`, `A to`, `to B`, `[A TO B]` or `A`, with ISO 8601 dates that may be truncated (`2000`,
                 *     `2000-03`, `2000-03-01T06`); without a time zone they are UTC. A truncated end reaches to the end of
                 *     its unit. `not ` or `!` before it excludes.
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
                 * @description Facet filters. Not a parameter of this name: each property is a query parameter of its own, named after a
                 *     facet of the flavour (the overview lists them), `file`, `uri`, or with `multi-version=true` `version`, and
                 *     `_not_` after the name excludes. Any other name is refused.
                 * @example {
                 *       "variable_id": "tas",
                 *       "experiment_id": "historical"
                 *     }
                 */
                filters?: components["parameters"]["Filters"];
            };
            header?: never;
            path: {
                /**
                 * @description The DRS standard whose facet names are used.
                 * @example cmip6
                 */
                flavour: components["parameters"]["Flavour"];
                /**
                 * @description Whether locations are file paths or URIs.
                 * @example file
                 */
                uniq_key: components["parameters"]["UniqKey"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The catalogue. */
            200: {
                headers: {
                    "Content-Disposition": components["headers"]["ContentDisposition"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "esmcat_version": "0.1.0",
                     *       "attributes": [
                     *         {
                     *           "column_name": "file",
                     *           "vocabulary": ""
                     *         },
                     *         {
                     *           "column_name": "variable_id",
                     *           "vocabulary": ""
                     *         },
                     *         {
                     *           "column_name": "fs_type",
                     *           "vocabulary": ""
                     *         },
                     *         {
                     *           "column_name": "dataset_id",
                     *           "vocabulary": ""
                     *         },
                     *         {
                     *           "column_name": "data_format",
                     *           "vocabulary": ""
                     *         }
                     *       ],
                     *       "assets": {
                     *         "column_name": "file",
                     *         "format_column_name": "data_format"
                     *       },
                     *       "id": "climate-nextgen-cmip6_tas",
                     *       "title": "climate-nextgen: cmip6",
                     *       "description": "What a search in the flavour cmip6 finds for variable_id=tas.",
                     *       "last_updated": "2026-01-31T12:00:00",
                     *       "aggregation_control": {
                     *         "variable_column_name": "variable_id",
                     *         "groupby_attrs": [
                     *           "dataset_id",
                     *           "fs_type"
                     *         ],
                     *         "aggregations": [
                     *           {
                     *             "type": "union",
                     *             "attribute_name": "variable_id",
                     *             "options": {
                     *               "compat": "override"
                     *             }
                     *           },
                     *           {
                     *             "type": "join_existing",
                     *             "attribute_name": "file",
                     *             "options": {
                     *               "dim": "time"
                     *             }
                     *           }
                     *         ]
                     *       },
                     *       "catalog_dict": [
                     *         {
                     *           "file": "/pool/data/CMIP6/data/tas_Amon_198501-198912.nc",
                     *           "variable_id": [
                     *             "tas"
                     *           ],
                     *           "fs_type": "posix",
                     *           "dataset_id": "CMIP6.CMIP.MPI-M.MPI-ESM1-2-LR.historical.mon.atmos.r1i1p1f1",
                     *           "data_format": "netcdf"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["IntakeCatalogue"];
                };
            };
            400: components["responses"]["NoEntries"];
            413: components["responses"]["TooManyResults"];
            422: components["responses"]["InvalidParameters"];
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
                 * @description A period: `A to B`, `A to`, `to B`, `[A TO B]` or `A`, with ISO 8601 dates that may be truncated (`2000`,
                 *     `2000-03`, `2000-03-01T06`); without a time zone they are UTC. A truncated end reaches to the end of
                 *     its unit. `not ` or `!` before it excludes.
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
                 * @description Facet filters. Not a parameter of this name: each property is a query parameter of its own, named after a
                 *     facet of the flavour (the overview lists them), `file`, `uri`, or with `multi-version=true` `version`, and
                 *     `_not_` after the name excludes. Any other name is refused.
                 * @example {
                 *       "variable_id": "tas",
                 *       "experiment_id": "historical"
                 *     }
                 */
                filters?: components["parameters"]["Filters"];
            };
            header?: never;
            path: {
                /**
                 * @description The DRS standard whose facet names are used.
                 * @example cmip6
                 */
                flavour: components["parameters"]["Flavour"];
                /**
                 * @description Whether locations are file paths or URIs.
                 * @example file
                 */
                uniq_key: components["parameters"]["UniqKey"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The zip archive. */
            200: {
                headers: {
                    "Content-Disposition": components["headers"]["ContentDisposition"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example (a zip archive) */
                    "application/zip": string;
                };
            };
            404: components["responses"]["NoItems"];
            413: components["responses"]["TooManyResults"];
            422: components["responses"]["InvalidParameters"];
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
            500: components["responses"]["InternalError"];
            503: components["responses"]["SearchUnavailable"];
        };
    };
}
