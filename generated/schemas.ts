// Made from openapi.yaml by `npm run generate`; never edited.
import { z } from "@hono/zod-openapi";
import { alsoNamed, orOne, orText } from "./input-aliases.js";

export const Flavour = z.string().max(64).regex(new RegExp("^[A-Za-z][A-Za-z0-9_-]*$", "u"));
export type Flavour = z.infer<typeof Flavour>;

export const FacetNames = z.record(z.string(), z.string()).refine((value) => Object.keys(value).length <= 100, "has too many properties");
export type FacetNames = z.infer<typeof FacetNames>;

export const CartFormat = z.enum(["paths","intake","stac","csv","parquet","zarr","sh","aria2","metalink","urls","sha256sum","globus","text","bibtex","csl-json"]);
export type CartFormat = z.infer<typeof CartFormat>;

export const DownloadLayout = z.enum(["drs","flat"]);
export type DownloadLayout = z.infer<typeof DownloadLayout>;

export const JoinKind = z.enum(["dataset","member","model","variables"]);
export type JoinKind = z.infer<typeof JoinKind>;

export const SearchParameters = z.record(z.string(), orOne(z.array(z.string()).min(1)));
export type SearchParameters = z.infer<typeof SearchParameters>;

export const CartSearch = z.strictObject({ "flavour": z.string().min(1).optional(), "parameters": SearchParameters.optional() });
export type CartSearch = z.infer<typeof CartSearch>;

export const FieldName = z.string().min(1);
export type FieldName = z.infer<typeof FieldName>;

export const Cart = alsoNamed({"as":"format"}, z.strictObject({ "format": CartFormat, "layout": DownloadLayout.optional(), "join": JoinKind.optional(), "searches": z.array(CartSearch).min(1).max(2000), "fields": z.array(FieldName).optional() }));
export type Cart = z.infer<typeof Cart>;

export const CslName = z.strictObject({ "family": z.string().optional(), "given": z.string().optional(), "literal": z.string().optional() });
export type CslName = z.infer<typeof CslName>;

export const CslDate = z.strictObject({ "date-parts": z.array(z.array(z.int())) });
export type CslDate = z.infer<typeof CslDate>;

export const CslItem = z.strictObject({ "id": z.string(), "type": z.string(), "title": z.string(), "author": z.array(CslName).optional(), "issued": CslDate.optional(), "publisher": z.string().optional(), "DOI": z.string().optional(), "URL": z.string().optional(), "version": z.string().optional(), "accessed": CslDate, "note": z.string() });
export type CslItem = z.infer<typeof CslItem>;

export const CslItems = z.array(CslItem);
export type CslItems = z.infer<typeof CslItems>;

export const DataLocation = z.enum(["https"]);
export type DataLocation = z.infer<typeof DataLocation>;

export const DownloadForm = z.enum(["sh","aria2","metalink","urls","sha256sum","globus"]);
export type DownloadForm = z.infer<typeof DownloadForm>;

export const FlavourRequest = z.strictObject({ "flavour_name": z.string(), "mapping": FacetNames, "is_global": z.boolean().optional() });
export type FlavourRequest = z.infer<typeof FlavourRequest>;

export const FlavourChange = z.strictObject({ "flavour_name": z.string().optional(), "mapping": FacetNames.optional(), "is_global": z.boolean().optional() });
export type FlavourChange = z.infer<typeof FlavourChange>;

export const FlavourDefinition = z.strictObject({ "flavour_name": Flavour, "mapping": FacetNames, "is_global": z.boolean(), "owner": z.string() });
export type FlavourDefinition = z.infer<typeof FlavourDefinition>;

export const FlavourList = z.strictObject({ "total": z.int().min(0), "flavours": z.array(FlavourDefinition) });
export type FlavourList = z.infer<typeof FlavourList>;

export const MissingVariables = z.enum(["fill"]);
export type MissingVariables = z.infer<typeof MissingVariables>;

export const JoinRequest = z.strictObject({ "files": z.array(z.string().min(1)).min(1).max(1000).optional(), "flavour": z.string().min(1).optional(), "parameters": SearchParameters.optional(), "by": JoinKind.optional(), "missing": MissingVariables.optional(), "strict": z.boolean().optional() });
export type JoinRequest = z.infer<typeof JoinRequest>;

export const Join = z.strictObject({ "name": z.string(), "url": z.string(), "plan": z.string().optional(), "files": z.int().min(0), "notes": z.array(z.string()) });
export type Join = z.infer<typeof Join>;

