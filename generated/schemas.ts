// Made from openapi.yaml by `npm run generate`; never edited.
import { z } from "@hono/zod-openapi";
import { alsoNamed, orOne } from "../src/server/contract/input/input-aliases.js";

export const Flavour = z.string().max(64).regex(new RegExp("^[A-Za-z][A-Za-z0-9_-]*$", "u"));
export type Flavour = z.infer<typeof Flavour>;

export const FacetNames = z.record(z.string(), z.string()).refine((value) => Object.keys(value).length <= 100, "has too many properties");
export type FacetNames = z.infer<typeof FacetNames>;

export const CartSearch = z.strictObject({ "flavour": z.string().min(1).optional(), "parameters": z.record(z.string(), orOne(z.array(z.string()).min(1))).optional() });
export type CartSearch = z.infer<typeof CartSearch>;

export const Cart = z.strictObject({ "as": z.enum(["paths","zarr","intake","stac","csv"]), "searches": z.array(CartSearch).min(1).max(2000), "fields": z.array(z.string().min(1)).optional() });
export type Cart = z.infer<typeof Cart>;

export const NewFlavour = z.strictObject({ "flavour_name": z.string(), "mapping": FacetNames, "is_global": z.boolean().default(false) });
export type NewFlavour = z.infer<typeof NewFlavour>;

export const FlavourChange = z.strictObject({ "flavour_name": z.string().optional(), "mapping": FacetNames.optional(), "is_global": z.boolean().optional() });
export type FlavourChange = z.infer<typeof FlavourChange>;

export const FlavourDefinition = z.strictObject({ "flavour_name": Flavour, "mapping": FacetNames, "is_global": z.boolean(), "owner": z.string() });
export type FlavourDefinition = z.infer<typeof FlavourDefinition>;

export const FlavourList = z.strictObject({ "total": z.int().min(0), "flavours": z.array(FlavourDefinition) });
export type FlavourList = z.infer<typeof FlavourList>;

export const UniqKey = z.enum(["file","uri"]);
export type UniqKey = z.infer<typeof UniqKey>;

export const FilterValue = z.string().min(1);
export type FilterValue = z.infer<typeof FilterValue>;

export const FilterItem = z.string().regex(new RegExp("^[^=]+=[\\s\\S]+$", "u"));
export type FilterItem = z.infer<typeof FilterItem>;

export const Overview = z.strictObject({ "flavours": z.array(Flavour), "attributes": z.record(z.string(), z.array(z.string())) });
export type Overview = z.infer<typeof Overview>;

export const UnknownValue = z.strictObject({ "name": z.string(), "value": z.string(), "near": z.array(z.string()) });
export type UnknownValue = z.infer<typeof UnknownValue>;

export const SearchLinks = z.strictObject({ "why": z.string() });
export type SearchLinks = z.infer<typeof SearchLinks>;

export const MetadataSearchResult = z.strictObject({ "total_count": z.int().min(0), "facets": z.record(z.string(), z.array(z.string())), "facet_mapping": z.record(z.string(), z.string()), "primary_facets": z.array(z.string()), "known_files": z.record(z.string(), z.int().min(0)).optional(), "unknown_values": z.array(UnknownValue).optional(), "links": SearchLinks.optional() });
export type MetadataSearchResult = z.infer<typeof MetadataSearchResult>;

export const Box = z.strictObject({ "west": z.number(), "east": z.number(), "south": z.number(), "north": z.number() });
export type Box = z.infer<typeof Box>;

export const SearchedDocument = z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.array(z.string()), Box]));
export type SearchedDocument = z.infer<typeof SearchedDocument>;

export const ExtendedSearchResult = z.strictObject({ "total_count": z.int().min(0), "facets": z.record(z.string(), z.array(z.string())), "facet_mapping": z.record(z.string(), z.string()), "primary_facets": z.array(z.string()), "known_files": z.record(z.string(), z.int().min(0)).optional(), "unknown_values": z.array(UnknownValue).optional(), "links": SearchLinks.optional(), "documents": z.array(SearchedDocument), "after": z.union([z.string(), z.null()]), "next": z.union([z.string(), z.null()]) });
export type ExtendedSearchResult = z.infer<typeof ExtendedSearchResult>;

