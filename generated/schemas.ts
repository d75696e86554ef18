// Made from openapi.yaml by `npm run generate`; never edited.
import { z } from "@hono/zod-openapi";

export const Flavour = z.enum(["native","cmip6","cmip5","cordex","nextgems","user"]);
export type Flavour = z.infer<typeof Flavour>;

export const UniqKey = z.enum(["file","uri"]);
export type UniqKey = z.infer<typeof UniqKey>;

export const Select = z.enum(["flexible","strict","file"]).default("flexible");
export type Select = z.infer<typeof Select>;

export const Overview = z.strictObject({ "flavours": z.array(Flavour), "attributes": z.record(z.string(), z.array(z.string())) });
export type Overview = z.infer<typeof Overview>;

export const MetadataSearchResult = z.strictObject({ "total_count": z.int().min(0), "facets": z.record(z.string(), z.array(z.string())), "facet_mapping": z.record(z.string(), z.string()), "primary_facets": z.array(z.string()) });
export type MetadataSearchResult = z.infer<typeof MetadataSearchResult>;

export const IntakeCatalogue = z.strictObject({ "esmcat_version": z.string(), "attributes": z.array(z.strictObject({ "column_name": z.string(), "vocabulary": z.string() })), "assets": z.strictObject({ "column_name": z.string(), "format_column_name": z.string() }), "id": z.string(), "description": z.string(), "title": z.string(), "last_updated": z.string(), "aggregation_control": z.strictObject({ "variable_column_name": z.string(), "groupby_attrs": z.array(z.string()), "aggregations": z.array(z.strictObject({ "type": z.enum(["union","join_existing"]), "attribute_name": z.string(), "options": z.record(z.string(), z.string()) })) }), "catalog_dict": z.array(z.record(z.string(), z.union([z.string(), z.array(z.string())]))) });
export type IntakeCatalogue = z.infer<typeof IntakeCatalogue>;

export const Status = z.strictObject({ "status": z.string() });
export type Status = z.infer<typeof Status>;

export const ParameterError = z.strictObject({ "name": z.string(), "in": z.enum(["path","query","header","body"]), "reason": z.string() });
export type ParameterError = z.infer<typeof ParameterError>;

export const Problem = z.looseObject({ "type": z.string(), "title": z.string(), "status": z.int(), "detail": z.string(), "errors": z.array(ParameterError).optional() });
export type Problem = z.infer<typeof Problem>;