export const Joins = z.strictObject({ "joins": z.array(Join) });
export type Joins = z.infer<typeof Joins>;

export const JoinState = z.enum(["joined","refused"]);
export type JoinState = z.infer<typeof JoinState>;

export const JoinedAxis = z.strictObject({ "name": z.string(), "steps": z.int().min(0), "units": z.string(), "calendar": z.string() });
export type JoinedAxis = z.infer<typeof JoinedAxis>;

export const JoinedFile = z.strictObject({ "file": z.string(), "group": z.string(), "start": z.int().min(0), "steps": z.int().min(0), "first": z.string(), "last": z.string() });
export type JoinedFile = z.infer<typeof JoinedFile>;

export const ChunkMode = z.enum(["passed","decoded","mixed","computed","shared"]);
export type ChunkMode = z.infer<typeof ChunkMode>;

export const JoinedArray = z.strictObject({ "name": z.string(), "mode": ChunkMode, "chunks": z.int().min(0), "passed": z.int().min(0), "reasons": z.array(z.string()) });
export type JoinedArray = z.infer<typeof JoinedArray>;

export const JoinPlan = z.strictObject({ "state": JoinState, "reason": z.string().optional(), "axis": JoinedAxis.optional(), "members": z.array(z.string()).optional(), "files": z.array(JoinedFile).optional(), "arrays": z.array(JoinedArray).optional(), "gaps": z.array(z.string()).optional(), "overlaps": z.array(z.string()).optional(), "notes": z.array(z.string()).optional() });
export type JoinPlan = z.infer<typeof JoinPlan>;

export const UniqKey = z.enum(["file","uri"]);
export type UniqKey = z.infer<typeof UniqKey>;

export const FilterValue = z.string().min(1);
export type FilterValue = z.infer<typeof FilterValue>;

export const Selection = z.enum(["flexible","strict","file"]).default("flexible");
export type Selection = z.infer<typeof Selection>;

export const CellKind = z.enum(["files","datasets","bytes","members","years"]);
export type CellKind = z.infer<typeof CellKind>;

export const ZarrVersion = z.enum(["2","3"]).default("2");
export type ZarrVersion = z.infer<typeof ZarrVersion>;

export const CatalogueKind = z.enum(["intake"]);
export type CatalogueKind = z.infer<typeof CatalogueKind>;

export const FacetName = z.string().min(1);
export type FacetName = z.infer<typeof FacetName>;

export const Requirement = z.string().min(1);
export type Requirement = z.infer<typeof Requirement>;

export const Period = z.string().min(1);
export type Period = z.infer<typeof Period>;

export const Region = z.string().min(1);
export type Region = z.infer<typeof Region>;

export const FilterItem = z.string().regex(new RegExp("^[^=]+=[\\s\\S]+$", "u"));
export type FilterItem = z.infer<typeof FilterItem>;

export const FlavourFacets = z.record(z.string(), z.array(z.string()));
export type FlavourFacets = z.infer<typeof FlavourFacets>;

export const Overview = z.strictObject({ "flavours": z.array(Flavour), "attributes": FlavourFacets });
export type Overview = z.infer<typeof Overview>;

export const UnknownValue = z.strictObject({ "name": z.string(), "value": z.string(), "near": z.array(z.string()) });
export type UnknownValue = z.infer<typeof UnknownValue>;

export const FacetCounts = z.record(z.string(), z.array(z.string()));
export type FacetCounts = z.infer<typeof FacetCounts>;

export const FacetMapping = z.record(z.string(), z.string());
export type FacetMapping = z.infer<typeof FacetMapping>;

export const MoreValues = z.strictObject({ "count": z.int().min(1), "next": z.string() });
export type MoreValues = z.infer<typeof MoreValues>;

export const MoreByFacet = z.record(z.string(), MoreValues);
export type MoreByFacet = z.infer<typeof MoreByFacet>;

export const FileCounts = z.record(z.string(), z.int().min(0));
export type FileCounts = z.infer<typeof FileCounts>;

export const SearchLinks = z.strictObject({ "why": z.string() });
export type SearchLinks = z.infer<typeof SearchLinks>;

export const MetadataSearchResult = z.strictObject({ "total_count": z.int().min(0), "facets": FacetCounts, "facet_mapping": FacetMapping, "primary_facets": z.array(z.string()), "more_values": MoreByFacet.optional(), "known_files": FileCounts.optional(), "unknown_values": z.array(UnknownValue).optional(), "links": SearchLinks.optional() });
export type MetadataSearchResult = z.infer<typeof MetadataSearchResult>;