export const Boxes = z.strictObject({ "total_count": z.int().min(0), "known_files": z.int().min(0), "box_count": z.int().min(0), "boxes": z.array(z.strictObject({ "west": z.number(), "east": z.number(), "south": z.number(), "north": z.number(), "files": z.int().min(1) })) });
export type Boxes = z.infer<typeof Boxes>;

export const Years = z.strictObject({ "total_count": z.int().min(0), "known_files": z.int().min(0), "first": z.union([z.int(), z.null()]), "last": z.union([z.int(), z.null()]), "years_per_bar": z.int().min(1), "bars": z.array(z.strictObject({ "first": z.int(), "last": z.int(), "files": z.int().min(0) })) });
export type Years = z.infer<typeof Years>;

export const Stretch = z.strictObject({ "start": z.union([z.string(), z.null()]), "end": z.union([z.string(), z.null()]) });
export type Stretch = z.infer<typeof Stretch>;

export const Dataset = z.strictObject({ "dataset_id": z.union([z.string(), z.null()]), "files": z.int().min(1), "bytes": z.int().min(0), "sized_files": z.int().min(0), "retracted": z.int().min(0), "versions": z.array(z.strictObject({ "version": z.string(), "files": z.int().min(1), "retracted": z.int().min(0) })), "version_count": z.int().min(0), "start": z.union([z.string(), z.null()]), "end": z.union([z.string(), z.null()]), "dated_files": z.int().min(0), "periods": z.array(Stretch), "period_count": z.int().min(0), "gaps": z.array(Stretch), "overlaps": z.array(Stretch), "overlap_count": z.int().min(0), "formats": z.array(z.strictObject({ "format": z.string(), "files": z.int().min(1) })), "storage": z.array(z.strictObject({ "fs_type": z.string(), "files": z.int().min(1), "bytes": z.int().min(0), "sized_files": z.int().min(0) })), "facets": z.record(z.string(), z.string()), "boxes": z.array(Box), "box_count": z.int().min(0), "example": z.union([z.strictObject({ "file": z.string(), "uri": z.string().optional() }), z.null()]) });
export type Dataset = z.infer<typeof Dataset>;

export const Datasets = z.strictObject({ "total_count": z.int().min(0), "dataset_count": z.int().min(0), "unnamed_files": z.int().min(0), "datasets": z.array(Dataset), "after": z.union([z.string(), z.null()]), "next": z.union([z.string(), z.null()]) });
export type Datasets = z.infer<typeof Datasets>;

export const FileGroup = z.record(z.string(), z.string());
export type FileGroup = z.infer<typeof FileGroup>;

export const Complete = z.strictObject({ "group_by": z.array(z.string()), "needs": z.array(z.strictObject({ "need": z.string(), "on": z.array(z.string()), "from": z.string().optional(), "to": z.string().optional() })), "group_count": z.int().min(0), "complete_count": z.int().min(0), "files": z.int().min(0).optional(), "complete": z.array(FileGroup), "near_misses": z.array(z.strictObject({ "group": FileGroup, "missing": z.array(z.strictObject({ "need": z.int().min(0), "gaps": z.array(z.strictObject({ "from": z.union([z.string(), z.null()]), "to": z.union([z.string(), z.null()]) })).optional() })) })), "links": z.strictObject({ "path_list": z.string(), "intake_catalogue": z.string(), "stac_archive": z.string() }) });
export type Complete = z.infer<typeof Complete>;

export const UnmatchedValue = z.strictObject({ "value": z.string(), "near": z.array(z.strictObject({ "value": z.string(), "count": z.int().min(1) })) });
export type UnmatchedValue = z.infer<typeof UnmatchedValue>;

