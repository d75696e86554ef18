// Made from openapi.yaml by `npm run generate`; never edited.
/** What the path of each operation begins with. */
export const PREFIX = "/api/climate-nextgen";