export const SearchedDocument = z.looseObject({  });
export type SearchedDocument = z.infer<typeof SearchedDocument>;

export const ExtendedSearchResult = z.strictObject({ "total_count": z.int().min(0), "facets": FacetCounts, "facet_mapping": FacetMapping, "primary_facets": z.array(z.string()), "more_values": MoreByFacet.optional(), "known_files": FileCounts.optional(), "unknown_values": z.array(UnknownValue).optional(), "links": SearchLinks.optional(), "documents": z.array(SearchedDocument), "after": z.union([z.string(), z.null()]), "next": z.union([z.string(), z.null()]) });
export type ExtendedSearchResult = z.infer<typeof ExtendedSearchResult>;

export const Box = z.strictObject({ "west": z.number(), "east": z.number(), "south": z.number(), "north": z.number() });
export type Box = z.infer<typeof Box>;

export const BoxCount = z.strictObject({ "west": z.number(), "east": z.number(), "south": z.number(), "north": z.number(), "files": z.int().min(1) });
export type BoxCount = z.infer<typeof BoxCount>;

export const Boxes = z.strictObject({ "total_count": z.int().min(0), "known_files": z.int().min(0), "box_count": z.int().min(0), "boxes": z.array(BoxCount) });
export type Boxes = z.infer<typeof Boxes>;

export const YearBar = z.strictObject({ "first": z.int(), "last": z.int(), "files": z.int().min(0) });
export type YearBar = z.infer<typeof YearBar>;

export const Years = z.strictObject({ "total_count": z.int().min(0), "known_files": z.int().min(0), "first": z.union([z.int(), z.null()]), "last": z.union([z.int(), z.null()]), "years_per_bar": z.int().min(1), "bars": z.array(YearBar) });
export type Years = z.infer<typeof Years>;

export const DatasetVersion = z.strictObject({ "version": z.string(), "files": z.int().min(1), "retracted": z.int().min(0), "start": z.union([z.string(), z.null()]), "end": z.union([z.string(), z.null()]) });
export type DatasetVersion = z.infer<typeof DatasetVersion>;

export const Stretch = z.strictObject({ "start": z.union([z.string(), z.null()]), "end": z.union([z.string(), z.null()]) });
export type Stretch = z.infer<typeof Stretch>;

export const FormatCount = z.strictObject({ "format": z.string(), "files": z.int().min(0) });
export type FormatCount = z.infer<typeof FormatCount>;

export const StorageCount = z.strictObject({ "fs_type": z.string(), "files": z.int().min(0), "bytes": z.int().min(0), "sized_files": z.int().min(0) });
export type StorageCount = z.infer<typeof StorageCount>;

export const DatasetFacets = z.record(z.string(), z.string());
export type DatasetFacets = z.infer<typeof DatasetFacets>;

export const DatasetExample = z.strictObject({ "file": z.string(), "uri": z.string().optional(), "readable": z.boolean(), "reason": z.union([z.string(), z.null()]) });
export type DatasetExample = z.infer<typeof DatasetExample>;

export const Dataset = z.strictObject({ "dataset_id": z.union([z.string(), z.null()]), "files": z.int().min(1), "bytes": z.int().min(0), "sized_files": z.int().min(0), "retracted": z.int().min(0), "versions": z.array(DatasetVersion), "version_count": z.int().min(0), "start": z.union([z.string(), z.null()]), "end": z.union([z.string(), z.null()]), "dated_files": z.int().min(0), "periods": z.array(Stretch), "period_count": z.int().min(0), "gaps": z.array(Stretch), "overlaps": z.array(Stretch), "overlap_count": z.int().min(0), "formats": z.array(FormatCount), "storage": z.array(StorageCount), "facets": DatasetFacets, "boxes": z.array(Box), "box_count": z.int().min(0), "citation_url": z.union([z.string(), z.null()]), "example": z.union([DatasetExample, z.null()]) });
export type Dataset = z.infer<typeof Dataset>;

export const Datasets = z.strictObject({ "total_count": z.int().min(0), "dataset_count": z.int().min(0), "unnamed_files": z.int().min(0), "datasets": z.array(Dataset), "after": z.union([z.string(), z.null()]), "next": z.union([z.string(), z.null()]) });
export type Datasets = z.infer<typeof Datasets>;

export const DatasetOrder = z.enum(["name","size","newest","start"]).default("name");
export type DatasetOrder = z.infer<typeof DatasetOrder>;