export const Why = z.strictObject({ "total_count": z.int().min(0), "constraints": z.array(z.strictObject({ "name": z.string(), "values": z.array(z.string()), "count_without": z.int().min(0), "unmatched": z.array(UnmatchedValue) })), "excluding": z.union([z.array(z.string()), z.null()]) });
export type Why = z.infer<typeof Why>;

export const Coverage = z.strictObject({ "rows": z.string(), "columns": z.string(), "cells": z.enum(["files","datasets","bytes","members","years"]), "total_count": z.int().min(0), "known_files": z.int().min(0).optional(), "row_values": z.array(z.string()), "column_values": z.array(z.string()), "values": z.array(z.array(z.number().min(0)).min(3).max(3)) });
export type Coverage = z.infer<typeof Coverage>;

export const Summary = z.strictObject({ "files": z.int().min(0), "datasets": z.int().min(0), "bytes": z.int().min(0), "sized_files": z.int().min(0), "start": z.union([z.string(), z.null()]), "end": z.union([z.string(), z.null()]), "formats": z.array(z.strictObject({ "format": z.string(), "files": z.int().min(0) })), "storage": z.array(z.strictObject({ "fs_type": z.string(), "files": z.int().min(0), "bytes": z.int().min(0), "sized_files": z.int().min(0) })), "retracted": z.int().min(0), "estimated_bytes": z.strictObject({ "path_list": z.int().min(0), "intake_catalogue": z.int().min(0), "stac_archive": z.int().min(0) }) });
export type Summary = z.infer<typeof Summary>;

export const ShareRequest = z.strictObject({ "url": z.string().min(1).optional(), "uuid": z.string().min(1).optional(), "ttl_seconds": z.int().min(1).max(2592000).default(86400) });
export type ShareRequest = z.infer<typeof ShareRequest>;

export const UnshareRequest = z.strictObject({ "url": z.string().min(1) });
export type UnshareRequest = z.infer<typeof UnshareRequest>;

export const SharedZarr = z.strictObject({ "url": z.string(), "expires": z.int() });
export type SharedZarr = z.infer<typeof SharedZarr>;

export const IntakeCatalogue = z.strictObject({ "esmcat_version": z.string(), "attributes": z.array(z.strictObject({ "column_name": z.string(), "vocabulary": z.string() })), "assets": z.strictObject({ "column_name": z.string(), "format_column_name": z.string() }), "id": z.string(), "description": z.string(), "title": z.string(), "last_updated": z.string(), "aggregation_control": z.strictObject({ "variable_column_name": z.string(), "groupby_attrs": z.array(z.string()), "aggregations": z.array(z.strictObject({ "type": z.enum(["union","join_existing"]), "attribute_name": z.string(), "options": z.record(z.string(), z.string()) })) }), "catalog_dict": z.array(z.looseObject({  })) });
export type IntakeCatalogue = z.infer<typeof IntakeCatalogue>;

export const Status = z.strictObject({ "status": z.string() });
export type Status = z.infer<typeof Status>;

export const HealthState = z.enum(["ok","unknown","warning","failed"]);
export type HealthState = z.infer<typeof HealthState>;

export const ServiceCheck = z.strictObject({ "name": z.string(), "state": HealthState, "says": z.string(), "since": z.string().optional(), "age": z.number().optional() });
export type ServiceCheck = z.infer<typeof ServiceCheck>;

export const ServiceStatus = z.strictObject({ "state": HealthState, "checks": z.array(ServiceCheck) });
export type ServiceStatus = z.infer<typeof ServiceStatus>;

