/** What is asked of Solr's range facets (Solr Reference Guide, "Range Faceting"), as far as it is used here. */

/** Of fields of moments, how many documents have theirs in each of equal steps. */
export interface MomentSteps {
  readonly fields: readonly string[];
  /** A moment as Solr has it. */
  readonly start: string;
  /** The first moment behind the last step. */
  readonly end: string;
  /** The length of a step in Solr's date math, such as `+5YEARS`. */
  readonly gap: string;
}