export const GroupNeed = z.strictObject({ "need": z.string(), "on": z.array(z.string()), "from": z.string().optional(), "to": z.string().optional() });
export type GroupNeed = z.infer<typeof GroupNeed>;

export const FileGroup = z.record(z.string(), z.string());
export type FileGroup = z.infer<typeof FileGroup>;

export const NeedGap = z.strictObject({ "from": z.union([z.string(), z.null()]), "to": z.union([z.string(), z.null()]) });
export type NeedGap = z.infer<typeof NeedGap>;

export const MissingNeed = z.strictObject({ "need": z.int().min(0), "gaps": z.array(NeedGap).optional() });
export type MissingNeed = z.infer<typeof MissingNeed>;

export const NearMiss = z.strictObject({ "group": FileGroup, "missing": z.array(MissingNeed) });
export type NearMiss = z.infer<typeof NearMiss>;

export const CompleteLinks = z.strictObject({ "path_list": z.string(), "intake_catalogue": z.string(), "stac_archive": z.string() });
export type CompleteLinks = z.infer<typeof CompleteLinks>;

export const Complete = z.strictObject({ "group_by": z.array(z.string()), "needs": z.array(GroupNeed), "group_count": z.int().min(0), "complete_count": z.int().min(0), "files": z.int().min(0).optional(), "complete": z.array(FileGroup), "near_misses": z.array(NearMiss), "links": CompleteLinks });
export type Complete = z.infer<typeof Complete>;

export const NearValue = z.strictObject({ "value": z.string(), "count": z.int().min(1) });
export type NearValue = z.infer<typeof NearValue>;

export const UnmatchedValue = z.strictObject({ "value": z.string(), "near": z.array(NearValue) });
export type UnmatchedValue = z.infer<typeof UnmatchedValue>;

export const SearchConstraint = z.strictObject({ "name": z.string(), "values": z.array(z.string()), "count_without": z.int().min(0), "unmatched": z.array(UnmatchedValue) });
export type SearchConstraint = z.infer<typeof SearchConstraint>;

export const Why = z.strictObject({ "total_count": z.int().min(0), "constraints": z.array(SearchConstraint), "excluding": z.union([z.array(z.string()), z.null()]) });
export type Why = z.infer<typeof Why>;

export const SuggestionKind = z.enum(["value","period","region","dataset"]);
export type SuggestionKind = z.infer<typeof SuggestionKind>;

export const SuggestionSimilarity = z.enum(["exact","prefix","word","words","near"]);
export type SuggestionSimilarity = z.infer<typeof SuggestionSimilarity>;

export const Suggestion = z.strictObject({ "kind": SuggestionKind, "name": z.string(), "value": z.string(), "label": z.string().optional(), "similarity": SuggestionSimilarity, "count": z.int().min(0) });
export type Suggestion = z.infer<typeof Suggestion>;

export const SuggestedPart = z.strictObject({ "text": z.string(), "suggestions": z.array(Suggestion) });
export type SuggestedPart = z.infer<typeof SuggestedPart>;

export const SuggestedFilter = z.strictObject({ "name": z.string(), "value": z.string() });
export type SuggestedFilter = z.infer<typeof SuggestedFilter>;

export const BestSuggestions = z.strictObject({ "filters": z.array(SuggestedFilter), "count": z.int().min(0) });
export type BestSuggestions = z.infer<typeof BestSuggestions>;

export const Suggestions = z.strictObject({ "total_count": z.int().min(0), "parts": z.array(SuggestedPart), "not_understood": z.array(z.string()), "best": BestSuggestions });
export type Suggestions = z.infer<typeof Suggestions>;

export const Coverage = z.strictObject({ "rows": z.string(), "columns": z.string(), "cells": CellKind, "total_count": z.int().min(0), "known_files": z.int().min(0).optional(), "row_values": z.array(z.string()), "column_values": z.array(z.string()), "values": z.array(z.array(z.number().min(0)).min(3).max(3)) });
export type Coverage = z.infer<typeof Coverage>;

export const EstimatedSizes = z.strictObject({ "path_list": z.int().min(0), "intake_catalogue": z.int().min(0), "stac_archive": z.int().min(0) });
export type EstimatedSizes = z.infer<typeof EstimatedSizes>;