export const UserMetadataEntry = z.looseObject({ "file": z.string().min(1), "variable": orOne(z.array(z.string().min(1)).min(1)), "time": z.string().min(1), "time_frequency": z.string().min(1), "uri": z.string().optional(), "version": z.string().optional(), "bbox": z.string().optional(), "extra": z.looseObject({  }).optional(), "project": orOne(z.array(z.string())).optional(), "product": orOne(z.array(z.string())).optional(), "institute": orOne(z.array(z.string())).optional(), "model": orOne(z.array(z.string())).optional(), "experiment": orOne(z.array(z.string())).optional(), "realm": orOne(z.array(z.string())).optional(), "ensemble": orOne(z.array(z.string())).optional(), "time_aggregation": orOne(z.array(z.string())).optional(), "fs_type": z.string().optional(), "grid_label": orOne(z.array(z.string())).optional(), "cmor_table": orOne(z.array(z.string())).optional(), "driving_model": orOne(z.array(z.string())).optional(), "format": z.string().optional(), "grid_id": orOne(z.array(z.string())).optional(), "level_type": orOne(z.array(z.string())).optional(), "rcm_name": orOne(z.array(z.string())).optional(), "rcm_version": orOne(z.array(z.string())).optional(), "region": orOne(z.array(z.string())).optional(), "branding_suffix": orOne(z.array(z.string())).optional(), "dataset": z.string().optional(), "size": z.int().min(0).optional(), "checksum": z.string().optional(), "modified": z.string().optional(), "tracking_id": orOne(z.array(z.string())).optional(), "standard_name": orOne(z.array(z.string())).optional(), "long_name": orOne(z.array(z.string())).optional(), "units": orOne(z.array(z.string())).optional(), "nominal_resolution": z.string().optional(), "license": z.string().optional(), "further_info_url": z.string().optional(), "retracted": z.boolean().optional() });
export type UserMetadataEntry = z.infer<typeof UserMetadataEntry>;

export const UserDataRequest = z.strictObject({ "user_metadata": z.array(UserMetadataEntry), "facets": z.record(z.string(), z.string()).optional() });
export type UserDataRequest = z.infer<typeof UserDataRequest>;

export const UserDataSelection = z.record(z.string(), z.string().min(1));
export type UserDataSelection = z.infer<typeof UserDataSelection>;

export const TokenRequest = alsoNamed({"refresh-token":"refresh_token"}, z.looseObject({ "grant_type": z.string().max(64).optional(), "username": z.string().max(256).optional(), "password": z.string().max(1024).optional(), "refresh_token": z.string().max(8192).optional(), "code": z.string().max(8192).optional(), "redirect_uri": z.string().max(2048).optional(), "code_verifier": z.string().max(256).optional(), "client_id": z.string().max(256).optional(), "client_secret": z.string().max(1024).optional(), "scope": z.string().max(1024).optional() }));
export type TokenRequest = z.infer<typeof TokenRequest>;

export const SignInForm = z.looseObject({ "response_type": z.string().max(64).optional(), "client_id": z.string().max(256).optional(), "redirect_uri": z.string().max(2048).optional(), "scope": z.string().max(1024).optional(), "state": z.string().max(2048).optional(), "code_challenge": z.string().max(256).optional(), "code_challenge_method": z.string().max(64).optional(), "prompt": z.string().max(64).optional(), "username": z.string().max(256).optional(), "password": z.string().max(1024).optional(), "form_key": z.string().max(64).optional() });
export type SignInForm = z.infer<typeof SignInForm>;

export const NewScriptToken = z.strictObject({ "name": z.string().min(1).max(100), "ttl_seconds": z.int().min(60).max(31622400).default(2592000) });
export type NewScriptToken = z.infer<typeof NewScriptToken>;

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

export const ParameterError = z.strictObject({ "name": z.string(), "in": z.enum(["path","query","header","body"]), "reason": z.string() });
export type ParameterError = z.infer<typeof ParameterError>;

export const Problem = z.looseObject({ "type": z.string(), "title": z.string(), "status": z.int(), "detail": z.string(), "error": z.string().optional(), "error_description": z.string().optional(), "errors": z.array(ParameterError).optional() });
export type Problem = z.infer<typeof Problem>;
