/** Texts that a parser on the way to Solr gives a meaning: of Lucene, its local parameters, JSON, macros, URLs. */
const MARKS = "\"'\\`*?()[]{}<>^~:;,/+-!&|=#%$@._";
const WORDS =
  '&& || AND OR NOT TO *:* ^2 ~1 // /* */ /.*/ <!-- \\\\ \\* \\" \\u0041 \\u0022 %22 %2F ${q:*} ${user} ${solr.home} $owner ' +
  '_query_: {! {!lucene} user:* owner:* -owner:* fq= q= qt=/export search( `]}` ", ") `,';
const PHRASES = [
  " OR ",
  " AND NOT ",
  " TO ",
  "[* TO *]",
  "[a TO b]",
  "{!lucene v=$q}",
  "{!term f=user}",
  "  x",
];
const INJECTIONS = ['"{!match_all}"', '" OR user:"', '") OR (*:*'];
/** Letters and marks that are folded, joined, invisible, or outside of the first plane. */
const UNUSUAL =
  "éäßİ\u0085\u00a0\u0301\u200b\u2028\u2029\u3000\ufeff\uffee\uffff\u{1f30d}\u{10ffff}";

export const ODD_TEXTS: readonly string[] = [
  ...[...MARKS, ...UNUSUAL, " "],
  ...[...WORDS.split(" "), ...PHRASES, ...INJECTIONS],
];
export const CONTROLS: readonly string[] = [..."\t\n\r\0\u0001"];