export const Summary = z.strictObject({ "files": z.int().min(0), "datasets": z.int().min(0), "bytes": z.int().min(0), "sized_files": z.int().min(0), "start": z.union([z.string(), z.null()]), "end": z.union([z.string(), z.null()]), "formats": z.array(FormatCount), "storage": z.array(StorageCount), "retracted": z.int().min(0), "estimated_bytes": EstimatedSizes });
export type Summary = z.infer<typeof Summary>;

export const ShareRequest = z.strictObject({ "url": z.string().min(1).optional(), "uuid": z.string().min(1).optional(), "ttl_seconds": z.int().min(1).max(2592000).optional() });
export type ShareRequest = z.infer<typeof ShareRequest>;

export const UnshareRequest = z.strictObject({ "url": z.string().min(1) });
export type UnshareRequest = z.infer<typeof UnshareRequest>;

export const References = z.looseObject({ "version": z.int().min(1).max(1), "refs": z.looseObject({  }) });
export type References = z.infer<typeof References>;

export const SharedZarr = z.strictObject({ "url": z.string(), "file_url": z.string().optional(), "expires": z.int() });
export type SharedZarr = z.infer<typeof SharedZarr>;

export const LoadedFile = z.strictObject({ "file": z.string(), "address": z.string(), "format": z.union([z.string(), z.null()]), "readable": z.boolean(), "reason": z.union([z.string(), z.null()]) });
export type LoadedFile = z.infer<typeof LoadedFile>;

export const LoadedFiles = z.strictObject({ "files": z.array(LoadedFile) });
export type LoadedFiles = z.infer<typeof LoadedFiles>;

export const IntakeAttribute = z.strictObject({ "column_name": z.string(), "vocabulary": z.string() });
export type IntakeAttribute = z.infer<typeof IntakeAttribute>;

export const IntakeAssets = z.strictObject({ "column_name": z.string(), "format_column_name": z.string() });
export type IntakeAssets = z.infer<typeof IntakeAssets>;

export const IntakeAggregationKind = z.enum(["union","join_existing"]);
export type IntakeAggregationKind = z.infer<typeof IntakeAggregationKind>;

export const IntakeOptions = z.record(z.string(), z.string());
export type IntakeOptions = z.infer<typeof IntakeOptions>;

export const IntakeAggregation = z.strictObject({ "type": IntakeAggregationKind, "attribute_name": z.string(), "options": IntakeOptions });
export type IntakeAggregation = z.infer<typeof IntakeAggregation>;

export const IntakeAggregationControl = z.strictObject({ "variable_column_name": z.string(), "groupby_attrs": z.array(z.string()), "aggregations": z.array(IntakeAggregation) });
export type IntakeAggregationControl = z.infer<typeof IntakeAggregationControl>;

export const IntakeCatalogue = z.strictObject({ "esmcat_version": z.string(), "attributes": z.array(IntakeAttribute), "assets": IntakeAssets, "id": z.string(), "description": z.string(), "title": z.string(), "last_updated": z.string(), "aggregation_control": IntakeAggregationControl, "catalog_dict": z.array(z.looseObject({  })) });
export type IntakeCatalogue = z.infer<typeof IntakeCatalogue>;

export const Status = z.strictObject({ "status": z.string() });
export type Status = z.infer<typeof Status>;

export const HealthState = z.enum(["ok","unknown","warning","failed"]);
export type HealthState = z.infer<typeof HealthState>;

export const ServiceCheck = z.strictObject({ "name": z.string(), "state": HealthState, "says": z.string(), "since": z.string().optional(), "age": z.number().optional(), "detail": z.string().optional(), "advice": z.string().optional() });
export type ServiceCheck = z.infer<typeof ServiceCheck>;

export const ServiceStatus = z.strictObject({ "state": HealthState, "checks": z.array(ServiceCheck) });
export type ServiceStatus = z.infer<typeof ServiceStatus>;

