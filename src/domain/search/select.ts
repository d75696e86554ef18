/** How documents relate to the period or the region that is asked for: they meet it, lie within it, or contain it. */
export type Select = "flexible" | "strict" | "file";