export const UserMetadataEntry = z.looseObject({ "file": z.string().min(1), "variable": orOne(z.array(z.string().min(1)).min(1)), "time": z.string().min(1), "time_frequency": z.string().min(1), "uri": z.string().optional(), "version": z.string().optional(), "bbox": z.string().optional(), "extra": z.looseObject({  }).optional(), "project": orOne(z.array(z.string())).optional(), "product": orOne(z.array(z.string())).optional(), "institute": orOne(z.array(z.string())).optional(), "model": orOne(z.array(z.string())).optional(), "experiment": orOne(z.array(z.string())).optional(), "realm": orOne(z.array(z.string())).optional(), "ensemble": orOne(z.array(z.string())).optional(), "time_aggregation": orOne(z.array(z.string())).optional(), "fs_type": z.string().optional(), "grid_label": orOne(z.array(z.string())).optional(), "cmor_table": orOne(z.array(z.string())).optional(), "driving_model": orOne(z.array(z.string())).optional(), "format": z.string().optional(), "grid_id": orOne(z.array(z.string())).optional(), "level_type": orOne(z.array(z.string())).optional(), "rcm_name": orOne(z.array(z.string())).optional(), "rcm_version": orOne(z.array(z.string())).optional(), "region": orOne(z.array(z.string())).optional(), "branding_suffix": orOne(z.array(z.string())).optional(), "dataset": z.string().optional(), "size": z.int().min(0).optional(), "checksum": z.string().optional(), "modified": z.string().optional(), "tracking_id": orOne(z.array(z.string())).optional(), "standard_name": orOne(z.array(z.string())).optional(), "long_name": orOne(z.array(z.string())).optional(), "units": orOne(z.array(z.string())).optional(), "nominal_resolution": z.string().optional(), "license": z.string().optional(), "further_info_url": z.string().optional(), "retracted": z.boolean().optional() });
export type UserMetadataEntry = z.infer<typeof UserMetadataEntry>;

export const CommonFacets = z.record(z.string(), z.string());
export type CommonFacets = z.infer<typeof CommonFacets>;

export const UserDataRequest = z.strictObject({ "user_metadata": z.array(UserMetadataEntry), "facets": CommonFacets.optional() });
export type UserDataRequest = z.infer<typeof UserDataRequest>;

export const UserDataSelection = z.record(z.string(), z.string().min(1));
export type UserDataSelection = z.infer<typeof UserDataSelection>;

export const TokenRequest = alsoNamed({"refresh-token":"refresh_token"}, z.looseObject({ "grant_type": z.string().max(64).optional(), "username": z.string().max(256).optional(), "password": z.string().max(1024).optional(), "refresh_token": z.string().max(8192).optional(), "code": z.string().max(8192).optional(), "redirect_uri": z.string().max(2048).optional(), "code_verifier": z.string().max(256).optional(), "client_id": z.string().max(256).optional(), "client_secret": z.string().max(1024).optional(), "scope": z.string().max(1024).optional() }));
export type TokenRequest = z.infer<typeof TokenRequest>;

export const SignInForm = z.looseObject({ "response_type": z.string().max(64).optional(), "client_id": z.string().max(256).optional(), "redirect_uri": z.string().max(2048).optional(), "scope": z.string().max(1024).optional(), "state": z.string().max(2048).optional(), "code_challenge": z.string().max(256).optional(), "code_challenge_method": z.string().max(64).optional(), "prompt": z.string().max(64).optional(), "username": z.string().max(256).optional(), "password": z.string().max(1024).optional(), "form_key": z.string().max(64).optional() });
export type SignInForm = z.infer<typeof SignInForm>;

export const ScriptTokenRequest = z.strictObject({ "name": z.string().min(1).max(100), "ttl_seconds": z.int().min(60).max(31622400).optional() });
export type ScriptTokenRequest = z.infer<typeof ScriptTokenRequest>;

export const ScriptToken = z.strictObject({ "token_id": z.string(), "name": z.string(), "created": z.int(), "expires": z.int() });
export type ScriptToken = z.infer<typeof ScriptToken>;

export const MadeScriptToken = z.strictObject({ "token_id": z.string(), "name": z.string(), "created": z.int(), "expires": z.int(), "token": z.string() });
export type MadeScriptToken = z.infer<typeof MadeScriptToken>;

export const ScriptTokenList = z.strictObject({ "most": z.int(), "script_tokens": z.array(ScriptToken) });
export type ScriptTokenList = z.infer<typeof ScriptTokenList>;

export const Token = z.strictObject({ "access_token": z.string(), "token_type": z.literal("Bearer"), "expires": z.int(), "expires_in": z.int(), "refresh_token": z.string(), "refresh_expires": z.int(), "refresh_expires_in": z.int(), "scope": z.string() });
export type Token = z.infer<typeof Token>;

export const TokenStatus = z.strictObject({ "sub": z.string(), "exp": z.int(), "email": z.string() });
export type TokenStatus = z.infer<typeof TokenStatus>;

export const UserInfo = z.strictObject({ "sub": z.string(), "preferred_username": z.string(), "email": z.string().optional() });
export type UserInfo = z.infer<typeof UserInfo>;

export const RevocationRequest = z.looseObject({ "token": z.string().min(1).max(8192), "token_type_hint": z.string().max(64).optional(), "client_id": z.string().max(256).optional(), "client_secret": z.string().max(1024).optional() });
export type RevocationRequest = z.infer<typeof RevocationRequest>;

export const IntrospectionRequest = z.looseObject({ "token": z.string().min(1).max(8192), "token_type_hint": z.string().max(64).optional(), "client_id": z.string().max(256).optional(), "client_secret": z.string().max(1024).optional() });
export type IntrospectionRequest = z.infer<typeof IntrospectionRequest>;

export const Introspection = z.strictObject({ "active": z.boolean(), "iss": z.string().optional(), "aud": z.string().optional(), "sub": z.string().optional(), "username": z.string().optional(), "client_id": z.string().optional(), "scope": z.string().optional(), "token_type": z.string().optional(), "jti": z.string().optional(), "iat": z.int().optional(), "nbf": z.int().optional(), "exp": z.int().optional() });
export type Introspection = z.infer<typeof Introspection>;

export const JsonWebKey = z.strictObject({ "kty": z.literal("EC"), "crv": z.literal("P-256"), "use": z.literal("sig"), "alg": z.literal("ES256"), "kid": z.string(), "x": z.string(), "y": z.string() });
export type JsonWebKey = z.infer<typeof JsonWebKey>;

export const JsonWebKeySet = z.strictObject({ "keys": z.array(JsonWebKey) });
export type JsonWebKeySet = z.infer<typeof JsonWebKeySet>;

export const IssuerMetadata = z.strictObject({ "issuer": z.string(), "authorization_endpoint": z.string(), "token_endpoint": z.string(), "revocation_endpoint": z.string(), "introspection_endpoint": z.string(), "userinfo_endpoint": z.string(), "jwks_uri": z.string(), "end_session_endpoint": z.string().optional(), "grant_types_supported": z.array(z.string()), "response_types_supported": z.array(z.string()), "response_modes_supported": z.array(z.string()), "prompt_values_supported": z.array(z.string()), "code_challenge_methods_supported": z.array(z.string()), "authorization_response_iss_parameter_supported": z.boolean(), "subject_types_supported": z.array(z.string()), "id_token_signing_alg_values_supported": z.array(z.string()), "scopes_supported": z.array(z.string()), "claims_supported": z.array(z.string()), "token_endpoint_auth_methods_supported": z.array(z.string()), "revocation_endpoint_auth_methods_supported": z.array(z.string()), "introspection_endpoint_auth_methods_supported": z.array(z.string()) });
export type IssuerMetadata = z.infer<typeof IssuerMetadata>;

export const ParameterLocation = z.enum(["path","query","header","body"]);
export type ParameterLocation = z.infer<typeof ParameterLocation>;

export const ParameterError = z.looseObject({ "name": z.string(), "location": ParameterLocation, "reason": z.string() });
export type ParameterError = z.infer<typeof ParameterError>;

export const Problem = z.looseObject({ "type": z.string(), "title": z.string(), "status": z.int(), "detail": z.string(), "error": z.string().optional(), "error_description": z.string().optional(), "errors": z.array(ParameterError).optional() });
export type Problem = z.infer<typeof Problem>;

export const LinkMethod = z.enum(["GET","POST"]);
export type LinkMethod = z.infer<typeof LinkMethod>;

export const StacLink = z.looseObject({ "rel": z.string(), "href": z.string(), "type": z.string().optional(), "title": z.string().optional(), "method": LinkMethod.optional(), "merge": z.boolean().optional(), "body": z.looseObject({  }).optional() });
export type StacLink = z.infer<typeof StacLink>;

export const FilterCrs = z.literal("http://www.opengis.net/def/crs/OGC/1.3/CRS84");
export type FilterCrs = z.infer<typeof FilterCrs>;

export const FilterLanguage = z.enum(["cql2-text","cql2-json"]);
export type FilterLanguage = z.infer<typeof FilterLanguage>;

export const SortDirection = z.enum(["asc","desc"]);
export type SortDirection = z.infer<typeof SortDirection>;

export const StacSortKey = z.strictObject({ "field": z.string().max(1000), "direction": SortDirection.optional() });
export type StacSortKey = z.infer<typeof StacSortKey>;

export const ChosenFields = z.strictObject({ "include": z.union([z.array(z.string().max(1000)).max(100), z.null()]).optional(), "exclude": z.union([z.array(z.string().max(1000)).max(100), z.null()]).optional() });
export type ChosenFields = z.infer<typeof ChosenFields>;

export const StacAggregation = z.looseObject({ "name": z.string(), "data_type": z.string() });
export type StacAggregation = z.infer<typeof StacAggregation>;

export const StacCatalog = z.looseObject({ "type": z.literal("Catalog"), "stac_version": z.string(), "id": z.string(), "title": z.string(), "description": z.string(), "conformsTo": z.array(z.string()), "links": z.array(StacLink) });
export type StacCatalog = z.infer<typeof StacCatalog>;

export const StacConformance = z.looseObject({ "conformsTo": z.array(z.string()) });
export type StacConformance = z.infer<typeof StacConformance>;

export const StacCollection = z.looseObject({ "type": z.literal("Collection"), "stac_version": z.string(), "stac_extensions": z.array(z.string()).optional(), "id": z.string(), "title": z.string(), "description": z.string(), "license": z.string(), "keywords": z.array(z.string()).optional(), "extent": z.looseObject({  }), "summaries": z.looseObject({  }).optional(), "links": z.array(StacLink) });
export type StacCollection = z.infer<typeof StacCollection>;

export const StacCollections = z.looseObject({ "collections": z.array(StacCollection), "links": z.array(StacLink), "numberMatched": z.int(), "numberReturned": z.int() });
export type StacCollections = z.infer<typeof StacCollections>;

export const StacItem = z.looseObject({ "type": z.literal("Feature").optional(), "stac_version": z.string().optional(), "stac_extensions": z.array(z.string()).optional(), "id": z.string().optional(), "collection": z.string().optional(), "bbox": z.array(z.number()).optional(), "properties": z.looseObject({  }).optional(), "links": z.array(StacLink).optional(), "assets": z.looseObject({  }).optional() });
export type StacItem = z.infer<typeof StacItem>;

export const StacItems = z.looseObject({ "type": z.literal("FeatureCollection"), "features": z.array(StacItem), "links": z.array(StacLink), "numberMatched": z.int(), "numberReturned": z.int(), "numMatched": z.int(), "numReturned": z.int() });
export type StacItems = z.infer<typeof StacItems>;

export const StacSchema = z.looseObject({ "$schema": z.string(), "$id": z.string(), "type": z.literal("object"), "title": z.string(), "properties": z.looseObject({  }), "additionalProperties": z.boolean() });
export type StacSchema = z.infer<typeof StacSchema>;

export const StacAggregations = z.looseObject({ "type": z.literal("AggregationCollection").optional(), "aggregations": z.array(StacAggregation), "links": z.array(StacLink) });
export type StacAggregations = z.infer<typeof StacAggregations>;

export const StacSearch = z.strictObject({ "collections": z.array(z.string().max(1000)).max(1000).optional(), "ids": z.array(z.string().max(4000)).max(1000).optional(), "bbox": z.array(z.number()).min(4).max(6).optional(), "datetime": z.string().max(200).optional(), "intersects": z.looseObject({  }).optional(), "q": orOne(z.array(z.string().max(5000)).max(100)).optional(), "filter": orText(z.looseObject({  })).optional(), "filter-lang": FilterLanguage.optional(), "filter-crs": FilterCrs.optional(), "query": z.looseObject({  }).refine((value) => Object.keys(value).length <= 100, "has too many properties").optional(), "conf": z.looseObject({  }).optional(), "limit": z.int().min(1).optional(), "token": z.string().max(50000).optional(), "sortby": z.array(StacSortKey).max(10).optional(), "fields": ChosenFields.optional() });
export type StacSearch = z.infer<typeof StacSearch>;

export const StacAggregate = z.strictObject({ "aggregations": z.array(z.string().max(1000)).max(100).optional(), "collections": z.array(z.string().max(1000)).max(1000).optional(), "ids": z.array(z.string().max(4000)).max(1000).optional(), "bbox": z.array(z.number()).min(4).max(6).optional(), "datetime": z.string().max(200).optional(), "intersects": z.looseObject({  }).optional(), "q": orOne(z.array(z.string().max(5000)).max(100)).optional(), "filter": orText(z.looseObject({  })).optional(), "filter_exp": orText(z.looseObject({  })).optional(), "filter-lang": FilterLanguage.optional(), "filter-crs": FilterCrs.optional(), "query": z.looseObject({  }).refine((value) => Object.keys(value).length <= 100, "has too many properties").optional(), "conf": z.looseObject({  }).optional() });
export type StacAggregate = z.infer<typeof StacAggregate>;
